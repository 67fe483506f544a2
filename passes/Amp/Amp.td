// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_AMP_TD
#define GRAPHC_PASSES_AMP_TD

include "mlir/Pass/PassBase.td"

def Amp : Pass<"amp", "::mlir::ModuleOp"> {
  let summary = "Mixed precision: products in bf16 or f16, statistics in f32";
  let description = [{
    Gives each op on f32 the type that PyTorch's autocast would compute it in
    (`passes/Amp/autocast.csv`, docs/ops.md) and puts the casts between. Variables,
    and the arguments and results of functions, keep their types: a weight is rounded
    once for all that read it, forwards and backwards. Ops with the attribute
    `graph.precision` (what graph.precision leaves) compute in f32. A low value that
    arithmetic alone reads, all of it at one place, is not rounded: see the room's
    README. Ops in graph.fused regions stay in theirs.

    - Expects: functions of `graph` ops; before or after Fuse, with or without
      gradients.
    - Ensures: what gate amp asks for.
    - Preserves: the types of variables and functions; every value, within the
      error of the low type.

    @example test/passes/Amp/example.mlir
  }];
  let dependentDialects = ["::graphc::graph::GraphDialect"];
  let options = [
    Option<"dtype", "dtype", "std::string", /*default=*/"\"bf16\"",
           "The low type: bf16 or f16">,
  ];
}

def AmpReport : Pass<"amp-report", "::mlir::ModuleOp"> {
  let summary = "Print what --amp would make of each op, and why";
  let description = [{
    For each function: each op on floats with the type that amp would have it compute
    in and the reason, then how many casts there would be, and the bytes of what ops give
    and of copies of weights. On the error output.

    - Preserves: the module.
  }];
  let options = [
    Option<"dtype", "dtype", "std::string", /*default=*/"\"bf16\"",
           "The low type: bf16 or f16">,
  ];
}

#endif // GRAPHC_PASSES_AMP_TD
