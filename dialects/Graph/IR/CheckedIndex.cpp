// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/IR/CheckedIndex.h"

#include "dialects/Graph/IR/Graph.h"
#include "dialects/Graph/IR/GraphBuilders.h"

using namespace mlir;

namespace graphc::graph {

/// `value` where it was computed, if regions only hand it on.
static Value outOfRegions(Value value) {
  while (true) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto fused = dyn_cast<FusedOp>(argument.getOwner()->getParentOp());
      if (!fused)
        return value;
      value = fused.getInputs()[argument.getArgNumber()];
    } else if (auto fused = value.getDefiningOp<FusedOp>()) {
      value = fused.getBody().front().getTerminator()->getOperand(
          cast<OpResult>(value).getResultNumber());
    } else {
      return value;
    }
  }
}

bool isHeldBelow(Value index, int64_t limit) {
  auto check = outOfRegions(index).getDefiningOp<CheckIndexOp>();
  return check && !check.getIgnore() &&
         static_cast<int64_t>(check.getLimit()) <= limit;
}

template <typename Op> static bool areHeld(Op op) {
  return isHeldBelow(op.getIndices(),
                     tensorTypeOf(op.getInput()).getDimSize(op.getAxis()));
}

bool hasHeldIndices(Operation *op) {
  if (auto gather = dyn_cast<GatherOp>(op))
    return areHeld(gather);
  auto scatter = dyn_cast<ScatterAddOp>(op);
  return scatter && areHeld(scatter);
}

} // namespace graphc::graph
