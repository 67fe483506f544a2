// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How folders compute constants element by element.
#ifndef GRAPHC_DIALECTS_GRAPH_IR_FOLDELEMENTS_H
#define GRAPHC_DIALECTS_GRAPH_IR_FOLDELEMENTS_H

#include "dialects/Graph/IR/Graph.h"

namespace graphc::graph {

/// Larger constants are folded only where all operands are splats: a folded
/// constant is a copy that stays in memory to the end of the compilation, one
/// for each op of a chain.
inline constexpr int64_t kMaxFoldedElements = 256;

/// A constant of `type` from the values `function(In...) -> Out` of the
/// operands' elements; null if an operand is no constant, or the result too
/// large. In and Out are APInt or APFloat.
template <typename In, typename Out, typename Function>
mlir::Attribute foldElements(mlir::Type type, mlir::Attribute operand,
                             Function function) {
  auto tensor = mlir::cast<mlir::RankedTensorType>(type);
  auto x = mlir::dyn_cast_if_present<mlir::DenseElementsAttr>(operand);
  int64_t count = tensor.getNumElements();
  if (!x || count == 0)
    return {};
  llvm::SmallVector<Out, 1> values;
  if (x.isSplat()) {
    values.push_back(function(x.getSplatValue<In>()));
  } else if (count <= kMaxFoldedElements) {
    values.reserve(count);
    for (const In &element : x.getValues<In>())
      values.push_back(function(element));
  } else {
    return {};
  }
  return mlir::DenseElementsAttr::get(tensor, llvm::ArrayRef<Out>(values));
}

template <typename In, typename Out, typename Function>
mlir::Attribute foldElements(mlir::Type type, mlir::Attribute lhs,
                             mlir::Attribute rhs, Function function) {
  auto tensor = mlir::cast<mlir::RankedTensorType>(type);
  auto x = mlir::dyn_cast_if_present<mlir::DenseElementsAttr>(lhs);
  auto y = mlir::dyn_cast_if_present<mlir::DenseElementsAttr>(rhs);
  int64_t count = tensor.getNumElements();
  if (!x || !y || count == 0)
    return {};
  llvm::SmallVector<Out, 1> values;
  if (x.isSplat() && y.isSplat()) {
    values.push_back(function(x.getSplatValue<In>(), y.getSplatValue<In>()));
  } else if (count <= kMaxFoldedElements) {
    values.reserve(count);
    for (auto [a, b] : llvm::zip_equal(x.getValues<In>(), y.getValues<In>()))
      values.push_back(function(a, b));
  } else {
    return {};
  }
  return mlir::DenseElementsAttr::get(tensor, llvm::ArrayRef<Out>(values));
}

inline bool isFloatTensor(mlir::Type type) {
  return mlir::isa<mlir::FloatType>(
      mlir::cast<mlir::RankedTensorType>(type).getElementType());
}
/// Whether integers of `type` compare and divide as signed: all but ui8 and i1.
inline bool isSignedTensor(mlir::Type type) {
  mlir::Type element =
      mlir::cast<mlir::RankedTensorType>(type).getElementType();
  return !element.isUnsignedInteger() && !element.isInteger(1);
}

/// Whether `attribute` is a splat of exactly `value`: 0.0 and -0.0 differ.
bool isSplatOf(mlir::Attribute attribute, double value);

} // namespace graphc::graph

#endif // GRAPHC_DIALECTS_GRAPH_IR_FOLDELEMENTS_H
