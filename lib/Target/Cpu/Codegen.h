// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From LLVM IR to bytes: object code, assembly or LLVM IR again.

#ifndef GRAPHC_LIB_TARGET_CPU_CODEGEN_H
#define GRAPHC_LIB_TARGET_CPU_CODEGEN_H

#include "lib/Target/Cpu/Levels.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
} // namespace llvm

namespace graphc::cpu {

enum class Emit { Object, Assembly, LLVMIR };

struct CodegenOptions {
  /// 0 to 3, as LLVM understands them. No level changes a result.
  unsigned optLevel = 3;
  Emit emit = Emit::Object;
};

/// Optimises `module` for `level` and emits position-independent code. Equal
/// modules give equal bytes. Initialises LLVM's targets on first use, from any
/// thread.
llvm::Expected<llvm::SmallVector<char, 0>>
generate(llvm::Module &module, const Level &level,
         const CodegenOptions &options);

} // namespace graphc::cpu

#endif // GRAPHC_LIB_TARGET_CPU_CODEGEN_H
