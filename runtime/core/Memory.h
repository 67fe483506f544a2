// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_RUNTIME_CORE_MEMORY_H
#define GRAPHC_RUNTIME_CORE_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <memory>

namespace graphc::runtime {

struct FreeMemory {
  uint64_t bytes = 0;
  bool isMapped = false; // If not, it is from aligned_alloc().
  void operator()(std::byte *memory) const;
};

/// A block aligned to GRAPHC_ABI_ALIGNMENT; null if it has no bytes.
using AlignedBuffer = std::unique_ptr<std::byte[], FreeMemory>;

/// Allocates `bytes`, with arbitrary contents. Throws OUT_OF_MEMORY, naming
/// `what` and the size.
AlignedBuffer allocateAligned(uint64_t bytes, const char *what);

/// The same, all zeros. Of a big block no page is made before it is used.
AlignedBuffer allocateZeroed(uint64_t bytes, const char *what);

/// Bytes of all blocks of this process, and the most there were at once.
struct MemoryUse {
  uint64_t current, peak;
};
MemoryUse memoryUse();

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_CORE_MEMORY_H
