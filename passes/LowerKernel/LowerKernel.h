// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_LOWERKERNEL_LOWERKERNEL_H
#define GRAPHC_PASSES_LOWERKERNEL_LOWERKERNEL_H

#include "mlir/Pass/Pass.h"

namespace graphc {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/LowerKernel/LowerKernel.h.inc"
} // namespace graphc

#endif // GRAPHC_PASSES_LOWERKERNEL_LOWERKERNEL_H
