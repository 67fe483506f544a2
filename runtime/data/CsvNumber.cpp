// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "runtime/core/DType.h"
#include "runtime/data/Array.h"
#include "runtime/data/Csv.h"

namespace graphc::runtime {
namespace {

enum class Outcome { Ok, NotANumber, TooLarge, TooSmall };

/// Hands each digit but 0 of a finite decimal number to `visit(digit, place)`
/// until it returns false; the units are at place 0.
template <class Visit>
void visitDigits(const char *begin, const char *end, const Visit &visit) {
  const char *exponentAt =
      std::find_if(begin, end, [](char c) { return c == 'e' || c == 'E'; });
  const char *point = std::find(begin, exponentAt, '.');
  int64_t exponent = 0;
  if (exponentAt != end) {
    const char *from = exponentAt + 1 + (exponentAt[1] == '+');
    // One that does not fit is farther away than any text is long.
    if (std::from_chars(from, end, exponent).ec ==
        std::errc::result_out_of_range)
      exponent = *from == '-' ? INT64_MIN / 2 : INT64_MAX / 2;
    exponent = std::clamp(exponent, INT64_MIN / 2, INT64_MAX / 2);
  }
  for (const char *c = begin; c < exponentAt; ++c)
    if (*c >= '1' && *c <= '9' &&
        !visit(*c - '0', exponent + (point - c) - (c < point)))
      return;
}

/// A decimal number, inf or nan, whatever the locale.
Outcome parseDouble(const char *begin, const char *end, double &value) {
  auto [rest, error] = std::from_chars(begin, end, value);
  if (rest != end || error == std::errc::invalid_argument)
    return Outcome::NotANumber;
  if (error == std::errc())
    return Outcome::Ok;
  // Out of range, but from_chars() does not say on which side.
  bool isLarge = false;
  visitDigits(begin, end, [&](int, int64_t place) {
    isLarge = place > 0;
    return false;
  });
  return isLarge ? Outcome::TooLarge : Outcome::TooSmall;
}

/// Blanks around a number and a plus before it are allowed.
void trim(const char *&begin, const char *&end) {
  auto isBlank = [](char c) { return c == ' ' || c == '\t'; };
  while (begin < end && isBlank(*begin))
    ++begin;
  while (begin < end && isBlank(end[-1]))
    --end;
  if (end - begin > 1 && *begin == '+' && begin[1] != '-')
    ++begin;
}

constexpr const char *kDoesNotFit =
    "expects a number that the element type can hold";
constexpr const char *kIntegerDoesNotFit =
    "expects an integer that the element type can hold";

const char *parseFloat(const char *begin, const char *end, graphc_dtype dtype,
                       void *out, size_t index) {
  double value = 0;
  switch (parseDouble(begin, end, value)) {
  case Outcome::NotANumber:
    return "expects a number";
  case Outcome::TooLarge:
    return kDoesNotFit;
  case Outcome::TooSmall:
    value = *begin == '-' ? -0.0 : 0.0;
    break;
  case Outcome::Ok:
    break;
  }
  auto *to = static_cast<char *>(out) + index * graphc_dtype_bytes(dtype);
  storeFloat(dtype, value, to);
  double stored = 0;
  convert(dtype, to, GRAPHC_DTYPE_F64, &stored, 1);
  return std::isinf(stored) && !std::isinf(value) ? kDoesNotFit : nullptr;
}

/// Programs write whole numbers as 3.0 or 3e0 too. Exact, as f64 is not.
const char *parseWhole(const char *begin, const char *end, int64_t &value) {
  double ignored = 0;
  if (parseDouble(begin, end, ignored) == Outcome::NotANumber ||
      !std::isfinite(ignored))
    return "expects an integer";
  const bool isNegative = *begin == '-';
  const char *problem = nullptr;
  value = 0;
  visitDigits(begin, end, [&](int digit, int64_t place) {
    int64_t part = isNegative ? -digit : digit;
    if (place < 0)
      problem = "expects an integer";
    else if (place > 18)
      problem = kIntegerDoesNotFit;
    for (int64_t i = 0; !problem && i < place; ++i)
      part *= 10;
    if (!problem && __builtin_add_overflow(value, part, &value))
      problem = kIntegerDoesNotFit;
    return !problem;
  });
  return problem;
}

const char *parseInteger(const char *begin, const char *end, graphc_dtype dtype,
                         void *out, size_t index) {
  int64_t value = 0;
  auto [rest, error] = std::from_chars(begin, end, value);
  if (rest != end || error == std::errc::invalid_argument) {
    if (const char *problem = parseWhole(begin, end, value))
      return problem;
  } else if (error != std::errc()) {
    return kIntegerDoesNotFit;
  }
  auto *to = static_cast<char *>(out) + index * graphc_dtype_bytes(dtype);
  convert(GRAPHC_DTYPE_I64, &value, dtype, to, 1);
  int64_t stored = 0;
  convert(dtype, to, GRAPHC_DTYPE_I64, &stored, 1);
  return stored == value ? nullptr : kIntegerDoesNotFit;
}

} // namespace

bool isNumber(const std::string &text) {
  double value;
  return parseCell(text, GRAPHC_DTYPE_F64, &value, 0) == nullptr;
}

const char *parseCell(const std::string &text, graphc_dtype dtype, void *out,
                      size_t index) {
  const char *begin = text.data(), *end = begin + text.size();
  trim(begin, end);
  if (begin == end)
    return "expects a number";
  if (dtype == GRAPHC_DTYPE_I1) {
    for (const char *word : {"true", "True", "TRUE", "false", "False", "FALSE"})
      if (word == std::string(begin, end)) {
        static_cast<uint8_t *>(out)[index] = word[0] == 't' || word[0] == 'T';
        return nullptr;
      }
    return parseInteger(begin, end, dtype, out, index)
               ? "expects 0, 1, false or true"
               : nullptr;
  }
  return isFloatDType(dtype) ? parseFloat(begin, end, dtype, out, index)
                             : parseInteger(begin, end, dtype, out, index);
}

} // namespace graphc::runtime
