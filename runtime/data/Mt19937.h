// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_RUNTIME_DATA_MT19937_H
#define GRAPHC_RUNTIME_DATA_MT19937_H

#include <cstddef>
#include <cstdint>

namespace graphc::runtime {

/// The stream of std::mt19937, made a state at a time, in loops that vectorise.
class Mt19937 {
public:
  explicit Mt19937(uint32_t seed = 5489) { reseed(seed); }
  void reseed(uint32_t seed);

  uint32_t next() {
    if (used == kWords)
      refill();
    return words[used++];
  }

  /// The next `count` numbers.
  void fill(uint32_t *out, size_t count);

private:
  static constexpr size_t kWords = 624;

  void refill();

  uint32_t state[kWords];
  uint32_t words[kWords]; // What the state gives; the first `used` are taken.
  size_t used;
};

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_DATA_MT19937_H
