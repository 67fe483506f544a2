// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/data/Generator.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "runtime/cpu/CpuFeatures.h"
#include "runtime/cpu/FloatControl.h"
#include "runtime/data/Draws.h"
#include "runtime/data/Elementary.h"
#include "runtime/data/FloatFormats.h"

namespace graphc::runtime {
namespace {

constexpr size_t kBlock = 16; // Normal values that are drawn together.

} // namespace

void Generator::reseed(uint64_t seed) {
  seed_ = seed;
  engine_.reseed(static_cast<uint32_t>(seed));
  hasCachedNormal_ = false;
}

uint64_t Generator::random64() {
  uint64_t high = random();
  return high << 32 | random();
}

int64_t Generator::randomInt64() {
  return static_cast<int64_t>(random64() & INT64_MAX);
}

template <class T>
void Generator::fillUniform(typename T::Compute from, typename T::Compute span,
                            typename T::Storage *out, size_t count) {
  constexpr size_t maxPart = 1024;
  uint32_t words[maxPart * Draws<T>::words];
  const Draws<T> &draws = drawsFor<T>(cpuFeatures());
  for (size_t done = 0; done < count;) {
    size_t part = std::min(count - done, maxPart);
    engine_.fill(words, part * Draws<T>::words);
    draws.uniform(words, from, span, out + done, part);
    done += part;
  }
}

double Generator::nextNormal(double mean, double stddev) {
  double unit = cachedNormal_;
  if (!hasCachedNormal_) {
    double u1, u2;
    fillUniform<F64>(0, 1, &u1, 1);
    fillUniform<F64>(0, 1, &u2, 1);
    // 1 - u2 is exact: the numbers are multiples of 2^-53.
    double radius = std::sqrt(-2 * elementary::log(1 - u2));
    elementary::SinCos direction = elementary::sinCos(elementary::kTwoPi * u1);
    cachedNormal_ = radius * direction.sin;
    unit = radius * direction.cos;
  }
  hasCachedNormal_ = !hasCachedNormal_;
  return std::fma(unit, stddev, mean);
}

template <class T>
void Generator::fillNormal(double mean, double stddev, typename T::Storage *out,
                           size_t count) {
  if (count < kBlock) {
    for (size_t i = 0; i < count; ++i)
      out[i] = T::store(T::round(nextNormal(mean, stddev)));
    return;
  }
  const Draws<T> &draws = drawsFor<T>(cpuFeatures());
  auto roundedMean = T::round(mean), roundedStddev = T::round(stddev);
  // In parts that stay in the cache between the two.
  constexpr size_t maxPart = 4096;
  for (size_t done = 0; done < count;) {
    size_t part = std::min(count - done, maxPart);
    fillUniform<T>(0, 1, out + done, part);
    draws.normal(out + done, roundedMean, roundedStddev, part / kBlock);
    done += part;
  }
  if (count % kBlock == 0)
    return;
  // The tail is a whole block of new draws that overlaps the one before it.
  out += count - kBlock;
  fillUniform<T>(0, 1, out, kBlock);
  draws.normal(out, roundedMean, roundedStddev, 1);
}

template <class T>
void Generator::fillRange(double lo, double hi, typename T::Storage *out,
                          size_t count) {
  auto from = T::round(lo);
  fillUniform<T>(from, T::round(T::round(hi) - from), out, count);
}

void Generator::uniform(graphc_dtype dtype, double lo, double hi, void *out,
                        size_t count) {
  DefaultFloatControl floatControl;
  switch (dtype) {
  case GRAPHC_DTYPE_F64:
    return fillRange<F64>(lo, hi, static_cast<double *>(out), count);
  case GRAPHC_DTYPE_F32:
    return fillRange<F32>(lo, hi, static_cast<float *>(out), count);
  case GRAPHC_DTYPE_F16:
    return fillRange<F16>(lo, hi, static_cast<uint16_t *>(out), count);
  case GRAPHC_DTYPE_BF16:
    return fillRange<Bf16>(lo, hi, static_cast<uint16_t *>(out), count);
  default:
    return;
  }
}

void Generator::normal(graphc_dtype dtype, double mean, double stddev,
                       void *out, size_t count) {
  DefaultFloatControl floatControl;
  switch (dtype) {
  case GRAPHC_DTYPE_F64:
    return fillNormal<F64>(mean, stddev, static_cast<double *>(out), count);
  case GRAPHC_DTYPE_F32:
    return fillNormal<F32>(mean, stddev, static_cast<float *>(out), count);
  case GRAPHC_DTYPE_F16:
    return fillNormal<F16>(mean, stddev, static_cast<uint16_t *>(out), count);
  case GRAPHC_DTYPE_BF16:
    return fillNormal<Bf16>(mean, stddev, static_cast<uint16_t *>(out), count);
  default:
    return;
  }
}

void Generator::randperm(int64_t count, int64_t *out) {
  std::iota(out, out + (count > 0 ? count : 0), int64_t{0});
  if (count < static_cast<int64_t>(UINT32_MAX / 20)) {
    for (int64_t i = 0; i + 1 < count; ++i)
      std::swap(out[i], out[i + random() % (count - i)]);
    return;
  }
  // A 32-bit draw modulo so large a number would not be uniform: PyTorch then
  // shuffles inside out, with 64 bits a draw.
  for (int64_t i = 0; i < count; ++i) {
    auto j = static_cast<int64_t>(random64() % static_cast<uint64_t>(i + 1));
    out[i] = out[j];
    out[j] = i;
  }
}

} // namespace graphc::runtime
