// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes that are not an op's own. MLIR lets any of them pass, and with
// them every misspelt option.
#ifndef GRAPHC_DIALECTS_GRAPH_IR_KNOWNATTRIBUTES_H
#define GRAPHC_DIALECTS_GRAPH_IR_KNOWNATTRIBUTES_H

#include "mlir/IR/Operation.h"

namespace graphc::graph {

/// The name of an argument or a result of a function.
inline constexpr llvm::StringLiteral kNameAttr = "graph.name";

/// Fails, with an error at `op`, if it has an attribute that neither it nor the
/// compiler knows:
///  - `graph.specializes`, a symbol, on func.func and graph.grad;
///  - `graph.checkpoint`, an i64, on an op in a function: what import leaves;
///  - `graph.precision`, f32, likewise;
///  - `graph.name`, a string without zero bytes, on arguments and results of
///    func.func; no two arguments and no two results have the same.
/// Uses no accessor, for `op` may not have been verified.
llvm::LogicalResult checkAttributesAreKnown(mlir::Operation *op);

} // namespace graphc::graph

#endif // GRAPHC_DIALECTS_GRAPH_IR_KNOWNATTRIBUTES_H
