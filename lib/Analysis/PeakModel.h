// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much of the arena a program needs at once.
#ifndef GRAPHC_LIB_ANALYSIS_PEAKMODEL_H
#define GRAPHC_LIB_ANALYSIS_PEAKMODEL_H

#include "dialects/Plan/IR/Plan.h"

namespace graphc::plan {

struct Peak {
  /// The most bytes of the arena, in whole multiples of 64, that hold values at
  /// one entry: those still to be read, and those that the entry itself uses.
  /// What the program's arena has beyond this is lost between buffers.
  int64_t liveBytes = 0;
  /// The first entry at which it is reached; null without a use of the arena.
  EntryOp entry;
};

/// Found from the table alone, by walking it backwards.
Peak findPeak(ProgramOp program);

/// Bytes that the runtime allocates for a module in table form, however many
/// threads run it: its state, an arena for the function that needs most, and
/// the outputs of one call, unless the caller has memory for them. Scratch memory
/// of kernels is in the arena.
int64_t plannedBytes(mlir::ModuleOp module);

} // namespace graphc::plan

#endif // GRAPHC_LIB_ANALYSIS_PEAKMODEL_H
