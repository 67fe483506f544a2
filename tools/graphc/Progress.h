// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says what a long compile is doing.
#ifndef GRAPHC_TOOLS_GRAPHC_PROGRESS_H
#define GRAPHC_TOOLS_GRAPHC_PROGRESS_H

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace graphc {

/// Prints one line for each phase on a terminal (the error output), starting
/// with the one under way after some seconds. A quick compile, or one whose
/// output is no terminal, prints nothing and starts no thread.
class Progress {
public:
  explicit Progress(double afterSeconds);
  ~Progress();

  void enter(const std::string &phase);

private:
  void wait(double seconds);
  void print();

  const bool isShown;
  const std::chrono::steady_clock::time_point start;
  std::mutex mutex;
  std::condition_variable ended;
  std::string phase;
  bool isLong = false, isEnded = false;
  std::thread timer;
};

} // namespace graphc

#endif // GRAPHC_TOOLS_GRAPHC_PROGRESS_H
