// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of convolutions, pooling and windows.
//
// conv, conv_transpose and conv_weight_grad are the three faces of one
// trilinear form: the gradient of each is made of the other two.
#include "dialects/Graph/IR/Windows.h"
#include "passes/Autodiff/Rules/Rule.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace graphc;
using namespace graphc::graph;

using Ints = llvm::SmallVector<int64_t>;

/// `x` and `y` in one type: their own if they agree, else the accumulation
/// type.
static void unify(Rule &r, Value &x, Value &y) {
  if (elementTypeOf(x) == elementTypeOf(y))
    return;
  x = r.wide(x);
  y = r.wide(y);
}

/// The gradient with respect to the input of a convolution like `op`, which
/// has the shape `shape`.
template <typename Op>
static Value inputGradient(Op op, Rule &r, Value g, Value weight,
                           ArrayRef<int64_t> shape) {
  unify(r, g, weight);
  Ints extra;
  for (size_t k = 0; k < op.getStrides().size(); ++k) {
    int64_t reach =
        (tensorTypeOf(weight).getDimSize(k + 2) - 1) * op.getDilation()[k] + 1;
    int64_t span =
        (tensorTypeOf(g).getDimSize(k + 2) - 1) * op.getStrides()[k] + reach;
    extra.push_back(shape[k + 2] + op.getLow()[k] + op.getHigh()[k] - span);
  }
  return r.op<ConvTransposeOp>(tensorTypeOf(g).clone(shape), g, weight,
                               /*bias=*/Value(), op.getStrides(), op.getLow(),
                               op.getHigh(), op.getDilation(), extra,
                               op.getGroups());
}

template <typename Op>
static Value weightGradient(Op op, Rule &r, Value x, Value g,
                            ArrayRef<int64_t> shape) {
  unify(r, x, g);
  return r.op<ConvWeightGradOp>(tensorTypeOf(x).clone(shape), x, g,
                                op.getStrides(), op.getLow(), op.getHigh(),
                                op.getDilation(), op.getGroups());
}

/// The convolution of `x` by `weight` with the attributes of `op`.
template <typename Op>
static Value convolve(Op op, Rule &r, Value x, Value weight) {
  unify(r, x, weight);
  return r.op<ConvOp>(x, weight, /*bias=*/Value(), op.getStrides(), op.getLow(),
                      op.getHigh(), op.getDilation(), op.getGroups());
}

/// The sum over all but the channels.
static Value biasGradient(Rule &r, Value bias) {
  Value g = r.rawCotangent();
  // Summed in the bias's type if that is the wider one.
  if (elementTypeOf(bias).isF32())
    g = r.cotangent();
  Ints axes = {0};
  llvm::append_range(axes, dimsBetween(2, tensorTypeOf(g).getRank()));
  return r.sum(g, axes);
}

static ArrayRef<int64_t> shapeOf(Value value) {
  return tensorTypeOf(value).getShape();
}

static LogicalResult convRule(ConvOp op, Rule &r) {
  Value g = r.rawCotangent();
  if (r.wants(0))
    r.give(0, inputGradient(op, r, g, op.getWeight(), shapeOf(op.getInput())));
  if (r.wants(1))
    r.give(1, weightGradient(op, r, op.getInput(), g, shapeOf(op.getWeight())));
  if (op.getBias() && r.wants(2))
    r.give(2, biasGradient(r, op.getBias()));
  return success();
}

