// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of the losses.
#include "passes/Autodiff/Rules/Rule.h"

using namespace mlir;
using namespace graphc;
using namespace graphc::graph;

/// The cotangent of each element of a loss of `shape` elements.
static Value elementCotangent(Rule &r, Reduction reduction,
                              RankedTensorType type) {
  Value g = r.cotangent();
  if (reduction == Reduction::None)
    return g;
  if (reduction == Reduction::Mean)
    g = r.div(g, r.like(g, static_cast<double>(type.getNumElements())));
  return broadcastScalar(r.builder, r.loc, g, type.getShape());
}

// 2 (x - t), and its negative.
static LogicalResult mseRule(MseLossOp op, Rule &r) {
  Value g = elementCotangent(r, op.getReduction(), tensorTypeOf(op.getInput()));
  Value d = r.times(r.sub(r.operand(0), r.operand(1)), 2.0);
  Value dx = r.mulNoNan(g, d);
  if (r.wants(0))
    r.give(0, dx);
  if (r.wants(1))
    r.give(1, r.neg(dx));
  return success();
}

// dp: (p - t) / max(p (1 - p), 1e-12), as PyTorch. dt: log(1-p) - log(p), each
// clamped as in the loss.
static LogicalResult bceRule(BceOp op, Rule &r) {
  Value g = elementCotangent(r, op.getReduction(), tensorTypeOf(op.getInput()));
  Value p = r.operand(0), t = r.operand(1);
  if (r.wants(0)) {
    Value variance = r.mul(p, r.sub(r.like(p, 1.0), p));
    Value floor = r.like(p, 1e-12);
    Value d = r.div(r.sub(p, t), r.op<MaximumOp>(variance, floor));
    r.give(0, r.mulNoNan(g, d));
  }
  if (r.wants(1)) {
    Value floor = r.like(p, -100.0);
    Value logP = r.op<MaximumOp>(r.op<LogOp>(p), floor);
    Value logQ = r.op<MaximumOp>(r.op<Log1pOp>(r.neg(p)), floor);
    r.give(1, r.mulNoNan(g, r.sub(logQ, logP)));
  }
  return success();
}

// dx: sigmoid(x) - t. dt: -x.
static LogicalResult bceWithLogitsRule(BceWithLogitsOp op, Rule &r) {
  Value g = elementCotangent(r, op.getReduction(), tensorTypeOf(op.getInput()));
  Value x = r.operand(0);
  if (r.wants(0))
    r.give(0, r.mulNoNan(g, r.sub(r.op<SigmoidOp>(x), r.operand(1))));
  if (r.wants(1))
    r.give(1, r.mulNoNan(g, r.neg(x)));
  return success();
}

// softmax(x) - (1 - s) onehot(t) - s / C for a position that counts, else 0.
static LogicalResult crossEntropyRule(CrossEntropyOp op, Rule &r) {
  if (!r.wants(0))
    return success();
  Value x = r.operand(0), target = op.getTarget(), g = r.cotangent();
  auto type = tensorTypeOf(x);
  ArrayRef<int64_t> shape = type.getShape();
  int64_t axis = type.getRank() - 1;

  Value counts =
      r.compare(ComparePredicate::NE, target,
                r.like(target, static_cast<int64_t>(op.getIgnoreIndex())));
  if (op.getReduction() == Reduction::Mean) {
    Value number =
        r.sum(r.cast(counts, r.builder.getI64Type()), allAxes(counts));
    g = r.div(g, r.cast(number, elementTypeOf(g)));
  }
  g = broadcastScalar(r.builder, r.loc, g, shape.drop_back());
  g = r.repeat(r.select(counts, g, r.like(g, 0.0)), axis, shape);

  auto classType = RankedTensorType::get(shape, elementTypeOf(target));
  Value classes = r.op<IotaOp>(classType, static_cast<uint64_t>(axis));
  Value isTarget =
      r.compare(ComparePredicate::EQ, classes, r.repeat(target, axis, shape));
  double smoothing = op.getLabelSmoothing().convertToDouble();
  double floor = smoothing / static_cast<double>(shape.back());
  Value wanted =
      r.select(isTarget, r.like(x, 1.0 - smoothing + floor), r.like(x, floor));
  Value softmax = r.op<SoftmaxOp>(x, static_cast<uint64_t>(axis));
  r.give(0, r.mulNoNan(g, r.sub(softmax, wanted)));
  return success();
}

void graphc::attachLossRules(MLIRContext *context) {
  attachRule<BceOp, bceRule>(context);
  attachRule<BceWithLogitsOp, bceWithLogitsRule>(context);
  attachRule<CrossEntropyOp, crossEntropyRule>(context);
  attachRule<MseLossOp, mseRule>(context);
}
