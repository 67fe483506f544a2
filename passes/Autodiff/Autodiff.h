// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_AUTODIFF_AUTODIFF_H
#define GRAPHC_PASSES_AUTODIFF_AUTODIFF_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace graphc {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Autodiff/Autodiff.h.inc"

/// Attaches a derivative rule to each op of the graph dialect that has one.
void registerAutodiffRules(mlir::DialectRegistry &registry);

} // namespace graphc

#endif // GRAPHC_PASSES_AUTODIFF_AUTODIFF_H
