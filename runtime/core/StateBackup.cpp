// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/StateBackup.h"

#include <algorithm>
#include <cstring>

#include "runtime/core/Blocks.h"

namespace graphc::runtime {

StateBackup::StateBackup(const graphc_abi_plan &plan, uint64_t stateBytes,
                         std::byte *state, std::byte *copy)
    : state(state), copy(copy) {
  std::vector<Range> all;
  for (uint32_t e = 0; e < plan.entry_count; ++e) {
    const graphc_abi_entry &entry = plan.entries[e];
    for (uint32_t b = entry.buffer_count - entry.written_count;
         b < entry.buffer_count; ++b) {
      const graphc_abi_ref &ref = entry.buffers[b];
      if (ref.space != GRAPHC_ABI_SPACE_STATE || ref.bytes == 0)
        continue;
      if (ref.iteration_stride_bytes !=
          0) // Where a loop leads is not followed.
        all.push_back({0, stateBytes});
      else
        all.push_back({ref.offset, ref.offset + ref.bytes});
    }
  }
  std::sort(all.begin(), all.end(),
            [](const Range &a, const Range &b) { return a.begin < b.begin; });
  // Variables lie close together: a few bytes too many cost less than a call.
  constexpr uint64_t kGap = 256;
  for (const Range &range : all) {
    if (ranges.empty() || range.begin > ranges.back().end + kGap)
      ranges.push_back(range);
    else
      ranges.back().end = std::max(ranges.back().end, range.end);
  }
}

void StateBackup::copyAll(const std::byte *from, std::byte *to,
                          ThreadPool::Lease &lease) const {
  for (const Range &range : ranges)
    forBlocks(range.end - range.begin, lease,
              [&](uint64_t begin, uint64_t end) {
                std::memcpy(to + range.begin + begin,
                            from + range.begin + begin, end - begin);
              });
}

} // namespace graphc::runtime
