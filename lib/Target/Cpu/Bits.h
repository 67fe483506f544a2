// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short names for building arithmetic on the bits of floats, scalar or vector
// alike.

#ifndef GRAPHC_LIB_TARGET_CPU_BITS_H
#define GRAPHC_LIB_TARGET_CPU_BITS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

namespace graphc::cpu {

struct Bits {
  Bits(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  using Value = mlir::Value;
  mlir::OpBuilder &builder;
  mlir::Location loc;

  /// `number` in the shape and type of `like`.
  Value constant(Value like, int64_t number) {
    return splat(like.getType(), builder.getIntegerAttr(element(like), number));
  }
  Value constantFloat(Value like, double number) {
    return splat(like.getType(), builder.getFloatAttr(element(like), number));
  }

  Value shl(Value x, int64_t by) {
    return create<mlir::arith::ShLIOp>(x, constant(x, by));
  }
  Value shr(Value x, int64_t by) {
    return create<mlir::arith::ShRUIOp>(x, constant(x, by));
  }
  Value band(Value x, int64_t y) {
    return create<mlir::arith::AndIOp>(x, constant(x, y));
  }
  Value bor(Value x, Value y) { return create<mlir::arith::OrIOp>(x, y); }
  Value bor(Value x, int64_t y) { return bor(x, constant(x, y)); }
  Value add(Value x, Value y) { return create<mlir::arith::AddIOp>(x, y); }
  Value add(Value x, int64_t y) { return add(x, constant(x, y)); }
  Value unsignedGreater(Value x, Value y) {
    return create<mlir::arith::CmpIOp>(mlir::arith::CmpIPredicate::ugt, x, y);
  }
  Value unsignedGreater(Value x, int64_t y) {
    return unsignedGreater(x, constant(x, y));
  }
  Value select(Value condition, Value x, Value y) {
    return create<mlir::arith::SelectOp>(condition, x, y);
  }

  Value mulFloat(Value x, double y) {
    return create<mlir::arith::MulFOp>(x, constantFloat(x, y));
  }
  Value addFloat(Value x, double y) {
    return create<mlir::arith::AddFOp>(x, constantFloat(x, y));
  }
  Value absFloat(Value x) { return create<mlir::math::AbsFOp>(x); }
  Value greaterFloat(Value x, Value y) {
    return create<mlir::arith::CmpFOp>(mlir::arith::CmpFPredicate::OGT, x, y);
  }
  /// True where `x` and `y` are ordered and not equal.
  Value differs(Value x, Value y) {
    return create<mlir::arith::CmpFOp>(mlir::arith::CmpFPredicate::ONE, x, y);
  }

  Value extendTo(unsigned bits, Value x) {
    return create<mlir::arith::ExtUIOp>(
        like(x.getType(), builder.getIntegerType(bits)), x);
  }
  Value truncateTo(unsigned bits, Value x) {
    return create<mlir::arith::TruncIOp>(
        like(x.getType(), builder.getIntegerType(bits)), x);
  }
  Value asInt(Value x) {
    return create<mlir::arith::BitcastOp>(
        like(x.getType(), builder.getIntegerType(width(x))), x);
  }
  Value asFloat(Value x) {
    return create<mlir::arith::BitcastOp>(
        like(x.getType(), floatType(width(x))), x);
  }
  /// Widens or narrows to a float of 32 or 64 bits; `x` itself if it is one.
  Value convertFloat(unsigned bits, Value x) {
    mlir::Type type = like(x.getType(), floatType(bits));
    if (width(x) == bits)
      return x;
    if (width(x) < bits)
      return create<mlir::arith::ExtFOp>(type, x);
    return create<mlir::arith::TruncFOp>(type, x);
  }

private:
  template <typename Op, typename... Args> Value create(Args... args) {
    return builder.create<Op>(loc, args...);
  }
  static mlir::Type element(Value x) {
    return mlir::getElementTypeOrSelf(x.getType());
  }
  static unsigned width(Value x) { return element(x).getIntOrFloatBitWidth(); }
  mlir::Type floatType(unsigned bits) {
    return bits == 64 ? mlir::Type(builder.getF64Type())
                      : mlir::Type(builder.getF32Type());
  }
  static mlir::Type like(mlir::Type shape, mlir::Type element) {
    auto vector = mlir::dyn_cast<mlir::VectorType>(shape);
    return vector ? mlir::Type(vector.clone(element)) : element;
  }
  Value splat(mlir::Type type, mlir::TypedAttr number) {
    auto vector = mlir::dyn_cast<mlir::VectorType>(type);
    mlir::TypedAttr value =
        vector ? mlir::TypedAttr(mlir::DenseElementsAttr::get(vector, number))
               : number;
    return create<mlir::arith::ConstantOp>(value);
  }
};

} // namespace graphc::cpu

#endif // GRAPHC_LIB_TARGET_CPU_BITS_H
