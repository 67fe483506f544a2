// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short names for arithmetic on values of one shape: a scalar or a vector.
#ifndef GRAPHC_PASSES_EXPANDMATH_ARITHMETIC_H
#define GRAPHC_PASSES_EXPANDMATH_ARITHMETIC_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

#include <limits>

namespace graphc::expand_math {

/// Builds at one place, in the shape of one float value. Floats have that
/// value's width, integers any.
class Arithmetic {
public:
  using Value = mlir::Value;
  using Cmp = mlir::arith::CmpFPredicate;
  using CmpI = mlir::arith::CmpIPredicate;

  /// Added to an f64 below 2^51 it rounds that to a whole number, which the
  /// lowest bits of the sum then are.
  static constexpr double kShift = 0x1.8p52;

  Arithmetic(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type like)
      : builder(builder), loc(loc), like(like) {}

  /// The same place and shape in another width.
  Arithmetic withWidth(unsigned bits) const {
    return Arithmetic(builder, loc, shaped(floatType(bits)));
  }
  unsigned width() const {
    return mlir::getElementTypeOrSelf(like).getIntOrFloatBitWidth();
  }
  bool isDouble() const { return width() == 64; }
  /// Bits of the fraction.
  int64_t fractionBits() const { return isDouble() ? 52 : 23; }
  int64_t exponentBias() const { return isDouble() ? 1023 : 127; }

  // Floats.
  Value constant(double number) const {
    return splat(
        builder.getFloatAttr(mlir::getElementTypeOrSelf(like), number));
  }
  Value infinity() const {
    return constant(std::numeric_limits<double>::infinity());
  }
  Value nan() const {
    return constant(std::numeric_limits<double>::quiet_NaN());
  }
  Value add(Value x, Value y) const { return make<mlir::arith::AddFOp>(x, y); }
  Value sub(Value x, Value y) const { return make<mlir::arith::SubFOp>(x, y); }
  Value mul(Value x, Value y) const { return make<mlir::arith::MulFOp>(x, y); }
  Value div(Value x, Value y) const { return make<mlir::arith::DivFOp>(x, y); }
  Value neg(Value x) const { return make<mlir::arith::NegFOp>(x); }
  Value add(Value x, double y) const { return add(x, constant(y)); }
  Value sub(Value x, double y) const { return sub(x, constant(y)); }
  Value mul(Value x, double y) const { return mul(x, constant(y)); }
  /// x * y + z, rounded once.
  Value fma(Value x, Value y, Value z) const {
    return make<mlir::math::FmaOp>(x, y, z);
  }
  Value fma(Value x, double y, Value z) const { return fma(x, constant(y), z); }
  Value abs(Value x) const { return make<mlir::math::AbsFOp>(x); }
  Value floor(Value x) const { return make<mlir::math::FloorOp>(x); }
  Value round(Value x) const { return make<mlir::math::RoundEvenOp>(x); }
  Value copySign(Value x, Value sign) const {
    return make<mlir::math::CopySignOp>(x, sign);
  }
  Value is(Cmp predicate, Value x, Value y) const {
    return make<mlir::arith::CmpFOp>(predicate, x, y);
  }
  Value is(Cmp predicate, Value x, double y) const {
    return is(predicate, x, constant(y));
  }
  Value isNan(Value x) const { return is(Cmp::UNO, x, x); }
  Value select(Value condition, Value x, Value y) const {
    return make<mlir::arith::SelectOp>(condition, x, y);
  }
  Value both(Value x, Value y) const { return make<mlir::arith::AndIOp>(x, y); }
  Value either(Value x, Value y) const {
    return make<mlir::arith::OrIOp>(x, y);
  }
  Value negate(Value condition) const {
    return make<mlir::arith::XOrIOp>(condition,
                                     splat(builder.getBoolAttr(true)));
  }
  /// Between two numbers; NaN becomes `low`.
  Value clamp(Value x, double low, double high) const {
    Value above = select(is(Cmp::OGT, x, low), x, constant(low));
    return select(is(Cmp::OLT, above, high), above, constant(high));
  }
  /// The polynomial with these coefficients, lowest power first, by Horner;
  /// a long one in even and odd powers, whose chains run at the same time.
  template <size_t N>
  Value polynomial(Value x, const double (&coefficients)[N]) const {
    auto horner = [&](Value by, size_t first, size_t step) {
      size_t k = first + (N - 1 - first) / step * step;
      Value sum = constant(coefficients[k]);
      while (k >= first + step)
        k -= step, sum = fma(sum, by, constant(coefficients[k]));
      return sum;
    };
    if (N < 6)
      return horner(x, 0, 1);
    Value square = mul(x, x);
    return fma(horner(square, 1, 2), x, horner(square, 0, 2));
  }

  // Integers.
  Value integer(int64_t number, unsigned bits) const {
    return splat(builder.getIntegerAttr(builder.getIntegerType(bits), number));
  }
  Value integer(int64_t number) const { return integer(number, width()); }
  Value addI(Value x, Value y) const { return make<mlir::arith::AddIOp>(x, y); }
  Value subI(Value x, Value y) const { return make<mlir::arith::SubIOp>(x, y); }
  Value mulI(Value x, Value y) const { return make<mlir::arith::MulIOp>(x, y); }
  Value andI(Value x, Value y) const { return make<mlir::arith::AndIOp>(x, y); }
  Value orI(Value x, Value y) const { return make<mlir::arith::OrIOp>(x, y); }
  Value xorI(Value x, Value y) const { return make<mlir::arith::XOrIOp>(x, y); }
  Value shl(Value x, Value y) const { return make<mlir::arith::ShLIOp>(x, y); }
  Value shrU(Value x, Value y) const {
    return make<mlir::arith::ShRUIOp>(x, y);
  }
  Value shrS(Value x, Value y) const {
    return make<mlir::arith::ShRSIOp>(x, y);
  }
  Value remU(Value x, Value y) const {
    return make<mlir::arith::RemUIOp>(x, y);
  }
  Value divU(Value x, Value y) const {
    return make<mlir::arith::DivUIOp>(x, y);
  }
  Value isI(CmpI predicate, Value x, Value y) const {
    return make<mlir::arith::CmpIOp>(predicate, x, y);
  }

