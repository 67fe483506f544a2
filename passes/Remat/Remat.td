// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_REMAT_TD
#define GRAPHC_PASSES_REMAT_TD

include "mlir/Pass/PassBase.td"

def Remat : Pass<"remat", "::mlir::ModuleOp"> {
  let summary = "Compute values again in the backward pass instead of keeping them";
  let description = [{
    In each block that holds a forward and a backward pass, chooses which values of
    the forward pass are kept for the backward pass. What else that reads is
    computed again where it is first needed, from what is kept, which is read
    through `graph.recompute_barrier`. There is a ladder of choices that no budget
    enters: rung 0 repeats the insides of graph.checkpoint regions alone, rung 1
    also elementwise ops, rungs 2 to 4 a quarter, a half and three quarters
    of all that is worth it, 5 and 6 all inside segments, of about sqrt(n)
    layers in rung 6 and half as large in 5, and 7 all inside segments of segments. See the room's README.

    - Expects: functions of `graph` ops, gradients expanded.
    - Ensures: what is repeated is pure, cannot fail, and reads at least one value
      through a barrier.
    - Preserves: every bit of every value.

    @example test/passes/Remat/example.mlir
  }];
  let dependentDialects = ["::graphc::graph::GraphDialect"];
  let options = [
    Option<"rung", "rung", "int64_t", /*default=*/"6",
           "Of the ladder, from 0 to 7">,
    Option<"report", "report", "bool", /*default=*/"false",
           "Print the ladder on the error output: what each rung keeps and what it "
           "repeats">,
  ];
}

#endif // GRAPHC_PASSES_REMAT_TD
