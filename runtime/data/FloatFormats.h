// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How draws of each element type compute: `round` gives back a value of the
// type, held in Compute, and `step` is the type of the intermediate values of a
// formula. PyTorch's bf16 rounds after every operation, its f16 only when it
// stores.
#ifndef GRAPHC_RUNTIME_DATA_FLOATFORMATS_H
#define GRAPHC_RUNTIME_DATA_FLOATFORMATS_H

#include <cstdint>

#include "runtime/core/Half.h"

#define GRAPHC_INLINE [[gnu::always_inline]] static inline

namespace graphc::runtime {

struct F64 {
  using Storage = double;
  using Compute = double;
  static constexpr int digits = 53; // of the significand
  GRAPHC_INLINE Compute round(double value) { return value; }
  GRAPHC_INLINE Compute step(double value) { return value; }
  GRAPHC_INLINE Storage store(Compute value) { return value; }
  GRAPHC_INLINE Compute load(Storage value) { return value; }
};

struct F32 {
  using Storage = float;
  using Compute = float;
  static constexpr int digits = 24;
  GRAPHC_INLINE Compute round(double value) {
    return static_cast<float>(value);
  }
  GRAPHC_INLINE Compute step(double value) { return static_cast<float>(value); }
  GRAPHC_INLINE Storage store(Compute value) { return value; }
  GRAPHC_INLINE Compute load(Storage value) { return value; }
};

struct F16 {
  using Storage = uint16_t;
  using Compute = float;
  static constexpr int digits = 11;
  GRAPHC_INLINE Storage store(Compute value) { return toF16(value); }
  GRAPHC_INLINE Compute load(Storage value) { return fromF16(value); }
  GRAPHC_INLINE Compute step(double value) { return static_cast<float>(value); }
  GRAPHC_INLINE Compute round(double value) { return load(store(step(value))); }
};

struct Bf16 {
  using Storage = uint16_t;
  using Compute = float;
  static constexpr int digits = 8;
  GRAPHC_INLINE Storage store(Compute value) { return toBf16(value); }
  GRAPHC_INLINE Compute load(Storage value) { return fromBf16(value); }
  GRAPHC_INLINE Compute round(double value) {
    return load(store(static_cast<float>(value)));
  }
  GRAPHC_INLINE Compute step(double value) { return round(value); }
};

} // namespace graphc::runtime

#undef GRAPHC_INLINE

#endif // GRAPHC_RUNTIME_DATA_FLOATFORMATS_H
