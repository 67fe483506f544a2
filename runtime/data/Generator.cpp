// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/data/Generator.h"

#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>

#include "runtime/core/Half.h"

namespace graphc::runtime {
namespace {

constexpr double kTwoPi = 6.283185307179586476925286766559;

// How each element type computes: `round` gives back a value of the type, held
// in Compute, and `step` is the type of the intermediate values of a formula.
// PyTorch's bf16 rounds after every operation, its f16 only when it stores.
struct F64 {
  using Storage = double;
  using Compute = double;
  static constexpr int digits = 53; // of the significand
  static Compute round(double value) { return value; }
  static Compute step(double value) { return value; }
  static Storage store(Compute value) { return value; }
  static Compute load(Storage value) { return value; }
};
struct F32 {
  using Storage = float;
  using Compute = float;
  static constexpr int digits = 24;
  static Compute round(double value) { return static_cast<float>(value); }
  static Compute step(double value) { return static_cast<float>(value); }
  static Storage store(Compute value) { return value; }
  static Compute load(Storage value) { return value; }
};
struct F16 {
  using Storage = uint16_t;
  using Compute = float;
  static constexpr int digits = 11;
  static Storage store(Compute value) { return toF16(value); }
  static Compute load(Storage value) { return fromF16(value); }
  static Compute step(double value) { return static_cast<float>(value); }
  static Compute round(double value) { return load(store(step(value))); }
};
struct Bf16 {
  using Storage = uint16_t;
  using Compute = float;
  static constexpr int digits = 8;
  static Storage store(Compute value) { return toBf16(value); }
  static Compute load(Storage value) { return fromBf16(value); }
  static Compute round(double value) {
    return load(store(static_cast<float>(value)));
  }
  static Compute step(double value) { return round(value); }
};

/// value * scale + offset. PyTorch's builds fuse the two for f32 and f64; said
/// here, it holds for every compiler and machine.
template <class T>
typename T::Compute scale(typename T::Compute value, typename T::Compute scale,
                          typename T::Compute offset) {
  if (std::is_same<T, Bf16>::value)
    return T::step(T::step(value * scale) + offset);
  return std::fma(value, scale, offset);
}

/// Turns 16 uniform values into 16 normal ones: pairs (j, j + 8), Box-Muller.
/// Logarithm, sine and cosine go through double so that f32 and below do not
/// depend on the machine's libm variant.
template <class T>
void boxMuller16(typename T::Storage *data, typename T::Compute mean,
                 typename T::Compute stddev) {
  using Compute = typename T::Compute;
  for (int j = 0; j < 8; ++j) {
    Compute u1 = T::round(1 - T::load(data[j])); // (0, 1], for the logarithm
    Compute u2 = T::load(data[j + 8]);
    Compute logU1 = T::step(std::log(static_cast<double>(u1)));
    Compute radius = T::round(std::sqrt(T::step(-2 * logU1)));
    Compute theta = T::round(kTwoPi * u2);
    auto finish = [&](double unit) {
      Compute value = T::step(radius * T::step(unit));
      return T::store(scale<T>(value, stddev, mean));
    };
    data[j] = finish(std::cos(static_cast<double>(theta)));
    data[j + 8] = finish(std::sin(static_cast<double>(theta)));
  }
}

} // namespace

void Generator::reseed(uint64_t seed) {
  seed_ = seed;
  engine_.seed(static_cast<uint32_t>(seed));
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
void Generator::fillUniform(double lo, double hi, typename T::Storage *out,
                            size_t count) {
  using Compute = typename T::Compute;
  constexpr uint64_t mask = (uint64_t{1} << T::digits) - 1;
  constexpr Compute unit = Compute{1} / (uint64_t{1} << T::digits);
  Compute from = T::round(lo);
  Compute span = T::round(T::round(hi) - from);
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits = T::digits > 32 ? random64() : random();
    Compute x = static_cast<Compute>(bits & mask) * unit;
    out[i] = T::store(std::fma(x, span, from));
  }
}

double Generator::nextNormal(double mean, double stddev) {
  double unit = cachedNormal_;
  if (!hasCachedNormal_) {
    double u1, u2;
    fillUniform<F64>(0, 1, &u1, 1);
    fillUniform<F64>(0, 1, &u2, 1);
    double radius = std::sqrt(-2 * std::log1p(-u2));
    double theta = kTwoPi * u1;
    cachedNormal_ = radius * std::sin(theta);
    unit = radius * std::cos(theta);
  }
  hasCachedNormal_ = !hasCachedNormal_;
  return std::fma(unit, stddev, mean);
}

template <class T>
void Generator::fillNormal(double mean, double stddev, typename T::Storage *out,
                           size_t count) {
  if (count < 16) {
    for (size_t i = 0; i < count; ++i)
      out[i] = T::store(T::round(nextNormal(mean, stddev)));
    return;
  }
  auto roundedMean = T::round(mean), roundedStddev = T::round(stddev);
  fillUniform<T>(0, 1, out, count);
  for (size_t i = 0; i + 16 <= count; i += 16)
    boxMuller16<T>(out + i, roundedMean, roundedStddev);
  if (count % 16 == 0)
    return;
  // The tail is a whole block of new draws that overlaps the one before it.
  fillUniform<T>(0, 1, out + count - 16, 16);
  boxMuller16<T>(out + count - 16, roundedMean, roundedStddev);
}

void Generator::uniform(graphc_dtype dtype, double lo, double hi, void *out,
                        size_t count) {
  switch (dtype) {
  case GRAPHC_DTYPE_F64:
    return fillUniform<F64>(lo, hi, static_cast<double *>(out), count);
  case GRAPHC_DTYPE_F32:
    return fillUniform<F32>(lo, hi, static_cast<float *>(out), count);
  case GRAPHC_DTYPE_F16:
    return fillUniform<F16>(lo, hi, static_cast<uint16_t *>(out), count);
  case GRAPHC_DTYPE_BF16:
    return fillUniform<Bf16>(lo, hi, static_cast<uint16_t *>(out), count);
  default:
    return;
  }
}

void Generator::normal(graphc_dtype dtype, double mean, double stddev,
                       void *out, size_t count) {
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
