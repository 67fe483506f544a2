// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decompositions of convolutions and pooling: pad, take windows, then multiply
// or reduce.
#include "dialects/Graph/IR/Emit.h"
#include "dialects/Graph/IR/Windows.h"

#include <numeric>

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

namespace {

/// Positions of a transposed convolution's result that are a stride apart meet
/// the same elements of the kernel: they are one phase. Along one dimension.
struct Phase {
  int64_t first = 0;  // element of the kernel
  int64_t taps = 0;   // elements of the kernel; maybe none
  int64_t offset = 0; // from the position in the result to that in the input
};

/// The phases along one dimension, where the window has `kernel` elements.
/// Position `i` of phase p, p + i * stride of the result, meets element `first
/// + j * kernelStep` of the kernel at i + `offset` - j * `dilation` of the
/// input.
struct Phases {
  int64_t stride, kernelStep, dilation;
  SmallVector<Phase> phases;

  Phases(int64_t kernel, int64_t stride, int64_t windowDilation, int64_t low)
      : stride(stride) {
    int64_t common = std::gcd(windowDilation, stride);
    kernelStep = stride / common;
    dilation = windowDilation / common;
    for (int64_t p = 0; p < stride; ++p) {
      Phase phase;
      while (phase.first < std::min(kernel, kernelStep) &&
             (p + low - phase.first * windowDilation) % stride != 0)
        ++phase.first;
      if (phase.first < std::min(kernel, kernelStep)) {
        phase.taps = llvm::divideCeil(kernel - phase.first, kernelStep);
        phase.offset = (p + low - phase.first * windowDilation) / stride;
      }
      phases.push_back(phase);
    }
  }
};

/// All phases of a transposed convolution, put together dimension by dimension.
struct PhaseProducts {
  Emit e;
  ArrayRef<Phases> along;
  Value input;  // with zeros around it, so that no window leaves it
  Ints before;  // how many of them
  Value weight; // [G, ...]
  int64_t groups, channels;
  Ints counts; // positions of one phase

  /// [N, channels, counts...] of one phase each.
  Value product(ArrayRef<const Phase *> chosen) {
    size_t slides = along.size();
    Ints starts(2, 0), steps(2 + slides, 1), dilation, kernel;
    Ints limits(tensorTypeOf(input).getShape().take_front(2));
    Ints taps(3, 0), tapSteps(3, 1);
    Ints tapLimits(tensorTypeOf(weight).getShape());
    for (size_t k = 0; k < slides; ++k) {
      int64_t reach = (chosen[k]->taps - 1) * along[k].dilation;
      starts.push_back(before[k] + chosen[k]->offset - reach);
      limits.push_back(starts.back() + counts[k] + reach);
      dilation.push_back(along[k].dilation);
      kernel.push_back(chosen[k]->taps);
      taps.push_back(chosen[k]->first);
      tapSteps.push_back(along[k].kernelStep);
    }
    Value x = e.op<SliceOp>(input, starts, limits, steps);
    x = e.op<UnfoldOp>(x, kernel, Ints(slides, 1), dilation);
    Value w = e.op<SliceOp>(weight, taps, tapLimits, tapSteps);
    w = e.op<ReverseOp>(w, dimsBetween(3, 3 + slides));
    Ints contracting = {1};
    llvm::append_range(contracting, dimsBetween(3, 3 + slides));
    Ints shape = {tensorTypeOf(input).getDimSize(0), channels};
    llvm::append_range(shape, counts);
    return multiplyWindows(e, w, contracting, splitGroups(e, x, 1, groups),
                           slides, /*bias=*/Value(),
                           RankedTensorType::get(shape, elementTypeOf(input)));
  }

