// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_MERGETINY_MERGETINY_H
#define GRAPHC_PASSES_MERGETINY_MERGETINY_H

#include "mlir/Pass/Pass.h"

namespace graphc {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/MergeTiny/MergeTiny.h.inc"
} // namespace graphc

#endif // GRAPHC_PASSES_MERGETINY_MERGETINY_H
