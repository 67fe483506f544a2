// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When two tensors count as equal.
#ifndef GRAPHC_LIB_INTERPRETER_COMPARE_H
#define GRAPHC_LIB_INTERPRETER_COMPARE_H

#include "lib/Interpreter/Tensor.h"

#include <limits>
#include <string>

namespace graphc::interpreter {

/// How far apart two floats may be: |actual - expected| must be at most
/// absolute + relative * |expected| + ulps * (unit of the declared type at
/// expected). Integers must be equal, an infinity equals only itself, any NaN
/// equals any NaN.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
  double ulps = 0;
  /// Whether +0 and -0 differ.
  bool signedZeros = false;

  static Tolerance of(double relative, double absolute) {
    return {relative, absolute, 0, false};
  }
  static Tolerance units(double ulps) { return {0, 0, ulps, false}; }
  /// The same bits, but for NaN.
  static Tolerance exact() { return {0, 0, 0, true}; }
};

struct Comparison {
  bool equal = true;
  int64_t mismatches = 0;
  int64_t elements = 0;
  /// The first element that is too far off, row-major; -1 if there is none.
  int64_t firstMismatch = -1;
  std::string firstActual, firstExpected; // as text, integers exactly
  std::string firstIndex;                 // "[1, 2]"
  /// Largest finite |actual - expected|, absolute and in units of the declared
  /// type.
  double maxError = 0, maxUlps = 0;
  /// Set if the types differ, in which case no element was compared.
  std::string typeMismatch;

  /// One line: "equal: 6 elements, max error ..." or what differs first.
  std::string describe() const;
};

Comparison compareTensors(const Tensor &actual, const Tensor &expected,
                          const Tolerance &tolerance);

/// The bound of an element that the order of operations decides: whatever it is,
/// inf and NaN too, it counts as equal.
constexpr double kAnyValue = -std::numeric_limits<double>::infinity();

/// The same with a bound of its own for each element, such as errorBounds()
/// gives.
Comparison compareTensors(const Tensor &actual, const Tensor &expected,
                          llvm::ArrayRef<double> bounds);

} // namespace graphc::interpreter

#endif // GRAPHC_LIB_INTERPRETER_COMPARE_H
