// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the primitives of a region to the nests of its kernel.
#ifndef GRAPHC_PASSES_LOWERKERNEL_PLANNER_H
#define GRAPHC_PASSES_LOWERKERNEL_PLANNER_H

#include "dialects/Graph/IR/Graph.h"
#include "passes/LowerKernel/Nest.h"

namespace graphc::kernel {

/// Replaces the composites in `fused` by primitives, and constants that are no
/// splat by operands. Fails with a diagnostic on a value, or a result to store,
/// that is larger than a tensor may be.
mlir::LogicalResult decomposeRegion(graph::FusedOp fused);

/// Fills `kernel` with the nests that compute `fused`, a region of primitives.
/// Fails with a diagnostic on an op that has no kernel, and on a workspace that
/// is larger than a tensor may be.
mlir::LogicalResult planKernel(graph::FusedOp fused, Kernel &kernel);

} // namespace graphc::kernel

#endif // GRAPHC_PASSES_LOWERKERNEL_PLANNER_H
