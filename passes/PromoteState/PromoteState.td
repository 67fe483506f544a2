// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "mlir/Pass/PassBase.td"

def PromoteState : Pass<"promote-state", "::mlir::ModuleOp"> {
  let summary = "Leave one graph.get and one graph.set of a variable in a function";
  let description = [{
    State becomes functional: each variable that a function uses is read once at
    entry and set once at the end; in between its value flows from op to op. A
    graph.get after a graph.set reads what was set. A variable that a loop sets
    is carried by the loop.

    - Expects: no func.call and no graph.value_and_grad.
    - Ensures: in each function, every graph.get comes before all other ops and
      every graph.set after them, one of each for a variable; none in a loop.
    - Preserves: the values that functions return and leave in variables.

    @example test/passes/PromoteState/example.mlir
  }];
  let dependentDialects = ["::graphc::graph::GraphDialect"];
}
