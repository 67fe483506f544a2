// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that are stored in panels.
#ifndef GRAPHC_LIB_INTERPRETER_PANELS_H
#define GRAPHC_LIB_INTERPRETER_PANELS_H

#include "dialects/Graph/IR/Graph.h"
#include "lib/Interpreter/Tensor.h"

namespace graphc::interpreter {

/// `value`, a matrix, as `layout` stores it.
Tensor packPanels(graph::PanelsAttr layout, const Tensor &value);
/// The matrix of `type` that `layout` stores as `stored`.
Tensor unpackPanels(graph::PanelsAttr layout, mlir::RankedTensorType type,
                    const Tensor &stored);

} // namespace graphc::interpreter

#endif // GRAPHC_LIB_INTERPRETER_PANELS_H
