// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled code against the reference interpreter, op by op.
#ifndef GRAPHC_LIB_CHECK_CHECKFUNCTION_H
#define GRAPHC_LIB_CHECK_CHECKFUNCTION_H

#include "lib/Driver/Compile.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <string>

namespace graphc::check {

/// Makes each op of `module` that is called as the text before the colon of
/// `plant`, "graph.add:graph.sub", one of the other name: a compiler's mistake.
void plantError(mlir::ModuleOp module, llvm::StringRef plant);

/// How far ops of checked functions, with their own results only, share kernels.
struct FusionCounts {
  int64_t ops = 0, kernels = 0;
  int64_t barriers = 0; // behind which something is computed again
};

struct CheckOptions {
  /// Chooses the inputs; variables are inputs as well.
  uint64_t seed = 1;
  /// Two floats also count as equal if they are no further apart than this many
  /// times the expected one; the bounds of each op alone hold at 0.
  double tolerance = 0;
  /// Units of its largest element by which a result of a loop may be off, whose
  /// body may round at each iteration. 0: the bodies are of exact ops.
  double loopUnits = 0;
  /// If not empty, "graph.add:graph.sub": in the compiled copy the one op
  /// stands for the other; "fused:graph.add:graph.sub": only where ops share
  /// kernels.
  std::string plant;
  /// Of passes/Remat's ladder, for the build in which ops share kernels.
  int rung = 0;
  /// Added to, if given.
  FusionCounts *counts = nullptr;
  /// As of CompileOptions.
  FuseSettings fuse;
  std::function<void(llvm::StringRef)> onTempFolder;
};

/// Compiles function `name` of `module`, whose body is ops of the graph dialect
/// alone, at -O0 (each op a kernel) and -O3 with every value as a result, runs
/// both, and compares. The same function with its own results only, so that ops
/// can share kernels, must give the same bits. Returns "" or what is wrong.
std::string checkFunction(mlir::ModuleOp module, llvm::StringRef name,
                          const CheckOptions &options);

} // namespace graphc::check

#endif // GRAPHC_LIB_CHECK_CHECKFUNCTION_H
