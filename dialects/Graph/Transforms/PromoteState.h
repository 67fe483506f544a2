// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the state of a function functional. Used by the promote-state pass, and
// by Autodiff on the functions it differentiates.
#ifndef GRAPHC_DIALECTS_GRAPH_TRANSFORMS_PROMOTESTATE_H
#define GRAPHC_DIALECTS_GRAPH_TRANSFORMS_PROMOTESTATE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace graphc::graph {

/// Leaves at most one graph.get of each variable, before all other ops, and at
/// most one graph.set, after them; a graph.get in between becomes the value set
/// last. A variable that a graph.for sets is carried by it. Expects no calls.
void promoteState(mlir::func::FuncOp function);

} // namespace graphc::graph

#endif // GRAPHC_DIALECTS_GRAPH_TRANSFORMS_PROMOTESTATE_H
