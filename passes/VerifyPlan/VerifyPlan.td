// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_VERIFYPLAN_VERIFYPLAN_TD
#define GRAPHC_PASSES_VERIFYPLAN_VERIFYPLAN_TD

include "mlir/Pass/PassBase.td"

def VerifyPlan : Pass<"verify-plan", "::mlir::ModuleOp"> {
  let summary = "Prove that every program is right";
  let description = [{
    Runs lib/Analysis/PlanCheck: places, commit, sharing, and a symbolic run that
    compares a program with the function it was made from, if it names one.

    - Expects: a module in table form.
    - Ensures: nothing changes; an error if a rule is broken.

    @example test/passes/VerifyPlan/example.mlir
  }];
}

#endif // GRAPHC_PASSES_VERIFYPLAN_VERIFYPLAN_TD
