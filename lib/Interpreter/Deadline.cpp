// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Interpreter/Deadline.h"

namespace graphc::interpreter {

using Clock = std::chrono::steady_clock;

constexpr int kAskedBetweenReads = 1000;

Deadline::Deadline(double seconds) : outer(current) {
  if (seconds <= 0) {
    current = {0, false, {}};
    return;
  }
  // No clock counts so far, and the conversion would overflow.
  constexpr double most = 1e9;
  auto span = std::chrono::duration<double>(seconds < most ? seconds : most);
  current = {kAskedBetweenReads, false,
             Clock::now() + std::chrono::duration_cast<Clock::duration>(span)};
}

Deadline::~Deadline() { current = outer; }

bool Deadline::readClock() {
  current.isPast = Clock::now() > current.end;
  current.countdown = current.isPast ? 0 : kAskedBetweenReads;
  return current.isPast;
}

bool Deadline::isPastNow() {
  return current.countdown == 0 ? current.isPast : readClock();
}

} // namespace graphc::interpreter
