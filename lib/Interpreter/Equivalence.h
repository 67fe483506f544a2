// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether two modules mean the same: a model before and after a pass.
#ifndef GRAPHC_LIB_INTERPRETER_EQUIVALENCE_H
#define GRAPHC_LIB_INTERPRETER_EQUIVALENCE_H

#include "lib/Interpreter/Compare.h"
#include "lib/Interpreter/Interpreter.h"

namespace graphc::interpreter {

struct EquivalenceOptions {
  Mode mode = Mode::F64;
  /// In declared mode, Tolerance::exact() holds a pass to the same bits.
  Tolerance tolerance = Tolerance::of(1e-9, 1e-9);
  uint64_t seed = 0;
  /// Sets of arguments, drawn until no kink of the first module is nearer than
  /// `clearance`, if that is above 0.
  int points = 2;
  double clearance = 1e-3;
  int maxDraws = 200;
  /// Calls with each set, one after the other on the same variables.
  int steps = 2;
};

struct EquivalenceReport {
  bool equal = true;
  int64_t compared = 0; // elements of results and variables
  std::string mismatch; // "step 1, result 0: 3 of 8 elements differ, ..."
};

/// Runs `function` of both modules, which share a context, on the same random
/// arguments and compares the results and, after each step, the variables that
/// both have. Fails, with a diagnostic, if one cannot be run or their types
/// differ.
mlir::FailureOr<EquivalenceReport>
compareModules(mlir::ModuleOp before, mlir::ModuleOp after,
               llvm::StringRef function,
               const EquivalenceOptions &options = {});

} // namespace graphc::interpreter

#endif // GRAPHC_LIB_INTERPRETER_EQUIVALENCE_H
