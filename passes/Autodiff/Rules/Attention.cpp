// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The derivatives of attention, which have an op of their own, and of that op.
// With P the weights, dP = dO V^T and D the sum of each row of dO * O:
//   dS = P (dP - D)   dQ = scale dS K   dK = scale dS^T Q   dV = P^T dO
// Source: Dao et al., FlashAttention, 2022.
#include "dialects/Graph/IR/AttentionFormula.h"
#include "passes/Autodiff/Rules/Rule.h"

using namespace mlir;
using namespace graphc;
using namespace graphc::graph;

static LogicalResult attentionRule(AttentionOp op, Rule &r) {
  // Of no keys the result is 0.
  if (tensorTypeOf(op.getKey()).getNumElements() == 0)
    return success();
  if (r.wants(0) || r.wants(1) || r.wants(2)) {
    auto gradients = r.builder.create<AttentionGradOp>(
        r.loc, TypeRange(op->getOperandTypes()).take_front(3), op.getQuery(),
        op.getKey(), op.getValue(), op.getResult(), r.rawCotangent(),
        op.getMask(), op.getCausalAttr(), op.getScaleAttr());
    for (unsigned k : {0, 1, 2})
      if (r.wants(k))
        r.give(k, gradients->getResult(k));
  }
  if (!op.getMask() || !r.wants(3))
    return success();
  AttentionFormula f(op, r.builder);
  Value g = f.grouped(r.cotangent());
  Value d = f.rowSum(f.mul(g, f.grouped(op.getResult())));
  Value dp = f.scoresOf(g, f.value);
  r.give(3, f.maskGradient(f.mul(f.weights(), f.sub(dp, f.forKeys(d)))));
  return success();
}

/// With A, B and C the cotangents of dQ, dK and dV, that of dS is
/// X = scale (A K^T + Q B^T), and that of P, where it is in dS and dV,
/// W = dO C^T + X (dP - D).
static LogicalResult attentionGradRule(AttentionGradOp op, Rule &r) {
  if (tensorTypeOf(op.getKey()).getNumElements() == 0)
    return success();
  AttentionFormula f(op, r.builder);
  Value a = r.cotangent(0), b = r.cotangent(1), c = r.cotangent(2);
  a = a ? f.grouped(a) : a;
  b = b ? r.wide(b) : b;
  c = c ? r.wide(c) : c;
  auto plus = [&](Value x, Value y) {
    return x && y ? f.add(x, y) : x ? x : y;
  };
  auto give = [&](unsigned operand, Value gradient) {
    if (gradient && r.wants(operand))
      r.give(operand,
             r.reshape(gradient,
                       tensorTypeOf(op->getOperand(operand)).getShape()));
  };

  Value p = f.weights(), g = f.grouped(op.getGrad());
  Value x = plus(a ? f.scoresOf(a, f.key) : a, b ? f.scoresOf(f.query, b) : b);
  Value ofWeights = c ? f.scoresOf(g, c) : c;
  Value ofGrad = c ? f.overKeys(p, c) : c;
  Value ds;
  if (x) {
    Value output = f.grouped(op.getOutput());
    Value centred =
        f.sub(f.scoresOf(g, f.value), f.forKeys(f.rowSum(f.mul(g, output))));
    ds = f.scaled(f.mul(p, centred));
    x = f.scaled(x);
    Value xp = f.mul(x, p);
    Value ofD = r.neg(f.rowSum(xp));
    ofWeights = plus(ofWeights, f.mul(x, centred));
    ofGrad = plus(ofGrad, f.add(f.overKeys(xp, f.value),
                                f.mul(f.forRow(ofD, output), output)));
    give(2, f.overQueries(xp, g));
    give(3, f.mul(f.forRow(ofD, g), g));
  }
  give(4, ofGrad);
  // Through the softmax.
  Value mean = f.rowSum(f.mul(p, ofWeights));
  Value z = f.mul(p, f.sub(ofWeights, f.forKeys(mean)));
  give(0, plus(f.scaled(f.overKeys(z, f.key)), b ? f.overKeys(ds, b) : b));
  give(1,
       plus(f.scaled(f.overQueries(z, f.query)), a ? f.overQueries(ds, a) : a));
  if (op.getMask() && r.wants(5))
    r.give(5, f.maskGradient(z));
  return success();
}

void graphc::attachAttentionRules(MLIRContext *context) {
  attachRule<AttentionOp, attentionRule>(context);
  attachRule<AttentionGradOp, attentionGradRule>(context);
}
