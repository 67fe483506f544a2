// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/IR/Sizes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace graphc::graph {

std::optional<int64_t> countWithoutZeros(ArrayRef<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    if (size != 0 &&
        (llvm::MulOverflow(count, size, count) || count > maxElements))
      return std::nullopt;
  return count;
}

LogicalResult checkInnerShape(Operation *op, StringRef what,
                              ArrayRef<int64_t> shape) {
  if (countWithoutZeros(shape))
    return success();
  return op->emitOpError("expects ")
         << what << " of at most " << maxElements
         << " elements, but got a shape of [" << shape << "]";
}

} // namespace graphc::graph
