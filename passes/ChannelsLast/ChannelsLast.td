// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_CHANNELSLAST_TD
#define GRAPHC_PASSES_CHANNELSLAST_TD

include "mlir/Pass/PassBase.td"

def ChannelsLast : Pass<"channels-last", "::mlir::ModuleOp"> {
  let summary = "Keep what convolutions read and write with channels innermost";
  let description = [{
    Chooses for each set of values that must lie alike, because elementwise ops
    join them, whether their channels become the last dimension: see the room's
    README. Ops on them are rewritten; a convolution keeps its order of
    dimensions and reads and writes through graph.transpose, which its kernel takes
    as strides. Before, graph.batch_norm and pools of one window become primitives;
    after, sums of equal terms are computed once.

    - Expects: functions of `graph` ops, gradients expanded.
    - Ensures: nothing is transposed but what enters or leaves such a set.
    - Preserves: every value, but for the order in which sums over positions
      of a channel are taken.

    @example test/passes/ChannelsLast/example.mlir
  }];
  let dependentDialects = ["::graphc::graph::GraphDialect"];
}

#endif // GRAPHC_PASSES_CHANNELSLAST_TD
