// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_AUTODIFF_OPBUDGET_H
#define GRAPHC_PASSES_AUTODIFF_OPBUDGET_H

#include "lib/Support/Inline/Inline.h"

namespace graphc {

/// How many ops the pass may still make. Nested gradients and nested loops
/// multiply: a page of text can ask for more ops than any machine holds, so
/// each copy is paid for before it is made.
class OpBudget {
public:
  explicit OpBudget(int64_t max) : max(max), left(max) {}

  /// Takes `ops` off. An error at `at` if that is more than is left.
  mlir::LogicalResult spend(mlir::Operation *at, int64_t ops) {
    if (ops > left)
      return at->emitOpError("expects at most ")
             << max << " ops once all gradients are expanded";
    left -= ops;
    return mlir::success();
  }

private:
  int64_t max, left;
};

/// The copySize() of all ops in `block`.
inline int64_t copySize(mlir::Block &block) {
  int64_t size = 0;
  block.walk([&](mlir::Operation *op) { size += copySize(op); });
  return size;
}

} // namespace graphc

#endif // GRAPHC_PASSES_AUTODIFF_OPBUDGET_H
