// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What check_numerics looks at after each entry.
#ifndef GRAPHC_RUNTIME_CORE_NUMERICSWATCH_H
#define GRAPHC_RUNTIME_CORE_NUMERICSWATCH_H

#include <cstdint>
#include <vector>

#include "graphc/abi/model_abi.h"
#include "runtime/core/Blocks.h"
#include "runtime/core/Numerics.h"
#include "runtime/cpu/ThreadPool.h"

namespace graphc::runtime {

/// Finds the first entry of a plan that makes a NaN or inf. All that can be
/// settled before a step is: the step itself must not get twice as long.
///
/// A NaN counts always. An infinity counts where it appears: not if the entry
/// has read one, nor if the model writes one into its kernel, as a mask of
/// attention does.
class NumericsWatch {
public:
  NumericsWatch(const graphc_abi_plan &plan, uint64_t features);

  /// Forgets what an earlier run left.
  void start() {
    givenCount = 0;
    hasLost = false;
  }

  struct Finding {
    uint32_t buffer; // Number within the entry.
    int64_t position;
    double value;
  };

  /// To be called after `entry`, whose buffers are `buffers`, has run. Returns
  /// true, with `out` set, if it made a NaN or inf. `lease` may be empty.
  /// Allocates nothing.
  bool check(uint32_t entry, void *const *buffers, ThreadPool::Lease &lease,
             Finding &out) {
    bool isHit = false;
    for (uint32_t i = firstWritten[entry]; i < firstWritten[entry + 1]; ++i)
      isHit |= holds(written[i].tests->hasNonFinite, buffers[written[i].buffer],
                     written[i].bytes, lease);
    if (__builtin_expect(!isHit && givenCount == 0, true))
      return false;
    return settle(entry, buffers, isHit, lease, out);
  }

private:
  /// A buffer of floats that an entry writes.
  struct Written {
    const NumericTests *tests;
    uint64_t bytes;
    uint32_t buffer; // Number within the entry.
  };
  /// Memory with an infinity that no entry is to blame for.
  struct Given {
    const unsigned char *begin, *end;
  };

  static bool holds(ValueTest test, const void *data, uint64_t bytes,
                    ThreadPool::Lease &lease) {
    return bytes < kParallelBytes ? test(data, bytes)
                                  : holdsLarge(test, data, bytes, lease);
  }
  static bool holdsLarge(ValueTest test, const void *data, uint64_t bytes,
                         ThreadPool::Lease &lease);

  /// The rare part of check().
  bool settle(uint32_t entry, void *const *buffers, bool isHit,
              ThreadPool::Lease &lease, Finding &out);
  bool readsInf(uint32_t entry, void *const *buffers,
                ThreadPool::Lease &lease) const;
  void forgetWritten(uint32_t entry, void *const *buffers);
  void remember(const void *data, uint64_t bytes);

  const graphc_abi_plan &plan;
  const uint64_t features;
  std::vector<Written> written;
  std::vector<uint32_t> firstWritten; // [entry], and one more.
  std::vector<uint64_t> firstBuffer;  // [entry], among those of all entries.
  std::vector<Given> given;           // The first givenCount are in use.
  size_t givenCount = 0;
  bool hasLost = false; // A place of an infinity: no infinity counts any more.
};

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_CORE_NUMERICSWATCH_H
