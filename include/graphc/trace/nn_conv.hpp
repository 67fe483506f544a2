// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolution and pooling layers. Include graphc/trace.hpp.
#ifndef GRAPHC_TRACE_NN_CONV_HPP
#define GRAPHC_TRACE_NN_CONV_HPP

#include "graphc/trace/conv.hpp"
#include "graphc/trace/nn_norm.hpp"

namespace graphc::nn {

/// How a convolution slides, by PyTorch's names and defaults.
struct ConvOptions {
  PerDim stride = 1, padding = 0, dilation = 1;
  int64_t groups = 1;
  bool bias = true;
  PerDim output_padding = 0; // Of transposed ones.
};

namespace detail {

struct ConvImpl final : LibraryModule {
  ConvImpl(size_t slides, bool transposed, int64_t in, int64_t out,
           const PerDim &kernel_size, const ConvOptions &options,
           graphc_dtype dtype, Source source)
      : slides(slides), transposed(transposed), in(in), out(out),
        options(options) {
    text =
        (transposed ? "ConvTranspose" : "Conv") + std::to_string(slides) + "d";
    kernel = kernel_size.expand(slides, text.c_str(), source);
    if (in < 1 || out < 1 || options.groups < 1 || in % options.groups != 0 ||
        out % options.groups != 0)
      raise(source, text + " expects channels that groups divide, but got " +
                        std::to_string(in) + " and " + std::to_string(out) +
                        " in " + std::to_string(options.groups) + " groups");
    Shape shape = transposed ? Shape{in, out / options.groups}
                             : Shape{out, in / options.groups};
    // Of PyTorch: the second dimension times the kernel's places.
    int64_t fanIn = shape[1];
    for (int64_t size : kernel) {
      if (size < 1)
        raise(source, text +
                          " expects a kernel of sizes of 1 or more, but got " +
                          toString(kernel));
      shape.push_back(size);
      fanIn *= size;
    }
    weight = register_parameter(
        "weight", Parameter(shape, kaimingUniform(fanIn), dtype, true, source));
    if (options.bias)
      bias =
          register_parameter("bias", Parameter({out}, uniformInverseRoot(fanIn),
                                               dtype, true, source));
  }
  Tensor forward(const Tensor &x) override {
    return graphc::detail::convolve(
        slides, text.c_str(), x, weight, bias, options.stride, options.padding,
        options.dilation, options.groups,
        transposed ? &options.output_padding : nullptr);
  }
  std::string name() const override { return text; }
  std::string extra_repr() const override {
    auto list = [&](const PerDim &value) {
      return tuple(value.isOne ? Shape(slides, value.values.front())
                               : value.values);
    };
    auto isAll = [](const PerDim &value, int64_t number) {
      for (int64_t v : value.values)
        if (v != number)
          return false;
      return true;
    };
    std::string result = std::to_string(in) + ", " + std::to_string(out) +
                         ", kernel_size=" + tuple(kernel) +
                         ", stride=" + list(options.stride);
    if (!isAll(options.padding, 0))
      result += ", padding=" + list(options.padding);
    if (!isAll(options.dilation, 1))
      result += ", dilation=" + list(options.dilation);
    if (transposed && !isAll(options.output_padding, 0))
      result += ", output_padding=" + list(options.output_padding);
    if (options.groups != 1)
      result += ", groups=" + std::to_string(options.groups);
    if (!options.bias)
      result += ", bias=False";
    return result;
  }
  size_t slides;
  bool transposed;
  int64_t in, out;
  ConvOptions options;
  std::string text;
  Shape kernel;
  Parameter weight, bias;
};

/// As Python prints a number or a tuple.
inline std::string numberOrTuple(const PerDim &value) {
  return value.isOne ? std::to_string(value.values.front())
                     : tuple(value.values);
}

struct PoolImpl final : LibraryModule {
  PoolImpl(size_t slides, bool isMax, const PerDim &kernel,
           const PerDim &stride, const PerDim &padding, const PerDim &dilation,
           bool count_include_pad)
      : slides(slides), isMax(isMax), kernel(kernel),
        stride(stride.values == Shape{0} ? kernel : stride), padding(padding),
        dilation(dilation), count_include_pad(count_include_pad) {}
  Tensor forward(const Tensor &x) override {
    return graphc::detail::pool(
        slides, name().c_str(), isMax ? "graph.max_pool" : "graph.avg_pool", x,
        kernel, stride, padding, dilation,
        isMax || count_include_pad ? "" : ", exclude_padding");
  }
  std::string name() const override {
    return (isMax ? "MaxPool" : "AvgPool") + std::to_string(slides) + "d";
  }
  std::string extra_repr() const override {
    // PyTorch's AvgPool1d alone keeps tuples.
    auto show = [&](const PerDim &value) {
      return slides == 1 && !isMax ? tuple(value.values) : numberOrTuple(value);
    };
    std::string text = "kernel_size=" + show(kernel) +
                       ", stride=" + show(stride) +
                       ", padding=" + show(padding);
    return isMax ? text + ", dilation=" + numberOrTuple(dilation) +
                       ", ceil_mode=False"
                 : text;
  }
  size_t slides;
  bool isMax;
  PerDim kernel, stride, padding, dilation;
  bool count_include_pad;
};

struct AdaptivePoolImpl final : LibraryModule {
  AdaptivePoolImpl(bool isMax, const PerDim &output_size)
      : isMax(isMax), output_size(output_size) {}
  Tensor forward(const Tensor &x) override {
    return isMax ? adaptive_max_pool2d(x, output_size)
                 : adaptive_avg_pool2d(x, output_size);
  }
  std::string name() const override {
    return isMax ? "AdaptiveMaxPool2d" : "AdaptiveAvgPool2d";
  }
  std::string extra_repr() const override {
    return "output_size=" + numberOrTuple(output_size);
  }
  bool isMax;
  PerDim output_size;
};

template <size_t slides, bool transposed> struct ConvHandle : Handle<ConvImpl> {
  ConvHandle() = default;
  ConvHandle(int64_t in_channels, int64_t out_channels,
             const PerDim &kernel_size, const ConvOptions &options = {},
             graphc_dtype dtype = f32, Source source = here())
      : Handle(std::make_shared<ConvImpl>(slides, transposed, in_channels,
                                          out_channels, kernel_size, options,
                                          dtype, source)) {}
};
template <size_t slides> struct MaxPoolHandle : Handle<PoolImpl> {
  explicit MaxPoolHandle(const PerDim &kernel_size, const PerDim &stride = 0,
                         const PerDim &padding = 0, const PerDim &dilation = 1)
      : Handle(std::make_shared<PoolImpl>(slides, true, kernel_size, stride,
                                          padding, dilation, true)) {}
};
template <size_t slides> struct AvgPoolHandle : Handle<PoolImpl> {
  explicit AvgPoolHandle(const PerDim &kernel_size, const PerDim &stride = 0,
                         const PerDim &padding = 0,
                         bool count_include_pad = true)
      : Handle(std::make_shared<PoolImpl>(slides, false, kernel_size, stride,
                                          padding, 1, count_include_pad)) {}
};
} // namespace detail

/// y = conv(x, weight) + bias; weight [out_channels, in_channels / groups,
/// kernel..], bias [out_channels], both uniform on +-1/sqrt(elements that make
/// one of y). ConvTranspose: weight [in_channels, out_channels / groups,
/// kernel..].
using Conv1d = detail::ConvHandle<1, false>;
using Conv2d = detail::ConvHandle<2, false>;
using Conv3d = detail::ConvHandle<3, false>;
using ConvTranspose1d = detail::ConvHandle<1, true>;
using ConvTranspose2d = detail::ConvHandle<2, true>;
using ConvTranspose3d = detail::ConvHandle<3, true>;
/// Largest element or mean of each window; `stride` 0 means `kernel_size`.
using MaxPool1d = detail::MaxPoolHandle<1>;
using MaxPool2d = detail::MaxPoolHandle<2>;
using MaxPool3d = detail::MaxPoolHandle<3>;
using AvgPool1d = detail::AvgPoolHandle<1>;
using AvgPool2d = detail::AvgPoolHandle<2>;
using AvgPool3d = detail::AvgPoolHandle<3>;
/// Over `output_size` equal parts of height and width; 1 is all of them.
struct AdaptiveAvgPool2d : Handle<detail::AdaptivePoolImpl> {
  explicit AdaptiveAvgPool2d(const PerDim &output_size)
      : Handle(std::make_shared<detail::AdaptivePoolImpl>(false, output_size)) {
  }
};
struct AdaptiveMaxPool2d : Handle<detail::AdaptivePoolImpl> {
  explicit AdaptiveMaxPool2d(const PerDim &output_size)
      : Handle(std::make_shared<detail::AdaptivePoolImpl>(true, output_size)) {}
};

} // namespace graphc::nn

#endif // GRAPHC_TRACE_NN_CONV_HPP
