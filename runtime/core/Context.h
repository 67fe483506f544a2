// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_RUNTIME_CORE_CONTEXT_H
#define GRAPHC_RUNTIME_CORE_CONTEXT_H

#include <memory>

#include "graphc/runtime.h"
#include "runtime/cpu/ThreadPool.h"

namespace graphc::runtime {

/// A device and its pool. Models share it; the last one ends it.
struct Context {
  Context(unsigned threads, bool pin) : pool(threads, pin) {}
  ThreadPool pool;
};

/// Throws UNSUPPORTED unless `device` names one that is here.
void checkDevice(const char *device);

std::shared_ptr<Context> createContext(const graphc_context_options &options);

/// The process's own. It lives until the process ends, as threads cannot be
/// joined safely while it exits.
std::shared_ptr<Context> defaultContext();

} // namespace graphc::runtime

struct graphc_context {
  std::shared_ptr<graphc::runtime::Context> shared;
};

#endif // GRAPHC_RUNTIME_CORE_CONTEXT_H
