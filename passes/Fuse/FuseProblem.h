// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block of ops as the plain problem that lib/Algorithms solves, and back.
#ifndef GRAPHC_PASSES_FUSE_FUSEPROBLEM_H
#define GRAPHC_PASSES_FUSE_FUSEPROBLEM_H

#include "dialects/Graph/IR/Graph.h"
#include "lib/Algorithms/FusionGroups.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

#include <map>

namespace graphc::fuse {

/// True for ops that a kernel computes.
bool isCompute(mlir::Operation *op);

/// True for attention and its gradient.
/// The value itself behind each graph.recompute_barrier.
mlir::Value skipBarriers(mlir::Value value);

bool isAttention(mlir::Operation *op);

/// True if `value` is a result of one of them, transposed and reshaped or not.
bool isOfAttention(
    mlir::Value value, llvm::function_ref<mlir::Value(mlir::Value)> resolve =
                           [](mlir::Value v) { return v; });

/// A constant that a kernel can hold as one immediate value, or null.
graph::ConstantOp getSplatConstant(mlir::Value value);

/// What an op is made of, composites taken apart.
struct OpContents {
  int ops = 1; // a costly one counts 16
  int reductions = 0;
  bool isCostly = false;
  bool checksIndices = false;
};

/// Remembers what ops of one kind are made of.
class ContentsCache {
public:
  const OpContents &get(mlir::Operation *op);

private:
  std::map<std::vector<const void *>, OpContents> known;
};

struct BlockProblem {
  algorithms::FusionProblem problem;
  llvm::SmallVector<mlir::Operation *> ops; // by node
  llvm::DenseMap<mlir::Operation *, int> nodes;
  llvm::SmallVector<mlir::Value> values; // by number
  /// Group of each node where the block has graph.fused regions already.
  algorithms::FusionSolution regions;
};

/// Reads `block`. The insides of graph.fused regions are nodes if `opens` is
/// set, and the regions nodes that stay as they are otherwise.
BlockProblem readBlock(mlir::Block &block, ContentsCache &contents, bool opens);

/// Puts the ops of each group into a region, and all of `block` in the order of
/// the groups. Constants come first.
void writeBlock(mlir::Block &block, const BlockProblem &read,
                const algorithms::FusionSolution &solution);

/// Makes the block ready: no graph.stop_gradient, and no graph.concat of more
/// than 48 tensors.
void normalize(mlir::Block &block);

/// Lets gathers and scatters read indices that are checked where an earlier op
/// checks the same input, so that they cannot fail themselves.
void checkEarly(mlir::Block &block, ContentsCache &contents);

/// Clones what only says where elements lie, or widens them, so that each
/// reader may have it inside its kernel. Each clone is given with its original.
llvm::MapVector<mlir::Operation *, mlir::Operation *>
cloneViews(mlir::Block &block);

} // namespace graphc::fuse

#endif // GRAPHC_PASSES_FUSE_FUSEPROBLEM_H
