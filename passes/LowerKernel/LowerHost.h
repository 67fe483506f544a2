// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_LOWERKERNEL_LOWERHOST_H
#define GRAPHC_PASSES_LOWERKERNEL_LOWERHOST_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace graphc::kernel {

/// Replaces each graph.custom by a launch of a kernel that stands for the host
/// function, one for each name and type. The functions that the interpreter
/// runs instead go where nothing else names them.
mlir::LogicalResult lowerHostCalls(mlir::ModuleOp module,
                                   mlir::SymbolTable &symbols);

} // namespace graphc::kernel

#endif // GRAPHC_PASSES_LOWERKERNEL_LOWERHOST_H
