// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders of samples. A sampler has `int64_t size()` and
// `std::vector<int64_t> epoch()`, which gives the order of one epoch.
#ifndef GRAPHC_DATA_SAMPLER_HPP
#define GRAPHC_DATA_SAMPLER_HPP

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "graphc/data/generator.hpp"
#include "graphc/error.hpp"

namespace graphc {

namespace detail {
inline int64_t checkedSampleCount(int64_t size) {
  if (size < 0)
    throw Error(GRAPHC_INVALID_ARGUMENT,
                "expects a number of samples of 0 or more, but got " +
                    std::to_string(size));
  return size;
}
} // namespace detail

class SequentialSampler {
public:
  explicit SequentialSampler(int64_t size)
      : size_(detail::checkedSampleCount(size)) {}
  int64_t size() const { return size_; }
  std::vector<int64_t> epoch() {
    std::vector<int64_t> order(static_cast<size_t>(size_));
    std::iota(order.begin(), order.end(), int64_t{0});
    return order;
  }

private:
  int64_t size_;
};

/// Shuffles as torch.utils.data.RandomSampler does without a generator of its
/// own, drawing each epoch's seed from `generator`, which must outlive it.
class RandomSampler {
public:
  RandomSampler(int64_t size, Generator &generator)
      : size_(detail::checkedSampleCount(size)), generator_(&generator) {}
  int64_t size() const { return size_; }
  std::vector<int64_t> epoch() {
    Generator own(static_cast<uint64_t>(generator_->randomInt64()));
    return own.permutation(size_);
  }

private:
  int64_t size_;
  Generator *generator_;
};

/// Groups another sampler's order into batches.
template <class Sampler> class BatchSampler {
public:
  BatchSampler(Sampler sampler, int64_t batchSize, bool dropLast)
      : sampler_(std::move(sampler)), batchSize_(batchSize),
        dropLast_(dropLast) {
    if (batchSize < 1)
      throw Error(GRAPHC_INVALID_ARGUMENT,
                  "expects a batch size of 1 or more, but got " +
                      std::to_string(batchSize));
  }
  /// Batches in one epoch.
  int64_t size() const {
    int64_t whole = sampler_.size() / batchSize_;
    bool ragged = sampler_.size() % batchSize_ != 0;
    return whole + (ragged && !dropLast_);
  }
  std::vector<std::vector<int64_t>> epoch() {
    std::vector<int64_t> order = sampler_.epoch();
    std::vector<std::vector<int64_t>> batches;
    auto at = order.begin();
    for (int64_t left = size(); left > 0; --left) {
      auto end = at + std::min(batchSize_, std::distance(at, order.end()));
      batches.emplace_back(at, end);
      at = end;
    }
    return batches;
  }

private:
  Sampler sampler_;
  int64_t batchSize_;
  bool dropLast_;
};

} // namespace graphc

#endif // GRAPHC_DATA_SAMPLER_HPP
