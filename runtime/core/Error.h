// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How runtime code reports failure, and how a C function turns it into a
// status.
#ifndef GRAPHC_RUNTIME_CORE_ERROR_H
#define GRAPHC_RUNTIME_CORE_ERROR_H

#include <cstdarg>
#include <cstdint>

#include "graphc/status.h"

namespace graphc::runtime {

/// Thrown by fail(). Carries no text: that is in the thread's error record
/// already, so that reporting works when memory is out.
struct Failure {
  graphc_status status;
};

/// Where a step failed; see graphc_error_info.
struct FailurePlace {
  const char *function = "";
  const char *opName = "";
  const char *location = "";
  int64_t entry = -1;
  int64_t position = -1;
  int64_t value = -1;
  int64_t limit = -1;
};

/// Notes a failure in this thread's record and returns `status`. Allocates
/// nothing. The format is printf's.
graphc_status setError(graphc_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
graphc_status setErrorAt(const FailurePlace &place, graphc_status status,
                         const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// setError(), then throws Failure.
[[noreturn]] void fail(graphc_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Fails unless a C function's parameter `name` is there.
inline void require(const void *pointer, const char *name) {
  if (!pointer)
    fail(GRAPHC_INVALID_ARGUMENT, "%s is NULL", name);
}

/// Status of the exception in flight; notes it unless it is a Failure.
graphc_status statusOfCurrentException() noexcept;

/// The body of a C function that may throw: returns the status it ends with.
template <class Body> graphc_status guarded(Body &&body) noexcept {
  try {
    body();
    return GRAPHC_OK;
  } catch (...) {
    return statusOfCurrentException();
  }
}

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_CORE_ERROR_H
