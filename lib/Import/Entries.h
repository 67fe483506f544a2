// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_LIB_IMPORT_ENTRIES_H
#define GRAPHC_LIB_IMPORT_ENTRIES_H

#include "dialects/Graph/IR/Graph.h"
#include "lib/Import/Import.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace graphc {

/// A function that stays, and the mode that open ops in it mean.
struct Entry {
  mlir::func::FuncOp function;
  graph::Mode mode;
};

/// Expands all calls and gives each loss function that something differentiates
/// a private copy for each mode it is used in; erases the other private
/// functions. Returns what is left.
mlir::FailureOr<llvm::SmallVector<Entry>>
makeEntries(mlir::ModuleOp module, const ImportLimits &limits);

} // namespace graphc

#endif // GRAPHC_LIB_IMPORT_ENTRIES_H
