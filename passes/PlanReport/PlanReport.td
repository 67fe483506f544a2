// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_PLANREPORT_PLANREPORT_TD
#define GRAPHC_PASSES_PLANREPORT_PLANREPORT_TD

include "mlir/Pass/PassBase.td"

def PlanReport : Pass<"plan-report", "::mlir::ModuleOp"> {
  let summary = "Print what each program takes: entries and memory";
  let description = [{
    One line a program, on the error output:

    ```
    @step: 12 entries (9 launches, 2 copies, 1 loop), 3 in place, arena 1280 bytes, 1216 live at plan.entry launch @matmul
    ```

    `live` is what lib/Analysis/PeakModel says: no arena is smaller.

    - Expects: a module in table form.
    - Ensures: nothing changes.

    @example test/passes/PlanReport/example.mlir
  }];
}

#endif // GRAPHC_PASSES_PLANREPORT_PLANREPORT_TD
