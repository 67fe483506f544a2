// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Check/Comparable.h"

#include "dialects/Graph/IR/Graph.h"

#include "mlir/IR/BuiltinDialect.h"

using namespace mlir;

namespace graphc::check {

void callReferences(ModuleOp module, raw_ostream &log) {
  SmallVector<graph::CustomOp> customs;
  module.walk([&](graph::CustomOp op) { customs.push_back(op); });
  for (graph::CustomOp op : customs) {
    auto reference =
        op.getReferenceAttr()
            ? module.lookupSymbol<func::FuncOp>(op.getReferenceAttr())
            : func::FuncOp();
    if (!reference || reference.isExternal())
      continue;
    log << "bisect: @" << reference.getSymName()
        << " stands for host function '" << op.getCallee() << "'\n";
    OpBuilder b(op);
    Operation *call;
    if (op.getVjpAttr())
      call = b.create<graph::CustomVjpOp>(op.getLoc(), op->getResultTypes(),
                                          op.getReferenceAttr(), op.getInputs(),
                                          op.getVjpAttr());
    else
      call = b.create<func::CallOp>(op.getLoc(), reference, op.getInputs());
    op->replaceAllUsesWith(call);
    op.erase();
  }
}

static bool isForeign(Operation *op) {
  return !isa<graph::GraphDialect, func::FuncDialect, BuiltinDialect>(
      op->getDialect());
}

void decomposeForeignOps(ModuleOp module) {
  // A decomposition may hold other ops of the library, but not without end.
  constexpr int kDepth = 100;
  for (int i = 0; i < kDepth; ++i) {
    SmallVector<graph::DecomposableOpInterface> ops;
    module.walk([&](graph::DecomposableOpInterface op) {
      if (isForeign(op))
        ops.push_back(op);
    });
    if (ops.empty())
      return;
    for (graph::DecomposableOpInterface op : ops) {
      OpBuilder b(op);
      SmallVector<Value> values = op.decompose(b);
      if (values.size() != op->getNumResults())
        return;
      op->replaceAllUsesWith(values);
      op->erase();
    }
  }
}

Operation *findIncomparable(func::FuncOp function) {
  Operation *found = nullptr;
  function.walk([&](Operation *op) {
    if (!isForeign(op) && !isa<graph::CustomOp>(op))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

} // namespace graphc::check