static LogicalResult convTransposeRule(ConvTransposeOp op, Rule &r) {
  Value g = r.rawCotangent(), x = op.getInput();
  if (tensorTypeOf(g).getNumElements() == 0) {
    if (op.getBias() && r.wants(2))
      r.give(2, r.like(op.getBias(), 0.0));
    return success();
  }
  // Output padding of a stride or more makes room for more positions than
  // there are: they belong to no element.
  Ints starts(tensorTypeOf(x).getRank(), 0), high(starts),
      steps(starts.size(), 1);
  auto type = tensorTypeOf(x);
  bool hasMore = false;
  for (size_t k = 0; k < op.getStrides().size(); ++k) {
    high[k + 2] = op.getOutputPadding()[k] / op.getStrides()[k];
    hasMore |= high[k + 2] != 0;
  }
  if (r.wants(0)) {
    Value dx = convolve(op, r, g, op.getWeight());
    if (hasMore)
      dx = r.op<SliceOp>(dx, starts, type.getShape(), steps);
    r.give(0, dx);
  }
  if (r.wants(1)) {
    if (hasMore)
      x = r.op<PadOp>(x,
                      splat(r.builder, r.loc,
                            RankedTensorType::get({}, type.getElementType()),
                            0.0),
                      starts, high, starts);
    r.give(1, weightGradient(op, r, g, x, shapeOf(op.getWeight())));
  }
  if (op.getBias() && r.wants(2))
    r.give(2, biasGradient(r, op.getBias()));
  return success();
}

static LogicalResult convWeightGradRule(ConvWeightGradOp op, Rule &r) {
  Value g = r.rawCotangent();
  if (r.wants(0))
    r.give(0, inputGradient(op, r, op.getGrad(), g, shapeOf(op.getInput())));
  if (r.wants(1))
    r.give(1, convolve(op, r, op.getInput(), g));
  return success();
}

//===----------------------------------------------------------------------===//
// Windows and pooling
//===----------------------------------------------------------------------===//

static LogicalResult reverseRule(ReverseOp op, Rule &r) {
  r.give(0, r.op<ReverseOp>(r.rawCotangent(), op.getAxes()));
  return success();
}

static LogicalResult unfoldRule(UnfoldOp op, Rule &r) {
  r.give(0, r.op<FoldOp>(op.getInput().getType(), r.rawCotangent(),
                         op.getStrides(), op.getDilation()));
  return success();
}

static LogicalResult foldRule(FoldOp op, Rule &r) {
  r.give(0, r.op<UnfoldOp>(
                r.rawCotangent(),
                shapeOf(op.getWindows()).take_back(op.getStrides().size()),
                op.getStrides(), op.getDilation()));
  return success();
}

/// `low` or `high` of a pool for all dimensions of its input.
static Ints allDims(Value input, ArrayRef<int64_t> last) {
  Ints all(tensorTypeOf(input).getRank() - last.size(), 0);
  llvm::append_range(all, last);
  return all;
}

/// `x`, of the shape of the pool's input, with its padding.
template <typename Op>
static Value padInput(Op op, Rule &r, Value x, Value padding) {
  Ints low = allDims(x, op.getLow()), high = allDims(x, op.getHigh());
  return r.op<PadOp>(x, padding, low, high, Ints(low.size(), 0));
}

/// Adds windows up to the padded input, and takes the padding off.
template <typename Op> static Value foldToInput(Op op, Rule &r, Value windows) {
  Value input = op.getInput();
  Ints low = allDims(input, op.getLow()), high = allDims(input, op.getHigh());
  Ints padded(shapeOf(input)), limits(shapeOf(input));
  for (size_t k = 0; k < low.size(); ++k) {
    limits[k] += low[k];
    padded[k] += low[k] + high[k];
  }
  Value all = r.op<FoldOp>(tensorTypeOf(windows).clone(padded), windows,
                           op.getStrides(), op.getDilation());
  return r.op<SliceOp>(all, low, limits, Ints(low.size(), 1));
}

