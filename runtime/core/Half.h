// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f16 and bf16 on the host, in portable integer code: the same bits on every
// machine, whatever its conversion instructions do.
#ifndef GRAPHC_RUNTIME_CORE_HALF_H
#define GRAPHC_RUNTIME_CORE_HALF_H

#include <cstdint>
#include <cstring>

namespace graphc::runtime {

inline uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Rounds to nearest, ties to even; a NaN stays a (quiet) NaN.
inline uint16_t toBf16(float value) {
  uint32_t bits = bitsOf(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return static_cast<uint16_t>((bits >> 16) | 0x40u);
  return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

inline float fromBf16(uint16_t half) {
  return floatOf(static_cast<uint32_t>(half) << 16);
}

/// Rounds to nearest, ties to even, denormals included; overflow is infinite.
inline uint16_t toF16(float value) {
  uint32_t bits = bitsOf(value);
  uint32_t sign = (bits >> 16) & 0x8000u;
  uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u)
    return static_cast<uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu));
  if (magnitude >= 0x477ff000u) // 65520, halfway to the first value too large
    return static_cast<uint16_t>(sign | 0x7c00u);
  uint32_t shift = 13, significand = magnitude, bias = 112u << 23;
  if (magnitude < 0x38800000u) { // below 2^-14: a denormal of f16
    if (magnitude < 0x33000000u) // below 2^-25: nearer to zero
      return static_cast<uint16_t>(sign);
    shift = 126u - (magnitude >> 23);
    significand = (magnitude & 0x7fffffu) | 0x800000u;
    bias = 0;
  }
  significand -= bias;
  uint32_t half = significand >> shift;
  uint32_t rest = significand & ((1u << shift) - 1u);
  uint32_t tie = 1u << (shift - 1);
  if (rest > tie || (rest == tie && (half & 1u)))
    ++half;
  return static_cast<uint16_t>(sign | half);
}

inline float fromF16(uint16_t half) {
  uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
  uint32_t magnitude = half & 0x7fffu;
  if (magnitude >= 0x7c00u)
    return floatOf(sign | 0x7f800000u | ((magnitude & 0x3ffu) << 13));
  if (magnitude >= 0x400u)
    return floatOf(sign | ((magnitude << 13) + (112u << 23)));
  float value = static_cast<float>(magnitude) * 0x1p-24f;
  return sign ? -value : value;
}

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_CORE_HALF_H
