// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices of which it is known that they are in range.
#ifndef GRAPHC_DIALECTS_GRAPH_IR_CHECKEDINDEX_H
#define GRAPHC_DIALECTS_GRAPH_IR_CHECKEDINDEX_H

#include "mlir/IR/Operation.h"

namespace graphc::graph {

/// True if a graph.check_index, here or in another graph.fused region, has held
/// `index` to [0, limit).
bool isHeldBelow(mlir::Value index, int64_t limit);

/// True if `op` is a gather or a scatter that finds its indices held to the
/// range already, so that it need not check them.
bool hasHeldIndices(mlir::Operation *op);

} // namespace graphc::graph

#endif // GRAPHC_DIALECTS_GRAPH_IR_CHECKEDINDEX_H
