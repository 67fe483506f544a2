// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The quadrant of a huge angle (Payne and Hanek, "Radian reduction for
// trigonometric functions", 1983).
#include "passes/ExpandMath/Arithmetic.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace graphc::expand_math {

using Cmp = Arithmetic::Cmp;
using CmpI = Arithmetic::CmpI;

namespace {

/// 64 zeros, for the bits before the point, then bits of 2/pi.
constexpr int64_t kTwoOverPi[] = {0,
                                  int64_t(0xa2f9836e4e441529),
                                  int64_t(0xfc2757d1f534ddc0),
                                  int64_t(0xdb6295993c439041),
                                  int64_t(0xfe5163abdebbc561),
                                  int64_t(0xb7246e3a424dd2e0),
                                  int64_t(0x06492eea09d1921c),
                                  int64_t(0xfe1deb1cb129a73e),
                                  int64_t(0xe88235f52ebb4484),
                                  int64_t(0xe99c7026b45f7e41),
                                  int64_t(0x3991d639835339f4),
                                  int64_t(0x9c845f8bbdf9283b),
                                  int64_t(0x1ff897ffde05980f),
                                  int64_t(0xef2f118b5a0a6d1f),
                                  int64_t(0x6d367ecf27cb09b7),
                                  int64_t(0x4f463f669e5fea2d),
                                  int64_t(0x7527bac7ebe5f17b),
                                  int64_t(0x3d0739f78a5292ea),
                                  int64_t(0x6bfb5fb11f8d5d08),
                                  int64_t(0x56033046fc7b6bab),
                                  int64_t(0xf0cfbc209af4361d)};

struct Wide {
  Value low, high; // i64
};

Wide multiply(OpBuilder &builder, Location loc, Value x, Value y) {
  auto product = builder.create<arith::MulUIExtendedOp>(loc, x, y);
  return {product.getLow(), product.getHigh()};
}

/// Sum, and 1 where it wrapped.
Wide addWithCarry(const Arithmetic &a, Value x, Value y) {
  Value sum = a.addI(x, y);
  Value wrapped = a.isI(CmpI::ult, sum, x);
  return {sum, a.select(wrapped, a.integer(1), a.integer(0))};
}

/// Of a finite f64 scalar, at least 2^30 in magnitude.
Quadrant reduce(OpBuilder &builder, Location loc, Value x) {
  Arithmetic a(builder, loc, x.getType());
  // |x| = m 2^e. Bits of 2/pi above position e - 2 give multiples of 4
  // quadrants; a window of 192 bits starts there.
  Value bits = a.bits(a.abs(x));
  Value e = a.subI(a.shrU(bits, a.integer(52)), a.integer(1023 + 52));
  Value m = a.orI(a.andI(bits, a.integer((int64_t(1) << 52) - 1)),
                  a.integer(int64_t(1) << 52));
  Value start = a.addI(e, a.integer(64 - 2));
  Value index = a.shrU(start, a.integer(6));
  Value shift = a.andI(start, a.integer(63));
  constexpr int64_t count = std::size(kTwoOverPi);
  auto tableType = VectorType::get({count}, builder.getI64Type());
  Value table = builder.create<arith::ConstantOp>(
      loc, DenseElementsAttr::get(tableType, ArrayRef(kTwoOverPi)));
  Value words[4];
  for (int64_t k = 0; k < 4; ++k)
    words[k] = builder.create<vector::ExtractElementOp>(
        loc, table, a.addI(index, a.integer(k)));
  auto window = [&](int k) {
    // In two shifts, as one by 64 is none.
    Value next = a.shrU(a.shrU(words[k + 1], a.integer(1)),
                        a.subI(a.integer(63), shift));
    return a.orI(a.shl(words[k], shift), next);
  };

  // The upper 128 of the lower 192 bits of m times the window.
  Wide low = multiply(builder, loc, m, window(2));
  Wide middle = multiply(builder, loc, m, window(1));
  Wide next = addWithCarry(a, middle.low, low.high);
  Value top = a.addI(a.addI(a.mulI(m, window(0)), middle.high), next.high);

  // Two bits of quadrant, then the fraction, rounded to the nearest quadrant.
  Value q = a.addI(a.shrU(top, a.integer(62)),
                   a.andI(a.shrU(top, a.integer(61)), a.integer(1)));
  Value high = a.orI(a.shl(top, a.integer(2)), a.shrU(next.low, a.integer(62)));
  Value rest = a.shl(next.low, a.integer(2));
  // As a magnitude: a small fraction below a quadrant keeps its bits so.
  Value isNegative = a.isI(CmpI::slt, high, a.integer(0));
  Value isWhole = a.isI(CmpI::eq, rest, a.integer(0));
  Value borrow = a.select(isWhole, a.integer(0), a.integer(1));
  Value minusHigh = a.subI(a.subI(a.integer(0), high), borrow);
  high = a.select(isNegative, minusHigh, high);
  rest = a.select(isNegative, a.subI(a.integer(0), rest), rest);

  // fraction * pi/2 in two floats; each part of the fraction is exact.
  Value upper = a.toFloatRounded(a.andI(high, a.integer(~int64_t(2047))));
  Value lower = a.toFloatRounded(a.andI(high, a.integer(2047)));
  Value last = a.toFloatRounded(a.shrU(rest, a.integer(11)));
  lower = a.fma(last, 0x1p-53, lower);
  Value sum = a.add(upper, lower);
  Value lost = a.sub(lower, a.sub(sum, upper));
  constexpr double piHigh = 1.5707963267948966 * 0x1p-64;
  constexpr double piLow = 6.123233995736766e-17 * 0x1p-64;
  Value r = a.mul(sum, piHigh);
  Value tail = a.fma(sum, piHigh, a.neg(r));
  tail = a.fma(sum, piLow, tail);
  tail = a.fma(lost, piHigh, tail);

  // The fraction's sign, and x's.
  r = a.select(isNegative, a.neg(r), r);
  tail = a.select(isNegative, a.neg(tail), tail);
  Value flips = a.is(Cmp::OLT, x, 0.0);
  return {a.select(flips, a.subI(a.integer(0), q), q),
          a.select(flips, a.neg(r), r), a.select(flips, a.neg(tail), tail)};
}

} // namespace

Quadrant reduceHuge(const Arithmetic &a, Value x, double from,
                    const Quadrant &otherwise) {
  OpBuilder &builder = a.getBuilder();
  Location loc = a.getLoc();
  Value magnitude = a.abs(x);
  Value isHuge = a.both(a.is(Cmp::OGE, magnitude, from),
                        a.is(Cmp::OLT, magnitude, a.infinity()));
  auto eachHuge = [&] {
    return forEachLane(
        builder, loc, {isHuge, x, otherwise.q, otherwise.r, otherwise.low},
        [&](ValueRange lane) {
          auto choice = builder.create<scf::IfOp>(
              loc, lane[0],
              [&](OpBuilder &then, Location loc) {
                Quadrant huge = reduce(then, loc, lane[1]);
                then.create<scf::YieldOp>(loc,
                                          ValueRange{huge.q, huge.r, huge.low});
              },
              [&](OpBuilder &other, Location loc) {
                other.create<scf::YieldOp>(loc, lane.drop_front(2));
              });
          return SmallVector<Value>(choice.getResults());
        });
  };
  SmallVector<Value> parts =
      ifAny(a, isHuge, {otherwise.q, otherwise.r, otherwise.low}, eachHuge);
  return {parts[0], parts[1], parts[2]};
}

} // namespace graphc::expand_math
