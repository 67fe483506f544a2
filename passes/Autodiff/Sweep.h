// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The backward walk over the ops of one block.
#ifndef GRAPHC_PASSES_AUTODIFF_SWEEP_H
#define GRAPHC_PASSES_AUTODIFF_SWEEP_H

#include "dialects/Graph/IR/Graph.h"
#include "passes/Autodiff/Activity.h"
#include "passes/Autodiff/OpBudget.h"

#include "llvm/ADT/BitVector.h"

namespace graphc {

class Sweep {
public:
  /// Gradient ops go where `builder` stands; they are paid for, at `owner`,
  /// from `budget`.
  Sweep(mlir::OpBuilder &builder, mlir::Operation *owner, OpBudget &budget)
      : builder(builder), owner(owner), budget(budget) {}

  /// Adds to what `value` contributes to the loss.
  void add(mlir::Value value, mlir::Value cotangent, mlir::Location loc);
  /// The sum so far; null for zero.
  mlir::Value get(mlir::Value value) const { return cotangents.lookup(value); }

  /// Runs the rules of `forward`, active ops in program order, last one first.
  mlir::LogicalResult run(mlir::ArrayRef<mlir::Operation *> forward,
                          const Activity &activity);

private:
  mlir::LogicalResult differentiate(mlir::Operation *op,
                                    const Activity &activity);
  mlir::LogicalResult differentiateLoop(graph::ForOp loop,
                                        const Activity &activity);
  llvm::SmallVector<mlir::Value> takeCotangents(mlir::Operation *op);

  mlir::OpBuilder &builder;
  mlir::Operation *owner;
  OpBudget &budget;
  llvm::DenseMap<mlir::Value, mlir::Value> cotangents;
};

/// True for a constant of zeros.
bool isZeros(mlir::Value value);

/// a + b if both are padded with zeros and what is inside are neighbours along
/// one dimension: they side by side. Else null.
mlir::Value joinPads(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value a, mlir::Value b);

/// a + b. Where `b` is zeros but for one slice, only that slice is added.
mlir::Value addCotangents(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value a, mlir::Value b);

/// Erases from `block` the slices and parts among zeros that addCotangents()
/// left unread.
void eraseDeadSlices(mlir::Block &block);

/// Drops the carried values `numbers` of `loop`, whose results nothing reads,
/// with what only they need.
void dropCarried(graph::ForOp loop, const llvm::BitVector &numbers);

} // namespace graphc

#endif // GRAPHC_PASSES_AUTODIFF_SWEEP_H
