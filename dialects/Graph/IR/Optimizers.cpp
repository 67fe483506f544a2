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

//===----------------------------------------------------------------------===//
// Adam
//===----------------------------------------------------------------------===//

template <typename Attr>
static llvm::SmallVector<std::string> adamStateNames(Attr adam) {
  llvm::SmallVector<std::string> names = {"exp_avg", "exp_avg_sq"};
  if (adam.getAmsgrad())
    names.push_back("max_exp_avg_sq");
  return names;
}

template <typename Attr>
static llvm::SmallVector<Value>
emitAdam(Attr adam, bool isDecoupled, OpBuilder &builder, Location loc,
         Value parameter, Value gradient, ValueRange states, Value learningRate,
         Value stepCount) {
  Emit e{builder, loc};
  auto type = tensorTypeOf(parameter);
  // What is the same for all elements, in f64 until it meets them.
  auto scalarType = RankedTensorType::get({}, builder.getF64Type());
  auto scalar = [&](double value) {
    return splat(builder, loc, scalarType, value);
  };
  auto toAll = [&](Value x) {
    return broadcastScalar(builder, loc, e.cast(x, type.getElementType()),
                           type.getShape());
  };
  Value lr = e.cast(learningRate, builder.getF64Type());
  Value t = e.op<AddOp>(e.cast(stepCount, builder.getF64Type()), scalar(1.0));
  auto biasCorrection = [&](double beta) -> Value {
    return e.op<SubOp>(scalar(1.0), e.op<PowOp>(scalar(beta), t));
  };

  double weightDecay = adam.getWeightDecay();
  Value p = parameter, g = gradient;
  if (weightDecay > 0.0 && isDecoupled)
    p = e.op<MulOp>(p, toAll(e.op<SubOp>(
                           scalar(1.0), e.op<MulOp>(lr, scalar(weightDecay)))));
  else if (weightDecay > 0.0)
    g = e.op<AddOp>(g, e.op<MulOp>(p, e.like(p, weightDecay)));

  auto average = [&](Value old, double beta, Value next) -> Value {
    return e.op<AddOp>(e.op<MulOp>(old, e.like(old, beta)),
                       e.op<MulOp>(next, e.like(next, 1.0 - beta)));
  };
  Value m = average(states[0], adam.getBeta1(), g);
  Value v = average(states[1], adam.getBeta2(), e.op<MulOp>(g, g));
  llvm::SmallVector<Value> results = {p, m, v};
  if (adam.getAmsgrad()) {
    v = e.op<MaximumOp>(states[2], v);
    results.push_back(v);
  }

  Value root = e.op<SqrtOp>(biasCorrection(adam.getBeta2()));
  Value denominator = e.op<AddOp>(e.op<DivOp>(e.op<SqrtOp>(v), toAll(root)),
                                  e.like(v, adam.getEps()));
  Value stepSize = e.op<DivOp>(lr, biasCorrection(adam.getBeta1()));
  results.front() =
      e.op<SubOp>(p, e.op<MulOp>(toAll(stepSize), e.op<DivOp>(m, denominator)));
  return results;
}

double AdamAttr::getLearningRate() const { return getLr(); }
llvm::SmallVector<std::string> AdamAttr::getStateNames() const {
  return adamStateNames(*this);
}
bool AdamAttr::needsStepCount() const { return true; }
llvm::SmallVector<Value> AdamAttr::emitUpdate(OpBuilder &builder, Location loc,
                                              Value parameter, Value gradient,
                                              ValueRange states,
                                              Value learningRate,
                                              Value stepCount) const {
  return emitAdam(*this, /*isDecoupled=*/false, builder, loc, parameter,
                  gradient, states, learningRate, stepCount);
}

double AdamWAttr::getLearningRate() const { return getLr(); }
llvm::SmallVector<std::string> AdamWAttr::getStateNames() const {
  return adamStateNames(*this);
}
bool AdamWAttr::needsStepCount() const { return true; }
llvm::SmallVector<Value> AdamWAttr::emitUpdate(OpBuilder &builder, Location loc,
                                               Value parameter, Value gradient,
                                               ValueRange states,
                                               Value learningRate,
                                               Value stepCount) const {
  return emitAdam(*this, /*isDecoupled=*/true, builder, loc, parameter,
                  gradient, states, learningRate, stepCount);
}
