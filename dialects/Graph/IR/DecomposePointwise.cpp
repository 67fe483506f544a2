// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decompositions of the activations and of dropout.
#include "dialects/Graph/IR/Emit.h"

#include <cmath>

using namespace mlir;
using namespace graphc::graph;

/// With z = exp(-|x|) in [0, 1] nothing overflows, and the quotient keeps its
/// relative precision where x is far below 0.
static Value sigmoid(Emit e, Value x) {
  Value z = e.op<ExpOp>(e.op<NegOp>(e.op<AbsOp>(x)));
  Value one = e.like(x, 1.0);
  Value isNegative = e.op<CompareOp>(ComparePredicate::LT, x, e.like(x, 0.0));
  Value numerator = e.op<SelectOp>(isNegative, z, one);
  return e.op<DivOp>(numerator, e.op<AddOp>(one, z));
}

llvm::SmallVector<Value> SigmoidOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  Value y = sigmoid(e, e.widen(getInput()));
  return {e.cast(y, elementTypeOf(getResult()))};
}

llvm::SmallVector<Value> SiluOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  Value x = e.widen(getInput());
  Value y = e.op<MulOp>(x, sigmoid(e, x));
  return {e.cast(y, elementTypeOf(getResult()))};
}

llvm::SmallVector<Value> GeluOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  Value x = e.widen(getInput()), y;
  if (getApproximate() == Approximate::Tanh) {
    // x (1 + tanh(z)) / 2 = x / (1 + exp(-2z)), which does not cancel far below
    // 0. Where the exponential overflows, the result is 0 but for less than the
    // last place of x.
    double scale = -2.0 * std::sqrt(2.0 / M_PI);
    Value cubic = e.op<MulOp>(e.like(x, 0.044715 * scale), e.op<MulOp>(x, x));
    Value slope = e.op<AddOp>(e.like(x, scale), cubic);
    Value exp = e.op<ExpOp>(e.op<MulOp>(x, slope));
    y = e.op<DivOp>(x, e.op<AddOp>(e.like(x, 1.0), exp));
  } else {
    Value erf = e.op<ErfOp>(e.op<MulOp>(x, e.like(x, M_SQRT1_2)));
    Value half = e.op<MulOp>(x, e.like(x, 0.5));
    y = e.op<MulOp>(half, e.op<AddOp>(e.like(x, 1.0), erf));
  }
  return {e.cast(y, elementTypeOf(getResult()))};
}

// Exact, so in the declared type.
llvm::SmallVector<Value> ReluOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  return {e.op<MaximumOp>(getInput(), e.like(getInput(), 0.0))};
}

llvm::SmallVector<Value> ClampOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  Value x = getInput();
  Value low = e.like(x, getLow().convertToDouble());
  Value high = e.like(x, getHigh().convertToDouble());
  return {e.op<MinimumOp>(e.op<MaximumOp>(x, low), high)};
}

llvm::SmallVector<Value> DropoutOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  double p = getP().convertToDouble();
  if (getMode() == Mode::Eval || p == 0.0)
    return {getInput()};
  if (p == 1.0)
    return {e.like(getInput(), 0.0)};
  if (!getKey())
    return {}; // Not resolved yet.

  Value x = e.widen(getInput());
  auto drawType =
      RankedTensorType::get(tensorTypeOf(x).getShape(), builder.getF32Type());
  Value draw = e.op<RandomUniformOp>(drawType, getKey(), *getOpId());
  // Draws are multiples of 2^-24, so this bound, which f32 holds exactly, keeps
  // the same draws as `p` itself, which f32 may round past one of them.
  double bound = std::ceil(std::ldexp(p, 24));
  Value kept = e.op<CompareOp>(ComparePredicate::GE, draw,
                               e.like(draw, std::ldexp(bound, -24)));
  Value scaled = e.op<MulOp>(x, e.like(x, 1.0 / (1.0 - p)));
  Value y = e.op<SelectOp>(kept, scaled, e.like(x, 0.0));
  return {e.cast(y, elementTypeOf(getResult()))};
}
