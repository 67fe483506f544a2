// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Initial values that lie in files.
#ifndef GRAPHC_LIB_IMPORT_FILES_H
#define GRAPHC_LIB_IMPORT_FILES_H

#include "mlir/IR/BuiltinOps.h"

namespace graphc {

/// Replaces each variable's `#graph.file<"path">` by the elements of that .npy
/// file. Paths are relative to `folder` and stay below it: no `..`, nothing
/// absolute. Fails, at the variable, if a file is missing, damaged, or of
/// another element type or shape.
mlir::LogicalResult readFiles(mlir::ModuleOp module, llvm::StringRef folder);

} // namespace graphc

#endif // GRAPHC_LIB_IMPORT_FILES_H
