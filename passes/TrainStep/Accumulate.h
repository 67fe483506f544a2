// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_TRAINSTEP_ACCUMULATE_H
#define GRAPHC_PASSES_TRAINSTEP_ACCUMULATE_H

#include "dialects/Graph/IR/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace graphc {

/// What a step computes before it updates anything.
struct LossAndGradients {
  llvm::SmallVector<mlir::Value> results; // of the step
  llvm::SmallVector<mlir::Value> gradients;
};

/// The type of the step of `op`, which runs `loss` on each micro-batch. Fails
/// if its sizes overflow.
mlir::FailureOr<mlir::FunctionType> stepType(graph::TrainOp op,
                                             mlir::func::FuncOp loss);

/// Builds the loss and the gradients of `variables`, in a loop over
/// micro-batches if there are several. `arguments` are those of the step; each
/// micro-batch has its own number in the random key, which is `key` at the
/// start of the step, or null if nothing draws. With a `scale`, the gradients are
/// those of `scaledLoss`, whose last argument it is (see LossScale.h); the results
/// are not scaled.
LossAndGradients accumulateGradients(
    mlir::OpBuilder &builder, graph::TrainOp op, mlir::func::FuncOp loss,
    mlir::ValueRange arguments, mlir::ArrayRef<graph::VariableOp> variables,
    mlir::Value key, mlir::func::FuncOp scaledLoss, mlir::Value scale);

} // namespace graphc

#endif // GRAPHC_PASSES_TRAINSTEP_ACCUMULATE_H
