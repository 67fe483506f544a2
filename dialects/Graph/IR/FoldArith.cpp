// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folders of exactly specified arithmetic. Floats are computed in the declared
// type, rounded once. Only identities that hold for every value, NaN,
// infinities and -0 among them, are used; x * 0, x - x and x + 0.0 stay.
#include "dialects/Graph/IR/FoldElements.h"

#include <cmath>

using namespace mlir;
using namespace graphc::graph;

static constexpr auto kNearest = APFloat::rmNearestTiesToEven;

bool graphc::graph::isSplatOf(Attribute attribute, double value) {
  auto elements = dyn_cast_if_present<DenseElementsAttr>(attribute);
  if (!elements || !elements.isSplat() || elements.empty())
    return false;
  if (isa<FloatType>(elements.getElementType()))
    return elements.getSplatValue<APFloat>().isExactlyValue(value);
  auto number = elements.getSplatValue<APInt>();
  return number == APInt(number.getBitWidth(), static_cast<int64_t>(value),
                         /*isSigned=*/true);
}

/// Folds constants by the float function or the integer function.
template <typename FloatFunction, typename IntFunction>
static Attribute foldBinary(Type type, Attribute lhs, Attribute rhs,
                            FloatFunction onFloat, IntFunction onInt) {
  if (isFloatTensor(type))
    return foldElements<APFloat, APFloat>(type, lhs, rhs, onFloat);
  return foldElements<APInt, APInt>(type, lhs, rhs, onInt);
}

//===----------------------------------------------------------------------===//
// Unary
//===----------------------------------------------------------------------===//

OpFoldResult NegOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getInput().getDefiningOp<NegOp>(); inner && inner != *this)
    return inner.getInput();
  if (isFloatTensor(getType()))
    return foldElements<APFloat, APFloat>(getType(), adaptor.getInput(),
                                          [](const APFloat &x) { return -x; });
  return foldElements<APInt, APInt>(getType(), adaptor.getInput(),
                                    [](const APInt &x) { return -x; });
}

OpFoldResult AbsOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getInput().getDefiningOp<AbsOp>(); inner && inner != *this)
    return inner.getResult();
  if (isFloatTensor(getType()))
    return foldElements<APFloat, APFloat>(
        getType(), adaptor.getInput(), [](const APFloat &x) { return abs(x); });
  bool isSigned = isSignedTensor(getType());
  return foldElements<APInt, APInt>(
      getType(), adaptor.getInput(),
      [&](const APInt &x) { return isSigned ? x.abs() : x; });
}

// The square root of a double is correctly rounded, and has more than twice the
// digits of the narrower types, so that the second rounding does no harm.
OpFoldResult SqrtOp::fold(FoldAdaptor adaptor) {
  return foldElements<APFloat, APFloat>(
      getType(), adaptor.getInput(), [](const APFloat &x) {
        bool losesInfo = false;
        APFloat wide = x;
        wide.convert(APFloat::IEEEdouble(), kNearest, &losesInfo);
        APFloat root(std::sqrt(wide.convertToDouble()));
        root.convert(x.getSemantics(), kNearest, &losesInfo);
        return root;
      });
}

//===----------------------------------------------------------------------===//
// Binary
//===----------------------------------------------------------------------===//

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  // x + -0.0 is x even where x is -0.0.
  double neutral = isFloatTensor(getType()) ? -0.0 : 0.0;
  if (isSplatOf(adaptor.getRhs(), neutral))
    return getLhs();
  return foldBinary(
      getType(), adaptor.getLhs(), adaptor.getRhs(),
      [](const APFloat &x, const APFloat &y) { return x + y; },
      [](const APInt &x, const APInt &y) { return x + y; });
}

OpFoldResult SubOp::fold(FoldAdaptor adaptor) {
  if (isSplatOf(adaptor.getRhs(), 0.0))
    return getLhs();
  return foldBinary(
      getType(), adaptor.getLhs(), adaptor.getRhs(),
      [](const APFloat &x, const APFloat &y) { return x - y; },
      [](const APInt &x, const APInt &y) { return x - y; });
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  if (isSplatOf(adaptor.getRhs(), 1.0))
    return getLhs();
  return foldBinary(
      getType(), adaptor.getLhs(), adaptor.getRhs(),
      [](const APFloat &x, const APFloat &y) { return x * y; },
      [](const APInt &x, const APInt &y) { return x * y; });
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  if (isSplatOf(adaptor.getRhs(), 1.0))
    return getLhs();
  bool isSigned = isSignedTensor(getType());
  return foldBinary(
      getType(), adaptor.getLhs(), adaptor.getRhs(),
      [](const APFloat &x, const APFloat &y) { return x / y; },
      [&](const APInt &x, const APInt &y) {
        if (y.isZero())
          return APInt::getAllOnes(x.getBitWidth());
        // sdiv of MIN by -1 wraps to MIN.
        return isSigned ? x.sdiv(y) : x.udiv(y);
      });
}

OpFoldResult RemOp::fold(FoldAdaptor adaptor) {
  bool isSigned = isSignedTensor(getType());
  return foldBinary(
      getType(), adaptor.getLhs(), adaptor.getRhs(),
      [](APFloat x, const APFloat &y) {
        x.mod(y);
        return x;
      },
      [&](const APInt &x, const APInt &y) {
        if (y.isZero())
          return x;
        return isSigned ? x.srem(y) : x.urem(y);
      });
}

OpFoldResult MaximumOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs())
    return getLhs();
  bool isSigned = isSignedTensor(getType());
  return foldBinary(
      getType(), adaptor.getLhs(), adaptor.getRhs(),
      [](const APFloat &x, const APFloat &y) { return llvm::maximum(x, y); },
      [&](const APInt &x, const APInt &y) {
        return isSigned ? llvm::APIntOps::smax(x, y)
                        : llvm::APIntOps::umax(x, y);
      });
}

OpFoldResult MinimumOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs())
    return getLhs();
  bool isSigned = isSignedTensor(getType());
  return foldBinary(
      getType(), adaptor.getLhs(), adaptor.getRhs(),
      [](const APFloat &x, const APFloat &y) { return llvm::minimum(x, y); },
      [&](const APInt &x, const APInt &y) {
        return isSigned ? llvm::APIntOps::smin(x, y)
                        : llvm::APIntOps::umin(x, y);
      });
}
