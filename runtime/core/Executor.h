// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks a program once.
#ifndef GRAPHC_RUNTIME_CORE_EXECUTOR_H
#define GRAPHC_RUNTIME_CORE_EXECUTOR_H

#include <atomic>
#include <cstdint>

#include "graphc/abi/model_abi.h"
#include "graphc/status.h"
#include "runtime/core/HostFunctions.h"
#include "runtime/core/NumericsWatch.h"
#include "runtime/core/Program.h"
#include "runtime/core/StateBackup.h"
#include "runtime/cpu/ThreadPool.h"

namespace graphc::runtime {

/// What kernels call back through. They see the base.
class ExecutionEnv : private graphc_env {
public:
  /// `lease` may be null or empty: loops then run on the calling thread.
  ExecutionEnv(ThreadPool::Lease *lease, const HostFunctions *host);

  const graphc_env *get() const { return this; }

  bool failed() const { return hasFailed.load(std::memory_order_relaxed); }
  /// Of the failure with the lowest position.
  int64_t position = -1, value = -1, limit = -1;
  /// Of a host function that failed, and its number; OK if none did.
  graphc_status hostStatus = GRAPHC_OK;
  int64_t hostNumber = -1;

private:
  static void callHost(const graphc_env *env, int64_t number,
                       void *const *buffers);
  static void runParallelFor(const graphc_env *env, graphc_body_fn body,
                             void *const *buffers, const int64_t *args,
                             int64_t count);
  static void noteIndex(const graphc_env *env, int64_t position, int64_t value,
                        int64_t limit);
  static ExecutionEnv &from(const graphc_env *env);

  ThreadPool::Lease *lease;
  const HostFunctions *host;
  bool inLoop = false;
  std::atomic<bool> hasFailed{false};
  std::atomic_flag noting = ATOMIC_FLAG_INIT;
};

struct EntryTime {
  uint64_t runCount = 0, totalNs = 0;
};

/// What a run does beside running.
struct RunOptions {
  ThreadPool *pool = nullptr;
  unsigned threads = 1;
  EntryTime *times = nullptr; // [entries] or null.
  /// For check_numerics, or both null.
  NumericsWatch *watch = nullptr;
  const StateBackup *backup = nullptr;
  const HostFunctions *host = nullptr;
};

struct RunOutcome {
  // OK, OUT_OF_RANGE, NUMERIC, or what host function `hostNumber` returned.
  graphc_status status = GRAPHC_OK;
  int64_t hostNumber = -1;
  uint32_t entry = 0;
  int64_t position = -1, value = -1, limit = -1; // OUT_OF_RANGE
  uint32_t buffer = 0;                           // NUMERIC: which, `position`
  double number = 0;                             // ...and what.
};

/// Runs `program`, whose inputs and outputs are bound. Allocates nothing.
RunOutcome run(Program &program, const RunOptions &options);

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_CORE_EXECUTOR_H
