// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block that holds a forward and a backward pass, as numbers, and what is
// chosen for it.
#ifndef GRAPHC_PASSES_REMAT_JOINTBLOCK_H
#define GRAPHC_PASSES_REMAT_JOINTBLOCK_H

#include "dialects/Graph/IR/Graph.h"
#include "lib/Algorithms/SavedValues.h"

namespace graphc::remat {

struct Node {
  mlir::Operation *op;
  int64_t cost = 0;     // of one run, in floating-point operations
  bool isCheap = false; // it can be done while what it reads is read
  bool isView = false;  // it says where elements lie, or repeats them
  int region = -1;      // number of the innermost graph.checkpoint around it
};

struct JointBlock {
  mlir::Block *block = nullptr;
  llvm::SmallVector<Node> nodes;                 // of the forward pass
  llvm::SmallVector<mlir::Operation *> backward; // and what follows it
  /// Nodes and values have the same numbers there. `mayRepeat` is what is
  /// possible; `isKept` and `isAvoided` are what regions ask for.
  algorithms::SaveProblem problem;
  llvm::SmallVector<mlir::Value> values;
  llvm::DenseMap<mlir::Value, int> numbers;

  /// The value of which `value` is a view, or `value` itself.
  int rootOf(int value) const;
};

/// Reads `block`; nothing if it has no backward pass.
std::optional<JointBlock> readBlock(mlir::Block &block);

/// The same where the forward pass is known: from `first` on, before `end`.
std::optional<JointBlock> readBlock(mlir::Block &block, mlir::Operation *first,
                                    mlir::Operation *end);

/// Segment of each node: the nodes of one are repeated together. `inner` says
/// which values would be kept if there were one segment. Segments whose inner
/// values take the least memory together with what reaches over their ends,
/// times `scale`, by which segments become larger or smaller.
std::vector<int> findSegments(const JointBlock &joint,
                              const std::vector<bool> &inner, double scale);

struct Rung {
  algorithms::SaveSolution solution;
  std::vector<int> segments; // by node
  bool isNested = false;     // what is repeated has segments itself
};

/// The rung that repeats all inside segments of the size that needs least.
constexpr int kSegments = 6;

/// The choice number `number`, whatever memory there is.
Rung makeRung(const JointBlock &joint, int number);

/// Bytes kept for the backward pass, and operations that are repeated.
int64_t keptBytes(const JointBlock &joint, const Rung &rung);
int64_t repeatedCost(const JointBlock &joint, const Rung &rung);

/// Clones what is repeated to where it is needed.
void writeBlock(JointBlock &joint, const Rung &rung);

} // namespace graphc::remat

#endif // GRAPHC_PASSES_REMAT_JOINTBLOCK_H
