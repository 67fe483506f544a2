// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decompositions of convolutions and pooling: pad, take windows, then multiply
// or reduce.
#include "dialects/Graph/IR/Emit.h"
#include "dialects/Graph/IR/Windows.h"

using namespace mlir;
using namespace graphc::graph;

using Ints = SmallVector<int64_t>;

static Value padLast(Emit e, Value x, Value value, ArrayRef<int64_t> low,
                     ArrayRef<int64_t> high, ArrayRef<int64_t> interior = {}) {
  auto isZero = [](int64_t n) { return n == 0; };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero) &&
      llvm::all_of(interior, isZero))
    return x;
  size_t before = tensorTypeOf(x).getRank() - low.size();
  auto extend = [&](ArrayRef<int64_t> list) {
    Ints all(before, 0);
    llvm::append_range(all, list);
    all.resize(before + low.size(), 0);
    return all;
  };
  return e.op<PadOp>(x, value, extend(low), extend(high), extend(interior));
}

static Value zeroOf(Emit e, Value x) {
  return splat(e.builder, e.loc, RankedTensorType::get({}, elementTypeOf(x)),
               0.0);
}

/// Splits dimension `dim` of `x` into `groups` and the rest.
static Value splitGroups(Emit e, Value x, int64_t dim, int64_t groups) {
  Ints shape(tensorTypeOf(x).getShape());
  shape[dim] /= groups;
  shape.insert(shape.begin() + dim, groups);
  return reshapeTo(e.builder, e.loc, x, shape);
}

/// For each group: the sum over `contracting` dimensions of [G, ...] weights
/// times those of windows [N, G, C, positions..., kernel...]. The result is [N,
/// G * O, positions...], with bias, in the type asked for.
static Value multiplyWindows(Emit e, Value weight,
                             ArrayRef<int64_t> contracting, Value windows,
                             size_t slides, Value bias,
                             RankedTensorType result) {
  Ints windowContracting = {2};
  llvm::append_range(windowContracting,
                     dimsBetween(3 + slides, 3 + 2 * slides));
  auto weightType = tensorTypeOf(weight), windowType = tensorTypeOf(windows);
  Ints shape = {weightType.getDimSize(0),
                weightType.getDimSize(contracting[0] == 1 ? 2 : 1),
                windowType.getDimSize(0)};
  llvm::append_range(shape, windowType.getShape().slice(3, slides));
  Value y = e.op<DotGeneralOp>(weightType.clone(shape), weight, windows,
                               ArrayRef<int64_t>(0), ArrayRef<int64_t>(1),
                               contracting, windowContracting);
  Ints order = {2, 0, 1};
  llvm::append_range(order, dimsBetween(3, 3 + slides));
  y = reshapeTo(e.builder, e.loc, e.op<TransposeOp>(y, order),
                result.getShape());
  if (bias)
    y = e.op<AddOp>(y, broadcastTo(e.builder, e.loc,
                                   e.cast(bias, elementTypeOf(y)),
                                   ArrayRef<int64_t>(1), result.getShape()));
  return e.cast(y, result.getElementType());
}

SmallVector<Value> ConvOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  size_t slides = getStrides().size();
  auto groups = static_cast<int64_t>(getGroups());
  Value x = e.widen(getInput());
  x = padLast(e, x, zeroOf(e, x), getLow(), getHigh());
  Ints kernel(tensorTypeOf(getWeight()).getShape().take_back(slides));
  Value windows = e.op<UnfoldOp>(x, kernel, getStrides(), getDilation());
  Ints contracting = {2};
  llvm::append_range(contracting, dimsBetween(3, 3 + slides));
  return {multiplyWindows(e, splitGroups(e, e.widen(getWeight()), 0, groups),
                          contracting, splitGroups(e, windows, 1, groups),
                          slides, getBias(), tensorTypeOf(getResult()))};
}

