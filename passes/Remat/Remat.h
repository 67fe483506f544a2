// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_REMAT_REMAT_H
#define GRAPHC_PASSES_REMAT_REMAT_H

#include "mlir/Pass/Pass.h"

namespace graphc {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Remat/Remat.h.inc"
namespace remat {
/// Of the ladder, from none to the smallest.
constexpr int kRungs = 8;
} // namespace remat

} // namespace graphc

#endif // GRAPHC_PASSES_REMAT_REMAT_H
