// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons of two models: one before and one after some passes.
#ifndef GRAPHC_TOOLS_GRAPH_INTERPRET_CHECKS_H
#define GRAPHC_TOOLS_GRAPH_INTERPRET_CHECKS_H

#include "lib/Interpreter/Equivalence.h"
#include "lib/Interpreter/GradCheck.h"

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace graphc::interpreter {

/// Reads the text of a model and verifies it. `sources` keeps the text for
/// diagnostics. Null after an error, which has been told.
mlir::OwningOpRef<mlir::ModuleOp> readVerified(const std::string &path,
                                               llvm::SourceMgr &sources,
                                               mlir::MLIRContext &context);

// Both print one line for what they compared, and fail if it is not equal.

/// Runs `function` of `module` and of the model in the file `otherPath`.
mlir::LogicalResult compareModels(mlir::ModuleOp module,
                                  const std::string &otherPath,
                                  llvm::StringRef function,
                                  const EquivalenceOptions &options);

/// Holds what the graph.grad ops of `module` became in the file `gradientPath`
/// to finite differences; of one name only unless `only` is empty.
mlir::LogicalResult checkGrads(mlir::ModuleOp module,
                               const std::string &gradientPath,
                               llvm::StringRef only,
                               const GradCheckOptions &options);

} // namespace graphc::interpreter

#endif // GRAPHC_TOOLS_GRAPH_INTERPRET_CHECKS_H
