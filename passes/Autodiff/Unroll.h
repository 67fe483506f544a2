// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_AUTODIFF_UNROLL_H
#define GRAPHC_PASSES_AUTODIFF_UNROLL_H

#include "dialects/Graph/IR/Graph.h"
#include "passes/Autodiff/OpBudget.h"

namespace graphc {

/// What the loops of one function may unroll to, together.
struct UnrollLimit {
  int64_t maxOps;
  int64_t made = 0; // so far

  bool allows(graph::ForOp loop) const;
};

/// Replaces `loop` by one copy of its body for each iteration, if `limit` still
/// allows it. An error if that is above `budget`.
mlir::LogicalResult unroll(graph::ForOp loop, UnrollLimit &limit,
                           OpBudget &budget);

} // namespace graphc

#endif // GRAPHC_PASSES_AUTODIFF_UNROLL_H
