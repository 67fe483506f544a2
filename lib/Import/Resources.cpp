// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Import/Resources.h"
#include "dialects/Graph/IR/Graph.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace graphc {

/// The elements of `attribute`, if it is a resource, as dense elements; null
/// otherwise. The gate has held the length to the type.
static Attribute fromResource(Attribute attribute) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(attribute);
  if (!resource)
    return {};
  return DenseElementsAttr::getFromRawBuffer(
      resource.getType(), resource.getRawHandle().getBlob()->getData());
}

void takeInResources(ModuleOp module) {
  module.walk([](Operation *op) {
    if (auto constant = dyn_cast<graph::ConstantOp>(op)) {
      if (Attribute dense = fromResource(constant.getValue()))
        constant.setValueAttr(cast<ElementsAttr>(dense));
    } else if (auto variable = dyn_cast<graph::VariableOp>(op)) {
      if (Attribute dense = fromResource(variable.getInitialValue()))
        variable.setInitialValueAttr(dense);
    }
  });
}

} // namespace graphc
