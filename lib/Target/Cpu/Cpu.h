// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CPU target: a module's kernels to code for each level.

#ifndef GRAPHC_LIB_TARGET_CPU_CPU_H
#define GRAPHC_LIB_TARGET_CPU_CPU_H

#include "lib/Target/Cpu/Codegen.h"
#include "lib/Target/Cpu/Levels.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <vector>

namespace mlir {
class PassManager;
} // namespace mlir

namespace graphc::cpu {

/// Code of some of a module's kernels for one level.
struct Code {
  std::string level;
  llvm::SmallVector<char, 0> bytes;
};

/// What the linker knows a kernel by: hidden, so that only tables name it.
std::string kernelSymbol(llvm::StringRef kernel, llvm::StringRef level);

/// Compiles every function of `module` marked plan.kernel, for each level of one
/// machine, on the threads of its context. The result depends on neither their number nor
/// their timing; `module` stays as it is. Errors are reported at their kernel.
/// `configure`, if set, is given each pass manager before it runs.
mlir::FailureOr<std::vector<Code>> compileKernels(
    mlir::ModuleOp module, llvm::ArrayRef<Level> levels,
    const CodegenOptions &options,
    llvm::function_ref<mlir::LogicalResult(mlir::PassManager &)> configure =
        nullptr);

} // namespace graphc::cpu

#endif // GRAPHC_LIB_TARGET_CPU_CPU_H
