// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What optimizers keep and how they update a parameter.
#include "dialects/Graph/IR/Emit.h"

using namespace mlir;
using namespace graphc::graph;

double SgdAttr::getLearningRate() const { return getLr(); }

llvm::SmallVector<std::string> SgdAttr::getStateNames() const {
  if (getMomentum() > 0.0)
    return {"momentum_buffer"};
  return {};
}

// The first step sets v = g. Without dampening that is what the formula gives
// from a buffer of zeros.
bool SgdAttr::needsStepCount() const {
  return getMomentum() > 0.0 && getDampening() != 0.0;
}

llvm::SmallVector<Value> SgdAttr::emitUpdate(OpBuilder &builder, Location loc,
                                             Value parameter, Value gradient,
                                             ValueRange states,
                                             Value learningRate,
                                             Value stepCount) const {
  Emit e{builder, loc};
  auto type = tensorTypeOf(parameter);
  auto scaled = [&](Value x, double factor) -> Value {
    return factor == 1.0 ? x : e.op<MulOp>(x, e.like(x, factor));
  };
  auto scalarTo = [&](Value scalar) {
    return broadcastScalar(builder, loc, scalar, type.getShape());
  };

  Value g = gradient;
  if (getWeightDecay() > 0.0)
    g = e.op<AddOp>(g, scaled(parameter, getWeightDecay()));

  llvm::SmallVector<Value> newStates;
  if (getMomentum() > 0.0) {
    Value v = e.op<AddOp>(scaled(states.front(), getMomentum()),
                          scaled(g, 1.0 - getDampening()));
    if (needsStepCount()) {
      Value isFirst = e.op<CompareOp>(ComparePredicate::EQ, stepCount,
                                      e.like(stepCount, 0.0));
      v = e.op<SelectOp>(scalarTo(isFirst), g, v);
    }
    newStates.push_back(v);
    g = getNesterov() ? Value(e.op<AddOp>(g, scaled(v, getMomentum()))) : v;
  }

  Value lr = scalarTo(e.cast(learningRate, type.getElementType()));
  Value updated = e.op<SubOp>(parameter, e.op<MulOp>(lr, g));
  newStates.insert(newStates.begin(), updated);
  return newStates;
}
