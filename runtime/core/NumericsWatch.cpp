// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/NumericsWatch.h"

#include <atomic>

namespace graphc::runtime {

NumericsWatch::NumericsWatch(const graphc_abi_plan &plan, uint64_t features)
    : plan(plan), features(features) {
  firstWritten.reserve(plan.entry_count + 1);
  firstBuffer.reserve(plan.entry_count);
  uint64_t buffers = 0;
  for (uint32_t e = 0; e < plan.entry_count; ++e) {
    const graphc_abi_entry &entry = plan.entries[e];
    firstWritten.push_back(static_cast<uint32_t>(written.size()));
    firstBuffer.push_back(buffers);
    if (entry.kind == GRAPHC_ABI_LAUNCH || entry.kind == GRAPHC_ABI_COPY)
      for (uint32_t b = entry.buffer_count - entry.written_count;
           b < entry.buffer_count; ++b)
        if (const NumericTests *tests =
                numericTests(plan.buffer_dtypes[buffers + b], features))
          written.push_back({tests, entry.buffers[b].bytes, b});
    buffers += entry.buffer_count;
  }
  firstWritten.push_back(static_cast<uint32_t>(written.size()));
  // In a loop an entry may write in more places: see remember().
  given.resize(written.size() + 16);
}

bool NumericsWatch::holdsLarge(ValueTest test, const void *data, uint64_t bytes,
                               ThreadPool::Lease &lease) {
  std::atomic<bool> isFound = false;
  const auto *memory = static_cast<const unsigned char *>(data);
  forBlocks(bytes, lease, [&](uint64_t begin, uint64_t end) {
    if (test(memory + begin, end - begin))
      isFound.store(true, std::memory_order_relaxed);
  });
  return isFound.load(std::memory_order_relaxed);
}

bool NumericsWatch::settle(uint32_t entry, void *const *buffers, bool isHit,
                           ThreadPool::Lease &lease, Finding &out) {
  if (!isHit) {
    forgetWritten(entry, buffers);
    return false;
  }
  const graphc_abi_entry &what = plan.entries[entry];
  // Before what it writes is forgotten: it may work in place.
  const bool mayBeInf = (what.flags & GRAPHC_ABI_ENTRY_GIVES_INF) ||
                        readsInf(entry, buffers, lease);
  forgetWritten(entry, buffers);
  for (uint32_t i = firstWritten[entry]; i < firstWritten[entry + 1]; ++i) {
    const Written &each = written[i];
    const void *data = buffers[each.buffer];
    if (!holds(each.tests->hasNonFinite, data, each.bytes, lease))
      continue;
    if (mayBeInf && !holds(each.tests->hasNan, data, each.bytes, lease)) {
      remember(data, each.bytes);
      continue;
    }
    NonFinite found = {};
    firstNonFinite(plan.buffer_dtypes[firstBuffer[entry] + each.buffer], data,
                   each.bytes, /*nanOnly=*/mayBeInf, found);
    out = {each.buffer, found.position, found.value};
    return true;
  }
  return false;
}

/// Of what the entry overwrote by working in place, only what is remembered
/// counts.
bool NumericsWatch::readsInf(uint32_t entry, void *const *buffers,
                             ThreadPool::Lease &lease) const {
  if (hasLost)
    return true;
  const graphc_abi_entry &what = plan.entries[entry];
  const uint32_t readCount = what.buffer_count - what.written_count;
  for (uint32_t b = 0; b < readCount; ++b) {
    const NumericTests *tests =
        numericTests(plan.buffer_dtypes[firstBuffer[entry] + b], features);
    if (!tests)
      continue;
    const auto *begin = static_cast<const unsigned char *>(buffers[b]);
    const uint64_t bytes = what.buffers[b].bytes;
    for (size_t g = 0; g < givenCount; ++g)
      if (begin < given[g].end && given[g].begin < begin + bytes)
        return true;
    bool isOverwritten = false;
    for (uint32_t w = readCount; w < what.buffer_count; ++w) {
      const auto *to = static_cast<const unsigned char *>(buffers[w]);
      isOverwritten |= begin < to + what.buffers[w].bytes && to < begin + bytes;
    }
    if (!isOverwritten && holds(tests->hasNonFinite, begin, bytes, lease) &&
        !holds(tests->hasNan, begin, bytes, lease))
      return true;
  }
  return false;
}

void NumericsWatch::forgetWritten(uint32_t entry, void *const *buffers) {
  const graphc_abi_entry &what = plan.entries[entry];
  for (uint32_t b = what.buffer_count - what.written_count;
       b < what.buffer_count; ++b) {
    const auto *begin = static_cast<const unsigned char *>(buffers[b]);
    const unsigned char *end = begin + what.buffers[b].bytes;
    for (size_t g = 0; g < givenCount;)
      if (begin < given[g].end && given[g].begin < end)
        given[g] = given[--givenCount];
      else
        ++g;
  }
}

void NumericsWatch::remember(const void *data, uint64_t bytes) {
  if (givenCount == given.size()) {
    hasLost = true;
    return;
  }
  const auto *begin = static_cast<const unsigned char *>(data);
  given[givenCount++] = {begin, begin + bytes};
}

} // namespace graphc::runtime
