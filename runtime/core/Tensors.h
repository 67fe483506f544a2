// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host tensors: what a caller may pass, and copies between layouts.
#ifndef GRAPHC_RUNTIME_CORE_TENSORS_H
#define GRAPHC_RUNTIME_CORE_TENSORS_H

#include <cstdint>

#include "graphc/abi/model_abi.h"
#include "graphc/runtime.h"

namespace graphc::runtime {

/// Names a tensor in messages without making a string of it: "input 0 ('x') of
/// @step".
struct TensorName {
  const char *kind; // "input", "output", "variable"
  int64_t index;    // -1: none
  const char *name;
  const char *function; // May be null.
};

/// Throws INVALID_ARGUMENT unless `tensor` has the dtype and shape of `type`.
/// Its data may be NULL if `mayLackData`.
void checkTensor(const TensorName &name, const graphc_abi_type &type,
                 const graphc_tensor &tensor, bool mayLackData = false);

bool hasType(const graphc_tensor &tensor, const graphc_abi_type &type);
bool isRowMajor(const graphc_tensor &tensor);
bool isElementAligned(const graphc_tensor &tensor);

/// Throws INVALID_ARGUMENT unless `tensor` can be used in place.
void checkZeroCopy(const TensorName &name, const graphc_tensor &tensor);

/// Copies elements between a strided tensor and row-major bytes. Allocates
/// nothing.
void gather(const graphc_tensor &from, void *rowMajor);
void scatter(const void *rowMajor, const graphc_tensor &to);

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_CORE_TENSORS_H