SmallVector<Value> ConvTransposeOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  size_t slides = getStrides().size();
  auto groups = static_cast<int64_t>(getGroups());
  auto result = tensorTypeOf(getResult());
  if (result.getNumElements() == 0)
    return {splat(builder, getLoc(), result, 0.0)};

  // Zeros between the elements and around them; where that would be less than
  // none, elements go.
  ArrayRef<int64_t> kernel =
      tensorTypeOf(getWeight()).getShape().take_back(slides);
  Ints low, high, interior, starts(2, 0), limits, steps(2 + slides, 1);
  for (size_t k = 0; k < slides; ++k) {
    int64_t reach = (kernel[k] - 1) * getDilation()[k];
    low.push_back(reach - getLow()[k]);
    high.push_back(reach - getHigh()[k] + getOutputPadding()[k]);
    interior.push_back(getStrides()[k] - 1);
  }
  auto positive = [](int64_t n) { return std::max<int64_t>(n, 0); };
  Value x = e.widen(getInput());
  x = padLast(e, x, zeroOf(e, x), llvm::map_to_vector(low, positive),
              llvm::map_to_vector(high, positive), interior);
  limits.append(tensorTypeOf(x).getShape().begin(),
                tensorTypeOf(x).getShape().end());
  for (size_t k = 0; k < slides; ++k) {
    starts.push_back(positive(-low[k]));
    limits[2 + k] -= positive(-high[k]);
  }
  x = e.op<SliceOp>(x, starts, limits, steps);
  Value windows = e.op<UnfoldOp>(x, kernel, Ints(slides, 1), getDilation());
  Value weight = e.widen(getWeight());
  weight = e.op<ReverseOp>(weight, dimsBetween(2, 2 + slides));
  Ints contracting = {1};
  llvm::append_range(contracting, dimsBetween(3, 3 + slides));
  return {multiplyWindows(e, splitGroups(e, weight, 0, groups), contracting,
                          splitGroups(e, windows, 1, groups), slides, getBias(),
                          result)};
}

SmallVector<Value> ConvWeightGradOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  size_t slides = getStrides().size();
  auto groups = static_cast<int64_t>(getGroups());
  auto result = tensorTypeOf(getResult());
  Value x = e.widen(getInput());
  x = padLast(e, x, zeroOf(e, x), getLow(), getHigh());
  Ints kernel(result.getShape().take_back(slides));
  Value windows = splitGroups(
      e, e.op<UnfoldOp>(x, kernel, getStrides(), getDilation()), 1, groups);
  Value grad = splitGroups(e, e.widen(getGrad()), 1, groups);
  Ints contracting = {0};
  llvm::append_range(contracting, dimsBetween(3, 3 + slides));
  Ints shape = {groups, tensorTypeOf(grad).getDimSize(2)};
  shape.push_back(result.getDimSize(1));
  llvm::append_range(shape, kernel);
  Value y = e.op<DotGeneralOp>(tensorTypeOf(x).clone(shape), grad, windows,
                               ArrayRef<int64_t>(1), ArrayRef<int64_t>(1),
                               contracting, contracting);
  y = reshapeTo(builder, getLoc(), y, result.getShape());
  return {e.cast(y, result.getElementType())};
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

/// The windows of a pool over `x`, elements of a window first: [kernel...,
/// batch..., positions...].
template <typename Pool>
static Value poolWindows(Emit e, Pool pool, Value x, Value padding) {
  x = padLast(e, x, padding, pool.getLow(), pool.getHigh());
  Value windows = e.op<UnfoldOp>(x, pool.getKernel(), pool.getStrides(),
                                 pool.getDilation());
  int64_t rank = tensorTypeOf(windows).getRank(),
          slides = pool.getKernel().size();
  Ints order = dimsBetween(rank - slides, rank);
  llvm::append_range(order, dimsBetween(0, rank - slides));
  return e.op<TransposeOp>(windows, order);
}

SmallVector<Value> MaxPoolOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  Value lowest = lowestOf(builder, getLoc(), elementTypeOf(getInput()));
  Value windows = poolWindows(e, *this, getInput(), lowest);
  return {e.op<ReduceMaxOp>(windows, dimsBetween(0, getKernel().size()))};
}

SmallVector<Value> AvgPoolOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  Value x = e.widen(getInput());
  Ints axes = dimsBetween(0, getKernel().size());
  Value windows = poolWindows(e, *this, x, zeroOf(e, x));
  Value sum = e.sum(windows, axes), count;
  if (getExcludePadding())
    count = e.sum(poolWindows(e, *this, e.like(x, 1.0), zeroOf(e, x)), axes);
  else
    count = e.like(
        sum, static_cast<double>(reducedCount(tensorTypeOf(windows), axes)));
  return {e.cast(e.op<DivOp>(sum, count), elementTypeOf(getResult()))};
}
