// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the pass or the kernel that first changes a result.
#ifndef GRAPHC_LIB_CHECK_BISECT_H
#define GRAPHC_LIB_CHECK_BISECT_H

#include "lib/Driver/Compile.h"

namespace graphc::check {

struct BisectOptions {
  /// What graphc was told; `emit` and `stopAfter` do not matter.
  CompileOptions compile;
  uint64_t seed = 1;
  /// The only one to look at; all, if empty.
  std::string function;
  /// As of CheckOptions; passes are held to 1e-9 at least, gradients to 1e-5.
  double tolerance = 0;
  /// For tests: "canonicalize:graph.add:graph.sub" makes that mistake after the
  /// pass, "kernel:graph.add:graph.sub" in the compiled code.
  std::string plant;
};

struct BisectResult {
  /// "canonicalize", "kernel"; "" if no result changes.
  std::string culprit;
  /// Of which function, and how: one line.
  std::string finding;
  /// Functions and gradients that could not be compared; the log says which.
  int64_t notCompared = 0;
};

/// Compiles `module`, which is used up, and compares after each pass. Says on
/// `log` what was compared. Fails, with a diagnostic, if the model does not
/// compile.
mlir::FailureOr<BisectResult> bisect(mlir::ModuleOp module,
                                     const BisectOptions &options,
                                     llvm::raw_ostream &log);

} // namespace graphc::check

#endif // GRAPHC_LIB_CHECK_BISECT_H
