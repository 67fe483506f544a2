// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a model's text or module to a model.so, or to any stage on the way.
#ifndef GRAPHC_LIB_DRIVER_COMPILE_H
#define GRAPHC_LIB_DRIVER_COMPILE_H

#include "lib/Driver/CompileLog.h"
#include "lib/Driver/ReadModel.h"
#include "lib/Pipelines/Pipelines.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class SourceMgr;
} // namespace llvm
namespace mlir {
class PassManager;
} // namespace mlir

namespace graphc {

enum class Emit { Mlir, Dot, Llvm, Asm, Obj, So };

struct CompileOptions {
  Emit emit = Emit::So;
  /// Only with Emit::Mlir and Emit::Dot.
  Phase stopAfter = Phase::Plan;
  /// The module is what a compile gave with `stopAfter` Autodiff: it is
  /// verified and imported, and only what follows is done.
  bool startsAfterAutodiff = false;
  /// The kind of machine to compile for, whatever this one is:
  /// "x86_64-linux-gnu" or "aarch64-linux-gnu".
  std::string triple = "x86_64-linux-gnu";
  /// CPU levels, best last or first: "x86-64-v3", "native", or several with
  /// commas. The default is x86-64-v3, of aarch64 generic.
  std::optional<std::string> cpu;
  unsigned optLevel = 2;
  /// Mixed precision: "bf16", "f16" or "" for none; and a report of it on the
  /// error output.
  std::string amp;
  bool ampReport = false;
  /// Both are off at -O0 in any case.
  FuseSettings fuse;
  RematSettings remat;
  /// Bytes that the model may take when it runs: the fastest rung that does with
  /// them is chosen, instead of `remat.rung`. 0: no limit.
  int64_t memoryBudget = 0;
  bool mergeTiny = true;
  /// exp, pow and their like are libm's, whose values differ by machine.
  bool strictMath = false;
  /// Weights are stored as products read them; off at -O0 in any case.
  bool packWeights = false;
  unsigned maxThreads = 64;
  /// Sizes for which text is specialised: the leading dimension of inputs.
  std::vector<int64_t> batches;
  /// Folder against which #graph.file paths are taken.
  std::string folder = ".";
  /// Given each pass manager before it runs: printing, timing, reproducers.
  std::function<mlir::LogicalResult(mlir::PassManager &)> configure;
  /// Told, with a memory budget, the rung that was chosen and what the model
  /// takes.
  std::function<void(int rung, int64_t bytes)> onMemory;
  /// Told what happens, if set.
  CompileLog *log = nullptr;
  /// Given the linker's private folder before it exists.
  std::function<void(llvm::StringRef)> onTempFolder;
};

/// A context with every dialect and interface of the compiler. `threads` off
/// keeps MLIR from starting threads of its own. Errors do not print the op.
std::unique_ptr<mlir::MLIRContext> createContext(bool threads);

/// Compiles `module`, which need not be verified (see lib/Import's
/// parseModule()) and is used up. The result is the bytes that `emit`
/// asks for; errors go to the context's diagnostics.
mlir::FailureOr<llvm::SmallVector<char, 0>>
compileModel(mlir::ModuleOp module, const CompileOptions &options);

/// Prints what each public function of `module` does and takes; see
/// lib/Analysis/Summary. Nothing is compiled, `module` stays as it is.
mlir::LogicalResult summarizeModel(mlir::ModuleOp module,
                                   const CompileOptions &options,
                                   llvm::raw_ostream &os);

} // namespace graphc

#endif // GRAPHC_LIB_DRIVER_COMPILE_H
