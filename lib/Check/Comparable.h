// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models in terms of what the interpreter knows.
#ifndef GRAPHC_LIB_CHECK_COMPARABLE_H
#define GRAPHC_LIB_CHECK_COMPARABLE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace graphc::check {

/// Puts the references of graph.custom ops in their place, since no host
/// function is there; derivatives stay the user's. Says so in `log`.
void callReferences(mlir::ModuleOp module, llvm::raw_ostream &log);

/// Replaces ops of a library's dialects by their decompositions, where they have
/// one.
void decomposeForeignOps(mlir::ModuleOp module);

/// An op in `function` that neither the interpreter nor compiled code can run
/// by itself: of another dialect, or a graph.custom. Null if there is none.
mlir::Operation *findIncomparable(mlir::func::FuncOp function);

} // namespace graphc::check

#endif // GRAPHC_LIB_CHECK_COMPARABLE_H
