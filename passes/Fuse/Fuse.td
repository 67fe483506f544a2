// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_FUSE_TD
#define GRAPHC_PASSES_FUSE_TD

include "mlir/Pass/PassBase.td"

def Fuse : Pass<"fuse", "::mlir::ModuleOp"> {
  let summary = "Put every compute op into a graph.fused region";
  let description = [{
    One region becomes one kernel. Ops share a region where that saves memory
    traffic and one pass over memory can do all of them; see the room's README
    for the rules. A constant all of whose elements are equal is cloned into the
    regions that read it; any other stays outside and becomes an operand. What is
    not computed at run time stays outside too: variables' reads and writes, loops.
    `graph.stop_gradient` is replaced by its operand: no gradient is taken any
    more. A graph.concat of more than 48 tensors becomes several in a tree.

    - Expects: functions of `graph` ops, gradients expanded.
    - Ensures: every compute op is in exactly one region; no more bytes are read
      and written than with one op a region.
    - Preserves: every bit of every value.

    @example test/passes/Fuse/example.mlir
  }];
  let dependentDialects = ["::graphc::graph::GraphDialect"];
  let options = [
    Option<"off", "off", "bool", /*default=*/"false",
           "One op a region">,
    Option<"maxGroups", "max-groups", "int64_t", /*default=*/"-1",
           "Merge two groups at most so often in each function, what saves most "
           "first (-1: no limit); for bisecting">,
    Option<"maxOps", "max-ops", "int64_t", /*default=*/"256",
           "Most ops of a region of several, composites taken apart; exp and its like "
           "count 16">,
    Option<"maxBuffers", "max-buffers", "int64_t", /*default=*/"64",
           "Most operands and results of a region of several ops">,
  ];
}

def FuseReport : Pass<"fuse-report", "::mlir::ModuleOp"> {
  let summary = "Print each region, what it saves, and why it is no larger";
  let description = [{
    For each function: its graph.fused regions with their ops, the bytes that each
    reads and writes and those that its ops would one by one, then each value that
    goes from one region to another with the reason why the two are not one. On
    the error output. `graph-opt --fuse --fuse-report model.mlir -o /dev/null`.

    - Preserves: the module.
  }];
  let options = [
    Option<"maxGroups", "max-groups", "int64_t", /*default=*/"-1", "As for fuse">,
    Option<"maxOps", "max-ops", "int64_t", /*default=*/"256", "As for fuse">,
    Option<"maxBuffers", "max-buffers", "int64_t", /*default=*/"64", "As for fuse">,
  ];
}

#endif // GRAPHC_PASSES_FUSE_TD
