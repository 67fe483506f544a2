// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/PromoteState/PromoteState.h"
#include "dialects/Graph/IR/Graph.h"
#include "dialects/Graph/Transforms/PromoteState.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace graphc {
#define GEN_PASS_DEF_PROMOTESTATE
#include "passes/PromoteState/PromoteState.h.inc"

namespace {
struct PromoteStatePass : impl::PromoteStateBase<PromoteStatePass> {
  void runOnOperation() override {
    // A callee may set variables that its caller reads.
    WalkResult walk = getOperation().walk([](Operation *op) {
      if (!isa<func::CallOp, graph::ValueAndGradOp>(op))
        return WalkResult::advance();
      op->emitError("expects '")
          << op->getName() << "' to be expanded before state is promoted";
      return WalkResult::interrupt();
    });
    if (walk.wasInterrupted())
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        graph::promoteState(function);
  }
};
} // namespace

} // namespace graphc
