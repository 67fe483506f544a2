// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers in PyTorch's order.
#ifndef GRAPHC_DATA_GENERATOR_HPP
#define GRAPHC_DATA_GENERATOR_HPP

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "graphc/data.h"
#include "graphc/error.hpp"

namespace graphc {

/// A stream of random numbers in PyTorch's order.
class Generator {
public:
  explicit Generator(uint64_t seed) {
    graphc_generator *generator = nullptr;
    check(graphc_generator_create(seed, &generator));
    generator_.reset(generator);
  }

  graphc_generator *get() const { return generator_.get(); }
  void reseed(uint64_t seed) { graphc_generator_reseed(get(), seed); }
  uint32_t random() { return graphc_generator_random(get()); }
  int64_t randomInt64() { return graphc_generator_random_i64(get()); }

  void uniform(const graphc_tensor &tensor, double lo = 0, double hi = 1) {
    check(graphc_generator_uniform(get(), &tensor, lo, hi));
  }
  void normal(const graphc_tensor &tensor, double mean = 0,
              double standardDeviation = 1) {
    check(graphc_generator_normal(get(), &tensor, mean, standardDeviation));
  }
  void integers(const graphc_tensor &tensor, int64_t lo, int64_t hi) {
    check(graphc_generator_integers(get(), &tensor, lo, hi));
  }
  std::vector<int64_t> permutation(int64_t count) {
    if (count < 0)
      throw Error(GRAPHC_INVALID_ARGUMENT,
                  "expects a count of 0 or more, but got " +
                      std::to_string(count));
    std::vector<int64_t> order(static_cast<size_t>(count));
    check(graphc_generator_permutation(get(), count, order.data()));
    return order;
  }

private:
  struct Destroy {
    void operator()(graphc_generator *generator) const {
      graphc_generator_destroy(generator);
    }
  };
  std::unique_ptr<graphc_generator, Destroy> generator_;
};

} // namespace graphc

#endif // GRAPHC_DATA_GENERATOR_HPP
