// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folders of bitwise ops, shifts, comparison and selection.
#include "dialects/Graph/IR/FoldElements.h"

using namespace mlir;
using namespace graphc::graph;

static bool isAllOnes(Attribute attribute) {
  auto elements = dyn_cast_if_present<DenseElementsAttr>(attribute);
  return elements && elements.isSplat() && !elements.empty() &&
         elements.getSplatValue<APInt>().isAllOnes();
}

OpFoldResult AndOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs() || isAllOnes(adaptor.getRhs()))
    return getLhs();
  return foldElements<APInt, APInt>(
      getType(), adaptor.getLhs(), adaptor.getRhs(),
      [](const APInt &x, const APInt &y) { return x & y; });
}

OpFoldResult OrOp::fold(FoldAdaptor adaptor) {
  if (getLhs() == getRhs() || isSplatOf(adaptor.getRhs(), 0))
    return getLhs();
  return foldElements<APInt, APInt>(
      getType(), adaptor.getLhs(), adaptor.getRhs(),
      [](const APInt &x, const APInt &y) { return x | y; });
}

OpFoldResult XorOp::fold(FoldAdaptor adaptor) {
  if (isSplatOf(adaptor.getRhs(), 0))
    return getLhs();
  return foldElements<APInt, APInt>(
      getType(), adaptor.getLhs(), adaptor.getRhs(),
      [](const APInt &x, const APInt &y) { return x ^ y; });
}

OpFoldResult NotOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getInput().getDefiningOp<NotOp>(); inner && inner != *this)
    return inner.getInput();
  return foldElements<APInt, APInt>(getType(), adaptor.getInput(),
                                    [](const APInt &x) { return ~x; });
}

// A negative count is as large as an unsigned number, and so shifts all out.
// ui8 counts of 128 and more do so anyway.
static unsigned shiftCount(const APInt &count) {
  return count.getLimitedValue(count.getBitWidth());
}

OpFoldResult ShiftLeftOp::fold(FoldAdaptor adaptor) {
  if (isSplatOf(adaptor.getRhs(), 0))
    return getLhs();
  return foldElements<APInt, APInt>(
      getType(), adaptor.getLhs(), adaptor.getRhs(),
      [](const APInt &x, const APInt &y) { return x.shl(shiftCount(y)); });
}

OpFoldResult ShiftRightOp::fold(FoldAdaptor adaptor) {
  if (isSplatOf(adaptor.getRhs(), 0))
    return getLhs();
  bool isSigned = isSignedTensor(getType());
  return foldElements<APInt, APInt>(
      getType(), adaptor.getLhs(), adaptor.getRhs(),
      [&](const APInt &x, const APInt &y) {
        return isSigned ? x.ashr(shiftCount(y)) : x.lshr(shiftCount(y));
      });
}

//===----------------------------------------------------------------------===//
// Compare and select
//===----------------------------------------------------------------------===//

/// Whether `predicate` holds for an order: -1, 0, 1, or none (NaN).
static bool holds(ComparePredicate predicate, std::optional<int> order) {
  switch (predicate) {
  case ComparePredicate::EQ:
    return order == 0;
  case ComparePredicate::NE:
    return order != 0;
  case ComparePredicate::LT:
    return order == -1;
  case ComparePredicate::LE:
    return order == -1 || order == 0;
  case ComparePredicate::GT:
    return order == 1;
  case ComparePredicate::GE:
    return order == 1 || order == 0;
  }
  llvm_unreachable("unknown predicate");
}

static std::optional<int> orderOf(const APFloat &x, const APFloat &y) {
  switch (x.compare(y)) {
  case APFloat::cmpLessThan:
    return -1;
  case APFloat::cmpEqual:
    return 0;
  case APFloat::cmpGreaterThan:
    return 1;
  case APFloat::cmpUnordered:
    return std::nullopt;
  }
  llvm_unreachable("unknown order");
}

OpFoldResult CompareOp::fold(FoldAdaptor adaptor) {
  ComparePredicate predicate = getPredicate();
  if (isFloatTensor(getLhs().getType()))
    return foldElements<APFloat, APInt>(
        getType(), adaptor.getLhs(), adaptor.getRhs(),
        [&](const APFloat &x, const APFloat &y) {
          return APInt(1, holds(predicate, orderOf(x, y)));
        });
  bool isSigned = isSignedTensor(getLhs().getType());
  return foldElements<APInt, APInt>(
      getType(), adaptor.getLhs(), adaptor.getRhs(),
      [&](const APInt &x, const APInt &y) {
        int order = x == y ? 0 : (isSigned ? x.slt(y) : x.ult(y)) ? -1 : 1;
        return APInt(1, holds(predicate, order));
      });
}

template <typename T>
static Attribute selectElements(RankedTensorType type, DenseElementsAttr which,
                                DenseElementsAttr onTrue,
                                DenseElementsAttr onFalse) {
  llvm::SmallVector<T> values;
  values.reserve(type.getNumElements());
  for (auto [c, x, y] :
       llvm::zip_equal(which.getValues<bool>(), onTrue.getValues<T>(),
                       onFalse.getValues<T>()))
    values.push_back(c ? x : y);
  return DenseElementsAttr::get(type, values);
}

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getOnTrue() == getOnFalse())
    return getOnTrue();
  auto which = dyn_cast_if_present<DenseElementsAttr>(adaptor.getCondition());
  auto type = cast<RankedTensorType>(getType());
  if (!which || which.empty())
    return {};
  if (which.isSplat())
    return which.getSplatValue<bool>() ? getOnTrue() : getOnFalse();
  auto onTrue = dyn_cast_if_present<DenseElementsAttr>(adaptor.getOnTrue());
  auto onFalse = dyn_cast_if_present<DenseElementsAttr>(adaptor.getOnFalse());
  if (!onTrue || !onFalse || type.getNumElements() > kMaxFoldedElements)
    return {};
  if (isFloatTensor(type))
    return selectElements<APFloat>(type, which, onTrue, onFalse);
  return selectElements<APInt>(type, which, onTrue, onFalse);
}
