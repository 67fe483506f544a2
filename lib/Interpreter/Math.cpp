// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Float functions: the C library's, in double.

#include "lib/Interpreter/Deadline.h"
#include "lib/Interpreter/Ops.h"

#include <cmath>

using namespace mlir;

namespace graphc::interpreter {

Handler mapFloats(double (*f)(double)) {
  return [f](Call &call) {
    const Tensor &x = call.operand();
    for (int64_t i : upTo(x.floats.size()))
      call.result().floats[i] = f(x.floats[i]);
    return success();
  };
}

Handler mapFloatPairs(double (*f)(double, double)) {
  return [f](Call &call) {
    const Tensor &a = call.operand(0), &b = call.operand(1);
    for (int64_t i : upTo(a.floats.size()))
      call.result().floats[i] = f(a.floats[i], b.floats[i]);
    return success();
  };
}

/// Not the C library's nearbyint, which follows the rounding mode.
static double roundToEven(double x) {
  if (!(std::fabs(x) < 0x1p52)) // an integer, inf or NaN
    return x;
  double below = std::floor(x), fraction = x - below;
  double nearest = below;
  if (fraction > 0.5 || (fraction == 0.5 && std::fmod(below, 2) != 0))
    nearest = below + 1;
  return std::copysign(nearest, x);
}

void addMath(OpTable &table) {
  table.add<graph::SqrtOp>(mapFloats([](double x) { return std::sqrt(x); }));
  table.add<graph::RsqrtOp>(
      mapFloats([](double x) { return 1 / std::sqrt(x); }));
  table.add<graph::ReciprocalOp>(mapFloats([](double x) { return 1 / x; }));
  table.add<graph::FloorOp>(mapFloats([](double x) { return std::floor(x); }));
  table.add<graph::CeilOp>(mapFloats([](double x) { return std::ceil(x); }));
  table.add<graph::RoundOp>(mapFloats(roundToEven));
  table.add<graph::ExpOp>(mapFloats([](double x) { return std::exp(x); }));
  table.add<graph::Expm1Op>(mapFloats([](double x) { return std::expm1(x); }));
  table.add<graph::LogOp>(mapFloats([](double x) { return std::log(x); }));
  table.add<graph::Log1pOp>(mapFloats([](double x) { return std::log1p(x); }));
  table.add<graph::SinOp>(mapFloats([](double x) { return std::sin(x); }));
  table.add<graph::CosOp>(mapFloats([](double x) { return std::cos(x); }));
  table.add<graph::TanhOp>(mapFloats([](double x) { return std::tanh(x); }));
  table.add<graph::ErfOp>(mapFloats([](double x) { return std::erf(x); }));
  table.add<graph::PowOp>(
      mapFloatPairs([](double a, double b) { return std::pow(a, b); }));
  table.add<graph::MulNoNanOp>(
      mapFloatPairs([](double g, double d) { return g == 0 ? 0.0 : g * d; }));
}

} // namespace graphc::interpreter
