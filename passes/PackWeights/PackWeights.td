// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_PACKWEIGHTS_TD
#define GRAPHC_PASSES_PACKWEIGHTS_TD

include "mlir/Pass/PassBase.td"

def PackWeights : Pass<"pack-weights", "::mlir::ModuleOp"> {
  let summary = "Store weights between calls as products read them";
  let description = [{
    Gives variables that products read a `#graph.panels` layout, and rewrites what
    reads and sets them: products take the stored tensor as it is, and the
    optimizer's elementwise ops compute in its shape, as does the product that makes
    the gradient. The room's README says which variables.

    - Expects: `graph` ops, each variable read and set once in a function.
    - Ensures: no kernel stores a copy or transpose of a variable with a layout.
    - Preserves: every bit of results and, seen as the variable's type, of state.

    @example test/passes/PackWeights/example.mlir
  }];
  let dependentDialects = ["::graphc::graph::GraphDialect"];
  let options = [
    Option<"minElements", "min-elements", "int64_t", /*default=*/"16384",
           "Leave smaller variables as they are">,
    Option<"maxRows", "max-rows", "int64_t", /*default=*/"512",
           "Leave variables as they are whose products all have more rows: they "
           "pack in a small part of their time">,
    Option<"report", "report", "bool", /*default=*/"false",
           "Print each variable's layout, or why it has none, on the error output">,
  ];
}

#endif // GRAPHC_PASSES_PACKWEIGHTS_TD
