// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/Numerics.h"

#include <cstring>
#include <limits>

#include "graphc/dtype.h"

namespace graphc::runtime {
namespace {

constexpr int64_t kBlock = 32; // Elements.

/// Whether one of kBlock elements is NaN or inf: a loop without exits, which
/// compilers turn into vector code.
template <class Bits>
bool hasAny(const unsigned char *data, Bits exponentMask) {
  Bits found = 0;
  for (int64_t i = 0; i < kBlock; ++i) {
    Bits element;
    std::memcpy(&element, data + static_cast<size_t>(i) * sizeof(Bits),
                sizeof(Bits));
    found = static_cast<Bits>(
        found | static_cast<Bits>((element & exponentMask) == exponentMask));
  }
  return found != 0;
}

/// Tests bits, not values: the same under any floating-point mode.
template <class Bits>
bool search(const void *data, uint64_t bytes, Bits exponentMask,
            NonFinite &out) {
  constexpr Bits signMask = Bits(Bits(1) << (sizeof(Bits) * 8 - 1));
  const auto *next = static_cast<const unsigned char *>(data);
  const auto count = static_cast<int64_t>(bytes / sizeof(Bits));
  int64_t first = 0;
  while (
      count - first >= kBlock &&
      !hasAny(next + static_cast<size_t>(first) * sizeof(Bits), exponentMask))
    first += kBlock;
  for (int64_t i = first; i < count; ++i) {
    Bits element;
    std::memcpy(&element, next + static_cast<size_t>(i) * sizeof(Bits),
                sizeof(Bits));
    if ((element & exponentMask) != exponentMask)
      continue;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    out.position = i;
    out.value = (element & ~(exponentMask | signMask)) != 0
                    ? std::numeric_limits<double>::quiet_NaN()
                : (element & signMask) ? -infinity
                                       : infinity;
    return true;
  }
  return false;
}

} // namespace

bool firstNonFinite(uint32_t dtype, const void *data, uint64_t bytes,
                    NonFinite &out) {
  switch (dtype) {
  case GRAPHC_DTYPE_F64:
    return search<uint64_t>(data, bytes, 0x7ff0000000000000u, out);
  case GRAPHC_DTYPE_F32:
    return search<uint32_t>(data, bytes, 0x7f800000u, out);
  case GRAPHC_DTYPE_F16:
    return search<uint16_t>(data, bytes, 0x7c00u, out);
  case GRAPHC_DTYPE_BF16:
    return search<uint16_t>(data, bytes, 0x7f80u, out);
  default:
    return false;
  }
}

} // namespace graphc::runtime
