// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes types everywhere at once.

#ifndef GRAPHC_LIB_TARGET_CPU_RETYPE_H
#define GRAPHC_LIB_TARGET_CPU_RETYPE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace graphc::cpu {

/// Gives each value and each function of `module` the type `change` makes of
/// its own, in place. For changes so uniform that no op needs a cast for it;
/// whoever calls adapts the ops that do. Fails if an op does not verify then.
mlir::LogicalResult retype(mlir::ModuleOp module,
                           llvm::function_ref<mlir::Type(mlir::Type)> change);

} // namespace graphc::cpu

#endif // GRAPHC_LIB_TARGET_CPU_RETYPE_H
