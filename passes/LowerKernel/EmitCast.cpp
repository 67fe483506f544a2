// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element types: what is in memory, what is computed with, and casts.
#include "passes/LowerKernel/Emitter.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
namespace graphc::kernel {

Type getComputeType(Type elementType) {
  if (isLowPrecision(elementType))
    return Float32Type::get(elementType.getContext());
  if (elementType.isUnsignedInteger(8))
    return IntegerType::get(elementType.getContext(), 8);
  return elementType;
}

Type getStorageType(Type elementType) {
  if (isLowPrecision(elementType))
    return IntegerType::get(elementType.getContext(), 16);
  if (elementType.isInteger(1) || elementType.isUnsignedInteger(8))
    return IntegerType::get(elementType.getContext(), 8);
  return elementType;
}

Type ElementBuilder::type(Type element) const {
  return lanes ? Type(VectorType::get({lanes}, element)) : element;
}

Value ElementBuilder::constant(Type element, Attribute value) const {
  auto typed = mlir::cast<TypedAttr>(value);
  if (lanes)
    typed = DenseElementsAttr::get(VectorType::get({lanes}, element), value);
  return make<arith::ConstantOp>(typed);
}

Value ElementBuilder::constant(Type element, double value) const {
  return constant(element, FloatAttr::get(element, value));
}

Value ElementBuilder::constantInt(Type element, int64_t value) const {
  return constant(element, IntegerAttr::get(element, value));
}

Value ElementBuilder::select(Value condition, Value a, Value b) const {
  return make<arith::SelectOp>(condition, a, b);
}

Value ElementBuilder::compare(arith::CmpFPredicate predicate, Value a,
                              Value b) const {
  return make<arith::CmpFOp>(predicate, a, b);
}

Value ElementBuilder::compare(arith::CmpIPredicate predicate, Value a,
                              Value b) const {
  return make<arith::CmpIOp>(predicate, a, b);
}

Value ElementBuilder::load(Type elementType, Value stored) const {
  if (elementType.isInteger(1))
    return compare(arith::CmpIPredicate::ne, stored,
                   constantInt(builder.getI8Type(), 0));
  if (!isLowPrecision(elementType))
    return stored;
  Value bits = make<arith::BitcastOp>(type(elementType), stored);
  return make<arith::ExtFOp>(type(builder.getF32Type()), bits);
}

Value ElementBuilder::store(Type elementType, Value computed) const {
  if (elementType.isInteger(1))
    return make<arith::ExtUIOp>(type(builder.getI8Type()), computed);
  if (!isLowPrecision(elementType))
    return computed;
  Value narrow = make<arith::TruncFOp>(type(elementType), computed);
  return make<arith::BitcastOp>(type(builder.getI16Type()), narrow);
}

Value ElementBuilder::round(Type elementType, Value computed) const {
  if (!isLowPrecision(elementType))
    return computed;
  Value narrow = make<arith::TruncFOp>(type(elementType), computed);
  return make<arith::ExtFOp>(type(builder.getF32Type()), narrow);
}

/// Integers of `width` bits as f64, but so that one more rounding, to 8 or 11
/// bits, gives what a single one would: bits that do not fit leave a trace.
static Value toOddF64(const ElementBuilder &b, Value value) {
  Type i64 = b.builder.getI64Type();
  // Of 63 bits, the upper 52 fit; the lowest of those takes the trace.
  Value low = b.make<arith::AndIOp>(value, b.constantInt(i64, 2047));
  Value inexact =
      b.compare(arith::CmpIPredicate::ne, low, b.constantInt(i64, 0));
  Value high = b.make<arith::AndIOp>(value, b.constantInt(i64, ~int64_t(2047)));
  Value traced = b.make<arith::OrIOp>(high, b.constantInt(i64, 2048));
  Value odd = b.select(inexact, traced, high);
  Value small = b.compare(
      arith::CmpIPredicate::ult,
      b.make<arith::AddIOp>(value, b.constantInt(i64, int64_t(1) << 52)),
      b.constantInt(i64, int64_t(1) << 53));
  return b.make<arith::SIToFPOp>(b.type(b.builder.getF64Type()),
                                 b.select(small, value, odd));
}

static Value floatToInteger(const ElementBuilder &b, Value value,
                            IntegerType to) {
  Type from = getElementTypeOrSelf(value.getType());
  unsigned width = to.getWidth();
  bool isUnsigned = to.isUnsigned();
  double low = isUnsigned ? 0 : -std::ldexp(1.0, width - 1);
  double high = std::ldexp(1.0, isUnsigned ? width : width - 1);
  Type bits = IntegerType::get(to.getContext(), width);
  Value tooHigh =
      b.compare(arith::CmpFPredicate::OGE, value, b.constant(from, high));
  Value tooLow =
      b.compare(arith::CmpFPredicate::OLT, value, b.constant(from, low));
  Value inside = b.make<arith::AndIOp>(
      b.compare(arith::CmpFPredicate::OGE, value, b.constant(from, low)),
      b.compare(arith::CmpFPredicate::OLT, value, b.constant(from, high)));
  // What is outside (NaN too) must not reach the conversion.
  Value safe = b.select(inside, value, b.constant(from, 0.0));
  Value converted;
  if (width < 32) {
    converted = b.make<arith::FPToSIOp>(b.type(b.builder.getI32Type()), safe);
    converted = b.make<arith::TruncIOp>(b.type(bits), converted);
  } else {
    converted = b.make<arith::FPToSIOp>(b.type(bits), safe);
  }
  APInt most =
      isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  APInt least =
      isUnsigned ? APInt::getMinValue(width) : APInt::getSignedMinValue(width);
  converted = b.select(tooHigh, b.constant(bits, IntegerAttr::get(bits, most)),
                       converted);
  return b.select(tooLow, b.constant(bits, IntegerAttr::get(bits, least)),
                  converted);
}

static Value integerToFloat(const ElementBuilder &b, Value value,
                            IntegerType from, FloatType to) {
  Type wide = b.type(b.builder.getI64Type());
  if (from.getWidth() < 32) {
    wide = b.type(b.builder.getI32Type());
    value = from.isSigned() || (from.isSignless() && from.getWidth() > 1)
                ? Value(b.make<arith::ExtSIOp>(wide, value))
                : Value(b.make<arith::ExtUIOp>(wide, value));
  }
  if (!isLowPrecision(to))
    return b.make<arith::SIToFPOp>(b.type(to), value);
  Value exact;
  if (from.getWidth() == 64)
    exact = toOddF64(b, value);
  else
    exact = b.make<arith::SIToFPOp>(b.type(b.builder.getF64Type()), value);
  Value narrow = b.make<arith::TruncFOp>(b.type(to), exact);
  return b.make<arith::ExtFOp>(b.type(b.builder.getF32Type()), narrow);
}

Value ElementBuilder::cast(Type from, Type to, Value value) const {
  if (from == to)
    return value;
  auto fromFloat = dyn_cast<FloatType>(from), toFloat = dyn_cast<FloatType>(to);
  if (fromFloat && toFloat) {
    if (from.isF64() && !to.isF64()) {
      // At once: f64 to f32 to f16 would round twice.
      Value narrow = make<arith::TruncFOp>(type(to), value);
      return to.isF32() ? narrow
                        : Value(make<arith::ExtFOp>(type(builder.getF32Type()),
                                                    narrow));
    }
    if (to.isF64())
      return make<arith::ExtFOp>(type(to), value);
    return round(to, value);
  }
  if (to.isInteger(1)) {
    if (fromFloat)
      return compare(arith::CmpFPredicate::UNE, value,
                     constant(getComputeType(from), 0.0));
    return compare(arith::CmpIPredicate::ne, value,
                   constantInt(getComputeType(from), 0));
  }
  if (fromFloat)
    return floatToInteger(*this, value, mlir::cast<IntegerType>(to));
  auto fromInteger = mlir::cast<IntegerType>(from);
  if (toFloat)
    return integerToFloat(*this, value, fromInteger, toFloat);
  Type bits = type(getComputeType(to));
  unsigned width = fromInteger.getWidth(), toWidth = to.getIntOrFloatBitWidth();
  if (width == toWidth)
    return value;
  if (width > toWidth)
    return make<arith::TruncIOp>(bits, value);
  if (width == 1 || fromInteger.isUnsigned())
    return make<arith::ExtUIOp>(bits, value);
  return make<arith::ExtSIOp>(bits, value);
}

} // namespace graphc::kernel
