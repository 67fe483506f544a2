// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_RUNTIME_DATA_SHAPE_H
#define GRAPHC_RUNTIME_DATA_SHAPE_H

#include <cstdint>
#include <optional>
#include <vector>

namespace graphc::runtime {

/// Bytes of an array of elements of `unit` bytes. Nothing if a dimension is
/// negative or if the product, zero dimensions left out, exceeds an int64_t.
inline std::optional<uint64_t> arrayBytes(const std::vector<int64_t> &shape,
                                          uint64_t unit) {
  uint64_t product = unit;
  bool empty = false;
  for (int64_t dim : shape) {
    if (dim < 0)
      return std::nullopt;
    if (dim == 0)
      empty = true;
    else if (__builtin_mul_overflow(product, static_cast<uint64_t>(dim),
                                    &product) ||
             product > INT64_MAX)
      return std::nullopt;
  }
  return empty ? 0 : product;
}

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_DATA_SHAPE_H
