// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_FUSE_TD
#define GRAPHC_PASSES_FUSE_TD

include "mlir/Pass/PassBase.td"

def Fuse : Pass<"fuse", "::mlir::ModuleOp"> {
  let summary = "Put every compute op into a graph.fused region";
  let description = [{
    One region becomes one kernel. In this simplest form each region holds one
    op. A constant all of whose elements are equal is cloned into the regions
    that read it; any other stays outside and becomes an operand. What is not
    computed at run time stays outside too: variables' reads and writes, loops.
    `graph.stop_gradient` is replaced by its operand: no gradient is taken any
    more. A graph.concat of more than 48 tensors becomes several in a tree.

    - Expects: functions of `graph` ops, gradients expanded.
    - Ensures: every compute op is in exactly one region.
    - Preserves: every value.

    @example test/passes/Fuse/example.mlir
  }];
  let dependentDialects = ["::graphc::graph::GraphDialect"];
}

#endif // GRAPHC_PASSES_FUSE_TD
