// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From LLVM IR to bytes: object code, assembly or LLVM IR again.

#ifndef GRAPHC_LIB_TARGET_CPU_CODEGEN_H
#define GRAPHC_LIB_TARGET_CPU_CODEGEN_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace graphc::cpu {

enum class Emit { Object, Assembly, LLVMIR };

struct CodegenOptions {
  /// 0 to 3, as LLVM understands them. No level changes a result.
  unsigned optLevel = 3;
  Emit emit = Emit::Object;
};

/// Position-independent code for x86-64 Linux. `cpu` is a name of LLVM's.
/// Initialises LLVM's target on first use, from any thread.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(llvm::StringRef cpu, unsigned optLevel);

/// The data layout of every level, as LLVM writes it.
llvm::StringRef dataLayout();
llvm::StringRef targetTriple();

/// Optimises `module` for `cpu` and emits it. Equal modules give equal bytes.
llvm::Expected<llvm::SmallVector<char, 0>>
generate(llvm::Module &module, llvm::StringRef cpu,
         const CodegenOptions &options);

} // namespace graphc::cpu

#endif // GRAPHC_LIB_TARGET_CPU_CODEGEN_H
