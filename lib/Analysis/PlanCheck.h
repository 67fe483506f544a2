// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proves that tables of entries do what functions in value form say.
#ifndef GRAPHC_LIB_ANALYSIS_PLANCHECK_H
#define GRAPHC_LIB_ANALYSIS_PLANCHECK_H

#include "dialects/Plan/IR/Plan.h"

namespace graphc::plan {

/// Checks every plan.program of `module` and the layout of state and constants:
///
/// - variables do not overlap one another, nor do constants;
/// - buffers lie inside their space and at multiples of 64, and the arena is as
///   large as they need;
/// - no entry writes state before the commit, none may fail after it;
/// - a launch writes over no buffer that it reads but as `inplace` allows;
/// - what an entry reads is one whole value, written before: no buffer is used
///   again while what it holds is needed;
/// - a program `of` a function launches what the function does, on the same
///   values, and outputs and variables end with the values of the function.
///
/// The last two are found by running the table on symbols, without looking at
/// how the plan was made. Emits an error and returns failure at the first
/// fault.
llvm::LogicalResult checkPlans(mlir::ModuleOp module);

} // namespace graphc::plan

#endif // GRAPHC_LIB_ANALYSIS_PLANCHECK_H
