// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "mlir/Pass/PassBase.td"

def Autodiff : Pass<"autodiff", "::mlir::ModuleOp"> {
  let summary = "Expand graph.value_and_grad by reverse-mode differentiation";
  let description = [{
    Replaces each graph.value_and_grad by the body of its function and, after
    it, the ops that compute the gradients asked for. Functions that hold a
    graph.value_and_grad themselves are expanded first, so that second
    derivatives come from the same rules.

    Only ops that depend on something asked for *and* reach the loss are
    differentiated. Rules are models of DifferentiableOpInterface; all that are
    missing are listed in one error. Cotangents are added once for each further
    use of a value, in reverse program order. A loop that is differentiated and
    becomes few ops is unrolled; any other gets a loop that runs backwards and
    computes each iteration again. Each gradient op has the location of its forward op.

    - Expects: no recursion; dropout with its key.
    - Ensures: no graph.value_and_grad is left, nor a private function that only
      they named; a gradient that the loss does not reach is zeros, and there
      are no other zeros.
    - Preserves: the forward values, their order and their op ids.

    @example test/passes/Autodiff/example.mlir
  }];
  let dependentDialects = ["::graphc::graph::GraphDialect"];
  let options = [
    Option<"maxUnrolledOps", "max-unrolled-ops", "int64_t", /*default=*/"500",
           "The most ops that the differentiated loops of a function may unroll to">,
    Option<"maxOps", "max-ops", "int64_t", /*default=*/"1000000",
           "The most ops that the pass may make">,
  ];
}
