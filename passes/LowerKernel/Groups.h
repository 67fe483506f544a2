// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What happens to a kernel's nests between planning them and making code.
#ifndef GRAPHC_PASSES_LOWERKERNEL_GROUPS_H
#define GRAPHC_PASSES_LOWERKERNEL_GROUPS_H

#include "passes/LowerKernel/Nest.h"

namespace graphc::kernel {

/// Sets `kernel.groups`, and where what is stored between nests lies.
void groupNests(Kernel &kernel);

/// In a group of rows, computes once what more than one nest needs and what
/// costs more than to keep it, in scratch memory of up to `left` bytes.
void shareInRows(Kernel &kernel, Group &group, int64_t &left);

/// Calls `f` on what `nest` loads, then on what it stores.
void forEachAccess(
    Nest &nest,
    llvm::function_ref<void(Buffer *buffer, Index &index, bool isWrite)> f);

/// True if each row of `group` has its own part of `a` and `b`, taken for the
/// same memory.
bool isRowPrivate(const Group &group, Buffer *a, Buffer *b);

/// An input of which `nest` reads a row that lies `stride` elements before the
/// next one.
struct RowAhead {
  Buffer *buffer;
  Nest *nest;
  int64_t stride;
};

/// The inputs whose next row is worth fetching while a row is computed: large
/// ones. What fetches ahead by itself has seen a row end when all of it is wanted,
/// and knows nothing of the next.
llvm::SmallVector<RowAhead> rowsAhead(const Group &group);

/// Pairs of an output and an input that may be the same memory: of the input,
/// nothing is read where the output has been stored already; or one nest copies
/// it before others change the copy, and no other reads it.
llvm::SmallVector<std::pair<Buffer *, Buffer *>>
findInPlacePairs(Kernel &kernel);

} // namespace graphc::kernel

#endif // GRAPHC_PASSES_LOWERKERNEL_GROUPS_H
