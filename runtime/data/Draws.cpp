// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/data/Draws.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "graphc/abi/model_abi.h"
#include "runtime/data/Elementary.h"
#include "runtime/data/FloatFormats.h"

namespace graphc::runtime {
namespace {

constexpr size_t kBlock = 16, kHalf = kBlock / 2;

/// a * b + c, rounded once. `hasFma`: this function's CPU has an instruction.
template <bool hasFma, class Compute>
[[gnu::always_inline]] inline Compute multiplyAdd(Compute a, Compute b,
                                                  Compute c) {
  if constexpr (!hasFma && std::is_same_v<Compute, float>)
    return elementary::multiplyAdd(a, b, c);
  else
    return std::fma(a, b, c);
}

template <class T, bool hasFma>
[[gnu::always_inline]] inline void
uniform(const uint32_t *words, typename T::Compute from,
        typename T::Compute span, typename T::Storage *out, size_t count) {
  using Compute = typename T::Compute;
  constexpr uint64_t mask = (uint64_t{1} << T::digits) - 1;
  constexpr Compute unit = Compute{1} / (uint64_t{1} << T::digits);
  for (size_t i = 0; i < count; ++i) {
    Compute x;
    if constexpr (Draws<T>::words == 2) {
      uint64_t bits = uint64_t{words[2 * i]} << 32 | words[2 * i + 1];
      x = static_cast<Compute>(static_cast<int64_t>(bits & mask)) * unit;
    } else {
      x = static_cast<Compute>(static_cast<int32_t>(words[i] & mask)) * unit;
    }
    out[i] = T::store(multiplyAdd<hasFma>(x, span, from));
  }
}

/// PyTorch's builds fuse the scale and the offset for f32 and f64; said here,
/// it holds for every compiler and machine.
template <class T, bool hasFma>
[[gnu::always_inline]] inline typename T::Compute
scale(typename T::Compute value, typename T::Compute scale,
      typename T::Compute offset) {
  if constexpr (std::is_same_v<T, Bf16>)
    return T::step(T::step(value * scale) + offset);
  else
    return multiplyAdd<hasFma>(value, scale, offset);
}

/// Logarithm, sine and cosine go through f64, so that f32 and below are those
/// of the exact functions but where they come within 1e-16 of a tie.
template <class T, bool hasFma>
[[gnu::always_inline]] inline void
normal(typename T::Storage *data, typename T::Compute mean,
       typename T::Compute deviation, size_t blocks) {
  using Compute = typename T::Compute;
  constexpr size_t kGroup = 16; // Blocks.
  Compute a[kGroup * kHalf], b[kGroup * kHalf];
  for (; blocks != 0;) {
    const size_t group = std::min(blocks, kGroup), pairs = group * kHalf;
    for (size_t i = 0; i < group; ++i)
      for (size_t j = 0; j < kHalf; ++j) {
        a[i * kHalf + j] = T::load(data[i * kBlock + j]);
        b[i * kHalf + j] = T::load(data[i * kBlock + kHalf + j]);
      }
    for (size_t i = 0; i < pairs; ++i) {
      Compute u = T::round(1 - a[i]); // (0, 1], for the logarithm
      Compute logU = T::step(elementary::log(u));
      a[i] = T::round(std::sqrt(T::step(-2 * logU)));
    }
    for (size_t i = 0; i < pairs; ++i) {
      Compute angle = T::round(elementary::kTwoPi * b[i]);
      elementary::SinCos unit = elementary::sinCos(angle);
      Compute x = T::step(a[i] * T::step(unit.cos));
      Compute y = T::step(a[i] * T::step(unit.sin));
      a[i] = scale<T, hasFma>(x, deviation, mean);
      b[i] = scale<T, hasFma>(y, deviation, mean);
    }
    for (size_t i = 0; i < group; ++i)
      for (size_t j = 0; j < kHalf; ++j) {
        data[i * kBlock + j] = T::store(a[i * kHalf + j]);
        data[i * kBlock + kHalf + j] = T::store(b[i * kHalf + j]);
      }
    data += group * kBlock;
    blocks -= group;
  }
}

#if defined(__x86_64__)
constexpr bool kBaselineHasFma = false;
#else
constexpr bool kBaselineHasFma = true;
#endif

template <class T>
void uniformV1(const uint32_t *words, typename T::Compute from,
               typename T::Compute span, typename T::Storage *out,
               size_t count) {
  uniform<T, kBaselineHasFma>(words, from, span, out, count);
}

template <class T>
void normalV1(typename T::Storage *data, typename T::Compute mean,
              typename T::Compute deviation, size_t blocks) {
  normal<T, kBaselineHasFma>(data, mean, deviation, blocks);
}

#if defined(__x86_64__)
template <class T>
__attribute__((target("avx2,fma"))) void
uniformV3(const uint32_t *words, typename T::Compute from,
          typename T::Compute span, typename T::Storage *out, size_t count) {
  uniform<T, true>(words, from, span, out, count);
}

template <class T>
__attribute__((target("avx2,fma"))) void
normalV3(typename T::Storage *data, typename T::Compute mean,
         typename T::Compute deviation, size_t blocks) {
  normal<T, true>(data, mean, deviation, blocks);
}
#endif

} // namespace

template <class T>
const Draws<T> &drawsFor([[maybe_unused]] uint64_t features) {
#if defined(__x86_64__)
  static constexpr Draws<T> v3 = {uniformV3<T>, normalV3<T>};
  if (features & GRAPHC_ABI_X86_V3)
    return v3;
#endif
  static constexpr Draws<T> v1 = {uniformV1<T>, normalV1<T>};
  return v1;
}

template const Draws<F64> &drawsFor<F64>(uint64_t);
template const Draws<F32> &drawsFor<F32>(uint64_t);
template const Draws<F16> &drawsFor<F16>(uint64_t);
template const Draws<Bf16> &drawsFor<Bf16>(uint64_t);

} // namespace graphc::runtime
