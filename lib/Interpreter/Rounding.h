// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounding of a real number to a binary format, once, to nearest even.
#ifndef GRAPHC_LIB_INTERPRETER_ROUNDING_H
#define GRAPHC_LIB_INTERPRETER_ROUNDING_H

#include <cstdint>

namespace graphc::interpreter {

/// A binary floating-point format.
struct FloatFormat {
  int precision;   // significand bits, the implicit one included
  int minExponent; // of the smallest normal number: 1.0 * 2^minExponent
  int maxExponent; // of the largest number

  static FloatFormat f64() { return {53, -1022, 1023}; }
  static FloatFormat f32() { return {24, -126, 127}; }
  static FloatFormat f16() { return {11, -14, 15}; }
  static FloatFormat bf16() { return {8, -126, 127}; }

  /// Distance from 1 to the next number.
  double epsilon() const;
  /// Distance from |x| to the next number away from 0 (of the largest number:
  /// to the one before); the subnormal spacing for numbers near 0.
  double ulp(double x) const;
  /// The largest finite number.
  double largest() const;
};

/// The number of `format` nearest to `x`, ties to even; infinite if `x` is at
/// least half a unit past the largest number. NaN stays NaN.
double roundToFormat(double x, FloatFormat format);

/// The number of `format` nearest to the integer `x`, rounded once: going
/// through f64 would round twice.
double roundToFormat(int64_t x, FloatFormat format);

} // namespace graphc::interpreter

#endif // GRAPHC_LIB_INTERPRETER_ROUNDING_H
