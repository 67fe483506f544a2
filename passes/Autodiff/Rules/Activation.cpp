// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of activations, softmax and dropout.
#include "passes/Autodiff/Rules/Rule.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace graphc;
using namespace graphc::graph;

// From the result: y <= 0 exactly where x <= 0, and x need not be kept.
static LogicalResult reluRule(ReluOp op, Rule &r) {
  Value g = r.rawCotangent(), y = op.getResult();
  Value flat = r.compare(ComparePredicate::LE, y, r.like(y, 0.0));
  r.give(0, r.select(flat, r.like(g, 0.0), g));
  return success();
}

static LogicalResult sigmoidRule(SigmoidOp, Rule &r) {
  Value y = r.result();
  Value d = r.mul(y, r.sub(r.like(y, 1.0), y));
  r.give(0, r.mulNoNan(r.cotangent(), d));
  return success();
}

// s + x s (1 - s), with s = sigmoid(x).
static LogicalResult siluRule(SiluOp, Rule &r) {
  Value x = r.operand(0);
  Value s = r.op<SigmoidOp>(x);
  Value slope = r.mul(s, r.sub(r.like(s, 1.0), s));
  r.give(0, r.mulNoNan(r.cotangent(), r.add(s, r.mul(x, slope))));
  return success();
}

/// Phi(x) + x phi(x), the normal distribution and its density.
static Value geluDerivative(Rule &r, Value x) {
  Value erf = r.op<ErfOp>(r.times(x, 1.0 / llvm::numbers::sqrt2));
  Value distribution = r.times(r.plus(erf, 1.0), 0.5);
  Value bell = r.op<ExpOp>(r.times(r.mul(x, x), -0.5));
  double scale = llvm::numbers::inv_sqrtpi / llvm::numbers::sqrt2;
  return r.add(distribution, r.mul(x, r.times(bell, scale)));
}

/// The function is x s with s = (1 + tanh(z / 2)) / 2 = sigmoid(z) and
/// z = k (x + c x^3):  s + x s (1 - s) z'.
static Value geluTanhDerivative(Rule &r, Value x) {
  constexpr double k = 2.0 * llvm::numbers::sqrt2 * llvm::numbers::inv_sqrtpi;
  constexpr double c = 0.044715;
  Value square = r.mul(x, x);
  Value z = r.mul(x, r.plus(r.times(square, c * k), k));
  Value s = r.op<SigmoidOp>(z);
  Value slope = r.plus(r.times(square, 3.0 * c * k), k);
  Value curve = r.mul(s, r.sub(r.like(s, 1.0), s));
  // The curve first: it is zero where x and the slope are large.
  return r.add(s, r.mul(x, r.mul(curve, slope)));
}

static LogicalResult geluRule(GeluOp op, Rule &r) {
  Value x = r.operand(0);
  Value d = op.getApproximate() == Approximate::Tanh ? geluTanhDerivative(r, x)
                                                     : geluDerivative(r, x);
  r.give(0, r.mulNoNan(r.cotangent(), d));
  return success();
}

// The bounds belong to the inside, as PyTorch has it.
static LogicalResult clampRule(ClampOp op, Rule &r) {
  Value x = op.getInput(), g = r.rawCotangent();
  Value low = r.like(x, op.getLow().convertToDouble());
  Value high = r.like(x, op.getHigh().convertToDouble());
  Value inside = r.op<AndOp>(r.compare(ComparePredicate::GE, x, low),
                             r.compare(ComparePredicate::LE, x, high));
  r.give(0, r.select(inside, g, r.like(g, 0.0)));
  return success();
}

// y (g - sum(g y))
static LogicalResult softmaxRule(SoftmaxOp op, Rule &r) {
  Value g = r.cotangent(), y = r.result();
  int64_t axis = op.getAxis();
  Value sum = r.sum(r.mulNoNan(g, y), axis);
  Value centred = r.sub(g, r.repeat(sum, axis, tensorTypeOf(g).getShape()));
  r.give(0, r.mulNoNan(centred, y));
  return success();
}

// g - softmax(x) sum(g)
static LogicalResult logSoftmaxRule(LogSoftmaxOp op, Rule &r) {
  Value g = r.cotangent();
  int64_t axis = op.getAxis();
  Value sum = r.repeat(r.sum(g, axis), axis, tensorTypeOf(g).getShape());
  r.give(0, r.sub(g, r.mulNoNan(sum, r.op<ExpOp>(r.result()))));
  return success();
}

// Linear in its input: the same draw, with the same key and id, of the
// cotangent.
static LogicalResult dropoutRule(DropoutOp op, Rule &r) {
  if (!op.getKey() && op.getMode() != Mode::Eval)
    return op.emitOpError("expects a key and an op_id, or mode = eval, to be "
                          "differentiated; import gives them");
  IRMapping mapping;
  mapping.map(op.getInput(), r.rawCotangent());
  r.give(0, r.builder.clone(*op, mapping)->getResult(0));
  return success();
}

void graphc::attachActivationRules(MLIRContext *context) {
  attachRule<ReluOp, reluRule>(context);
  attachRule<SigmoidOp, sigmoidRule>(context);
  attachRule<SiluOp, siluRule>(context);
  attachRule<GeluOp, geluRule>(context);
  attachRule<ClampOp, clampRule>(context);
  attachRule<SoftmaxOp, softmaxRule>(context);
  attachRule<LogSoftmaxOp, logSoftmaxRule>(context);
  attachRule<DropoutOp, dropoutRule>(context);
}
