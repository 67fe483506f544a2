// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Autodiff/Activity.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace graphc {

bool isDifferentiable(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

/// Calls `visit` on the values that the results of `op` are made from, those
/// that its regions read from outside among them.
static void forEachInput(Operation *op, llvm::function_ref<void(Value)> visit) {
  if (op->getNumRegions() == 0) {
    for (Value operand : op->getOperands())
      visit(operand);
    return;
  }
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      visit(operand);
  });
}

Activity::Activity(Block &block, ValueRange sources, Value loss) {
  varying.insert(sources.begin(), sources.end());
  for (Operation &op : block) {
    if (isa<graph::StopGradientOp>(op))
      continue;
    bool varies = false;
    forEachInput(&op, [&](Value value) { varies |= varying.contains(value); });
    if (varies)
      for (Value result : op.getResults())
        if (isDifferentiable(result))
          varying.insert(result);
  }

  llvm::DenseSet<Value> useful = {loss};
  for (Operation &op : llvm::reverse(block)) {
    if (llvm::none_of(op.getResults(), [&](Value result) {
          return useful.contains(result) && varying.contains(result);
        }))
      continue;
    // A leaf: a graph.get that is itself a source.
    if (op.getNumOperands() == 0 && op.getNumRegions() == 0)
      continue;
    active.insert(&op);
    forEachInput(&op, [&](Value value) { useful.insert(value); });
  }
}

} // namespace graphc
