// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decompositions of the losses.
#include "dialects/Graph/IR/Emit.h"

using namespace mlir;
using namespace graphc::graph;

/// The losses of all elements as `reduction` asks; the mean over nothing is
/// NaN.
static Value reduceLoss(Emit e, Value losses, Reduction reduction) {
  if (reduction == Reduction::None)
    return losses;
  Value sum = e.sum(losses, allAxes(losses));
  if (reduction == Reduction::Sum)
    return sum;
  auto count = tensorTypeOf(losses).getNumElements();
  return e.op<DivOp>(sum, e.like(sum, static_cast<double>(count)));
}

llvm::SmallVector<Value> CrossEntropyOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  Value x = e.widen(getLogits());
  auto type = tensorTypeOf(x);
  int64_t axis = type.getRank() - 1;
  double smoothing = getLabelSmoothing().convertToDouble();

  // Relative to the largest logit all terms are small, so that large logits
  // lose no precision.
  x = e.op<SubOp>(x, e.max(x, axis));
  Value loss = e.op<LogOp>(e.sum(e.op<ExpOp>(x), axis));

  // The target's logit by comparison: a -inf of another class stays out of it.
  Value target = e.op<CheckIndexOp>(
      getTarget().getType(), getTarget(),
      builder.getI64IntegerAttr(type.getDimSize(axis)), getIgnoreIndexAttr());
  Value classes = e.op<IotaOp>(
      RankedTensorType::get(type.getShape(), elementTypeOf(target)),
      static_cast<uint64_t>(axis));
  Value isTarget = e.op<CompareOp>(ComparePredicate::EQ, classes,
                                   e.repeat(target, axis, classes));
  // A term of weight 0 is left out: 0 * inf would be NaN.
  if (smoothing < 1.0) {
    Value picked = e.sum(e.op<SelectOp>(isTarget, x, e.like(x, 0.0)), axis);
    if (smoothing > 0.0)
      picked = e.op<MulOp>(picked, e.like(picked, 1.0 - smoothing));
    loss = e.op<SubOp>(loss, picked);
  }
  if (smoothing > 0.0) {
    Value sum = e.sum(x, axis);
    Value mean = e.op<DivOp>(sum, e.like(sum, type.getDimSize(axis)));
    loss = e.op<SubOp>(loss, e.op<MulOp>(mean, e.like(mean, smoothing)));
  }

  auto ignore = static_cast<int64_t>(getIgnoreIndex());
  Value counts =
      e.op<CompareOp>(ComparePredicate::NE, target,
                      splatInt(builder, e.loc, target.getType(), ignore));
  loss = e.op<SelectOp>(counts, loss, e.like(loss, 0.0));
  if (getReduction() == Reduction::Mean) {
    // Counted in integers: exact however many positions there are.
    Value number = e.sum(e.cast(counts, builder.getI64Type()), allAxes(counts));
    loss = e.op<DivOp>(e.sum(loss, allAxes(loss)),
                       e.cast(number, type.getElementType()));
  } else {
    loss = reduceLoss(e, loss, getReduction());
  }
  return {e.cast(loss, elementTypeOf(getResult()))};
}

llvm::SmallVector<Value> MseLossOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  Value d = e.op<SubOp>(e.widen(getInput()), e.widen(getTarget()));
  Value loss = reduceLoss(e, e.op<MulOp>(d, d), getReduction());
  return {e.cast(loss, elementTypeOf(getResult()))};
}

llvm::SmallVector<Value> BceOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  Value p = e.widen(getInput()), t = e.widen(getTarget());
  Value floor = e.like(p, -100.0);
  Value logP = e.op<MaximumOp>(e.op<LogOp>(p), floor);
  Value logQ = e.op<MaximumOp>(e.op<Log1pOp>(e.op<NegOp>(p)), floor);
  Value loss = e.op<SubOp>(e.op<MulOp>(e.op<SubOp>(t, e.like(t, 1.0)), logQ),
                           e.op<MulOp>(t, logP));
  loss = reduceLoss(e, loss, getReduction());
  return {e.cast(loss, elementTypeOf(getResult()))};
}

llvm::SmallVector<Value> BceWithLogitsOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  Value x = e.widen(getInput()), t = e.widen(getTarget());
  Value z = e.op<ExpOp>(e.op<NegOp>(e.op<AbsOp>(x)));
  Value loss =
      e.op<SubOp>(e.op<MaximumOp>(x, e.like(x, 0.0)), e.op<MulOp>(x, t));
  loss = reduceLoss(e, e.op<AddOp>(loss, e.op<Log1pOp>(z)), getReduction());
  return {e.cast(loss, elementTypeOf(getResult()))};
}
