// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the steps of the pass hand to each other.
#ifndef GRAPHC_PASSES_CHANNELSLAST_LAYOUT_H
#define GRAPHC_PASSES_CHANNELSLAST_LAYOUT_H

#include "dialects/Graph/IR/Graph.h"

#include "llvm/ADT/DenseSet.h"

namespace graphc::layout {

/// How an op can deal with a value whose channels are last.
enum class Port {
  Alike,  // if all its values of this rank are so
  Any,    // in any case: what it does along dimensions is a list of them
  Window, // a convolution's side: through a transpose, which costs nothing
  First   // not at all
};

/// Of operand `number` of `op`, or of its result.
Port portOf(mlir::Operation *op, unsigned number);
Port portOfResult(mlir::Operation *op);

bool hasConvolution(mlir::Block &block);

/// The values of `block` that are to have their channels last.
llvm::DenseSet<mlir::Value> chooseChannelsLast(mlir::Block &block);

/// Replaces composites of `block` that no layout but one suits by primitives.
void openComposites(mlir::Block &block);

/// Replaces small results by equal ones computed before.
void shareSums(mlir::Block &block);

/// Keeps what convolutions pad with its padding.
void padOnce(mlir::Block &block);

} // namespace graphc::layout

#endif // GRAPHC_PASSES_CHANNELSLAST_LAYOUT_H
