// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_AUTODIFF_UNROLL_H
#define GRAPHC_PASSES_AUTODIFF_UNROLL_H

#include "dialects/Graph/IR/Graph.h"

namespace graphc {

/// Replaces `loop` by one copy of its body for each iteration. An error if that
/// makes more than `maxOps` ops.
mlir::LogicalResult unroll(graph::ForOp loop, int64_t maxOps);

} // namespace graphc

#endif // GRAPHC_PASSES_AUTODIFF_UNROLL_H
