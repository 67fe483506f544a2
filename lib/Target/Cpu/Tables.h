// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constant tables of model_abi.h for a planned module.

#ifndef GRAPHC_LIB_TARGET_CPU_TABLES_H
#define GRAPHC_LIB_TARGET_CPU_TABLES_H

#include "lib/Target/Cpu/Levels.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace graphc::cpu {

struct TableOptions {
  uint32_t maxThreads = 64;
  llvm::StringRef compilerVersion = "";
};

/// Builds an LLVM module that defines GRAPHC_ABI_QUERY_SYMBOL, exported, and
/// everything it returns as internal constants: the programs, variables,
/// constants and signature of `module`, with one variant for each level. The
/// kernels' functions are hidden declarations called kernelSymbol(kernel,
/// level). Equal modules give equal text. Null after an error, reported.
std::unique_ptr<llvm::Module> buildTables(mlir::ModuleOp module,
                                          llvm::ArrayRef<Level> levels,
                                          const TableOptions &options,
                                          llvm::LLVMContext &context);

} // namespace graphc::cpu

#endif // GRAPHC_LIB_TARGET_CPU_TABLES_H
