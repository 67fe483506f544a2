// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/IR/Graph.h"

using namespace mlir;
using namespace graphc::graph;

double SgdAttr::getLearningRate() const { return getLr(); }
llvm::SmallVector<std::string> SgdAttr::getStateNames() const { return {}; }
bool SgdAttr::needsStepCount() const { return false; }
llvm::SmallVector<Value> SgdAttr::emitUpdate(OpBuilder &, Location, Value,
                                             Value, ValueRange, Value,
                                             Value) const {
  return {};
}
