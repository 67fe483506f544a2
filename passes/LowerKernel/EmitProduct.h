// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parts of a product's emitter hand to each other. "Wide" is the
// factor that vectors run along, "tall" the one whose elements are broadcast.
#ifndef GRAPHC_PASSES_LOWERKERNEL_EMITPRODUCT_H
#define GRAPHC_PASSES_LOWERKERNEL_EMITPRODUCT_H

#include "passes/LowerKernel/Emitter.h"

#include <optional>

namespace graphc::kernel {

/// True if so few terms of so few sums are code without a loop. If there are
/// other tiles, LLVM takes loads of what is unrolled out of the loops around, and
/// has to have registers for them.
inline bool isTileUnrolled(int64_t terms, int64_t sums, bool isOnly) {
  return terms <= 2 || terms * sums <= (isOnly ? 64 : 32);
}

/// `size` items in pieces of `piece`, the last one maybe smaller, and those in
/// blocks of `perBlock` pieces.
struct Split {
  int64_t size, piece, count, perBlock;

  static Split of(int64_t size, int64_t piece) {
    int64_t count = llvm::divideCeil(size, piece);
    return {size, piece, count, count};
  }
  int64_t blocks() const { return llvm::divideCeil(count, perBlock); }
};

/// Rows of a block, which with its part of the terms stay near, and columns,
/// if these do not come from memory in order.
inline constexpr int64_t kMostBlockRows = 252, kMostBlockColumns = 256;
/// Where a block packs its part of a factor: terms at a time, of all its panels.
inline constexpr int64_t kBlockTerms = 64;

/// Panels of one factor that a block has packed, from its first panel and first
/// term on.
struct Emitter::BlockPanels {
  mlir::Value memory, firstPanel, firstTerm;
};

/// A block is some rows of tiles by some panels, of one value of each of the
/// loops around it.
struct Emitter::ProductBlocks {
  Split rows, panels;
  int64_t allRows; // where tiles overlap, not more than rows.size
  std::optional<unsigned> tall, wide; // the loops that they cut
  mlir::Value rowBlock, panelBlock;
};

/// Where the elements of a factor are: `base` for the first row and term.
struct Emitter::Operand {
  mlir::Value memory, base;
  int64_t step = 0;                    // to the next row; 1 along vectors
  llvm::SmallVector<int64_t, 4> terms; // to the next term of each loop over K
  bool isPadded = false;               // may be read past the last column
};

struct Emitter::Tile {
  int64_t rows, columns;
  mlir::Value row, start; // the first row and column
  std::optional<unsigned> tallLoop, wideLoop;
  Operand tall, wide;
  mlir::Value firstTerm, endTerm;   // of the outermost loop over K
  mlir::Value firstInner, endInner; // of the next one, or none for all
  // If the sums go on from `partial` or are left there: which part of K it is.
  mlir::Value isFirst, isLast, partial, partialAt;
  /// The last vector of a row is a whole one too: it starts earlier, and
  /// computes some columns again.
  bool slides = false;

  int64_t firstColumn(int64_t vector, int64_t lanes) const {
    int64_t first = vector * lanes;
    return slides ? std::min(first, columns - lanes) : first;
  }
};

} // namespace graphc::kernel

#endif // GRAPHC_PASSES_LOWERKERNEL_EMITPRODUCT_H
