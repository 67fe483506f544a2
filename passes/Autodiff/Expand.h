// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_AUTODIFF_EXPAND_H
#define GRAPHC_PASSES_AUTODIFF_EXPAND_H

#include "dialects/Graph/IR/Graph.h"
#include "passes/Autodiff/OpBudget.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace graphc {

/// Ops that must be differentiated but have no rule, each place once.
class MissingRules {
public:
  void add(mlir::Operation *op);
  bool empty() const { return ops.empty(); }
  /// One error that lists them all.
  mlir::LogicalResult report(mlir::ModuleOp module) const;

private:
  llvm::SetVector<std::pair<mlir::OperationName, mlir::Location>> ops;
};

/// Replaces `op` by the body of `function`, its callee, and the gradients, all
/// paid for from `budget`. If rules are missing it notes them and leaves `op`.
mlir::LogicalResult expand(graph::ValueAndGradOp op,
                           mlir::func::FuncOp function, int64_t maxUnrolledOps,
                           OpBudget &budget, MissingRules &missing);

} // namespace graphc

#endif // GRAPHC_PASSES_AUTODIFF_EXPAND_H