  /// The phases `chosen` of the first dimensions, all of the others: [N,
  /// channels, counts... of the first, counts * strides of the others].
  Value assemble(SmallVector<const Phase *> chosen) {
    size_t k = chosen.size();
    if (k == along.size())
      return product(chosen);
    if (along[k].stride == 1) {
      chosen.push_back(&along[k].phases.front());
      return assemble(chosen);
    }
    SmallVector<Value> parts;
    Ints shape;
    int64_t only = -1;
    for (auto [p, phase] : llvm::enumerate(along[k].phases)) {
      parts.push_back({});
      if (phase.taps == 0)
        continue;
      SmallVector<const Phase *> inner(chosen);
      inner.push_back(&phase);
      parts.back() = assemble(inner);
      shape.assign(tensorTypeOf(parts.back()).getShape().begin(),
                   tensorTypeOf(parts.back()).getShape().end());
      only = only == -1 ? int64_t(p) : -2;
    }
    assert(only != -1 && "each element of the kernel belongs to a phase");
    if (only >= 0) {
      Ints low(shape.size(), 0), high(low), interior(low);
      low[2 + k] = only;
      high[2 + k] = along[k].stride - 1 - only;
      interior[2 + k] = along[k].stride - 1;
      return e.op<PadOp>(parts[only], zeroOf(e, parts[only]), low, high,
                         interior);
    }
    shape.insert(shape.begin() + 3 + k, 1);
    for (Value &part : parts)
      part =
          part ? reshapeTo(e.builder, e.loc, part, shape)
               : splat(e.builder, e.loc,
                       RankedTensorType::get(shape, elementTypeOf(input)), 0.0);
    Value all = e.op<ConcatOp>(parts, uint64_t(3 + k));
    shape.erase(shape.begin() + 3 + k);
    shape[2 + k] *= along[k].stride;
    return reshapeTo(e.builder, e.loc, all, shape);
  }
};

} // namespace

bool ConvTransposeOp::leavesOutZeros() {
  double phases = 1;
  for (int64_t stride : getStrides())
    phases *= double(stride);
  return phases <= 16;
}

/// The phases of a transposed convolution by a kernel like that of `op`, their
/// positions, and the zeros around an input of `sizes` that they read.
static void planPhases(ConvTransposeOp op, ArrayRef<int64_t> strides,
                       ArrayRef<int64_t> sizes, SmallVectorImpl<Phases> &along,
                       SmallVectorImpl<int64_t> &counts,
                       SmallVectorImpl<int64_t> &before,
                       SmallVectorImpl<int64_t> &after) {
  auto result = tensorTypeOf(op.getResult());
  for (size_t k = 0; k < strides.size(); ++k) {
    along.push_back(Phases(tensorTypeOf(op.getWeight()).getDimSize(2 + k),
                           strides[k], op.getDilation()[k], op.getLow()[k]));
    counts.push_back(llvm::divideCeil(result.getDimSize(2 + k), strides[k]));
    before.push_back(0);
    after.push_back(0);
    for (const Phase &phase : along[k].phases) {
      if (phase.taps == 0)
        continue;
      int64_t first = phase.offset - (phase.taps - 1) * along[k].dilation;
      int64_t end = phase.offset + counts[k];
      before[k] = std::max(before[k], -first);
      after[k] = std::max(after[k], end - sizes[k]);
    }
  }
}

void graphc::graph::getBorder(ConvTransposeOp op,
                              SmallVectorImpl<int64_t> &before,
                              SmallVectorImpl<int64_t> &after) {
  SmallVector<Phases> along;
  Ints counts;
  planPhases(op, op.getStrides(),
             tensorTypeOf(op.getInput()).getShape().drop_front(2), along,
             counts, before, after);
}

