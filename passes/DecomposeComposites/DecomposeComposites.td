// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_DECOMPOSECOMPOSITES_TD
#define GRAPHC_PASSES_DECOMPOSECOMPOSITES_TD

include "mlir/Pass/PassBase.td"

def DecomposeComposites : Pass<"decompose-composites"> {
  let summary = "Replace each composite op by the primitives that define it";
  let description = [{
    Not part of a compilation, where kernels are lowered whole: it shows what a
    composite means, and lets the interpreter check each decomposition against
    the composite's own formula.

    - Expects: `graph` ops, with modes and keys of dropout resolved.
    - Ensures: no op with a decomposition is left.
    - Preserves: every value within the rounding of the formulas.

    @example test/passes/DecomposeComposites/example.mlir
  }];
  let dependentDialects = ["::graphc::graph::GraphDialect"];
  let options = [
    ListOption<"only", "only", "std::string",
               "Decompose these ops alone, e.g. only=graph.softmax,graph.gelu">,
  ];
}

#endif // GRAPHC_PASSES_DECOMPOSECOMPOSITES_TD
