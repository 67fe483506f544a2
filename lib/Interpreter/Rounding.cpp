// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Interpreter/Rounding.h"

#include <cmath>

namespace graphc::interpreter {

double FloatFormat::epsilon() const { return std::ldexp(1.0, 1 - precision); }

double FloatFormat::ulp(double x) const {
  int exponent = minExponent;
  if (std::isfinite(x) && x != 0) {
    exponent = std::ilogb(x);
    if (exponent < minExponent)
      exponent = minExponent;
  }
  if (exponent > maxExponent || std::isinf(x))
    exponent = maxExponent;
  return std::ldexp(1.0, exponent - (precision - 1));
}

double FloatFormat::largest() const {
  return std::ldexp(2.0 - epsilon(), maxExponent);
}

/// The even neighbour decides a tie: `quotient` is kept or stepped up by 1.
static uint64_t roundQuotient(uint64_t quotient, uint64_t remainder,
                              uint64_t half) {
  if (remainder > half || (remainder == half && (quotient & 1)))
    return quotient + 1;
  return quotient;
}

double roundToFormat(double x, FloatFormat format) {
  if (std::isnan(x) || std::isinf(x) || x == 0)
    return x;

  // |x| = significand * 2^exponent with a significand of 53 bits, exactly.
  int exponent;
  uint64_t significand = static_cast<uint64_t>(
      std::ldexp(std::frexp(std::fabs(x), &exponent), 53));
  exponent -= 53;

  // Numbers of the format near x are the multiples of 2^unit.
  int leading = exponent + 52;
  int unit = (leading < format.minExponent ? format.minExponent : leading) -
             (format.precision - 1);
  int drop = unit - exponent;
  if (drop <= 0)
    return x;
  uint64_t kept;
  if (drop > 54)
    kept = 0; // less than half of the smallest number
  else
    kept = roundQuotient(significand >> drop,
                         significand & ((uint64_t{1} << drop) - 1),
                         uint64_t{1} << (drop - 1));
  double rounded = std::ldexp(static_cast<double>(kept), unit);
  if (rounded > format.largest())
    rounded = INFINITY;
  return std::copysign(rounded, x);
}

double roundToFormat(int64_t x, FloatFormat format) {
  if (x == 0)
    return 0;
  uint64_t magnitude =
      x < 0 ? ~static_cast<uint64_t>(x) + 1 : static_cast<uint64_t>(x);
  int bits = 64;
  while (!(magnitude >> (bits - 1)))
    --bits;
  int drop = bits - format.precision;
  double rounded;
  if (drop <= 0) {
    rounded = static_cast<double>(magnitude);
  } else {
    uint64_t kept = roundQuotient(magnitude >> drop,
                                  magnitude & ((uint64_t{1} << drop) - 1),
                                  uint64_t{1} << (drop - 1));
    rounded = std::ldexp(static_cast<double>(kept), drop);
  }
  if (rounded > format.largest())
    rounded = INFINITY;
  return x < 0 ? -rounded : rounded;
}

} // namespace graphc::interpreter
