// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folders of graph.cast.
#include "dialects/Graph/IR/FoldElements.h"
#include "dialects/Graph/IR/GraphBuilders.h"

#include "llvm/ADT/APSInt.h"

using namespace mlir;
using namespace graphc::graph;

/// The digits that the values of an integer type need; i1 is 0 or 1.
static unsigned valueBits(IntegerType type) {
  bool hasSign = !type.isUnsigned() && type.getWidth() > 1;
  return type.getWidth() - (hasSign ? 1 : 0);
}

/// Whether a cast changes no value: each value of `from` is one of `to`. Width
/// alone does not decide: f16 and bf16 do not hold one another.
static bool isExactCast(Type from, Type to) {
  if (from == to)
    return true;
  auto fromInt = dyn_cast<IntegerType>(from), toInt = dyn_cast<IntegerType>(to);
  auto toFloat = dyn_cast<FloatType>(to);
  if (fromInt && toInt) {
    bool losesSign = !fromInt.isUnsigned() && fromInt.getWidth() > 1 &&
                     (toInt.isUnsigned() || toInt.getWidth() == 1);
    return !losesSign && valueBits(fromInt) <= valueBits(toInt);
  }
  // The lowest integer, a power of two, needs one digit only; and every float
  // type here reaches beyond 2^15.
  if (fromInt)
    return valueBits(fromInt) <=
           APFloat::semanticsPrecision(toFloat.getFloatSemantics());
  if (toInt)
    return false;
  const auto &a = cast<FloatType>(from).getFloatSemantics();
  const auto &b = toFloat.getFloatSemantics();
  return APFloat::semanticsPrecision(a) <= APFloat::semanticsPrecision(b) &&
         APFloat::semanticsMaxExponent(a) <= APFloat::semanticsMaxExponent(b) &&
         APFloat::semanticsMinExponent(a) >= APFloat::semanticsMinExponent(b);
}

/// Whether cast(cast(x : from -> middle) -> to) is cast(x : from -> to).
static bool canSkip(Type from, Type middle, Type to) {
  if (!isExactCast(from, middle))
    return false;
  // Rounding to a float, and the test for nonzero, ask for the value alone. To
  // an integer, integers wrap but floats saturate.
  if (isa<FloatType>(to) || to.isInteger(1))
    return true;
  return isa<FloatType>(from) == isa<FloatType>(middle) ||
         isExactCast(from, to);
}

static APFloat toFloat(const llvm::fltSemantics &semantics, const APInt &x,
                       bool isSigned) {
  APFloat value(semantics);
  value.convertFromAPInt(x, isSigned, APFloat::rmNearestTiesToEven);
  return value;
}

static Attribute foldConstant(RankedTensorType from, RankedTensorType to,
                              Attribute input) {
  auto fromFloat = dyn_cast<FloatType>(from.getElementType());
  auto toFloatType = dyn_cast<FloatType>(to.getElementType());
  bool isSigned = isSignedTensor(from);
  unsigned width = to.getElementTypeBitWidth();

  if (fromFloat && toFloatType)
    return foldElements<APFloat, APFloat>(to, input, [&](APFloat x) {
      bool losesInfo = false;
      x.convert(toFloatType.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                &losesInfo);
      return x;
    });
  if (toFloatType)
    return foldElements<APInt, APFloat>(to, input, [&](const APInt &x) {
      return toFloat(toFloatType.getFloatSemantics(), x, isSigned);
    });
  if (fromFloat)
    return foldElements<APFloat, APInt>(to, input, [&](const APFloat &x) {
      if (width == 1)
        return APInt(1, !x.isZero());
      // Saturates; NaN gives 0.
      llvm::APSInt value(width, /*isUnsigned=*/!isSignedTensor(to));
      bool isExact = false;
      x.convertToInteger(value, APFloat::rmTowardZero, &isExact);
      return APInt(value);
    });
  return foldElements<APInt, APInt>(to, input, [&](const APInt &x) {
    if (width == 1)
      return APInt(1, !x.isZero());
    return isSigned ? x.sextOrTrunc(width) : x.zextOrTrunc(width);
  });
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getType())
    return getInput();
  auto inner = getInput().getDefiningOp<CastOp>();
  if (inner && inner != *this &&
      canSkip(elementTypeOf(inner.getInput()), elementTypeOf(getInput()),
              elementTypeOf(getResult()))) {
    getInputMutable().assign(inner.getInput());
    return getResult();
  }
  return foldConstant(tensorTypeOf(getInput()), tensorTypeOf(getResult()),
                      adaptor.getInput());
}
