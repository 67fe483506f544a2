// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module's functions as a drawing for graphviz.
#ifndef GRAPHC_LIB_ANALYSIS_GRAPHDOT_H
#define GRAPHC_LIB_ANALYSIS_GRAPHDOT_H

#include "mlir/IR/BuiltinOps.h"

namespace graphc {

/// Writes one digraph: a cluster for each function with a body, one in it for
/// each graph.fused and each loop; a node for each op, an edge for each use,
/// labelled with the tensor's type.
void printDot(mlir::ModuleOp module, llvm::raw_ostream &os);

} // namespace graphc

#endif // GRAPHC_LIB_ANALYSIS_GRAPHDOT_H
