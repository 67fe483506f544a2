// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel is called in messages and profiles.
#ifndef GRAPHC_PASSES_LOWERKERNEL_NAMEOPS_H
#define GRAPHC_PASSES_LOWERKERNEL_NAMEOPS_H

#include "dialects/Graph/IR/Graph.h"

namespace graphc {

/// "graph.mul" for a region of one op, constants aside. One of several names
/// each of them in order, with its place, for any of them may have made what a
/// message is about: "graph.exp (at model.mlir:5:10), graph.mul (gradient of
/// graph.exp at model.mlir:5:10)".
mlir::StringAttr nameOps(graph::FusedOp fused);

} // namespace graphc

#endif // GRAPHC_PASSES_LOWERKERNEL_NAMEOPS_H
