// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expands calls of functions whose body is one block. Unlike MLIR's inliner it
// gives the same result whatever the number of threads, inlines always, and
// keeps its hands off everything but func.call.
#ifndef GRAPHC_LIB_SUPPORT_INLINE_INLINE_H
#define GRAPHC_LIB_SUPPORT_INLINE_INLINE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace graphc {

/// The functions of `module`, each after every function it names: by a call, or
/// by any other symbol reference inside it. Functions that name one another in
/// a circle are an error that shows the circle.
mlir::FailureOr<llvm::SmallVector<mlir::func::FuncOp>>
orderCalleesFirst(mlir::ModuleOp module);

/// The room that a copy of `op` takes, its regions apart: 1, and more for one
/// of many operands and results. For limits on what copies may add up to.
int64_t copySize(mlir::Operation *op);

/// Expands every func.call in `function`. The callees must hold no calls
/// themselves: go through the functions in the order above. An inlined op's
/// location says where it stands and where it was called from.
void inlineCalls(mlir::func::FuncOp function, mlir::SymbolTable &symbols);

/// Moves the ops of `body`, a block that ends in a return, before `op`, with
/// `operands` for the block's arguments, and deletes the return. Returns what
/// it returned.
llvm::SmallVector<mlir::Value>
spliceBody(mlir::Block &body, mlir::Operation *op, mlir::ValueRange operands);

} // namespace graphc

#endif // GRAPHC_LIB_SUPPORT_INLINE_INLINE_H
