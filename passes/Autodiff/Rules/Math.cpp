// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of elementwise functions. x is the operand, y the result.
#include "passes/Autodiff/Rules/Rule.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace graphc;
using namespace graphc::graph;

/// Gives `d`, the local derivative, times the cotangent.
static LogicalResult chain(Rule &r, Value d) {
  r.give(0, r.mulNoNan(r.cotangent(), d));
  return success();
}

static LogicalResult sqrtRule(SqrtOp, Rule &r) {
  Value y = r.result();
  return chain(r, r.div(r.like(y, 0.5), y));
}
static LogicalResult expRule(ExpOp, Rule &r) { return chain(r, r.result()); }
static LogicalResult expm1Rule(Expm1Op, Rule &r) {
  return chain(r, r.plus(r.result(), 1.0));
}
static LogicalResult logRule(LogOp, Rule &r) {
  return chain(r, r.op<ReciprocalOp>(r.operand(0)));
}
static LogicalResult log1pRule(Log1pOp, Rule &r) {
  return chain(r, r.op<ReciprocalOp>(r.plus(r.operand(0), 1.0)));
}
// -1/2 x^(-3/2) = -y^3 / 2
static LogicalResult rsqrtRule(RsqrtOp, Rule &r) {
  Value y = r.result();
  return chain(r, r.times(r.mul(r.mul(y, y), y), -0.5));
}
static LogicalResult reciprocalRule(ReciprocalOp, Rule &r) {
  Value y = r.result();
  return chain(r, r.neg(r.mul(y, y)));
}
static LogicalResult sinRule(SinOp, Rule &r) {
  return chain(r, r.op<CosOp>(r.operand(0)));
}
static LogicalResult cosRule(CosOp, Rule &r) {
  return chain(r, r.neg(r.op<SinOp>(r.operand(0))));
}
static LogicalResult tanhRule(TanhOp, Rule &r) {
  Value y = r.result();
  return chain(r, r.sub(r.like(y, 1.0), r.mul(y, y)));
}
// 2 / sqrt(pi) exp(-x^2)
static LogicalResult erfRule(ErfOp, Rule &r) {
  Value x = r.operand(0);
  Value bell = r.op<ExpOp>(r.neg(r.mul(x, x)));
  return chain(r, r.times(bell, 2.0 * llvm::numbers::inv_sqrtpi));
}

// z = x^y:  dz/dx = y x^(y-1), 0 where y is 0;  dz/dy = z log(x), 0 where x is
// 0 and y is not negative (there z does not depend on y).
static LogicalResult powRule(PowOp, Rule &r) {
  Value x = r.operand(0), y = r.operand(1), g = r.cotangent();
  Value zero = r.like(x, 0.0);
  if (r.wants(0)) {
    Value d = r.mul(y, r.op<PowOp>(x, r.plus(y, -1.0)));
    Value flat = r.compare(ComparePredicate::EQ, y, zero);
    r.give(0, r.mulNoNan(g, r.select(flat, zero, d)));
  }
  if (r.wants(1)) {
    Value d = r.mul(r.result(), r.op<LogOp>(x));
    Value flat = r.op<AndOp>(r.compare(ComparePredicate::EQ, x, zero),
                             r.compare(ComparePredicate::GE, y, zero));
    r.give(1, r.mulNoNan(g, r.select(flat, zero, d)));
  }
  return success();
}

void graphc::attachMathRules(MLIRContext *context) {
  attachRule<SqrtOp, sqrtRule>(context);
  attachRule<ExpOp, expRule>(context);
  attachRule<Expm1Op, expm1Rule>(context);
  attachRule<LogOp, logRule>(context);
  attachRule<Log1pOp, log1pRule>(context);
  attachRule<RsqrtOp, rsqrtRule>(context);
  attachRule<ReciprocalOp, reciprocalRule>(context);
  attachRule<SinOp, sinRule>(context);
  attachRule<CosOp, cosRule>(context);
  attachRule<TanhOp, tanhRule>(context);
  attachRule<ErfOp, erfRule>(context);
  attachRule<PowOp, powRule>(context);
}
