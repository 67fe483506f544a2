// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interpreter's tensors as the runtime's bytes, and back.
#ifndef GRAPHC_LIB_CHECK_HOSTTENSOR_H
#define GRAPHC_LIB_CHECK_HOSTTENSOR_H

#include "graphc/runtime.h"
#include "lib/Interpreter/Tensor.h"

#include <vector>

namespace graphc::check {

class HostTensor {
public:
  /// Filled with a pattern that no result is likely to be.
  explicit HostTensor(mlir::RankedTensorType type);
  HostTensor(const interpreter::Tensor &tensor);

  graphc_tensor view();
  interpreter::Tensor toTensor() const;

private:
  mlir::RankedTensorType type;
  std::vector<char> bytes;
};

} // namespace graphc::check

#endif // GRAPHC_LIB_CHECK_HOSTTENSOR_H
