// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers that normalise. Include graphc/trace.hpp.
#ifndef GRAPHC_TRACE_NN_NORM_HPP
#define GRAPHC_TRACE_NN_NORM_HPP

#include "graphc/trace/nn.hpp"

namespace graphc::nn {

namespace detail {
/// As Python prints a tuple.
inline std::string tuple(const Shape &shape) {
  std::string text = "(";
  for (size_t k = 0; k < shape.size(); ++k)
    text += (k ? ", " : "") + std::to_string(shape[k]);
  return text + (shape.size() == 1 ? ",)" : ")");
}
inline void checkSizes(const char *name, const Shape &shape,
                       const Source &source) {
  for (int64_t size : shape)
    if (size < 0)
      raise(source, std::string(name) +
                        " expects sizes of 0 or more, but got " +
                        toString(shape));
}
/// A weight of ones.
inline Parameter onesParameter(const Shape &shape, graphc_dtype dtype,
                               const Source &source) {
  return Parameter(shape, "#graph.constant<1.0>", dtype, true, source);
}
inline Parameter zerosParameter(const Shape &shape, graphc_dtype dtype,
                                const Source &source) {
  return Parameter(shape, "#graph.zeros", dtype, true, source);
}

struct LayerNormImpl final : LibraryModule {
  LayerNormImpl(Shape shape, double eps, bool affine, bool hasBias,
                graphc_dtype dtype, Source source)
      : shape(std::move(shape)), eps(eps), affine(affine) {
    checkSizes("LayerNorm", this->shape, source);
    if (affine)
      weight = register_parameter("weight",
                                  onesParameter(this->shape, dtype, source));
    if (affine && hasBias)
      bias = register_parameter("bias",
                                zerosParameter(this->shape, dtype, source));
  }
  Tensor forward(const Tensor &x) override {
    return layer_norm(x, shape, weight, bias, eps);
  }
  std::string name() const override { return "LayerNorm"; }
  std::string extra_repr() const override {
    return tuple(shape) + ", eps=" + pythonNumber(eps) +
           ", elementwise_affine=" + flag(affine);
  }
  Shape shape;
  double eps;
  bool affine;
  Parameter weight, bias;
};

struct RMSNormImpl final : LibraryModule {
  RMSNormImpl(Shape shape, std::optional<double> eps, bool affine,
              graphc_dtype dtype, Source source)
      : shape(std::move(shape)), eps(eps), affine(affine) {
    checkSizes("RMSNorm", this->shape, source);
    if (affine)
      weight = register_parameter("weight",
                                  onesParameter(this->shape, dtype, source));
  }
  Tensor forward(const Tensor &x) override {
    return rms_norm(x, shape, weight, eps);
  }
  std::string name() const override { return "RMSNorm"; }
  std::string extra_repr() const override {
    return tuple(shape) + ", eps=" + (eps ? pythonNumber(*eps) : "None") +
           ", elementwise_affine=" + flag(affine);
  }
  Shape shape;
  std::optional<double> eps;
  bool affine;
  Parameter weight;
};

struct GroupNormImpl final : LibraryModule {
  GroupNormImpl(int64_t groups, int64_t channels, double eps, bool affine,
                graphc_dtype dtype, Source source)
      : groups(groups), channels(channels), eps(eps), affine(affine) {
    if (groups < 1 || channels < 0 || channels % groups != 0)
      raise(source, "GroupNorm expects a number of channels that num_groups "
                    "divides, but got " +
                        std::to_string(channels) + " and " +
                        std::to_string(groups));
    if (!affine)
      return;
    weight =
        register_parameter("weight", onesParameter({channels}, dtype, source));
    bias =
        register_parameter("bias", zerosParameter({channels}, dtype, source));
  }
  Tensor forward(const Tensor &x) override {
    return group_norm(x, groups, weight, bias, eps);
  }
  std::string name() const override { return "GroupNorm"; }
  std::string extra_repr() const override {
    return std::to_string(groups) + ", " + std::to_string(channels) +
           ", eps=" + pythonNumber(eps) + ", affine=" + flag(affine);
  }
  int64_t groups, channels;
  double eps;
  bool affine;
  Parameter weight, bias;
};

struct BatchNormImpl final : LibraryModule {
  /// For inputs of `spatial` dimensions besides samples and channels; 1 means
  /// 0 or 1.
  BatchNormImpl(int spatial, int64_t features, double eps, double momentum,
                bool affine, bool track, graphc_dtype dtype, Source source)
      : spatial(spatial), features(features), eps(eps), momentum(momentum),
        affine(affine), track(track) {
    checkSizes(name().c_str(), {features}, source);
    if (affine) {
      weight = register_parameter("weight",
                                  onesParameter({features}, dtype, source));
      bias =
          register_parameter("bias", zerosParameter({features}, dtype, source));
    }
    auto buffer = [&](const char *name, Shape shape, const char *value,
                      graphc_dtype type) {
      return register_buffer(
          name, Parameter(std::move(shape), value, type, false, source));
    };
    if (!track)
      return;
    running_mean = buffer("running_mean", {features}, "#graph.zeros", dtype);
    running_var =
        buffer("running_var", {features}, "#graph.constant<1.0>", dtype);
    num_batches_tracked =
        buffer("num_batches_tracked", {}, "#graph.zeros", i64);
  }
  Tensor forward(const Tensor &x) override {
    int64_t rank = x.dim() - 2;
    if (rank != spatial && !(spatial == 1 && rank == 0))
      raise(here(),
            name() + " expects an input of rank " +
                (spatial == 1 ? "2 or 3" : std::to_string(spatial + 2)) +
                ", but got " + toString(x.shape()) + "\nnote: it is " +
                x.origin());
    if (!track) {
      // Always by the statistics of the batch.
      graphc_dtype dtype = affine ? weight.dtype() : x.dtype();
      return std::get<0>(batch_norm(x, zeros({features}, dtype),
                                    ones({features}, dtype), weight, bias, true,
                                    0, eps));
    }
    auto [y, mean, var] = batch_norm(x, running_mean, running_var, weight, bias,
                                     training(), momentum, eps);
    running_mean.set(mean);
    running_var.set(var);
    Tensor count = num_batches_tracked;
    num_batches_tracked.set(where(is_training(training()), count + 1, count));
    return y;
  }
  std::string name() const override {
    return "BatchNorm" + std::to_string(spatial) + "d";
  }
  std::string extra_repr() const override {
    return std::to_string(features) + ", eps=" + pythonNumber(eps) +
           ", momentum=" + pythonNumber(momentum) + ", affine=" + flag(affine) +
           ", track_running_stats=" + flag(track);
  }
  int spatial;
  int64_t features;
  double eps, momentum;
  bool affine, track;
  Parameter weight, bias, running_mean, running_var, num_batches_tracked;
};
} // namespace detail

/// layer_norm() with a weight of ones and a bias of zeros, both of
/// `normalized_shape`, at first.
struct LayerNorm : Handle<detail::LayerNormImpl> {
  LayerNorm() = default;
  explicit LayerNorm(Shape normalized_shape, double eps = 1e-5,
                     bool elementwise_affine = true, bool bias = true,
                     graphc_dtype dtype = f32, Source source = here())
      : Handle(std::make_shared<detail::LayerNormImpl>(
            std::move(normalized_shape), eps, elementwise_affine, bias, dtype,
            source)) {}
  explicit LayerNorm(int64_t normalized_size, double eps = 1e-5,
                     bool elementwise_affine = true, bool bias = true,
                     graphc_dtype dtype = f32, Source source = here())
      : LayerNorm(Shape{normalized_size}, eps, elementwise_affine, bias, dtype,
                  source) {}
};
/// rms_norm() with a weight of ones at first.
struct RMSNorm : Handle<detail::RMSNormImpl> {
  RMSNorm() = default;
  explicit RMSNorm(Shape normalized_shape, std::optional<double> eps = {},
                   bool elementwise_affine = true, graphc_dtype dtype = f32,
                   Source source = here())
      : Handle(std::make_shared<detail::RMSNormImpl>(
            std::move(normalized_shape), eps, elementwise_affine, dtype,
            source)) {}
  explicit RMSNorm(int64_t normalized_size, std::optional<double> eps = {},
                   bool elementwise_affine = true, graphc_dtype dtype = f32,
                   Source source = here())
      : RMSNorm(Shape{normalized_size}, eps, elementwise_affine, dtype,
                source) {}
};
/// group_norm() with a weight of ones and a bias of zeros, [num_channels], at
/// first.
struct GroupNorm : Handle<detail::GroupNormImpl> {
  GroupNorm() = default;
  GroupNorm(int64_t num_groups, int64_t num_channels, double eps = 1e-5,
            bool affine = true, graphc_dtype dtype = f32,
            Source source = here())
      : Handle(std::make_shared<detail::GroupNormImpl>(
            num_groups, num_channels, eps, affine, dtype, source)) {}
};

namespace detail {
template <int spatial> struct BatchNorm : Handle<BatchNormImpl> {
  BatchNorm() = default;
  explicit BatchNorm(int64_t num_features, double eps = 1e-5,
                     double momentum = 0.1, bool affine = true,
                     bool track_running_stats = true, graphc_dtype dtype = f32,
                     Source source = here())
      : Handle(std::make_shared<BatchNormImpl>(
            spatial, num_features, eps, momentum, affine, track_running_stats,
            dtype, source)) {}
};
} // namespace detail

/// batch_norm() with a weight of ones and a bias of zeros, [num_features], at
/// first, and the buffers running_mean (zeros), running_var (ones) and
/// num_batches_tracked (i64), which what trains updates. Of [N, C] or
/// [N, C, L], [N, C, H, W] and [N, C, D, H, W]; throws for other ranks. PyTorch's
/// momentum of None is not available.
using BatchNorm1d = detail::BatchNorm<1>;
using BatchNorm2d = detail::BatchNorm<2>;
using BatchNorm3d = detail::BatchNorm<3>;

} // namespace graphc::nn

#endif // GRAPHC_TRACE_NN_NORM_HPP
