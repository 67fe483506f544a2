// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How programs read the text of a model, which may be hostile.
#ifndef GRAPHC_LIB_DRIVER_READMODEL_H
#define GRAPHC_LIB_DRIVER_READMODEL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace llvm {
class MemoryBuffer;
class SourceMgr;
} // namespace llvm

namespace graphc {

/// Reads the file `path` ("-": standard input) up to the size that a text may
/// have, into a buffer of that name. Null, and `error`, if it cannot.
std::unique_ptr<llvm::MemoryBuffer> readText(llvm::StringRef path,
                                             std::string &error);

/// Checks and parses a model's text; see lib/Import's parseModule(). Null after
/// an error.
mlir::OwningOpRef<mlir::ModuleOp> readModel(llvm::SourceMgr &source,
                                            mlir::MLIRContext &context);

/// As readModel(), for a model that is to be used at once rather than compiled:
/// also holds the module to the import gate, which verifies it.
mlir::OwningOpRef<mlir::ModuleOp> readCheckedModel(llvm::SourceMgr &source,
                                                   mlir::MLIRContext &context);

/// Checks text of one attribute before MLIR's parser, which recurses without a
/// limit, sees it. `what` names it in the diagnostic.
mlir::LogicalResult checkAttributeText(llvm::StringRef text,
                                       llvm::StringRef what,
                                       mlir::MLIRContext &context);

} // namespace graphc

#endif // GRAPHC_LIB_DRIVER_READMODEL_H
