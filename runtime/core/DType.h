// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes, texts and conversions of element types and shapes.
#ifndef GRAPHC_RUNTIME_CORE_DTYPE_H
#define GRAPHC_RUNTIME_CORE_DTYPE_H

#include <cstddef>
#include <cstdint>
#include <string>

#include "graphc/abi/model_abi.h"
#include "graphc/dtype.h"

namespace graphc::runtime {

bool isValidDType(uint32_t dtype);
bool isFloatDType(uint32_t dtype);

/// Bytes of an array of elements of `unit` bytes into `outBytes`. False if a
/// dim is negative or the size, dims of 0 left out, does not fit in 63 bits:
/// the rule of file formats.
bool arrayBytes(uint64_t unit, uint32_t rank, const int64_t *shape,
                uint64_t &outBytes);

/// Bytes of a row-major tensor into `outBytes`. False if a dim is negative or
/// the size does not fit in 63 bits; beside a dim of 0 others may be of any
/// size.
bool tensorBytes(uint32_t dtype, uint32_t rank, const int64_t *shape,
                 uint64_t &outBytes);

/// The same for a type that has been checked.
inline uint64_t bytesOf(const graphc_abi_type &type) {
  uint64_t bytes = 0;
  tensorBytes(type.dtype, type.rank, type.dims, bytes);
  return bytes;
}

/// "tensor<8x2xf32>", as the IR prints it.
std::string typeText(uint32_t dtype, uint32_t rank, const int64_t *shape);

inline std::string typeText(const graphc_abi_type &type) {
  return typeText(type.dtype, type.rank, type.dims);
}

/// "[8, 2]"
std::string listText(const int64_t *values, size_t count);

/// Stores `value` rounded once (ties to even) to float type `dtype`.
void storeFloat(graphc_dtype dtype, double value, void *out);

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_CORE_DTYPE_H
