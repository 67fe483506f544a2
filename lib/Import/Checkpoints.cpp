// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Import/Checkpoints.h"
#include "dialects/Graph/IR/Graph.h"

using namespace mlir;

namespace graphc {

void dissolveCheckpoints(func::FuncOp function) {
  constexpr llvm::StringLiteral kNumber = "graph.checkpoint";
  Builder builder(function.getContext());
  int64_t next = 0;
  // Inner regions first, so that their ops have their number already.
  function.walk([&](graph::CheckpointOp region) {
    Block &body = region.getBody().front();
    IntegerAttr number = builder.getI64IntegerAttr(next++);
    Operation *yield = body.getTerminator();
    body.walk([&](Operation *op) {
      if (!op->hasAttr(kNumber) && op != yield)
        op->setAttr(kNumber, number);
    });
    region.replaceAllUsesWith(yield->getOperands());
    yield->erase();
    region->getBlock()->getOperations().splice(region->getIterator(),
                                               body.getOperations());
    region.erase();
  });
}

} // namespace graphc