  // Conversions.
  Value bits(Value x) const {
    return make<mlir::arith::BitcastOp>(intShape(width()), x);
  }
  Value fromBits(Value x) const {
    return make<mlir::arith::BitcastOp>(like, x);
  }
  /// Of a whole number, of f64 one below 2^51 in magnitude; anything else gives
  /// any integer. AVX2 converts no vectors between f64 and i64: with 3 * 2^51
  /// added the lowest bits of a float are those of the integer.
  Value toInteger(Value x) const {
    if (isDouble())
      return subI(bits(add(x, kShift)), bits(constant(kShift)));
    return make<mlir::arith::FPToSIOp>(intShape(width()), x);
  }
  /// Exact, for f64 of an integer below 2^51 in magnitude.
  Value toFloat(Value x) const {
    if (isDouble())
      return sub(fromBits(addI(x, bits(constant(kShift)))), kShift);
    return toFloatRounded(x);
  }
  /// Of any integer.
  Value toFloatRounded(Value x) const {
    return make<mlir::arith::SIToFPOp>(like, x);
  }
  Value widen(Value x) const { return make<mlir::arith::ExtFOp>(like, x); }
  Value narrow(Value x) const { return make<mlir::arith::TruncFOp>(like, x); }
  Value extendI(Value x, unsigned bits) const {
    return make<mlir::arith::ExtUIOp>(intShape(bits), x);
  }

  /// 2^n for an integer n that gives a normal number.
  Value powerOfTwo(Value n) const {
    return fromBits(
        shl(addI(n, integer(exponentBias())), integer(fractionBits())));
  }

  mlir::OpBuilder &getBuilder() const { return builder; }
  mlir::Location getLoc() const { return loc; }

private:
  template <typename Op, typename... Args> Value make(Args &&...args) const {
    return builder.create<Op>(loc, std::forward<Args>(args)...);
  }
  mlir::Type floatType(unsigned bits) const {
    return bits == 64 ? mlir::Type(builder.getF64Type())
                      : mlir::Type(builder.getF32Type());
  }
  mlir::Type shaped(mlir::Type element) const {
    auto vector = mlir::dyn_cast<mlir::VectorType>(like);
    return vector ? mlir::Type(vector.clone(element)) : element;
  }
  mlir::Type intShape(unsigned bits) const {
    return shaped(builder.getIntegerType(bits));
  }
  Value splat(mlir::TypedAttr number) const {
    mlir::Type type = shaped(number.getType());
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(type))
      number = mlir::DenseElementsAttr::get(vector, mlir::Attribute(number));
    return make<mlir::arith::ConstantOp>(number);
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type like;
};

/// `values`, and in place of them what `then` builds if `condition` holds in any
/// lane: for what few inputs need.
llvm::SmallVector<mlir::Value>
ifAny(const Arithmetic &a, mlir::Value condition, mlir::ValueRange values,
      llvm::function_ref<llvm::SmallVector<mlir::Value>()> then);

/// Calls `scalar` for each element of the vectors `operands`, or for the
/// scalars themselves, and puts each of its results together again.
llvm::SmallVector<mlir::Value>
forEachLane(mlir::OpBuilder &builder, mlir::Location loc,
            mlir::ValueRange operands,
            llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange)>
                scalar);

/// x = q pi/2 + r + low; of q the last two bits count.
struct Quadrant {
  mlir::Value q; // i64
  mlir::Value r, low;
};

/// For f64, wherever |x| >= `from` >= 2^30, and `otherwise` elsewhere.
Quadrant reduceHuge(const Arithmetic &a, mlir::Value x, double from,
                    const Quadrant &otherwise);

/// sin and cos of f32.
mlir::Value expandSinOrCos32(const Arithmetic &a, mlir::Value x, bool isCos);

/// The functions, each in a file of its family.
mlir::Value expandExp(const Arithmetic &a, mlir::Value x);
mlir::Value expandExpm1(const Arithmetic &a, mlir::Value x);
mlir::Value expandLog(const Arithmetic &a, mlir::Value x);
mlir::Value expandLog1p(const Arithmetic &a, mlir::Value x);
mlir::Value expandSin(const Arithmetic &a, mlir::Value x);
mlir::Value expandCos(const Arithmetic &a, mlir::Value x);
mlir::Value expandTanh(const Arithmetic &a, mlir::Value x);
mlir::Value expandErf(const Arithmetic &a, mlir::Value x);
mlir::Value expandPow(const Arithmetic &a, mlir::Value x, mlir::Value y);
/// C's fmod: arith.remf.
mlir::Value expandRemainder(const Arithmetic &a, mlir::Value x, mlir::Value y);

/// e^(x + tail) for a small `tail`; x may be anything.
mlir::Value expWithTail(const Arithmetic &a, mlir::Value x, mlir::Value tail);

/// x = 2^e (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2), for 0 < x < inf.
struct Split {
  mlir::Value e; // A whole number as a float.
  mlir::Value f;
};
/// Without `hasDenormals` of normal x only; other x give anything.
Split splitExponent(const Arithmetic &a, mlir::Value x,
                    bool hasDenormals = true);

} // namespace graphc::expand_math

#endif // GRAPHC_PASSES_EXPANDMATH_ARITHMETIC_H
