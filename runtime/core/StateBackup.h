// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What check_numerics puts back when the new state holds a NaN.
#ifndef GRAPHC_RUNTIME_CORE_STATEBACKUP_H
#define GRAPHC_RUNTIME_CORE_STATEBACKUP_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graphc/abi/model_abi.h"
#include "runtime/cpu/ThreadPool.h"

namespace graphc::runtime {

/// The parts of the state that a plan writes, and a copy of them.
class StateBackup {
public:
  /// `copy` has room for the whole state and is laid out as it.
  StateBackup(const graphc_abi_plan &plan, uint64_t stateBytes,
              std::byte *state, std::byte *copy);

  /// To be called before anything is written. `lease` may be empty.
  void save(ThreadPool::Lease &lease) const { copyAll(state, copy, lease); }
  void restore(ThreadPool::Lease &lease) const { copyAll(copy, state, lease); }

private:
  struct Range {
    uint64_t begin, end; // Bytes of the state.
  };

  void copyAll(const std::byte *from, std::byte *to,
               ThreadPool::Lease &lease) const;

  std::vector<Range> ranges; // Ascending and apart.
  std::byte *state, *copy;
};

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_CORE_STATEBACKUP_H
