// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that several threads go through.
#ifndef GRAPHC_RUNTIME_CORE_BLOCKS_H
#define GRAPHC_RUNTIME_CORE_BLOCKS_H

#include <algorithm>
#include <cstdint>

#include "runtime/cpu/ThreadPool.h"

namespace graphc::runtime {

/// Fewer bytes are not worth a second thread.
inline constexpr uint64_t kParallelBytes = 256 << 10;

/// Calls `body(begin, end)` on parts of [0, bytes) that cover it, in the threads
/// of `lease` if there are any. Parts begin at whole elements of any type.
template <typename Body>
void forBlocks(uint64_t bytes, ThreadPool::Lease &lease, const Body &body) {
  if (bytes < kParallelBytes || !lease)
    return body(uint64_t(0), bytes);
  struct Work {
    const Body &body;
    uint64_t bytes;
  } work = {body, bytes};
  constexpr uint64_t kBlockBytes = 16 << 10;
  lease.parallelFor(
      [](const void *context, int64_t begin, int64_t end) {
        const auto &work = *static_cast<const Work *>(context);
        work.body(
            static_cast<uint64_t>(begin) * kBlockBytes,
            std::min(static_cast<uint64_t>(end) * kBlockBytes, work.bytes));
      },
      &work, static_cast<int64_t>((bytes + kBlockBytes - 1) / kBlockBytes));
}

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_CORE_BLOCKS_H
