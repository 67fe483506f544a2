// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic, bitwise ops and shifts, with the values of integer edge cases.

#include "lib/Interpreter/Deadline.h"
#include "lib/Interpreter/Ops.h"

#include <cmath>

using namespace mlir;

namespace graphc::interpreter {

double maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return NAN;
  if (a == 0 && b == 0)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

double minimum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return NAN;
  if (a == 0 && b == 0)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

namespace {

using IntUnary = uint64_t (*)(int64_t x, ElementKind kind);
using IntBinary = uint64_t (*)(int64_t a, int64_t b, ElementKind kind);
using FloatUnary = double (*)(double);
using FloatBinary = double (*)(double, double);

/// Integer functions give any number congruent to the result.
Handler unary(FloatUnary onFloats, IntUnary onInts) {
  return [=](Call &call) {
    const Tensor &x = call.operand();
    Tensor &result = call.result();
    ElementKind kind = x.kind();
    for (int64_t i : upTo(x.floats.size()))
      result.floats[i] = onFloats(x.floats[i]);
    for (int64_t i : upTo(x.ints.size()))
      result.ints[i] = wrapTo(kind, onInts(x.ints[i], kind));
    return success();
  };
}

Handler binary(FloatBinary onFloats, IntBinary onInts) {
  return [=](Call &call) {
    const Tensor &a = call.operand(0), &b = call.operand(1);
    Tensor &result = call.result();
    ElementKind kind = a.kind();
    for (int64_t i : upTo(a.floats.size()))
      result.floats[i] = onFloats(a.floats[i], b.floats[i]);
    for (int64_t i : upTo(a.ints.size()))
      result.ints[i] = wrapTo(kind, onInts(a.ints[i], b.ints[i], kind));
    return success();
  };
}

uint64_t divide(int64_t a, int64_t b, ElementKind) {
  if (b == 0)
    return ~uint64_t{0};
  if (b == -1) // MIN / -1 would overflow
    return -static_cast<uint64_t>(a);
  return a / b;
}

uint64_t remainder(int64_t a, int64_t b, ElementKind) {
  if (b == 0)
    return a;
  if (b == -1)
    return 0;
  return a % b;
}

uint64_t shiftLeft(int64_t a, int64_t count, ElementKind kind) {
  if (count < 0 || count >= getWidth(kind))
    return 0;
  return static_cast<uint64_t>(a) << count;
}

uint64_t shiftRight(int64_t a, int64_t count, ElementKind kind) {
  if (count < 0 || count >= getWidth(kind))
    return a < 0 ? ~uint64_t{0} : 0;
  // Division that rounds down, since a shift of a negative number is not
  // defined in C++17.
  return a < 0 ? ~(~static_cast<uint64_t>(a) >> count)
               : static_cast<uint64_t>(a) >> count;
}

double sign(double x) {
  if (std::isnan(x) || x == 0)
    return x;
  return x > 0 ? 1 : -1;
}

} // namespace

void addElementwise(OpTable &table) {
  table.add<graph::NegOp>(
      unary([](double x) { return -x; },
            [](int64_t x, ElementKind) { return -static_cast<uint64_t>(x); }));
  table.add<graph::AbsOp>(unary([](double x) { return std::fabs(x); },
                                [](int64_t x, ElementKind) {
                                  return x < 0 ? -static_cast<uint64_t>(x) : x;
                                }));
  table.add<graph::SignOp>(unary(sign, [](int64_t x, ElementKind) -> uint64_t {
    return x > 0 ? 1 : x < 0 ? -1 : 0;
  }));
  table.add<graph::NotOp>(
      unary(nullptr, [](int64_t x, ElementKind) -> uint64_t { return ~x; }));

  table.add<graph::AddOp>(binary([](double a, double b) { return a + b; },
                                 [](int64_t a, int64_t b, ElementKind) {
                                   return static_cast<uint64_t>(a) +
                                          static_cast<uint64_t>(b);
                                 }));
  table.add<graph::SubOp>(binary([](double a, double b) { return a - b; },
                                 [](int64_t a, int64_t b, ElementKind) {
                                   return static_cast<uint64_t>(a) -
                                          static_cast<uint64_t>(b);
                                 }));
  table.add<graph::MulOp>(binary([](double a, double b) { return a * b; },
                                 [](int64_t a, int64_t b, ElementKind) {
                                   return static_cast<uint64_t>(a) *
                                          static_cast<uint64_t>(b);
                                 }));
  table.add<graph::DivOp>(
      binary([](double a, double b) { return a / b; }, divide));
  table.add<graph::RemOp>(
      binary([](double a, double b) { return std::fmod(a, b); }, remainder));
  table.add<graph::MaximumOp>(
      binary(maximum, [](int64_t a, int64_t b, ElementKind) -> uint64_t {
        return std::max(a, b);
      }));
  table.add<graph::MinimumOp>(
      binary(minimum, [](int64_t a, int64_t b, ElementKind) -> uint64_t {
        return std::min(a, b);
      }));

  table.add<graph::AndOp>(
      binary(nullptr, [](int64_t a, int64_t b, ElementKind) -> uint64_t {
        return a & b;
      }));
  table.add<graph::OrOp>(
      binary(nullptr, [](int64_t a, int64_t b, ElementKind) -> uint64_t {
        return a | b;
      }));
  table.add<graph::XorOp>(
      binary(nullptr, [](int64_t a, int64_t b, ElementKind) -> uint64_t {
        return a ^ b;
      }));
  table.add<graph::ShiftLeftOp>(binary(nullptr, shiftLeft));
  table.add<graph::ShiftRightOp>(binary(nullptr, shiftRight));
  table.add<graph::StopGradientOp>([](Call &call) {
    call.result() = call.operand();
    return success();
  });
  table.add<graph::RecomputeBarrierOp>([](Call &call) {
    call.result() = call.operand();
    return success();
  });
}

} // namespace graphc::interpreter
