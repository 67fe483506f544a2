// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <charconv>
#include <cmath>

#include "runtime/core/DType.h"
#include "runtime/data/Array.h"
#include "runtime/data/Csv.h"
#include "runtime/data/Half.h"

namespace graphc::runtime {
namespace {

enum class Outcome { Ok, NotANumber, TooLarge };

/// A decimal number, inf or nan, whatever the locale. What is too small for f64
/// is 0.
Outcome parseDouble(const char *begin, const char *end, double &value) {
  auto [rest, error] = std::from_chars(begin, end, value);
  if (rest != end || error == std::errc::invalid_argument)
    return Outcome::NotANumber;
  if (error == std::errc())
    return Outcome::Ok;
  // Too large or too small; a wider type, or at last the exponent, tells.
  long double wide = 0;
  if (std::from_chars(begin, end, wide).ec != std::errc())
    for (const char *c = begin; c + 1 < end; ++c)
      if ((*c == 'e' || *c == 'E') && c[1] != '-')
        return Outcome::TooLarge;
  if (std::fabs(wide) > 1)
    return Outcome::TooLarge;
  value = *begin == '-' ? -0.0 : 0.0;
  return Outcome::Ok;
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

const char *parseFloat(const char *begin, const char *end, graphc_dtype dtype,
                       void *out, size_t index) {
  double value = 0;
  Outcome outcome = parseDouble(begin, end, value);
  if (outcome == Outcome::NotANumber)
    return "expects a number";
  auto *to = static_cast<char *>(out) + index * graphc_dtype_bytes(dtype);
  storeFloat(dtype, value, to);
  double stored = 0;
  convert(dtype, to, GRAPHC_DTYPE_F64, &stored, 1);
  if (outcome == Outcome::TooLarge ||
      (std::isinf(stored) && !std::isinf(value)))
    return "expects a number that the element type can hold";
  return nullptr;
}

const char *parseInteger(const char *begin, const char *end, graphc_dtype dtype,
                         void *out, size_t index) {
  int64_t value = 0;
  auto [rest, error] = std::from_chars(begin, end, value);
  if (rest != end || error == std::errc::invalid_argument) {
    // Programs write whole numbers as 3.0 or 3e0 too.
    double real = 0;
    if (parseDouble(begin, end, real) == Outcome::NotANumber)
      return "expects an integer";
    if (real != std::floor(real) || std::fabs(real) > 0x1p53)
      return "expects an integer";
    value = static_cast<int64_t>(real);
  } else if (error != std::errc()) {
    return "expects an integer that the element type can hold";
  }
  auto *to = static_cast<char *>(out) + index * graphc_dtype_bytes(dtype);
  convert(GRAPHC_DTYPE_I64, &value, dtype, to, 1);
  int64_t stored = 0;
  convert(dtype, to, GRAPHC_DTYPE_I64, &stored, 1);
  return stored == value ? nullptr
                         : "expects an integer that the element type can hold";
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
