// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_AMP_AMP_H
#define GRAPHC_PASSES_AMP_AMP_H

#include "mlir/Pass/Pass.h"

namespace graphc {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Amp/Amp.h.inc"
} // namespace graphc

#endif // GRAPHC_PASSES_AMP_AMP_H
