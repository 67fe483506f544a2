// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose gradient an op computes, as its location remembers it.
#ifndef GRAPHC_DIALECTS_GRAPH_IR_GRADIENTLOC_H
#define GRAPHC_DIALECTS_GRAPH_IR_GRADIENTLOC_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"

namespace graphc::graph {

/// `loc`, the place of an op called `opName`, as that of an op in its gradient.
mlir::Location gradientLoc(mlir::Location loc, llvm::StringRef opName);

/// Remembers in `op`, and in what it holds, that it is in the gradient of
/// `forward`, and puts it into the region of precision that that is in.
void markGradient(mlir::Operation *op, mlir::Operation *forward);

/// The name of the op whose gradient the op at `loc` belongs to: "graph.log".
/// "" for an op of the forward pass or of the update.
llvm::StringRef gradientOf(mlir::Location loc);

/// "model.mlir:12:8", the innermost place in a file, without folders so that it
/// does not depend on where a model is compiled; "" if there is none.
std::string placeOf(mlir::Location loc);

} // namespace graphc::graph

#endif // GRAPHC_DIALECTS_GRAPH_IR_GRADIENTLOC_H
