// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// However a child ends, the parent knows, and tidies up.
#include "lib/Driver/Child.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace graphc;

namespace {

using Tell = std::function<void(const std::string &)>;

std::string makeFolder() {
  std::string folder = testing::TempDir() + "/child-XXXXXX";
  EXPECT_TRUE(mkdtemp(folder.data()));
  return folder;
}

bool exists(const std::string &path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0;
}

TEST(Child, StatusIsTheBodys) {
  ChildResult result = runInChild({}, [](const Tell &) { return 7; });
  EXPECT_EQ(result.exitStatus, 7);
  EXPECT_EQ(result.endedBy, "");
}

TEST(Child, SignalsAreNamed) {
  for (int signal : {SIGSEGV, SIGABRT, SIGBUS}) {
    ChildResult result = runInChild({}, [&](const Tell &) {
      // As if no sanitizer caught it.
      std::signal(signal, SIG_DFL);
      return raise(signal);
    });
    EXPECT_EQ(result.exitStatus, 1);
    EXPECT_EQ(result.endedBy, "signal " + std::to_string(signal) + " (" +
                                  strsignal(signal) + ")");
  }
}

TEST(Child, AnEndlessBodyMeetsTheTimeLimit) {
  ChildLimits limits;
  limits.cpuSeconds = 1;
  ChildResult result = runInChild(limits, [](const Tell &) {
    for (volatile unsigned spin = 0;; spin = spin + 1)
      ;
    return 0;
  });
  EXPECT_EQ(result.exitStatus, 1);
  EXPECT_EQ(result.endedBy, "its time limit of 1 s");
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

TEST(Child, ABodyThatAllocatesTooMuchMeetsTheMemoryLimit) {
#ifdef SANITIZED
  GTEST_SKIP() << "sanitizers take the address space themselves";
#endif
  ChildLimits limits;
  limits.memoryBytes = uint64_t(2) << 30;
  ChildResult result = runInChild(limits, [](const Tell &) {
    std::vector<std::unique_ptr<char[]>> kept;
    for (;;)
      kept.emplace_back(new char[16 << 20]); // Never touched.
    return 0;
  });
  EXPECT_EQ(result.exitStatus, 1);
  EXPECT_EQ(result.endedBy, "its memory limit of 2048 MiB");
  EXPECT_TRUE(result.isOutOfMemory);
}

TEST(Child, AKillIsNotTakenForTheTimeLimit) {
  ChildLimits limits;
  limits.cpuSeconds = 100;
  ChildResult result =
      runInChild(limits, [](const Tell &) { return raise(SIGKILL); });
  EXPECT_EQ(result.endedBy, "signal 9 (Killed), which the system sends when "
                            "memory, or all CPU time allowed, is used up");
}

TEST(Child, FoldersItToldOfAreRemovedHoweverItEnds) {
  for (bool crashes : {false, true}) {
    std::string folder = makeFolder();
    ASSERT_TRUE(exists(folder));
    runInChild({}, [&](const Tell &tell) -> int {
      tell(folder);
      if (crashes)
        raise(SIGKILL);
      _exit(1);
    });
    EXPECT_FALSE(exists(folder));
  }
}

} // namespace
