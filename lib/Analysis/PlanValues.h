// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a function in value form computes, in symbols.
#ifndef GRAPHC_LIB_ANALYSIS_PLANVALUES_H
#define GRAPHC_LIB_ANALYSIS_PLANVALUES_H

#include "lib/Analysis/PlanTerms.h"

namespace graphc::plan {

class LaunchOp;

struct PlanValues {
  llvm::SmallVector<Term> outputs;
  llvm::DenseMap<mlir::StringAttr, Term> newVariables;
  llvm::DenseMap<Term, LaunchOp> launches; // the first that computes it
  llvm::DenseMap<mlir::Value, Term> valueTerms;
  std::vector<Term> mayFail; // launches that may fail, sorted
  llvm::DenseMap<Term, mlir::Type>
      elementTypes; // of launches' and loops' results
};

llvm::FailureOr<PlanValues> evaluate(mlir::func::FuncOp function, Terms &terms);

} // namespace graphc::plan

#endif // GRAPHC_LIB_ANALYSIS_PLANVALUES_H
