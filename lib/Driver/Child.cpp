// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Driver/Child.h"

#include "lib/Driver/LargeStack.h"
#include "lib/Driver/Tool.h"

#include "llvm/Support/FileSystem.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace graphc {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define GRAPHC_SANITIZED 1
#endif
#endif

/// Of a child whose allocation was refused; no body returns it.
static constexpr int kOutOfMemoryStatus = 86;

using Tell = std::function<void(const std::string &)>;

static void limit(int what, uint64_t value) {
  rlimit limits;
  if (value == 0 || getrlimit(what, &limits))
    return;
  if (limits.rlim_max != RLIM_INFINITY && value > limits.rlim_max)
    value = limits.rlim_max;
  limits.rlim_cur = value;
  setrlimit(what, &limits);
}

[[noreturn]] static void childMain(const ChildLimits &limits,
                                   const std::function<int(const Tell &)> &body,
                                   int pipe) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit(RLIMIT_CORE, 1); // 0 means "none" to limit(); one byte writes no core.
#ifndef GRAPHC_SANITIZED
  limit(RLIMIT_AS, limits.memoryBytes);
#endif
  limit(RLIMIT_CPU, limits.cpuSeconds);
  // There is nobody to unwind to: LLVM is built without exceptions.
  std::set_new_handler([] { _exit(kOutOfMemoryStatus); });
  auto tell = [pipe](const std::string &folder) {
    // Its end too: a folder's name may hold any other character. The parent only
    // tidies up with it, so a failed write is no error.
    (void)!write(pipe, folder.c_str(), folder.size() + 1);
  };
  int exitStatus = 1;
  if (!runOnLargeStack([&] { exitStatus = body(tell); }))
    _exit(kOutOfMemoryStatus); // The stack counts too.
  std::fflush(nullptr);
  _exit(checkOutputs(exitStatus));
}

static std::string readAll(int file) {
  std::string text;
  char part[4096];
  for (;;) {
    ssize_t count = read(file, part, sizeof(part));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return text;
    text.append(part, count);
  }
}

ChildResult runInChild(const ChildLimits &limits,
                       const std::function<int(const Tell &)> &body) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    return {1, std::string("a failed pipe: ") + std::strerror(errno)};
  std::fflush(nullptr);
  pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    return {1, std::string("a failed fork: ") + std::strerror(errno)};
  }
  if (child == 0) {
    close(ends[0]);
    childMain(limits, body, ends[1]);
  }
  close(ends[1]);
  std::string folders = readAll(ends[0]); // Until the child's end is closed.
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  // The linker's folders, if the child ended before it could tidy up.
  for (size_t from = 0, to;
       (to = folders.find('\0', from)) != std::string::npos; from = to + 1)
    llvm::sys::fs::remove_directories(folders.substr(from, to - from));
  if (WIFEXITED(status) && WEXITSTATUS(status) == kOutOfMemoryStatus)
    return {1,
            "its memory limit of " + std::to_string(limits.memoryBytes >> 20) +
                " MiB",
            /*isOutOfMemory=*/true};
  if (WIFEXITED(status))
    return {WEXITSTATUS(status), ""};
  int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  ChildResult result = {1, "signal " + std::to_string(signal) + " (" +
                               strsignal(signal) + ")"};
  if (signal == SIGXCPU)
    result.endedBy =
        "its time limit of " + std::to_string(limits.cpuSeconds) + " s";
  else if (signal == SIGKILL)
    result.endedBy += ", which the system sends when memory, or all CPU time "
                      "allowed, is used up";
  return result;
}

} // namespace graphc
