// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows: convolutions and pools.
#include "tools/graph-random/Generator.h"

using namespace mlir;

namespace graphc::random {

namespace {

/// A window over the last `slides` dimensions of `shape`, which fits.
struct Window {
  SmallVector<int64_t> kernel, strides, dilation, low, high, positions;
};

std::optional<Window> window(Generator &g, ArrayRef<int64_t> shape,
                             int64_t slides, bool pads) {
  Window w;
  for (int64_t size : shape.take_back(slides)) {
    int64_t dilation = g.pick(1, 2), kernel = g.pick(1, 4);
    int64_t reach = dilation * (kernel - 1) + 1;
    int64_t low = pads ? g.pick(0, reach / 2) : 0,
            high = pads ? g.pick(0, reach / 2) : 0;
    if (reach > size + low + high)
      return std::nullopt;
    w.kernel.push_back(kernel);
    w.dilation.push_back(dilation);
    w.strides.push_back(g.pick(1, 3));
    w.low.push_back(low);
    w.high.push_back(high);
    w.positions.push_back((size + low + high - reach) / w.strides.back() + 1);
  }
  return w;
}

void unfold(Generator &g) {
  Value x = g.operand(Kind::Any, 1);
  int64_t slides = g.pick(1, std::min<int64_t>(2, typeOf(x).getRank()));
  if (auto w = window(g, typeOf(x).getShape(), slides, false))
    g.make<graph::UnfoldOp>(x, w->kernel, w->strides, w->dilation);
}

void fold(Generator &g) {
  RankedTensorType t = g.type(Kind::Number, 1);
  int64_t slides = g.pick(1, std::min<int64_t>(2, t.getRank()));
  auto w = window(g, t.getShape(), slides, false);
  if (!w)
    return;
  SmallVector<int64_t> sizes(t.getShape().drop_back(slides));
  llvm::append_range(sizes, w->positions);
  llvm::append_range(sizes, w->kernel);
  g.make<graph::FoldOp>(t, g.operandOf(t.clone(sizes)), w->strides,
                        w->dilation);
}

void maxPool(Generator &g) {
  Value x = g.operand(Kind::Number, 1);
  int64_t slides = g.pick(1, std::min<int64_t>(2, typeOf(x).getRank()));
  if (auto w = window(g, typeOf(x).getShape(), slides, true))
    g.make<graph::MaxPoolOp>(x, w->kernel, w->strides, w->low, w->high,
                             w->dilation);
}

void avgPool(Generator &g) {
  Value x = g.operand(Kind::Float, 1);
  int64_t slides = g.pick(1, std::min<int64_t>(2, typeOf(x).getRank()));
  if (auto w = window(g, typeOf(x).getShape(), slides, true))
    g.make<graph::AvgPoolOp>(x, w->kernel, w->strides, w->low, w->high,
                             w->dilation, g.chance(50));
}

/// One of the three convolutions of an input, a weight and a result that fit.
enum class ConvKind { Plain, Transpose, WeightGrad };

void conv(Generator &g, ConvKind kind) {
  int64_t slides = g.pick(1, 2), groups = g.pick(1, 2);
  SmallVector<int64_t> x = {g.pick(1, 3), groups * g.pick(1, 3)};
  for (int64_t k = 0; k < slides; ++k)
    x.push_back(g.pick(1, 9));
  auto w = window(g, x, slides, true);
  if (!w)
    return;
  SmallVector<int64_t> weight = {groups * g.pick(1, 4), x[1] / groups};
  llvm::append_range(weight, w->kernel);
  SmallVector<int64_t> y = {x[0], weight[0]}, extra;
  llvm::append_range(y, w->positions);
  for (int64_t k = 0; k < slides; ++k)
    extra.push_back(x[k + 2] + w->low[k] + w->high[k] -
                    w->dilation[k] * (w->kernel[k] - 1) - 1 -
                    (w->positions[k] - 1) * w->strides[k]);
  Type e = g.element(Kind::Float);
  auto tensor = [&](ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, e);
  };
  auto bias = [&](int64_t channels) {
    return g.chance(50) ? g.operandOf(tensor(channels)) : Value();
  };
  if (kind == ConvKind::Plain)
    g.make<graph::ConvOp>(tensor(y), g.operandOf(tensor(x)),
                          g.operandOf(tensor(weight)), bias(weight[0]),
                          w->strides, w->low, w->high, w->dilation, groups);
  else if (kind == ConvKind::Transpose)
    g.make<graph::ConvTransposeOp>(
        tensor(x), g.operandOf(tensor(y)), g.operandOf(tensor(weight)),
        bias(x[1]), w->strides, w->low, w->high, w->dilation, extra, groups);
  else
    g.make<graph::ConvWeightGradOp>(tensor(weight), g.operandOf(tensor(x)),
                                    g.operandOf(tensor(y)), w->strides, w->low,
                                    w->high, w->dilation, groups);
}

} // namespace

void addConvDraws(Draws &draws) {
  using namespace graph;
  draws.insert({
      entry<UnfoldOp>(unfold),
      entry<FoldOp>(fold),
      entry<MaxPoolOp>(maxPool),
      entry<AvgPoolOp>(avgPool),
      entry<ConvOp>([](Generator &g) { conv(g, ConvKind::Plain); }),
      entry<ConvTransposeOp>(
          [](Generator &g) { conv(g, ConvKind::Transpose); }),
      entry<ConvWeightGradOp>(
          [](Generator &g) { conv(g, ConvKind::WeightGrad); }),
  });
}

} // namespace graphc::random
