// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints each compared number on a line of its own and counts the misses.
#ifndef GRAPHC_EXAMPLES_TUTORIAL_REPORT_H
#define GRAPHC_EXAMPLES_TUTORIAL_REPORT_H

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

class Report {
public:
  /// Numbers marked so depend on the seed; see --seed in main.cpp.
  enum Kind { Fixed, Seeded };

  void number(const std::string &name, double expected, double got,
              Kind kind = Fixed) {
    // Agreement to 1e-5 relative is what f32 gives; inf and NaN must match.
    bool ok = std::isnan(expected) ? std::isnan(got)
              : std::isinf(expected)
                  ? got == expected
                  : std::fabs(got - expected) <=
                        1e-5 * std::fmax(std::fabs(expected), 1e-2);
    line(name, numberText(expected), numberText(got), ok, kind);
  }
  template <class T>
  void numbers(const std::string &name, const std::vector<double> &expected,
               const T *got, Kind kind = Fixed) {
    for (size_t k = 0; k < expected.size(); ++k)
      number(name + "[" + std::to_string(k) + "]", expected[k],
             static_cast<double>(got[k]), kind);
  }
  void text(const std::string &name, const std::string &expected,
            const std::string &got, Kind kind = Fixed) {
    line(name, expected, got, expected == got, kind);
  }

  int misses() const { return misses_; }
  int count() const { return count_; }

private:
  static std::string numberText(double value) {
    if (std::isnan(value))
      return "nan"; // printf writes its sign too, which means nothing.
    char digits[32];
    std::snprintf(digits, sizeof(digits), "%.9g", value);
    return digits;
  }
  void line(const std::string &name, const std::string &expected,
            const std::string &got, bool ok, Kind kind) {
    std::printf("%-34s expected %-14s got %-14s %s%s\n", name.c_str(),
                expected.c_str(), got.c_str(), ok ? "ok" : "MISS",
                kind == Seeded ? " (seeded)" : "");
    ++count_;
    misses_ += !ok;
  }
  int count_ = 0, misses_ = 0;
};

#endif // GRAPHC_EXAMPLES_TUTORIAL_REPORT_H
