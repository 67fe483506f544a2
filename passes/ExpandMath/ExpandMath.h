// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_EXPANDMATH_EXPANDMATH_H
#define GRAPHC_PASSES_EXPANDMATH_EXPANDMATH_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace graphc {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/ExpandMath/ExpandMath.h.inc"

} // namespace graphc

#endif // GRAPHC_PASSES_EXPANDMATH_EXPANDMATH_H