SmallVector<Value> ConvTransposeOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  size_t slides = getStrides().size();
  auto groups = static_cast<int64_t>(getGroups());
  auto result = tensorTypeOf(getResult());
  if (result.getNumElements() == 0)
    return {splat(builder, getLoc(), result, 0.0)};

  // Each phase is a product of its own. If those are too many, there is one
  // phase of an input with zeros between its elements.
  Value x = e.widen(getInput());
  Ints sizes(tensorTypeOf(x).getShape().take_back(slides));
  Ints strides(getStrides()), interior(slides, 0);
  if (!leavesOutZeros()) {
    for (size_t k = 0; k < slides; ++k) {
      interior[k] = strides[k] - 1;
      sizes[k] = (sizes[k] - 1) * strides[k] + 1;
      strides[k] = 1;
    }
  }
  SmallVector<Phases> along;
  Ints counts, before, after;
  planPhases(*this, strides, sizes, along, counts, before, after);
  x = padLast(e, x, zeroOf(e, x), before, after, interior);
  Value weight = splitGroups(e, e.widen(getWeight()), 0, groups);
  PhaseProducts products{
      e, along, x, before, weight, groups, result.getDimSize(1), counts};
  Value y = products.assemble({});
  // Where the strides do not divide the result, its last positions are none.
  if (tensorTypeOf(y).getShape() != result.getShape())
    y = e.op<SliceOp>(y, Ints(2 + slides, 0), result.getShape(),
                      Ints(2 + slides, 1));
  if (Value bias = getBias())
    y = e.op<AddOp>(y, broadcastTo(builder, getLoc(),
                                   e.cast(bias, elementTypeOf(y)),
                                   ArrayRef<int64_t>(1), result.getShape()));
  return {e.cast(y, result.getElementType())};
}

/// In how many groups of images a weight gradient sums up: so many that what it
/// reads of a group stays in a near cache, while it goes through it for each
/// element of the kernel.
static int64_t imageGroups(ConvWeightGradOp op) {
  constexpr int64_t near = 98304; // elements
  int64_t images = tensorTypeOf(op.getInput()).getDimSize(0);
  int64_t read = tensorTypeOf(op.getInput()).getNumElements() +
                 tensorTypeOf(op.getGrad()).getNumElements();
  int64_t made = tensorTypeOf(op.getResult()).getNumElements();
  if (read <= near)
    return 1;
  for (int64_t groups = 2; groups <= images && groups * made <= read; ++groups)
    if (images % groups == 0 && (read / groups <= near || groups == images))
      return groups;
  return 1;
}

SmallVector<Value> ConvWeightGradOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  size_t slides = getStrides().size();
  auto groups = static_cast<int64_t>(getGroups());
  int64_t parts = imageGroups(*this);
  auto result = tensorTypeOf(getResult());
  Value x = e.widen(getInput());
  x = padLast(e, x, zeroOf(e, x), getLow(), getHigh());
  Ints kernel(result.getShape().take_back(slides));
  // [parts, images of a part, G, channels, positions..., kernel...]
  auto split = [&](Value value) {
    return splitGroups(e, splitGroups(e, value, 1, groups), 0, parts);
  };
  Value windows = split(e.op<UnfoldOp>(x, kernel, getStrides(), getDilation()));
  Value grad = split(e.widen(getGrad()));
  Ints batching = {0, 2}, contracting = {1};
  llvm::append_range(contracting, dimsBetween(4, 4 + slides));
  Ints shape = {parts, groups, tensorTypeOf(grad).getDimSize(3)};
  shape.push_back(result.getDimSize(1));
  llvm::append_range(shape, kernel);
  Value y = e.op<DotGeneralOp>(tensorTypeOf(x).clone(shape), grad, windows,
                               batching, batching, contracting, contracting);
  if (parts > 1) {
    // What has been multiplied in vectors of O is stored in such.
    Ints order = {0, 1}, back = {0};
    llvm::append_range(order, dimsBetween(3, 4 + slides));
    order.push_back(2);
    back.push_back(2 + slides);
    llvm::append_range(back, dimsBetween(1, 2 + slides));
    y = e.op<TransposeOp>(e.sum(e.op<TransposeOp>(y, order), 0), back);
  }
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
