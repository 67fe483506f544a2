// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_LIB_IMPORT_CUSTOMFUNCTIONS_H
#define GRAPHC_LIB_IMPORT_CUSTOMFUNCTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace graphc {

/// The functions that graph.custom_vjp and graph.custom ops in `function` name.
llvm::SmallVector<mlir::func::FuncOp>
customFunctions(mlir::func::FuncOp function, const mlir::SymbolTable &symbols);

/// Fails, with an error at what does it, unless the value of `function` depends
/// on its arguments alone: no variables, no random draws.
mlir::LogicalResult checkIsPlain(mlir::func::FuncOp function);

} // namespace graphc

#endif // GRAPHC_LIB_IMPORT_CUSTOMFUNCTIONS_H
