// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_TRAINSTEP_REACHABLE_H
#define GRAPHC_PASSES_TRAINSTEP_REACHABLE_H

#include "dialects/Graph/IR/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace graphc {

/// Names of the variables that the first result of `loss` depends on through
/// floats and not through graph.stop_gradient: those that get a gradient.
llvm::DenseSet<mlir::StringAttr> findReachable(mlir::func::FuncOp loss,
                                               mlir::SymbolTable &symbols);

/// Whether `function` reads `variable`, in a graph.value_and_grad too.
bool reads(mlir::func::FuncOp function, llvm::StringRef variable,
           mlir::SymbolTable &symbols);

} // namespace graphc

#endif // GRAPHC_PASSES_TRAINSTEP_REACHABLE_H
