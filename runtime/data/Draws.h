// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From random bits to uniform values, and from those to normal ones: the same
// bits on every machine.
#ifndef GRAPHC_RUNTIME_DATA_DRAWS_H
#define GRAPHC_RUNTIME_DATA_DRAWS_H

#include <cstddef>
#include <cstdint>

namespace graphc::runtime {

/// T is one of the types of FloatFormats.h.
template <class T> struct Draws {
  /// Words that one value takes, the first being the high one.
  static constexpr size_t words = T::digits > 32 ? 2 : 1;

  /// Values of from + [0, 1) * span.
  void (*uniform)(const uint32_t *words, typename T::Compute from,
                  typename T::Compute span, typename T::Storage *out,
                  size_t count);

  /// Turns uniform values of [0, 1) into normal ones, where they are, in blocks
  /// of 16: pairs (j, j + 8), Box-Muller.
  void (*normal)(typename T::Storage *data, typename T::Compute mean,
                 typename T::Compute deviation, size_t blocks);
};

/// The fastest for a CPU with these cpuFeatures().
template <class T> const Draws<T> &drawsFor(uint64_t features);

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_DATA_DRAWS_H
