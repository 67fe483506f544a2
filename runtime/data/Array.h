// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_RUNTIME_DATA_ARRAY_H
#define GRAPHC_RUNTIME_DATA_ARRAY_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "graphc/data.h"
#include "runtime/core/Tensors.h"

/// See graphc/data.h. Zero-size arrays have memory too, of no bytes.
struct graphc_array {
  /// Zeros. Fails for an invalid dtype, negative dimensions, rank above 16.
  graphc_array(graphc_dtype dtype, std::vector<int64_t> shape);

  graphc_tensor tensor() const;

  graphc_dtype dtype;
  std::vector<int64_t> shape;
  uint64_t bytes = 0;
  std::unique_ptr<void, void (*)(void *)> data;
};

namespace graphc::runtime {

constexpr size_t kMaxRank = 16;

/// Fails if `tensor` cannot be read: null, bad dtype, rank or shape, no data.
void checkTensor(const graphc_tensor *tensor, const char *what);

/// Bytes of the elements of a checked tensor, strides aside.
uint64_t tensorBytes(const graphc_tensor &tensor);

/// Element-wise conversion by the rules of graphc_array_convert().
void convert(graphc_dtype from, const void *source, graphc_dtype to, void *out,
             size_t count);

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_DATA_ARRAY_H
