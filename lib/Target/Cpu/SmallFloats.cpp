// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Target/Cpu/Bits.h"
#include "lib/Target/Cpu/Kernels.h"
#include "lib/Target/Cpu/Retype.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace graphc::cpu {
namespace {

bool isSmall(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16();
}

/// The type with each f16 or bf16 in it replaced by i16.
Type storageOf(Type type) {
  if (!isSmall(type))
    return type;
  Type bits = IntegerType::get(type.getContext(), 16);
  if (auto memref = dyn_cast<MemRefType>(type))
    return MemRefType::Builder(memref).setElementType(bits);
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(bits);
  return type.isF16() || type.isBF16() ? bits : type;
}

/// bf16 is the upper half of an f32.
Value extendBF16(Bits &b, Value x) {
  Value wide = b.shl(b.extendTo(32, x), 16);
  return b.asFloat(wide);
}

/// Rounds to nearest even by adding just less than half of the last place, and
/// a little more if the result would be odd. A carry into the exponent is
/// right, up to infinity.
Value truncateToBF16(Bits &b, Value x) {
  Value bits = b.asInt(x);
  Value lastPlace = b.band(b.shr(bits, 16), 1);
  Value rounded = b.shr(b.add(b.add(bits, 0x7fff), lastPlace), 16);
  Value isNaN = b.unsignedGreater(b.band(bits, 0x7fffffff), 0x7f800000);
  Value nan = b.bor(b.shr(bits, 16), 0x0040);
  return b.truncateTo(16, b.select(isNaN, nan, rounded));
}

/// Moves the exponent to where f32 has it by a multiplication, which is exact
/// and makes f16's subnormal numbers normal.
Value extendF16(Bits &b, Value x) {
  Value wide = b.extendTo(32, x);
  Value magnitude = b.band(wide, 0x7fff);
  Value shifted = b.shl(magnitude, 13);
  Value scaled = b.asInt(b.mulFloat(b.asFloat(shifted), 0x1p112));
  Value isFinite = b.unsignedGreater(b.constant(shifted, 0x0f800000), shifted);
  Value special = b.bor(shifted, 0x7f800000);
  Value sign = b.shl(b.band(wide, 0x8000), 16);
  return b.asFloat(b.bor(b.select(isFinite, scaled, special), sign));
}

Value truncateToF16(Bits &b, Value x) {
  Value bits = b.asInt(x);
  Value sign = b.band(b.shr(bits, 16), 0x8000);
  Value magnitude = b.band(bits, 0x7fffffff);

  // Normal: as for bf16, after the exponent's bias is changed.
  Value lastPlace = b.band(b.shr(magnitude, 13), 1);
  Value biased = b.add(magnitude, 0xfff - (112 << 23));
  Value normal = b.shr(b.add(biased, lastPlace), 13);
  // Subnormal: the last place of f16 is that of 0.5 in f32, so an addition
  // rounds there.
  Value half = b.asInt(b.addFloat(b.asFloat(magnitude), 0.5));
  Value subnormal = b.add(half, -0x3f000000);
  Value isSubnormal =
      b.unsignedGreater(b.constant(magnitude, 0x38800000), magnitude);
  Value result = b.select(isSubnormal, subnormal, normal);
  // From 65520, halfway between the largest number and the next power of two.
  Value isLarge = b.unsignedGreater(magnitude, 0x477fefff);
  result = b.select(isLarge, b.constant(magnitude, 0x7c00), result);
  Value isNaN = b.unsignedGreater(magnitude, 0x7f800000);
  result = b.select(isNaN, b.constant(magnitude, 0x7e00), result);
  return b.truncateTo(16, b.bor(result, sign));
}

/// f64 to f32, rounding an inexact result to the neighbour whose last bit is 1.
/// Rounding that to fewer bits gives what rounding the f64 once would give.
Value truncateToOdd(Bits &b, Value x) {
  Value nearest = b.convertFloat(32, x);
  Value back = b.convertFloat(64, nearest);
  Value bits = b.asInt(nearest);
  Value away = b.greaterFloat(b.absFloat(back), b.absFloat(x));
  Value towardsZero = b.select(away, b.add(bits, -1), bits);
  Value odd = b.bor(towardsZero, 1);
  // A NaN is equal to nothing and stays one.
  return b.asFloat(b.select(b.differs(back, x), odd, bits));
}

/// Hides from LLVM that an f32 was, or will be, an f16. It would compute in f16
/// what is asked of f32, for which there are no instructions: comparisons one
/// by one, and a minimum of NaN and -0 that is -0.
Value fence(Bits &b, Value x) {
  return b.builder
      .create<LLVM::CallIntrinsicOp>(
          b.loc, x.getType(), b.builder.getStringAttr("llvm.arithmetic.fence"),
          ValueRange(x), LLVM::FastmathFlagsAttr())
      .getResult(0);
}

/// `from` is f16 or bf16; the conversion's operand is already an i16.
Value expandExtension(Bits &b, Value x, Type from, Type to, bool convertsF16) {
  bool isF16 = getElementTypeOrSelf(from).isF16();
  Value wide;
  if (isF16 && convertsF16)
    wide = fence(b, b.convertFloat(
                        32, b.builder.create<LLVM::BitcastOp>(b.loc, from, x)));
  else
    wide = isF16 ? extendF16(b, x) : extendBF16(b, x);
  return b.convertFloat(getElementTypeOrSelf(to).getIntOrFloatBitWidth(), wide);
}

Value expandTruncation(Bits &b, Value x, Type to, bool convertsF16) {
  if (getElementTypeOrSelf(x.getType()).isF64())
    x = truncateToOdd(b, x);
  if (getElementTypeOrSelf(to).isBF16())
    return truncateToBF16(b, x);
  if (!convertsF16)
    return truncateToF16(b, x);
  Value half = b.builder.create<arith::TruncFOp>(b.loc, to, fence(b, x));
  return b.builder.create<LLVM::BitcastOp>(b.loc, storageOf(to), half);
}

/// The same bits as integers.
TypedAttr storageOf(TypedAttr value) {
  Type bits = IntegerType::get(value.getContext(), 16);
  if (auto number = dyn_cast<FloatAttr>(value))
    return IntegerAttr::get(bits, number.getValue().bitcastToAPInt());
  return cast<DenseElementsAttr>(value).bitcast(bits);
}

} // namespace

