// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_TRAINSTEP_SPECIALIZE_H
#define GRAPHC_PASSES_TRAINSTEP_SPECIALIZE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace graphc {

/// The attribute by which a function names the one it specializes.
inline constexpr llvm::StringLiteral kSpecializesAttr = "graph.specializes";

/// Replaces `graph.specializes = @first` on functions by `graph.family =
/// "first"`, after checking that the two differ in sizes only.
mlir::LogicalResult resolveSpecializations(mlir::ModuleOp module);

} // namespace graphc

#endif // GRAPHC_PASSES_TRAINSTEP_SPECIALIZE_H
