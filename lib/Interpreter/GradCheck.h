// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks derivatives against finite differences.
#ifndef GRAPHC_LIB_INTERPRETER_GRADCHECK_H
#define GRAPHC_LIB_INTERPRETER_GRADCHECK_H

#include "lib/Interpreter/Interpreter.h"

#include <string>

namespace graphc::interpreter {

/// A function and the one that is to be its gradient. Both have the same
/// arguments and variables; they may be in one module or, before and after a
/// pass, in two of one context. The first result of both is a rank-0 float. The
/// gradient then returns the other results of the function, if it has any, and
/// the derivatives of the first with respect to each argument of `inputs` and
/// then each variable of `variables`: what graph.grad becomes.
///
/// Random cotangents: let the function return the sum of its outputs times
/// arguments of the same shapes, which are drawn like all the others.
struct GradCheckSubject {
  mlir::ModuleOp module;
  std::string function;
  mlir::ModuleOp gradientModule;
  std::string gradient;
  llvm::SmallVector<int64_t> inputs;
  llvm::SmallVector<std::string> variables;
};

struct GradCheckOptions {
  uint64_t seed = 0;
  /// Points at which derivatives are checked. Arguments are drawn in the ranges
  /// of RandomInputs.h, variables in [-1, 1), until no kink is nearer than
  /// `clearance`.
  int points = 3;
  double clearance = 1e-3;
  int maxDraws = 200;
  /// Spacing of the five-point central difference; 2 * step < clearance, unless
  /// there are refinements.
  double step = 2e-4;
  /// A difference that disagrees is taken again with a tenth of the step, as often
  /// as this: it may have stepped over a kink. Where the slopes on both sides
  /// still differ, the derivative is not checked. `clearance` then only has to
  /// keep the point itself off the kinks, which a function of thousands of relus
  /// does.
  int refinements = 0;
  /// |derivative - difference| <= absolute + relative * |difference|.
  double relative = 1e-6;
  double absolute = 1e-8;
  /// Derivatives checked for each argument and variable: all, or this many
  /// drawn ones if it has more.
  int64_t maxElements = 200;
};

struct GradCheckReport {
  bool ok = true;
  int64_t checked = 0;  // derivatives compared
  int64_t atKinks = 0;  // not compared, see `refinements`
  int64_t nonZero = 0;  // differences of them that were not tiny
  double maxError = 0;  // relative to max(1, |difference|)
  std::string mismatch; // the first derivative that is wrong, in words
};

/// Compares in f64 mode. Fails, with a diagnostic, if one of the functions
/// cannot be run, has other results than said, or is not clear of kinks at any
/// draw; a wrong derivative is a report that is not ok.
mlir::FailureOr<GradCheckReport>
checkGradients(const GradCheckSubject &subject,
               const GradCheckOptions &options = {});

} // namespace graphc::interpreter

#endif // GRAPHC_LIB_INTERPRETER_GRADCHECK_H