LogicalResult expandSmallFloats(ModuleOp module, bool convertsF16) {
  struct Conversion {
    Operation *op;
    Type from, to;
  };
  SmallVector<Conversion> conversions;
  SmallVector<arith::ConstantOp> constants;
  SmallVector<arith::BitcastOp> bitcasts;
  module.walk([&](Operation *op) {
    bool touches = llvm::any_of(op->getOperandTypes(), isSmall) ||
                   llvm::any_of(op->getResultTypes(), isSmall);
    if (!touches)
      return;
    if (isa<arith::ExtFOp, arith::TruncFOp>(op))
      conversions.push_back(
          {op, op->getOperand(0).getType(), op->getResult(0).getType()});
    else if (auto constant = dyn_cast<arith::ConstantOp>(op))
      constants.push_back(constant);
    else if (auto bitcast = dyn_cast<arith::BitcastOp>(op))
      bitcasts.push_back(bitcast);
  });

  // While the types change, a conversion is a placeholder that accepts both.
  for (Conversion &conversion : conversions) {
    OpBuilder builder(conversion.op);
    Operation *placeholder = builder.create<UnrealizedConversionCastOp>(
        conversion.op->getLoc(), conversion.to, conversion.op->getOperand(0));
    conversion.op->replaceAllUsesWith(placeholder);
    conversion.op->erase();
    conversion.op = placeholder;
  }
  for (arith::ConstantOp constant : constants)
    constant.setValueAttr(storageOf(constant.getValue()));
  if (failed(retype(module, [](Type type) { return storageOf(type); })))
    return failure();

  for (arith::BitcastOp bitcast : bitcasts) {
    if (bitcast.getType() != bitcast.getIn().getType())
      continue;
    bitcast.replaceAllUsesWith(bitcast.getIn());
    bitcast.erase();
  }
  for (Conversion &conversion : conversions) {
    OpBuilder builder(conversion.op);
    Bits bits(builder, conversion.op->getLoc());
    Value x = conversion.op->getOperand(0);
    Value result = isSmall(conversion.from)
                       ? expandExtension(bits, x, conversion.from,
                                         conversion.to, convertsF16)
                       : expandTruncation(bits, x, conversion.to, convertsF16);
    conversion.op->getResult(0).replaceAllUsesWith(result);
    conversion.op->erase();
  }
  return success();
}

} // namespace graphc::cpu
