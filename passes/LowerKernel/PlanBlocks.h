// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans a nest of blocks: what each step computes is written as ops on tensors
// of a block's size, and planned as a region of its own.
#ifndef GRAPHC_PASSES_LOWERKERNEL_PLANBLOCKS_H
#define GRAPHC_PASSES_LOWERKERNEL_PLANBLOCKS_H

#include "dialects/Graph/IR/Emit.h"
#include "passes/LowerKernel/Nest.h"

namespace graphc::kernel {

class BlockPlanner {
public:
  /// A linear form of what loops count: see block() and start().
  using Place = Index;
  /// `type` in `buffer` from element `at` on; or, without a buffer, the integer
  /// `at`. Its rows may be further apart than they are long.
  struct Tile {
    Buffer *buffer;
    mlir::RankedTensorType type;
    Place at = {};
    int64_t pitch = 0;
  };
  using Body = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      graph::Emit &, mlir::ValueRange)>;

  BlockPlanner(Kernel &kernel, Nest &whole) : kernel(kernel), whole(whole) {}

  /// One more of the loops that threads share; before anything else.
  unsigned addRows(int64_t count);
  /// Opens a loop over blocks of `size` of `total` items; all but those with no
  /// item in [from, to).
  unsigned openLoop(int64_t total, int64_t size, const Place &from,
                    const Place &to);
  void closeLoop() { open.pop_back(); }
  /// The number of a loop's block; and where that starts: the last one of an
  /// inner loop so early that it is a whole one.
  static Place block(unsigned loop) { return Place::ofVariable(2 * loop); }
  static Place start(unsigned loop) { return Place::ofVariable(2 * loop + 1); }

  /// Memory of a thread.
  Tile scratch(llvm::ArrayRef<int64_t> shape, mlir::Type elementType);
  Tile number(const Place &at, mlir::Type type);
  /// Computes `results` from `arguments`, some of which may be the same.
  void run(llvm::ArrayRef<Tile> arguments, llvm::ArrayRef<Tile> results,
           Body body);
  /// `tile`, or a copy of it whose rows are next to each other: lines of memory
  /// that are far apart do not stay in the nearest cache together.
  Tile withoutGaps(const Tile &tile);
  /// To be called at the end.
  void finish();

private:
  struct Loop {
    int64_t total, size, count;
  };
  std::vector<BlockStep> &steps() {
    return open.empty() ? whole.steps : open.back()->steps;
  }
  Index translate(const Place &place, Nest &nest) const;
  void add(Nest nest, llvm::function_ref<Tile(Buffer *)> tileOf);
  Buffer *addScratch(mlir::Type elementType, int64_t elements);

  Kernel &kernel;
  Nest &whole;
  llvm::SmallVector<Loop> loops;
  llvm::SmallVector<BlockStep *> open;
};

} // namespace graphc::kernel

#endif // GRAPHC_PASSES_LOWERKERNEL_PLANBLOCKS_H
