// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/graphc/Progress.h"

#include <cstdio>
#include <unistd.h>

namespace graphc {

Progress::Progress(double afterSeconds)
    : isShown(isatty(2)), start(std::chrono::steady_clock::now()) {
  if (isShown)
    timer = std::thread([this, afterSeconds] { wait(afterSeconds); });
}

Progress::~Progress() {
  if (!isShown)
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    isEnded = true;
  }
  ended.notify_one();
  timer.join();
}

void Progress::enter(const std::string &name) {
  if (!isShown)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  phase = name;
  if (isLong)
    print();
}

void Progress::wait(double seconds) {
  std::unique_lock<std::mutex> lock(mutex);
  if (ended.wait_for(lock, std::chrono::duration<double>(seconds),
                     [this] { return isEnded; }))
    return;
  isLong = true;
  if (!phase.empty())
    print();
}

void Progress::print() {
  double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  std::fprintf(stderr, "graphc: %5.1f s: %s\n", seconds, phase.c_str());
}

} // namespace graphc
