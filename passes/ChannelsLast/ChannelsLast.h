// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_CHANNELSLAST_CHANNELSLAST_H
#define GRAPHC_PASSES_CHANNELSLAST_CHANNELSLAST_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace graphc {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/ChannelsLast/ChannelsLast.h.inc"
} // namespace graphc

#endif // GRAPHC_PASSES_CHANNELSLAST_CHANNELSLAST_H