/// The number in each window, of the shape `shape`, of its first element that
/// lies inside the input; negative in a window without one.
static Value firstInside(MaxPoolOp op, Rule &r, ArrayRef<int64_t> shape) {
  ArrayRef<int64_t> kernel = op.getKernel(), input = shapeOf(op.getInput());
  int64_t slides = kernel.size(), first = shape.size() - slides;
  int64_t count = ShapedType::getNumElements(kernel), step = count;
  Value sum;
  for (int64_t k = 0; k < slides; ++k) {
    step /= kernel[k];
    int64_t dilation = op.getDilation()[k];
    Ints numbers;
    for (int64_t o = 0; o < shape[first + k]; ++o) {
      int64_t start = o * op.getStrides()[k] - op.getLow()[k];
      int64_t j = start < 0 ? llvm::divideCeil(-start, dilation) : 0;
      bool isInside = start + j * dilation < input[first + k];
      numbers.push_back(isInside ? j * step : -count);
    }
    auto type = RankedTensorType::get(shape[first + k], r.builder.getI64Type());
    Value dim = r.op<ConstantOp>(
        DenseElementsAttr::get(type, ArrayRef<int64_t>(numbers)));
    dim = r.broadcast(dim, {first + k}, shape);
    sum = sum ? r.add(sum, dim) : dim;
  }
  return sum;
}

// The place of the maximum is counted inside each window; its cotangent goes
// back there. Where the maximum is the lowest value of all, padding ties with
// it: any element inside the input is as good, and the first one is taken.
static LogicalResult maxPoolRule(MaxPoolOp op, Rule &r) {
  Value input = op.getInput(), g = r.rawCotangent();
  Value lowest = lowestOf(r.builder, r.loc, elementTypeOf(input));
  Value padded = padInput(op, r, input, lowest);
  Value windows =
      r.op<UnfoldOp>(padded, op.getKernel(), op.getStrides(), op.getDilation());
  Ints shape(shapeOf(g)), flat(shape);
  flat.push_back(ShapedType::getNumElements(op.getKernel()));
  int64_t last = shape.size();
  Value place =
      r.op<ArgmaxOp>(r.reshape(windows, flat), static_cast<uint64_t>(last));
  // Padding after the input is never first.
  if (llvm::any_of(op.getLow(), [](int64_t low) { return low > 0; })) {
    Value isLowest = r.compare(ComparePredicate::EQ, op.getResult(),
                               r.broadcast(lowest, {}, shape));
    place = r.select(isLowest, firstInside(op, r, shape), place);
  }
  Value number =
      r.op<IotaOp>(RankedTensorType::get(flat, r.builder.getI64Type()),
                   static_cast<uint64_t>(last));
  Value isPlace =
      r.compare(ComparePredicate::EQ, number, r.repeat(place, last, flat));
  Value spread = r.repeat(g, last, flat);
  spread = r.select(isPlace, spread, r.like(spread, 0.0));
  r.give(0, foldToInput(op, r, r.reshape(spread, shapeOf(windows))));
  return success();
}

static LogicalResult avgPoolRule(AvgPoolOp op, Rule &r) {
  Value g = r.cotangent();
  Ints shape(shapeOf(g));
  int64_t first = shape.size();
  llvm::append_range(shape, op.getKernel());
  Ints added = dimsBetween(first, shape.size());
  Value count;
  if (op.getExcludePadding()) {
    Value ones = r.like(r.wide(op.getInput()), 1.0);
    ones = padInput(op, r, ones,
                    splat(r.builder, r.loc,
                          RankedTensorType::get({}, elementTypeOf(ones)), 0.0));
    count = r.sum(
        r.op<UnfoldOp>(ones, op.getKernel(), op.getStrides(), op.getDilation()),
        added);
  } else {
    count = r.like(
        g, static_cast<double>(ShapedType::getNumElements(op.getKernel())));
  }
  r.give(0, foldToInput(op, r, r.repeat(r.div(g, count), added, shape)));
  return success();
}

void graphc::attachConvRules(MLIRContext *context) {
  attachRule<ReverseOp, reverseRule>(context);
  attachRule<UnfoldOp, unfoldRule>(context);
  attachRule<FoldOp, foldRule>(context);
  attachRule<ConvOp, convRule>(context);
  attachRule<ConvTransposeOp, convTransposeRule>(context);
  attachRule<ConvWeightGradOp, convWeightGradRule>(context);
  attachRule<MaxPoolOp, maxPoolRule>(context);
  attachRule<AvgPoolOp, avgPoolRule>(context);
}
