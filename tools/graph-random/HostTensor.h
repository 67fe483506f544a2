// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interpreter's tensors as the runtime's bytes, and back.
#ifndef GRAPHC_TOOLS_GRAPH_RANDOM_HOSTTENSOR_H
#define GRAPHC_TOOLS_GRAPH_RANDOM_HOSTTENSOR_H

#include "graphc/runtime.h"
#include "lib/Interpreter/Tensor.h"

#include <vector>

namespace graphc::random {

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

} // namespace graphc::random

#endif // GRAPHC_TOOLS_GRAPH_RANDOM_HOSTTENSOR_H
