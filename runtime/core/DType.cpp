// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/DType.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "graphc/runtime.h"
#include "runtime/core/Half.h"

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

/// Rounds `value` to f32 so that rounding it once more, to a narrower type,
/// gives what rounding `value` would: what is lost is kept in the last bit.
float roundToOdd(double value) {
  float nearest = static_cast<float>(value);
  if (std::isnan(value) || static_cast<double>(nearest) == value)
    return nearest;
  uint32_t bits = bitsOf(nearest);
  // Towards zero first; one less is the next number of smaller magnitude.
  if (std::fabs(static_cast<double>(nearest)) > std::fabs(value))
    --bits;
  return floatOf(bits | 1);
}

} // namespace

bool isValidDType(uint32_t dtype) { return dtype > 0 && dtype < factCount; }

bool isFloatDType(uint32_t dtype) {
  return dtype < factCount && facts[dtype].isFloat;
}

bool arrayBytes(uint64_t unit, uint32_t rank, const int64_t *shape,
                uint64_t &outBytes) {
  uint64_t bytes = unit;
  bool isEmpty = false;
  for (uint32_t i = 0; i < rank; ++i) {
    if (shape[i] < 0)
      return false;
    if (shape[i] == 0)
      isEmpty = true;
    else if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(shape[i]),
                                    &bytes) ||
             bytes > static_cast<uint64_t>(INT64_MAX))
      return false;
  }
  outBytes = isEmpty ? 0 : bytes;
  return true;
}

bool tensorBytes(uint32_t dtype, uint32_t rank, const int64_t *shape,
                 uint64_t &outBytes) {
  const int64_t *end = shape + rank;
  const uint64_t unit = dtype < factCount ? facts[dtype].bytes : 0;
  if (std::find(shape, end, 0) == end)
    return arrayBytes(unit, rank, shape, outBytes);
  if (std::any_of(shape, end, [](int64_t dim) { return dim < 0; }))
    return false;
  outBytes = 0;
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
    float narrow = roundToOdd(value);
    uint16_t bits = dtype == GRAPHC_DTYPE_F16 ? toF16(narrow) : toBf16(narrow);
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
