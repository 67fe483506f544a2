// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/Executor.h"

#include <chrono>
#include <cstring>

namespace graphc::runtime {

ExecutionEnv::ExecutionEnv(ThreadPool::Lease *lease, const HostFunctions *host)
    : graphc_env{sizeof(graphc_env), 0, runParallelFor, noteIndex, callHost},
      lease(lease && *lease ? lease : nullptr), host(host) {}

ExecutionEnv &ExecutionEnv::from(const graphc_env *env) {
  return *static_cast<ExecutionEnv *>(const_cast<graphc_env *>(env));
}

void ExecutionEnv::runParallelFor(const graphc_env *env, graphc_body_fn body,
                                  void *const *buffers, const int64_t *args,
                                  int64_t count) {
  ExecutionEnv &self = from(env);
  if (count <= 0)
    return;
  // A loop inside a loop runs where it is.
  if (!self.lease || self.inLoop || count == 1)
    return body(env, buffers, args, 0, count);
  struct Call {
    const graphc_env *env;
    graphc_body_fn body;
    void *const *buffers;
    const int64_t *args;
  } call = {env, body, buffers, args};
  self.inLoop = true;
  self.lease->parallelFor(
      [](const void *context, int64_t begin, int64_t end) {
        auto &call = *static_cast<const Call *>(context);
        call.body(call.env, call.buffers, call.args, begin, end);
      },
      &call, count);
  self.inLoop = false;
}

void ExecutionEnv::noteIndex(const graphc_env *env, int64_t position,
                             int64_t value, int64_t limit) {
  ExecutionEnv &self = from(env);
  while (self.noting.test_and_set(std::memory_order_acquire)) {
  }
  if (!self.failed() || position < self.position) {
    self.position = position;
    self.value = value;
    self.limit = limit;
    self.hasFailed.store(true, std::memory_order_relaxed);
  }
  self.noting.clear(std::memory_order_release);
}

void ExecutionEnv::callHost(const graphc_env *env, int64_t number,
                            void *const *buffers) {
  ExecutionEnv &self = from(env);
  graphc_status status = GRAPHC_INVALID_ARGUMENT;
  if (self.host->isRegistered(number))
    status = self.host->call(number, buffers);
  else
    graphc_error_set(status, "none is registered; see "
                             "graphc_model_set_host_function()");
  if (status == GRAPHC_OK)
    return;
  self.hostStatus = status;
  self.hostNumber = number;
  self.hasFailed.store(true, std::memory_order_relaxed);
}

namespace {

uint64_t nowNs() {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(
          std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

/// `isWatched` compiles the loop a second time, so that a plain run pays
/// nothing for profiles and checks.
template <bool isWatched>
RunOutcome walk(Program &program, const RunOptions &options,
                ThreadPool::Lease &lease, ExecutionEnv &env) {
  const auto entryCount = static_cast<uint32_t>(program.ops.size());
  const graphc_env *kernelEnv = env.get();
  RunOutcome outcome;
  bool isCommitted = false;
  // One reading of the clock for each entry: its end is the next one's start.
  uint64_t start = 0;
  if constexpr (isWatched)
    start = options.times ? nowNs() : 0;
  if constexpr (isWatched)
    if (options.watch)
      options.watch->start();
  uint32_t at = 0;
  while (at < entryCount) {
    const Program::Op &op = program.ops[at];
    uint32_t next = at + 1;
    switch (op.kind) {
    case GRAPHC_ABI_LAUNCH:
      // A bundle would hide which entry takes the time or makes the NaN.
      if constexpr (isWatched) {
        op.function(kernelEnv, op.buffers, op.args);
      } else {
        op.bundle(kernelEnv, op.buffers, op.args);
        next = op.bundleEnd;
      }
      if (__builtin_expect(env.failed(), false)) {
        outcome.status = env.hostStatus ? env.hostStatus : GRAPHC_OUT_OF_RANGE;
        outcome.hostNumber = env.hostNumber;
        outcome.entry = at;
        outcome.position = env.position;
        outcome.value = env.value;
        outcome.limit = env.limit;
        return outcome;
      }
      break;
    case GRAPHC_ABI_COPY:
      if (op.bytes != 0)
        std::memcpy(op.buffers[1], op.buffers[0], op.bytes);
      break;
    case GRAPHC_ABI_MEMSET:
      if (op.bytes != 0)
        std::memset(op.buffers[0], static_cast<int>(op.args[0]), op.bytes);
      break;
    case GRAPHC_ABI_LOOP_BEGIN: {
      Program::Loop &loop = program.loops[op.loop];
      loop.iteration = 0;
      program.rewind(loop);
      if (loop.count == 0)
        next = op.partner + 1;
      else if (loop.slot)
        *static_cast<int64_t *>(*loop.slot) = 0;
      break;
    }
    case GRAPHC_ABI_LOOP_END: {
      Program::Loop &loop = program.loops[op.loop];
      if (++loop.iteration < loop.count) {
        program.advance(loop);
        if (loop.slot)
          *static_cast<int64_t *>(*loop.slot) = loop.iteration;
        next = op.partner + 1;
      }
      break;
    }
    case GRAPHC_ABI_COMMIT:
      // Kernels' failures have ended the step already. What is left to undo
      // later is what check_numerics finds in the new state itself.
      if constexpr (isWatched)
        if (options.backup)
          options.backup->save(lease);
      isCommitted = true;
      break;
    }
    if constexpr (isWatched) {
      if (options.times) {
        uint64_t now = nowNs();
        options.times[at].totalNs += now - start;
        ++options.times[at].runCount;
        start = now;
      }
      if (options.watch) {
        NumericsWatch::Finding finding;
        if (options.watch->check(at, op.buffers, lease, finding)) {
          outcome.status = GRAPHC_NUMERIC;
          outcome.entry = at;
          outcome.buffer = finding.buffer;
          outcome.position = finding.position;
          outcome.number = finding.value;
          if (isCommitted)
            options.backup->restore(lease);
          return outcome;
        }
        start = options.times ? nowNs() : 0; // The search is not the entry's.
      }
    }
    at = next;
  }
  return outcome;
}

} // namespace

RunOutcome run(Program &program, const RunOptions &options) {
  ThreadPool::Lease lease(program.isParallel ? options.pool : nullptr,
                          options.threads);
  ExecutionEnv env(&lease, options.host);
  if (options.times || options.watch)
    return walk<true>(program, options, lease, env);
  return walk<false>(program, options, lease, env);
}

} // namespace graphc::runtime
