// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_MERGETINY_TD
#define GRAPHC_PASSES_MERGETINY_TD

include "mlir/Pass/PassBase.td"

def MergeTiny : Pass<"merge-tiny", "::mlir::ModuleOp"> {
  let summary = "Give entries in a row that do very little one kernel";
  let description = [{
    A launch costs a few nanoseconds, and what one kernel stores the next one
    loads. Where several entries in a row do less than is worth that, makes a
    kernel of all their bodies and names it as the *bundle* of the first. The
    entries stay: a run that watches them, for a profile or `check_numerics`,
    goes through them one by one.

    - Expects: programs in table form and their kernels.
    - Ensures: bundles share no entry, none has an entry that may fail or is parallel,
      and none reaches into or out of a loop.
    - Preserves: entries, and what they compute.

    @example test/passes/MergeTiny/example.mlir
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::graphc::plan::PlanDialect"];
  let options = [
    Option<"maxWork", "max-work", "int64_t", /*default=*/"2000",
           "The most operations that one entry of a bundle runs">,
    Option<"maxOps", "max-ops", "int64_t", /*default=*/"4000",
           "The most ops in the code of a bundle">,
    Option<"maxTotal", "max-total", "int64_t", /*default=*/"20000",
           "The most ops in the code of all bundles">,
  ];
}

#endif // GRAPHC_PASSES_MERGETINY_TD
