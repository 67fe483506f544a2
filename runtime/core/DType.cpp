// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/DType.h"

#include <cmath>
#include <cstring>

#include "graphc/runtime.h"

namespace graphc::runtime {
namespace {

struct DTypeFacts {
  const char *name;
  uint8_t bytes;
  bool isFloat;
};

// In the order of graphc_dtype.
constexpr DTypeFacts facts[] = {{"invalid", 0, false}, {"f64", 8, true},
                                {"f32", 4, true},      {"f16", 2, true},
                                {"bf16", 2, true},     {"i1", 1, false},
                                {"i8", 1, false},      {"ui8", 1, false},
                                {"i32", 4, false},     {"i64", 8, false}};
constexpr uint32_t factCount = sizeof(facts) / sizeof(facts[0]);
static_assert(factCount == GRAPHC_DTYPE_I64 + 1);

/// Rounds `value` to a binary format with `mantissaBits` stored bits and the
/// exponent bias `bias`; straight from f64, as rounding twice would be wrong.
uint16_t roundToHalf(double value, int mantissaBits, int bias) {
  const int exponentBits = 15 - mantissaBits;
  const uint16_t infinity = ((1u << exponentBits) - 1) << mantissaBits;
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value))
    return sign | infinity | (1u << (mantissaBits - 1));
  double magnitude = std::fabs(value);
  if (std::isinf(magnitude))
    return sign | infinity;
  int exponent = magnitude == 0 ? -bias : std::ilogb(magnitude);
  if (exponent < 1 - bias)
    exponent = 1 - bias; // Subnormal: one fixed unit.
  // A count of units in the last place: exact, and rint() ties to even.
  double units = std::rint(std::scalbn(magnitude, mantissaBits - exponent));
  uint64_t whole = static_cast<uint64_t>(units);
  // Adding lets a carry run into the exponent, up to infinity.
  uint64_t bits =
      (static_cast<uint64_t>(exponent + bias - 1) << mantissaBits) + whole;
  return sign | static_cast<uint16_t>(bits > infinity ? infinity : bits);
}

} // namespace

bool isValidDType(uint32_t dtype) { return dtype > 0 && dtype < factCount; }

bool isFloatDType(uint32_t dtype) {
  return dtype < factCount && facts[dtype].isFloat;
}

bool tensorBytes(uint32_t dtype, uint32_t rank, const int64_t *shape,
                 uint64_t &outBytes) {
  uint64_t bytes = dtype < factCount ? facts[dtype].bytes : 0;
  bool isEmpty = false;
  for (uint32_t i = 0; i < rank; ++i) {
    if (shape[i] < 0)
      return false;
    isEmpty |= shape[i] == 0;
  }
  for (uint32_t i = 0; i < rank && !isEmpty; ++i)
    if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(shape[i]),
                               &bytes) ||
        bytes > static_cast<uint64_t>(INT64_MAX))
      return false;
  outBytes = isEmpty ? 0 : bytes;
  return true;
}

std::string typeText(uint32_t dtype, uint32_t rank, const int64_t *shape) {
  std::string text = "tensor<";
  for (uint32_t i = 0; i < rank; ++i)
    text += std::to_string(shape[i]) + "x";
  return text + graphc_dtype_name(static_cast<graphc_dtype>(dtype)) + ">";
}

std::string listText(const int64_t *values, size_t count) {
  std::string text = "[";
  for (size_t i = 0; i < count; ++i)
    text += (i ? ", " : "") + std::to_string(values[i]);
  return text + "]";
}

void storeFloat(graphc_dtype dtype, double value, void *out) {
  if (dtype == GRAPHC_DTYPE_F64) {
    std::memcpy(out, &value, sizeof(value));
  } else if (dtype == GRAPHC_DTYPE_F32) {
    float narrow = static_cast<float>(value);
    std::memcpy(out, &narrow, sizeof(narrow));
  } else {
    uint16_t bits = dtype == GRAPHC_DTYPE_F16 ? roundToHalf(value, 10, 15)
                                              : roundToHalf(value, 7, 127);
    std::memcpy(out, &bits, sizeof(bits));
  }
}

} // namespace graphc::runtime

extern "C" size_t graphc_dtype_bytes(graphc_dtype dtype) {
  uint32_t number = static_cast<uint32_t>(dtype);
  return number < graphc::runtime::factCount
             ? graphc::runtime::facts[number].bytes
             : 0;
}

extern "C" const char *graphc_dtype_name(graphc_dtype dtype) {
  uint32_t number = static_cast<uint32_t>(dtype);
  return graphc::runtime::facts[number < graphc::runtime::factCount ? number
                                                                    : 0]
      .name;
}
