// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/IR/Graph.h"

using namespace mlir;
using namespace graphc::graph;

#include "dialects/Graph/IR/GraphDialect.cpp.inc"

#include "dialects/Graph/IR/GraphEnums.cpp.inc"

#include "dialects/Graph/IR/GraphAttrInterfaces.cpp.inc"
#include "dialects/Graph/IR/GraphOpInterfaces.cpp.inc"

void GraphDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "dialects/Graph/IR/GraphOps.cpp.inc"
      >();
}

Operation *GraphDialect::materializeConstant(OpBuilder &builder,
                                             Attribute value, Type type,
                                             Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return builder.create<ConstantOp>(loc, type, elements);
}

LogicalResult graphc::graph::verifyInferredResults(Operation *op) {
  auto inferring = cast<InferTypeOpInterface>(op);
  llvm::SmallVector<Type> inferred;
  if (failed(inferring.inferReturnTypes(
          op->getContext(), op->getLoc(), op->getOperands(),
          op->getRawDictionaryAttrs(), op->getPropertiesStorage(),
          op->getRegions(), inferred)))
    return failure();
  if (inferring.isCompatibleReturnTypes(inferred, op->getResultTypes()))
    return success();
  return op->emitOpError("expects result type ")
         << inferred << ", but got " << op->getResultTypes();
}

Type graphc::graph::getAccumulationType(Type element) {
  if (element.isF16() || element.isBF16())
    return Float32Type::get(element.getContext());
  return element;
}
