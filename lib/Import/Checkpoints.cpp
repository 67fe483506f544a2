// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Import/Checkpoints.h"
#include "dialects/Graph/IR/Graph.h"

using namespace mlir;

namespace graphc {

/// Puts the ops of `region`, which has one body, in its place.
static void dissolve(Operation *region) {
  Block &body = region->getRegion(0).front();
  Operation *yield = body.getTerminator();
  region->replaceAllUsesWith(yield->getOperands());
  yield->erase();
  region->getBlock()->getOperations().splice(region->getIterator(),
                                             body.getOperations());
  region->erase();
}

void dissolveCheckpoints(func::FuncOp function) {
  constexpr llvm::StringLiteral kNumber = "graph.checkpoint";
  Builder builder(function.getContext());
  int64_t next = 0;
  // Inner regions first, so that their ops have their number already.
  function.walk([&](graph::CheckpointOp region) {
    IntegerAttr number = builder.getI64IntegerAttr(next++);
    Operation *yield = region.getBody().front().getTerminator();
    region.getBody().walk([&](Operation *op) {
      if (!op->hasAttr(kNumber) && op != yield)
        op->setAttr(kNumber, number);
    });
    dissolve(region);
  });
}

void dissolvePrecisions(func::FuncOp function) {
  function.walk([&](graph::PrecisionOp region) {
    region.getBody().walk([&](Operation *op) {
      // Constants are the same in all precisions.
      if (!isa<graph::YieldOp>(op) && !op->hasTrait<OpTrait::ConstantLike>())
        op->setAttr(graph::kPrecisionAttr, region.getTypeAttr());
    });
    dissolve(region);
  });
}

} // namespace graphc
