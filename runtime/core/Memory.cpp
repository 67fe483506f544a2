// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/Memory.h"

#include <sys/mman.h>

#include "graphc/abi/model_abi.h"
#include "runtime/core/Error.h"

namespace graphc::runtime {

AlignedBuffer allocateAligned(uint64_t bytes, const char *what) {
  if (bytes == 0)
    return nullptr;
  constexpr uint64_t hugePage = uint64_t{2} << 20;
  // Big blocks on huge pages: fewer page faults, fewer TLB misses.
  bool isBig = bytes >= 2 * hugePage;
  uint64_t alignment = isBig ? hugePage : GRAPHC_ABI_ALIGNMENT;
  uint64_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void *memory = rounded < bytes || rounded > PTRDIFF_MAX
                     ? nullptr
                     : std::aligned_alloc(alignment, rounded);
  if (!memory)
    fail(GRAPHC_OUT_OF_MEMORY, "%s of %llu bytes cannot be allocated", what,
         static_cast<unsigned long long>(bytes));
  if (isBig)
    madvise(memory, rounded, MADV_HUGEPAGE); // A wish: failure changes nothing.
  return AlignedBuffer(static_cast<std::byte *>(memory));
}

} // namespace graphc::runtime
