// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What mixed precision may ask of an op, and the region that it leaves alone.
#include "dialects/Graph/IR/Graph.h"

using namespace mlir;
using namespace graphc::graph;

PrecisionClass graphc::graph::getPrecisionClass(Operation *op) {
  auto fact = dyn_cast<PrecisionOpInterface>(op);
  return fact ? fact.getPrecisionClass() : PrecisionClass::Wide;
}

llvm::StringRef graphc::graph::precisionClassName(PrecisionClass value) {
  switch (value) {
  case PrecisionClass::Low:
    return "low";
  case PrecisionClass::Wide:
    return "wide";
  case PrecisionClass::Widest:
    return "widest";
  case PrecisionClass::Follow:
    return "follow";
  }
  llvm_unreachable("a class without a name");
}

LogicalResult PrecisionOp::verify() {
  // C1
  TypeRange yielded = getBody().front().getTerminator()->getOperandTypes();
  if (yielded != getResultTypes())
    return emitOpError("expects yielded values of the types of its results");
  // C2
  if (!getType().isF32())
    return emitOpError("expects type f32, but got ") << getType();
  return success();
}
