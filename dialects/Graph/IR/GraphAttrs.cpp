// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attribute storage, and what initializers check.
#include "dialects/Graph/IR/Graph.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace graphc::graph;

#define GET_ATTRDEF_CLASSES
#include "dialects/Graph/IR/GraphAttrs.cpp.inc"

void GraphDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Graph/IR/GraphAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// FileAttr
//===----------------------------------------------------------------------===//

LogicalResult
FileAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 StringRef path) {
  llvm::SmallVector<StringRef> parts;
  path.split(parts, '/');
  if (path.empty() || path.starts_with("/") ||
      llvm::is_contained(parts, "..") || path.contains('\0') ||
      path.contains('\\'))
    return emitError() << "expects a relative path without '..', but got '"
                       << path << "'";
  return success();
}

//===----------------------------------------------------------------------===//
// PanelsAttr
//===----------------------------------------------------------------------===//

LogicalResult
PanelsAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                   int64_t dim, int64_t width) {
  constexpr int64_t maxWidth = 4096;
  if (dim != 0 && dim != 1)
    return emitError() << "expects dim to be 0 or 1, but got " << dim;
  if (width < 1 || width > maxWidth)
    return emitError() << "expects width to be from 1 to " << maxWidth
                       << ", but got " << width;
  return success();
}

RankedTensorType PanelsAttr::getStoredType(RankedTensorType type) const {
  int64_t panels = llvm::divideCeil(type.getDimSize(getDim()), getWidth());
  return RankedTensorType::get(
      {panels, type.getDimSize(1 - getDim()), getWidth()},
      type.getElementType());
}
