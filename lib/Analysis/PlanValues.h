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
  /// Of launches' and loops' results. One term has several types if its bytes
  /// do: i8 and ui8 share kernels.
  llvm::DenseMap<Term, llvm::SmallVector<mlir::Type, 1>> elementTypes;
};

llvm::FailureOr<PlanValues> evaluate(mlir::func::FuncOp function, Terms &terms);

} // namespace graphc::plan

#endif // GRAPHC_LIB_ANALYSIS_PLANVALUES_H
