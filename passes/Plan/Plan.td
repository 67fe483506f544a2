// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_PLAN_PLAN_TD
#define GRAPHC_PASSES_PLAN_PLAN_TD

include "mlir/Pass/PassBase.td"

def Plan : Pass<"plan", "::mlir::ModuleOp"> {
  let summary = "Give every tensor a place in memory and every function a table";
  let description = [{
    Turns each public function in value form into a plan.program, gives each
    graph.variable its place in the state (`plan.offset`), and lays out the
    constants. Kernels stay as they are.

    - Expects: functions of graph.get, graph.set, graph.constant, graph.for,
      plan.launch and func.return; a variable is set at most once in a function,
      after its last graph.get, and outside loops.
    - Ensures: no graph op but graph.variable is left. Buffers of the arena that live at once do not
      overlap; no entry writes state before the commit, none may fail after it. The
      result is checked against the function before that is erased.
    - Preserves: the values of all outputs and variables, and the order of launches
      but where a launch that writes state must wait.

    @example test/passes/Plan/example.mlir
  }];
  let dependentDialects = ["::graphc::plan::PlanDialect"];
  let options = [
    Option<"keepValueForm", "keep-value-form", "bool", /*default=*/"false",
           "Keep each function, made private, and name it in its program">,
  ];
}

#endif // GRAPHC_PASSES_PLAN_PLAN_TD
