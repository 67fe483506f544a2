// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The remainder of division, exact: long division of the fractions as integers.
#include "passes/ExpandMath/Arithmetic.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace graphc::expand_math {

using Cmp = Arithmetic::Cmp;
using CmpI = Arithmetic::CmpI;

namespace {

/// A positive finite f64 as fraction * 2^exponent, the fraction of 53 bits.
struct Parts {
  Value fraction, exponent; // i64
};

Parts split(const Arithmetic &a, Value x) {
  Value isSmall = a.is(Cmp::OLT, x, 0x1p-1022);
  Value bits = a.bits(a.select(isSmall, a.mul(x, 0x1p54), x));
  Value fraction = a.orI(a.andI(bits, a.integer((int64_t(1) << 52) - 1)),
                         a.integer(int64_t(1) << 52));
  Value exponent = a.subI(a.shrU(bits, a.integer(52)), a.integer(1023 + 52));
  exponent = a.select(isSmall, a.subI(exponent, a.integer(54)), exponent);
  return {fraction, exponent};
}

/// Of f64 scalars.
Value remainder(OpBuilder &builder, Location loc, Value x, Value y) {
  Arithmetic a(builder, loc, x.getType());
  Value absX = a.abs(x), absY = a.abs(y);
  Value isDefined =
      a.both(a.is(Cmp::OLT, absX, a.infinity()), a.is(Cmp::OGT, absY, 0.0));
  Value isWhole = a.is(Cmp::OLT, absX, absY); // x is its own remainder
  Value divides = a.both(isDefined, a.negate(isWhole));
  Parts n = split(a, a.select(divides, absX, a.constant(1)));
  Parts d = split(a, a.select(divides, absY, a.constant(1)));

  auto step = [&](const Arithmetic &at, Value rest, Value shift) {
    return at.remU(at.shl(rest, shift), d.fraction);
  };
  // 53 bits may move up by 11 at a time.
  Value eleven = a.integer(11), distance = a.subI(n.exponent, d.exponent);
  Value rest = a.remU(n.fraction, d.fraction);
  rest = step(a, rest, a.remU(distance, eleven));
  auto loop = builder.create<scf::ForOp>(
      loc, a.integer(0), a.divU(distance, eleven), a.integer(1), rest,
      [&](OpBuilder &inside, Location loc, Value, ValueRange carried) {
        Arithmetic at(inside, loc, x.getType());
        inside.create<scf::YieldOp>(loc, step(at, carried[0], at.integer(11)));
      });
  // In two factors, as 2^exponent need not be a normal number.
  Value half = a.shrS(d.exponent, a.integer(1));
  Value result = a.mul(a.toFloatRounded(loop.getResult(0)), a.powerOfTwo(half));
  result = a.mul(result, a.powerOfTwo(a.subI(d.exponent, half)));
  result = a.select(isWhole, x, a.copySign(result, x));
  return a.select(isDefined, result, a.nan());
}

} // namespace

Value expandRemainder(const Arithmetic &outer, Value x, Value y) {
  Arithmetic a = outer.withWidth(64);
  if (!outer.isDouble())
    x = a.widen(x), y = a.widen(y);
  OpBuilder &builder = outer.getBuilder();
  Value result =
      forEachLane(builder, outer.getLoc(), {x, y}, [&](ValueRange lane) {
        return SmallVector<Value>{
            remainder(builder, outer.getLoc(), lane[0], lane[1])};
      }).front();
  return outer.isDouble() ? result : outer.narrow(result);
}

} // namespace graphc::expand_math
