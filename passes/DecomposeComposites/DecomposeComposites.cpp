// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/DecomposeComposites/DecomposeComposites.h"

#include "dialects/Graph/IR/Graph.h"

using namespace mlir;

namespace graphc {
#define GEN_PASS_DEF_DECOMPOSECOMPOSITES
#include "passes/DecomposeComposites/DecomposeComposites.h.inc"

namespace {

struct DecomposeCompositesPass
    : impl::DecomposeCompositesBase<DecomposeCompositesPass> {
  using DecomposeCompositesBase::DecomposeCompositesBase;

  void runOnOperation() override {
    llvm::SmallVector<graph::DecomposableOpInterface> composites;
    getOperation()->walk([&](graph::DecomposableOpInterface op) {
      if (only.empty() ||
          llvm::is_contained(only, op->getName().getStringRef()))
        composites.push_back(op);
    });
    for (graph::DecomposableOpInterface op : composites) {
      OpBuilder builder(op);
      llvm::SmallVector<Value> values = op.decompose(builder);
      if (values.size() != op->getNumResults()) {
        op->emitOpError("expects import to have resolved its mode and key");
        return signalPassFailure();
      }
      op->replaceAllUsesWith(values);
      op->erase();
    }
  }
};

} // namespace
} // namespace graphc
