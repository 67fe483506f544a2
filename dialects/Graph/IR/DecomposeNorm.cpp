// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decompositions of the normalisations.
#include "dialects/Graph/IR/Emit.h"

using namespace mlir;
using namespace graphc::graph;

namespace {
/// Emits the parts of a normalisation of `x`, which is in its accumulation
/// type, over `axes`.
struct Norm {
  Emit e;
  Value x;
  llvm::SmallVector<int64_t> axes;

  Value repeat(Value reduced) {
    return broadcastReduced(e.builder, e.loc, reduced, axes,
                            tensorTypeOf(x).getShape());
  }
  Value mean(Value of) {
    auto count = reducedCount(tensorTypeOf(x), axes);
    Value sum = e.sum(of, axes);
    return e.op<DivOp>(sum, e.like(sum, static_cast<double>(count)));
  }
  Value square(Value of) { return e.op<MulOp>(of, of); }
  /// x * 1 / sqrt(variance + eps), where `x` lacks its mean.
  Value scaled(Value centred, Value variance, double eps) {
    Value scale = e.op<RsqrtOp>(e.op<AddOp>(variance, e.like(variance, eps)));
    return e.op<MulOp>(centred, repeat(scale));
  }
  /// y * weight + bias, either of which may be null; their dimension k is
  /// dimension `dims[k]` of y.
  Value affine(Value y, Value weight, Value bias, ArrayRef<int64_t> dims) {
    auto type = tensorTypeOf(y);
    auto spread = [&](Value parameter) {
      return broadcastTo(e.builder, e.loc,
                         e.cast(parameter, type.getElementType()), dims,
                         type.getShape());
    };
    if (weight)
      y = e.op<MulOp>(y, spread(weight));
    if (bias)
      y = e.op<AddOp>(y, spread(bias));
    return y;
  }
};
} // namespace

static llvm::SmallVector<int64_t> lastAxes(Value x, int64_t count) {
  int64_t rank = tensorTypeOf(x).getRank();
  return llvm::to_vector(llvm::seq<int64_t>(rank - count, rank));
}

llvm::SmallVector<Value> LayerNormOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  Norm norm{e, e.widen(getInput()), lastAxes(getInput(), getNormalizedRank())};
  Value centred = e.op<SubOp>(norm.x, norm.repeat(norm.mean(norm.x)));
  Value variance = norm.mean(norm.square(centred));
  Value y = norm.scaled(centred, variance, getEps().convertToDouble());
  y = norm.affine(y, getWeight(), getBias(), norm.axes);
  return {e.cast(y, elementTypeOf(getResult()))};
}

llvm::SmallVector<Value> RmsNormOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  Norm norm{e, e.widen(getInput()), lastAxes(getInput(), getNormalizedRank())};
  Value y = norm.scaled(norm.x, norm.mean(norm.square(norm.x)),
                        getEps().convertToDouble());
  y = norm.affine(y, getWeight(), Value(), norm.axes);
  return {e.cast(y, elementTypeOf(getResult()))};
}

// As [N, groups, channels of a group, the rest], so that a group is two whole
// dimensions.
llvm::SmallVector<Value> GroupNormOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  auto type = tensorTypeOf(getInput());
  int64_t channels = type.getDimSize(1), groups = getGroups();
  int64_t rest = 1;
  for (int64_t dim : type.getShape().drop_front(2))
    rest *= dim;
  auto grouped = [&](Value value, ArrayRef<int64_t> shape) {
    return value ? reshapeTo(builder, e.loc, value, shape) : value;
  };
  llvm::SmallVector<int64_t> perChannel = {groups, channels / groups};
  Value x = grouped(e.widen(getInput()),
                    {type.getDimSize(0), groups, channels / groups, rest});
  Norm norm{e, x, {2, 3}};
  Value centred = e.op<SubOp>(x, norm.repeat(norm.mean(x)));
  Value variance = norm.mean(norm.square(centred));
  Value y = norm.scaled(centred, variance, getEps().convertToDouble());
  y = norm.affine(y, grouped(getWeight(), perChannel),
                  grouped(getBias(), perChannel), {1, 2});
  return {e.cast(grouped(y, type.getShape()), elementTypeOf(getResult()))};
}

/// (1 - momentum) * running + momentum * batch, in the type of `running`.
static Value movingAverage(Emit e, Value running, Value batch,
                           double momentum) {
  Value old = e.cast(running, elementTypeOf(batch));
  Value kept = e.op<MulOp>(old, e.like(old, 1.0 - momentum));
  Value next = e.op<AddOp>(kept, e.op<MulOp>(batch, e.like(batch, momentum)));
  return e.cast(next, elementTypeOf(running));
}

llvm::SmallVector<Value> BatchNormOp::decompose(OpBuilder &builder) {
  if (!getMode())
    return {}; // Not resolved yet.
  Emit e{builder, getLoc()};
  Norm norm{e, e.widen(getInput()), allAxes(getInput())};
  norm.axes.erase(norm.axes.begin() + 1);
  Type wide = elementTypeOf(norm.x);
  bool isTraining = getMode() == Mode::Train;
  Value newMean = getRunningMean(), newVar = getRunningVar();

  Value mean = isTraining ? norm.mean(norm.x) : e.cast(newMean, wide);
  Value centred = e.op<SubOp>(norm.x, norm.repeat(mean));
  Value variance =
      isTraining ? norm.mean(norm.square(centred)) : e.cast(newVar, wide);
  if (isTraining) {
    double momentum = getMomentum().convertToDouble();
    auto count = static_cast<double>(getCount());
    Value unbiased =
        e.op<MulOp>(variance, e.like(variance, count / (count - 1.0)));
    newMean = movingAverage(e, newMean, mean, momentum);
    newVar = movingAverage(e, newVar, unbiased, momentum);
  }
  Value y = norm.scaled(centred, variance, getEps().convertToDouble());
  y = norm.affine(y, getWeight(), getBias(), {1});
  return {e.cast(y, elementTypeOf(getResult())), newMean, newVar};
}

llvm::SmallVector<Value> IsTrainingOp::decompose(OpBuilder &builder) {
  if (!getMode())
    return {}; // Not resolved yet.
  auto value = DenseElementsAttr::get(tensorTypeOf(getResult()),
                                      getMode() == Mode::Train);
  return {builder.create<ConstantOp>(getLoc(), value)};
}
