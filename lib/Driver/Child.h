// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a function in a child process under limits.
#ifndef GRAPHC_LIB_DRIVER_CHILD_H
#define GRAPHC_LIB_DRIVER_CHILD_H

#include <cstdint>
#include <functional>
#include <string>

namespace graphc {

struct ChildLimits {
  uint64_t memoryBytes = 0; // Of address space; 0: none.
  uint64_t cpuSeconds = 0;  // 0: none.
};

struct ChildResult {
  int exitStatus = 0;
  /// "" unless something else than its own end ended the child: "signal 11
  /// (Segmentation fault)", "its time limit of 60 s".
  std::string endedBy;
  /// True if that was an allocation past the memory limit.
  bool isOutOfMemory = false;
};

/// Forks and runs `body` in the child, on a thread with a large stack; the
/// child exits with what it returns. `body` is given a function that tells the
/// parent a folder to remove once the child has ended. Must be called before
/// this process has a second thread.
ChildResult runInChild(
    const ChildLimits &limits,
    const std::function<int(const std::function<void(const std::string &)> &)>
        &body);

} // namespace graphc

#endif // GRAPHC_LIB_DRIVER_CHILD_H
