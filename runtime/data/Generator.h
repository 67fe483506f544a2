// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers in the order in which PyTorch (1.13, CPU) draws them, so that
// a seed gives the initial weights and the shuffling a PyTorch user knows.
#ifndef GRAPHC_RUNTIME_DATA_GENERATOR_H
#define GRAPHC_RUNTIME_DATA_GENERATOR_H

#include <cstddef>
#include <cstdint>

#include "graphc/dtype.h"
#include "runtime/data/Mt19937.h"

namespace graphc::runtime {

/// One stream. Not thread safe; a copy goes on from the same place.
class Generator {
public:
  /// Only the low 32 bits of `seed` reach the engine, as in PyTorch.
  explicit Generator(uint64_t seed) { reseed(seed); }

  /// Starts the stream anew, as torch.manual_seed().
  void reseed(uint64_t seed);

  /// The seed this stream was started from, all 64 bits of it.
  uint64_t seed() const { return seed_; }

  uint32_t random() { return engine_.next(); }

  /// Two draws; the first gives the high half.
  uint64_t random64();

  /// A non-negative number of 63 bits: torch.empty((), dtype=int64).random_().
  int64_t randomInt64();

  /// Tensor.uniform_(lo, hi) of `count` elements. `dtype` is a float type and
  /// `out` has room for `count` of them.
  void uniform(graphc_dtype dtype, double lo, double hi, void *out,
               size_t count);

  /// Tensor.normal_(mean, std). From 16 elements on in blocks, below that from
  /// a cached pair, as PyTorch does it: 16 elements are not 8 and 8 more.
  /// f32 differs from PyTorch by a few ulp, where that uses vector logarithms,
  /// f64 in last bits, which there are libm's. Ours depend on no machine.
  void normal(graphc_dtype dtype, double mean, double stddev, void *out,
              size_t count);

  /// torch.randperm(count) into `out`.
  void randperm(int64_t count, int64_t *out);

private:
  Mt19937 engine_;
  uint64_t seed_ = 0;
  double cachedNormal_ = 0;
  bool hasCachedNormal_ = false;

  /// `from` and `span` are values of T.
  template <class T>
  void fillUniform(typename T::Compute from, typename T::Compute span,
                   typename T::Storage *out, size_t count);
  template <class T>
  void fillRange(double lo, double hi, typename T::Storage *out, size_t count);
  template <class T>
  void fillNormal(double mean, double stddev, typename T::Storage *out,
                  size_t count);
  double nextNormal(double mean, double stddev);
};

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_DATA_GENERATOR_H
