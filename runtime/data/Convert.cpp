// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <limits>
#include <type_traits>

#include "runtime/core/DType.h"
#include "runtime/core/Half.h"
#include "runtime/data/Array.h"

namespace graphc::runtime {
namespace {

template <class Integer> Integer saturate(double value) {
  constexpr auto lowest = std::numeric_limits<Integer>::min();
  constexpr auto highest = std::numeric_limits<Integer>::max();
  // The first double above `highest`, exactly: 2^bits.
  constexpr double limit = static_cast<double>(highest / 2 + 1) * 2;
  if (std::isnan(value))
    return 0;
  if (value >= limit)
    return highest;
  if (value <= static_cast<double>(lowest))
    return lowest;
  return static_cast<Integer>(value);
}

/// An f64 that rounds to f16 and bf16 as `value` would: bits that f64 has no
/// room for are kept as one sticky bit, so that none is rounded twice.
double widen(int64_t value) {
  constexpr int64_t exact = int64_t{1} << 53;
  if (value > -exact && value < exact)
    return static_cast<double>(value);
  int64_t kept = value & ~int64_t{0x7ff};
  return static_cast<double>(value == kept ? kept : kept | 0x400);
}
double widen(double value) { return value; }

/// Writes element `i` of `out`. Value is double or int64_t, both wide enough
/// for every type they are used with.
template <class Value>
void store(graphc_dtype to, Value value, void *out, size_t i) {
  auto put = [&](auto element) {
    static_cast<decltype(element) *>(out)[i] = element;
  };
  auto integer = [&](auto zero) {
    using Integer = decltype(zero);
    if constexpr (std::is_same_v<Value, double>)
      put(saturate<Integer>(value));
    else
      put(static_cast<Integer>(value));
  };
  switch (to) {
  case GRAPHC_DTYPE_F32:
    // Straight from the integer: through double it would round twice.
    return put(static_cast<float>(value));
  case GRAPHC_DTYPE_F64:
    return put(static_cast<double>(value));
  case GRAPHC_DTYPE_F16:
  case GRAPHC_DTYPE_BF16:
    return storeFloat(to, widen(value), static_cast<uint16_t *>(out) + i);
  case GRAPHC_DTYPE_I1:
    return put(static_cast<uint8_t>(value != 0));
  case GRAPHC_DTYPE_I8:
    return integer(int8_t{});
  case GRAPHC_DTYPE_UI8:
    return integer(uint8_t{});
  case GRAPHC_DTYPE_I32:
    return integer(int32_t{});
  case GRAPHC_DTYPE_I64:
    return integer(int64_t{});
  case GRAPHC_DTYPE_INVALID:
  case GRAPHC_DTYPE_MAX_ENUM:
    return;
  }
}

} // namespace

void convert(graphc_dtype from, const void *source, graphc_dtype to, void *out,
             size_t count) {
  auto each = [&](auto load) {
    for (size_t i = 0; i < count; ++i)
      store(to, load(i), out, i);
  };
  auto at = [&](auto zero, size_t i) {
    return static_cast<const decltype(zero) *>(source)[i];
  };
  switch (from) {
  case GRAPHC_DTYPE_F64:
    return each([&](size_t i) { return at(double{}, i); });
  case GRAPHC_DTYPE_F32:
    return each([&](size_t i) { return static_cast<double>(at(float{}, i)); });
  case GRAPHC_DTYPE_F16:
    return each([&](size_t i) {
      return static_cast<double>(fromF16(at(uint16_t{}, i)));
    });
  case GRAPHC_DTYPE_BF16:
    return each([&](size_t i) {
      return static_cast<double>(fromBf16(at(uint16_t{}, i)));
    });
  case GRAPHC_DTYPE_I1:
    return each([&](size_t i) { return int64_t{at(uint8_t{}, i) != 0}; });
  case GRAPHC_DTYPE_I8:
    return each([&](size_t i) { return int64_t{at(int8_t{}, i)}; });
  case GRAPHC_DTYPE_UI8:
    return each([&](size_t i) { return int64_t{at(uint8_t{}, i)}; });
  case GRAPHC_DTYPE_I32:
    return each([&](size_t i) { return int64_t{at(int32_t{}, i)}; });
  case GRAPHC_DTYPE_I64:
    return each([&](size_t i) { return at(int64_t{}, i); });
  case GRAPHC_DTYPE_INVALID:
  case GRAPHC_DTYPE_MAX_ENUM:
    return;
  }
}

} // namespace graphc::runtime
