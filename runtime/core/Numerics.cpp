// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/Numerics.h"

#include <cstring>
#include <limits>
#include <type_traits>

#include "graphc/abi/model_abi.h"
#include "graphc/dtype.h"

namespace graphc::runtime {
namespace {

/// A float's bits: the type to load them as, and which are the exponent. All of
/// these set means NaN or inf; testing bits gives the same answer under any
/// floating-point mode.
struct F64Bits {
  using Bits = uint64_t;
  static constexpr Bits exponent = 0x7ff0000000000000u;
};
struct F32Bits {
  using Bits = uint32_t;
  static constexpr Bits exponent = 0x7f800000u;
};
struct F16Bits {
  using Bits = uint16_t;
  static constexpr Bits exponent = 0x7c00u;
};
struct BF16Bits {
  using Bits = uint16_t;
  static constexpr Bits exponent = 0x7f80u;
};

enum class Kind { NonFinite, Nan };

/// ORs into `found` what is non-zero if the vector at `data` has a hit. A macro,
/// since a function that takes or gives vectors would have another ABI at each
/// CPU level.
#define GRAPHC_LOOK(found, data)                                               \
  do {                                                                         \
    Vector loaded;                                                             \
    std::memcpy(&loaded, (data), sizeof(Vector));                              \
    if constexpr (kKind == Kind::NonFinite)                                    \
      (found) |= (Vector)((loaded & exponents) == exponents);                  \
    else /* Signed: vectors have no other comparison everywhere. */            \
      (found) |= (Vector)((Signed)(loaded & magnitudes) > (Signed)exponents);  \
  } while (false)

/// In vectors of `kVectorBytes`, without a branch on what is found: a hit is
/// rare, and a test per vector costs as much as the load. The last vector
/// overlaps the one before, so no remainder is done element by element.
template <class Float, Kind kKind, size_t kVectorBytes>
[[gnu::always_inline]] inline bool hasAny(const unsigned char *data,
                                          uint64_t bytes) {
  using Bits = typename Float::Bits;
  constexpr Bits magnitude = Bits(Bits(~Bits(0)) >> 1);
  if (bytes < kVectorBytes) {
    if constexpr (kVectorBytes > 16) {
      return hasAny<Float, kKind, kVectorBytes / 2>(data, bytes);
    } else {
      bool found = false;
      for (uint64_t at = 0; at < bytes; at += sizeof(Bits)) {
        Bits element;
        std::memcpy(&element, data + at, sizeof(Bits));
        element &= magnitude;
        found |= kKind == Kind::NonFinite ? element >= Float::exponent
                                          : element > Float::exponent;
      }
      return found;
    }
  } else {
    typedef Bits Vector __attribute__((vector_size(kVectorBytes)));
    typedef std::make_signed_t<Bits> Signed
        __attribute__((vector_size(kVectorBytes)));
    const Vector exponents = Vector{} + Float::exponent;
    [[maybe_unused]] const Vector magnitudes = Vector{} + magnitude;
    Vector found0 = {}, found1 = {}, found2 = {}, found3 = {};
    const unsigned char *const last = data + bytes - kVectorBytes;
    for (; last - data >= static_cast<int64_t>(3 * kVectorBytes);
         data += 4 * kVectorBytes) {
      GRAPHC_LOOK(found0, data);
      GRAPHC_LOOK(found1, data + kVectorBytes);
      GRAPHC_LOOK(found2, data + 2 * kVectorBytes);
      GRAPHC_LOOK(found3, data + 3 * kVectorBytes);
    }
    for (; data < last; data += kVectorBytes)
      GRAPHC_LOOK(found0, data);
    GRAPHC_LOOK(found1, last);
    found0 |= found1 | found2 | found3;
    uint64_t words[kVectorBytes / 8], any = 0;
    std::memcpy(words, &found0, kVectorBytes);
    for (uint64_t word : words)
      any |= word;
    return any != 0;
  }
}

#undef GRAPHC_LOOK

template <class Float, Kind kKind>
bool hasAnyV1(const void *data, uint64_t bytes) {
  return hasAny<Float, kKind, 16>(static_cast<const unsigned char *>(data),
                                  bytes);
}

#if defined(__x86_64__)
template <class Float, Kind kKind>
__attribute__((target("avx2"))) bool hasAnyV3(const void *data,
                                              uint64_t bytes) {
  return hasAny<Float, kKind, 32>(static_cast<const unsigned char *>(data),
                                  bytes);
}
#endif

template <class Float>
const NumericTests *chooseTests([[maybe_unused]] uint64_t features) {
#if defined(__x86_64__)
  static constexpr NumericTests v3 = {hasAnyV3<Float, Kind::NonFinite>,
                                      hasAnyV3<Float, Kind::Nan>};
  if (features & GRAPHC_ABI_X86_V3)
    return &v3;
#endif
  static constexpr NumericTests v1 = {hasAnyV1<Float, Kind::NonFinite>,
                                      hasAnyV1<Float, Kind::Nan>};
  return &v1;
}

template <class Float>
bool search(const void *data, uint64_t bytes, bool nanOnly, NonFinite &out) {
  using Bits = typename Float::Bits;
  constexpr Bits sign = Bits(Bits(1) << (sizeof(Bits) * 8 - 1));
  const auto *next = static_cast<const unsigned char *>(data);
  for (uint64_t at = 0; at < bytes; at += sizeof(Bits)) {
    Bits element;
    std::memcpy(&element, next + at, sizeof(Bits));
    const Bits magnitude = element & Bits(~sign);
    if (magnitude < Float::exponent ||
        (nanOnly && magnitude == Float::exponent))
      continue;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    out.position = static_cast<int64_t>(at / sizeof(Bits));
    out.value = magnitude != Float::exponent
                    ? std::numeric_limits<double>::quiet_NaN()
                : (element & sign) ? -infinity
                                   : infinity;
    return true;
  }
  return false;
}

} // namespace

const NumericTests *numericTests(uint32_t dtype, uint64_t features) {
  switch (dtype) {
  case GRAPHC_DTYPE_F64:
    return chooseTests<F64Bits>(features);
  case GRAPHC_DTYPE_F32:
    return chooseTests<F32Bits>(features);
  case GRAPHC_DTYPE_F16:
    return chooseTests<F16Bits>(features);
  case GRAPHC_DTYPE_BF16:
    return chooseTests<BF16Bits>(features);
  default:
    return nullptr;
  }
}

bool firstNonFinite(uint32_t dtype, const void *data, uint64_t bytes,
                    bool nanOnly, NonFinite &out) {
  switch (dtype) {
  case GRAPHC_DTYPE_F64:
    return search<F64Bits>(data, bytes, nanOnly, out);
  case GRAPHC_DTYPE_F32:
    return search<F32Bits>(data, bytes, nanOnly, out);
  case GRAPHC_DTYPE_F16:
    return search<F16Bits>(data, bytes, nanOnly, out);
  case GRAPHC_DTYPE_BF16:
    return search<BF16Bits>(data, bytes, nanOnly, out);
  default:
    return false;
  }
}

} // namespace graphc::runtime
