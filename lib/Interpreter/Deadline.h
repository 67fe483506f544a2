// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When a run has to end. Loops over elements ask, so that one long op ends too:
// its result is then incomplete, and evaluate() fails.
#ifndef GRAPHC_LIB_INTERPRETER_DEADLINE_H
#define GRAPHC_LIB_INTERPRETER_DEADLINE_H

#include <chrono>
#include <cstdint>

namespace graphc::interpreter {

/// The deadline of what this thread runs while it lives.
class Deadline {
public:
  /// In so many seconds; never for 0.
  explicit Deadline(double seconds);
  ~Deadline();
  Deadline(const Deadline &) = delete;
  Deadline &operator=(const Deadline &) = delete;

  /// Whether the innermost one is past. Reads the clock now and then only, for
  /// loops ask each time.
  static bool isPast() {
    if (current.countdown == 0)
      return current.isPast;
    return --current.countdown == 0 && readClock();
  }
  /// The same, by the clock.
  static bool isPastNow();

private:
  struct State {
    /// Times to ask until the clock is read; 0: the answer is known.
    int countdown;
    bool isPast;
    std::chrono::steady_clock::time_point end;
  };
  static bool readClock();

  inline static thread_local State current = {0, false, {}};
  State outer;
};

/// `for (int64_t i : upTo(n))` counts from 0 to n - 1, but not on once the
/// deadline is past. The first round takes place whenever there is one, as in
/// forEachIndex(): what it sets is set.
class UpTo {
public:
  explicit UpTo(int64_t count) : count(count) {}

  struct Iterator {
    int64_t i, count;
    int64_t operator*() const { return i; }
    Iterator &operator++() {
      i = Deadline::isPast() ? count : i + 1;
      return *this;
    }
    bool operator!=(const Iterator &other) const { return i != other.i; }
  };
  Iterator begin() const { return {0, count}; }
  Iterator end() const { return {count, count}; }

private:
  int64_t count;
};
inline UpTo upTo(int64_t count) { return UpTo(count); }

} // namespace graphc::interpreter

#endif // GRAPHC_LIB_INTERPRETER_DEADLINE_H
