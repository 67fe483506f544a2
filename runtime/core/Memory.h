// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_RUNTIME_CORE_MEMORY_H
#define GRAPHC_RUNTIME_CORE_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace graphc::runtime {

struct FreeMemory {
  void operator()(std::byte *memory) const { std::free(memory); }
};

/// A block aligned to GRAPHC_ABI_ALIGNMENT; null if it has no bytes.
using AlignedBuffer = std::unique_ptr<std::byte[], FreeMemory>;

/// Allocates `bytes`, with arbitrary contents. Throws OUT_OF_MEMORY, naming
/// `what` and the size.
AlignedBuffer allocateAligned(uint64_t bytes, const char *what);

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_CORE_MEMORY_H
