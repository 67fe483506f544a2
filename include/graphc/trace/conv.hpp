// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions and pooling, channels first as in PyTorch. Sums are taken in f32
// for f16 and bf16. Include graphc/trace.hpp.
#ifndef GRAPHC_TRACE_CONV_HPP
#define GRAPHC_TRACE_CONV_HPP

#include "graphc/trace/reduce.hpp"
#include "graphc/trace/shape.hpp"

namespace graphc {

/// One number for all spatial dimensions, or one for each.
struct PerDim {
  PerDim(int64_t all) : values{all}, isOne(true) {}
  PerDim(int all) : PerDim(static_cast<int64_t>(all)) {}
  PerDim(std::initializer_list<int64_t> each) : values(each) {}
  PerDim(const Shape &each) : values(each) {}

  /// One for each of `count` dimensions; throws if there are others.
  Shape expand(size_t count, const char *what, const Source &source) const {
    if (isOne)
      return Shape(count, values.front());
    if (values.size() != count)
      raise(source, std::string(what) + " expects one number or " +
                        std::to_string(count) + ", but got " +
                        toString(values));
    return values;
  }

  Shape values;
  bool isOne = false;
};

namespace detail {
/// The list attributes that sliding windows have.
inline std::string windows(const Shape &stride, const Shape &padding,
                           const Shape &dilation) {
  return "strides = " + attribute(stride) + ", low = " + attribute(padding) +
         ", high = " + attribute(padding) +
         ", dilation = " + attribute(dilation);
}
/// `x` with a batch dimension in front if it lacks one: then the result loses
/// it again.
inline Tensor asBatch(const Tensor &x, size_t slides, const char *what,
                      const Source &source) {
  size_t rank = x.shape().size();
  if (rank != slides + 1 && rank != slides + 2)
    raise(source, std::string(what) + " expects an input of rank " +
                      std::to_string(slides + 1) + " or " +
                      std::to_string(slides + 2) + ", but got " +
                      toString(x.shape()) + "\nnote: it is " + x.origin());
  if (rank == slides + 2)
    return x;
  Shape shape = x.shape();
  shape.insert(shape.begin(), 1);
  return reshapeTo(x, shape, source);
}
inline Tensor convolve(size_t slides, const char *what, const Operand &input,
                       const Tensor &weight, const Tensor &bias,
                       const PerDim &stride, const PerDim &padding,
                       const PerDim &dilation, int64_t groups,
                       const PerDim *output_padding) {
  const Source &source = input.source;
  Tensor given = asTensor(input);
  Tensor x = asBatch(given, slides, what, source);
  std::vector<Tensor> operands = {x, weight};
  if (bias.defined())
    operands.push_back(bias);
  std::string attributes = "{" +
                           windows(stride.expand(slides, what, source),
                                   padding.expand(slides, what, source),
                                   dilation.expand(slides, what, source)) +
                           ", groups = " + attribute(groups);
  if (output_padding)
    attributes += ", output_padding = " +
                  attribute(output_padding->expand(slides, what, source));
  Tensor y =
      build(source, output_padding ? "graph.conv_transpose" : "graph.conv",
            operands, attributes + "}");
  if (given.dim() == x.dim())
    return y;
  return reshapeTo(y, Shape(y.shape().begin() + 1, y.shape().end()), source);
}
inline Tensor pool(size_t slides, const char *what, const char *op,
                   const Operand &input, const PerDim &kernel,
                   const PerDim &stride, const PerDim &padding,
                   const PerDim &dilation, const std::string &more = "") {
  const Source &source = input.source;
  Tensor x = asTensor(input);
  asBatch(x, slides, what, source);
  return build(source, op, {x},
               "{kernel = " + attribute(kernel.expand(slides, what, source)) +
                   ", " +
                   windows(stride.expand(slides, what, source),
                           padding.expand(slides, what, source),
                           dilation.expand(slides, what, source)) +
                   more + "}");
}
} // namespace detail

/// torch.nn.functional.conv1d: `input` [N, C, L] or [C, L], `weight` [O, C /
/// groups, K], `bias` [O] or undefined; to [N, O, (L + 2 padding - dilation (K -
/// 1) - 1) / stride + 1]. Throws if they do not fit.
inline Tensor conv1d(const Operand &input, const Tensor &weight,
                     const Tensor &bias = {}, const PerDim &stride = 1,
                     const PerDim &padding = 0, const PerDim &dilation = 1,
                     int64_t groups = 1) {
  return detail::convolve(1, "conv1d", input, weight, bias, stride, padding,
                          dilation, groups, nullptr);
}
/// torch.nn.functional.conv2d: the same over [N, C, H, W].
inline Tensor conv2d(const Operand &input, const Tensor &weight,
                     const Tensor &bias = {}, const PerDim &stride = 1,
                     const PerDim &padding = 0, const PerDim &dilation = 1,
                     int64_t groups = 1) {
  return detail::convolve(2, "conv2d", input, weight, bias, stride, padding,
                          dilation, groups, nullptr);
}
/// torch.nn.functional.conv3d: the same over [N, C, D, H, W].
inline Tensor conv3d(const Operand &input, const Tensor &weight,
                     const Tensor &bias = {}, const PerDim &stride = 1,
                     const PerDim &padding = 0, const PerDim &dilation = 1,
                     int64_t groups = 1) {
  return detail::convolve(3, "conv3d", input, weight, bias, stride, padding,
                          dilation, groups, nullptr);
}

/// torch.nn.functional.conv_transpose1d: `input` [N, C, L] or [C, L], `weight`
/// [C, O / groups, K]; to [N, O, (L - 1) stride - 2 padding + dilation (K - 1) +
/// output_padding + 1]. Throws if they do not fit.
inline Tensor conv_transpose1d(const Operand &input, const Tensor &weight,
                               const Tensor &bias = {},
                               const PerDim &stride = 1,
                               const PerDim &padding = 0,
                               const PerDim &output_padding = 0,
                               int64_t groups = 1, const PerDim &dilation = 1) {
  return detail::convolve(1, "conv_transpose1d", input, weight, bias, stride,
                          padding, dilation, groups, &output_padding);
}
/// torch.nn.functional.conv_transpose2d: the same over [N, C, H, W].
inline Tensor conv_transpose2d(const Operand &input, const Tensor &weight,
                               const Tensor &bias = {},
                               const PerDim &stride = 1,
                               const PerDim &padding = 0,
                               const PerDim &output_padding = 0,
                               int64_t groups = 1, const PerDim &dilation = 1) {
  return detail::convolve(2, "conv_transpose2d", input, weight, bias, stride,
                          padding, dilation, groups, &output_padding);
}
/// torch.nn.functional.conv_transpose3d: the same over [N, C, D, H, W].
inline Tensor conv_transpose3d(const Operand &input, const Tensor &weight,
                               const Tensor &bias = {},
                               const PerDim &stride = 1,
                               const PerDim &padding = 0,
                               const PerDim &output_padding = 0,
                               int64_t groups = 1, const PerDim &dilation = 1) {
  return detail::convolve(3, "conv_transpose3d", input, weight, bias, stride,
                          padding, dilation, groups, &output_padding);
}

/// torch.nn.functional.max_pool1d over [.., C, L]: the largest element of each
/// window; padding does not count. `stride` 0 means `kernel_size`. Throws if
/// the window does not fit.
inline Tensor max_pool1d(const Operand &input, const PerDim &kernel_size,
                         const PerDim &stride = 0, const PerDim &padding = 0,
                         const PerDim &dilation = 1) {
  return detail::pool(1, "max_pool1d", "graph.max_pool", input, kernel_size,
                      stride.values == Shape{0} ? kernel_size : stride, padding,
                      dilation);
}
/// torch.nn.functional.max_pool2d: the same over [.., C, H, W].
inline Tensor max_pool2d(const Operand &input, const PerDim &kernel_size,
                         const PerDim &stride = 0, const PerDim &padding = 0,
                         const PerDim &dilation = 1) {
  return detail::pool(2, "max_pool2d", "graph.max_pool", input, kernel_size,
                      stride.values == Shape{0} ? kernel_size : stride, padding,
                      dilation);
}
/// torch.nn.functional.max_pool3d: the same over [.., C, D, H, W].
inline Tensor max_pool3d(const Operand &input, const PerDim &kernel_size,
                         const PerDim &stride = 0, const PerDim &padding = 0,
                         const PerDim &dilation = 1) {
  return detail::pool(3, "max_pool3d", "graph.max_pool", input, kernel_size,
                      stride.values == Shape{0} ? kernel_size : stride, padding,
                      dilation);
}
/// torch.nn.functional.avg_pool1d over [.., C, L]: the mean of each window;
/// padding counts as zeros if `count_include_pad`. `stride` 0 means
/// `kernel_size`. Throws if the window does not fit.
inline Tensor avg_pool1d(const Operand &input, const PerDim &kernel_size,
                         const PerDim &stride = 0, const PerDim &padding = 0,
                         bool count_include_pad = true) {
  return detail::pool(1, "avg_pool1d", "graph.avg_pool", input, kernel_size,
                      stride.values == Shape{0} ? kernel_size : stride, padding,
                      1, count_include_pad ? "" : ", exclude_padding");
}
/// torch.nn.functional.avg_pool2d: the same over [.., C, H, W].
inline Tensor avg_pool2d(const Operand &input, const PerDim &kernel_size,
                         const PerDim &stride = 0, const PerDim &padding = 0,
                         bool count_include_pad = true) {
  return detail::pool(2, "avg_pool2d", "graph.avg_pool", input, kernel_size,
                      stride.values == Shape{0} ? kernel_size : stride, padding,
                      1, count_include_pad ? "" : ", exclude_padding");
}
/// torch.nn.functional.avg_pool3d: the same over [.., C, D, H, W].
inline Tensor avg_pool3d(const Operand &input, const PerDim &kernel_size,
                         const PerDim &stride = 0, const PerDim &padding = 0,
                         bool count_include_pad = true) {
  return detail::pool(3, "avg_pool3d", "graph.avg_pool", input, kernel_size,
                      stride.values == Shape{0} ? kernel_size : stride, padding,
                      1, count_include_pad ? "" : ", exclude_padding");
}

namespace detail {
/// The window that cuts each spatial dimension into `output_size` equal parts.
inline Shape adaptiveKernel(size_t slides, const char *what, const Tensor &x,
                            const PerDim &output_size, const Source &source) {
  asBatch(x, slides, what, source);
  Shape parts = output_size.expand(slides, what, source), kernel;
  for (size_t k = 0; k < slides; ++k) {
    int64_t size = x.shape()[x.shape().size() - slides + k];
    if (parts[k] < 1 || size % parts[k] != 0)
      raise(source, std::string(what) +
                        " expects output sizes that divide those of the "
                        "input, but got " +
                        toString(parts) + " for " + toString(x.shape()) +
                        "\nnote: the input is " + x.origin());
    kernel.push_back(size / parts[k]);
  }
  return kernel;
}
} // namespace detail

/// torch.nn.functional.adaptive_avg_pool2d: the means of `output_size` equal
/// parts of [.., C, H, W]; 1 is the global mean. Throws unless the sizes divide.
inline Tensor adaptive_avg_pool2d(const Operand &input,
                                  const PerDim &output_size) {
  return avg_pool2d(input, detail::adaptiveKernel(2, "adaptive_avg_pool2d",
                                                  detail::asTensor(input),
                                                  output_size, input.source));
}
/// torch.nn.functional.adaptive_max_pool2d: their largest elements.
inline Tensor adaptive_max_pool2d(const Operand &input,
                                  const PerDim &output_size) {
  return max_pool2d(input, detail::adaptiveKernel(2, "adaptive_max_pool2d",
                                                  detail::asTensor(input),
                                                  output_size, input.source));
}

/// torch.flip: dimensions `dims` turned around. Throws unless they are
/// different dimensions of `input`.
inline Tensor flip(const Operand &input, const Shape &dims) {
  Tensor x = detail::asTensor(input);
  if (dims.empty())
    return x;
  Shape axes = detail::wrapDims(dims, x.dim(), input.source);
  return detail::build(input.source, "graph.reverse", {x},
                       "{axes = " + detail::attribute(axes) + "}");
}

} // namespace graphc

#endif // GRAPHC_TRACE_CONV_HPP
