// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of elementwise arithmetic, of selection and of casts.
#include "passes/Autodiff/Rules/Rule.h"

using namespace mlir;
using namespace graphc;
using namespace graphc::graph;

static LogicalResult negRule(NegOp, Rule &r) {
  r.give(0, r.neg(r.rawCotangent()));
  return success();
}

// sign(0) is 0, and so is the derivative there.
static LogicalResult absRule(AbsOp op, Rule &r) {
  r.give(0, r.mulNoNan(r.rawCotangent(), r.op<SignOp>(op.getInput())));
  return success();
}

static LogicalResult addRule(AddOp, Rule &r) {
  for (unsigned k : {0, 1})
    if (r.wants(k))
      r.give(k, r.rawCotangent());
  return success();
}

static LogicalResult subRule(SubOp, Rule &r) {
  if (r.wants(0))
    r.give(0, r.rawCotangent());
  if (r.wants(1))
    r.give(1, r.neg(r.rawCotangent()));
  return success();
}

static LogicalResult mulRule(MulOp op, Rule &r) {
  for (unsigned k : {0, 1})
    if (r.wants(k))
      r.give(k, r.mulNoNan(r.rawCotangent(), op->getOperand(1 - k)));
  return success();
}

// z = x / y:  dz/dx = 1 / y,  dz/dy = -z / y.
static LogicalResult divRule(DivOp, Rule &r) {
  Value g = r.cotangent(), y = r.operand(1);
  if (r.wants(0))
    r.give(0, r.mulNoNan(g, r.op<ReciprocalOp>(y)));
  if (r.wants(1))
    r.give(1, r.mulNoNan(g, r.neg(r.div(r.result(), y))));
  return success();
}

// z = x - n * y with n = trunc(x / y), a constant almost everywhere. (x - z) /
// y is n but for its rounding.
static LogicalResult remRule(RemOp, Rule &r) {
  Value g = r.cotangent();
  if (r.wants(0))
    r.give(0, g);
  if (r.wants(1)) {
    Value n = r.div(r.sub(r.operand(0), r.result()), r.operand(1));
    r.give(1, r.mulNoNan(g, r.neg(r.op<RoundOp>(n))));
  }
  return success();
}

/// The gradients of maximum (`loses` is lt: x loses where x < y) and minimum. A
/// tie splits in half; a NaN, which neither wins nor loses, passes to both.
static LogicalResult extremumRule(Value x, Value y, Rule &r,
                                  ComparePredicate loses) {
  Value g = r.rawCotangent();
  Value zero = r.like(g, 0.0);
  Value tie = r.compare(ComparePredicate::EQ, x, y);
  Value shared = r.select(tie, r.times(g, 0.5), g);
  if (r.wants(0))
    r.give(0, r.select(r.compare(loses, x, y), zero, shared));
  if (r.wants(1))
    r.give(1, r.select(r.compare(loses, y, x), zero, shared));
  return success();
}
static LogicalResult maximumRule(MaximumOp op, Rule &r) {
  return extremumRule(op.getLhs(), op.getRhs(), r, ComparePredicate::LT);
}
static LogicalResult minimumRule(MinimumOp op, Rule &r) {
  return extremumRule(op.getLhs(), op.getRhs(), r, ComparePredicate::GT);
}

// Steps: their derivative is 0 wherever they have one.
template <typename Op> static LogicalResult zeroRule(Op, Rule &) {
  return success();
}

// mul_no_nan(a, b), which is 0 where a is 0 whatever b is. Its derivative with
// respect to a is b even there, or second derivatives would lose terms.
static LogicalResult mulNoNanRule(MulNoNanOp op, Rule &r) {
  for (unsigned k : {0, 1})
    if (r.wants(k))
      r.give(k, r.mulNoNan(r.rawCotangent(), op->getOperand(1 - k)));
  return success();
}

static LogicalResult selectRule(SelectOp op, Rule &r) {
  Value g = r.rawCotangent();
  Value zero = r.like(g, 0.0);
  if (r.wants(1))
    r.give(1, r.select(op.getCondition(), g, zero));
  if (r.wants(2))
    r.give(2, r.select(op.getCondition(), zero, g));
  return success();
}

static LogicalResult castRule(CastOp, Rule &r) {
  r.give(0, r.rawCotangent());
  return success();
}

void graphc::attachArithmeticRules(MLIRContext *context) {
  attachRule<NegOp, negRule>(context);
  attachRule<AbsOp, absRule>(context);
  attachRule<AddOp, addRule>(context);
  attachRule<SubOp, subRule>(context);
  attachRule<MulOp, mulRule>(context);
  attachRule<DivOp, divRule>(context);
  attachRule<RemOp, remRule>(context);
  attachRule<MaximumOp, maximumRule>(context);
  attachRule<MinimumOp, minimumRule>(context);
  attachRule<SignOp, zeroRule<SignOp>>(context);
  attachRule<FloorOp, zeroRule<FloorOp>>(context);
  attachRule<CeilOp, zeroRule<CeilOp>>(context);
  attachRule<RoundOp, zeroRule<RoundOp>>(context);
  attachRule<MulNoNanOp, mulNoNanRule>(context);
  attachRule<SelectOp, selectRule>(context);
  attachRule<CastOp, castRule>(context);
}
