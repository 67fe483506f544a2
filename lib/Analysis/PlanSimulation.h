// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a table on symbols.
#ifndef GRAPHC_LIB_ANALYSIS_PLANSIMULATION_H
#define GRAPHC_LIB_ANALYSIS_PLANSIMULATION_H

#include "lib/Analysis/PlanMemory.h"
#include "lib/Analysis/PlanValues.h"

namespace graphc::plan {

/// What memory holds when a call begins, and what must be there at its end.
struct Placement {
  struct Variable {
    mlir::StringAttr name;
    RefAttr ref;
  };
  llvm::SmallVector<Variable> variables;
  llvm::SmallVector<std::pair<RefAttr, mlir::ElementsAttr>> constants;
  int64_t stateBytes = 0, constantBytes = 0;
};

/// Emits an error if `program` reads what is no whole value, or, with `values`,
/// does anything else than they say.
llvm::LogicalResult simulate(ProgramOp program, const Placement &placement,
                             Terms &terms, const PlanValues *values);

} // namespace graphc::plan

#endif // GRAPHC_LIB_ANALYSIS_PLANSIMULATION_H
