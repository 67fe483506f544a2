// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_PACKWEIGHTS_PACKWEIGHTS_H
#define GRAPHC_PASSES_PACKWEIGHTS_PACKWEIGHTS_H

#include "mlir/Pass/Pass.h"

namespace graphc {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/PackWeights/PackWeights.h.inc"
} // namespace graphc

#endif // GRAPHC_PASSES_PACKWEIGHTS_PACKWEIGHTS_H
