// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a model does, as a table for people.
#ifndef GRAPHC_LIB_ANALYSIS_SUMMARY_H
#define GRAPHC_LIB_ANALYSIS_SUMMARY_H

#include "mlir/IR/BuiltinOps.h"

namespace graphc {

/// What some ops take. Sums stop at 2^63 - 1.
struct OpCosts {
  int64_t ops = 0;   // executed, loops counted through
  int64_t flops = 0; // by CostOpInterface
  int64_t bytes = 0; // of operands and results: read and written
  void add(const OpCosts &other, int64_t times = 1);
};

/// Prints a table for each public function of `module`, which has been through
/// Autodiff: each op of the forward pass, then sums of the forward pass, the
/// backward pass and the update.
void printSummary(mlir::ModuleOp module, llvm::raw_ostream &os);

} // namespace graphc

#endif // GRAPHC_LIB_ANALYSIS_SUMMARY_H
