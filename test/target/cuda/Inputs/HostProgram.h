// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_TEST_TARGET_CUDA_HOSTPROGRAM_H
#define GRAPHC_TEST_TARGET_CUDA_HOSTPROGRAM_H

#include "lib/Target/Cuda/Cuda.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

/// Writes C++ that runs the functions of `module` on the emulator, with the
/// texts of `kernels`. A function that has something else than launches,
/// or a kernel without text, is left out: `report` says so.
void writeHostProgram(mlir::ModuleOp module,
                      const llvm::StringMap<graphc::cuda::KernelText> &kernels,
                      llvm::raw_ostream &os, llvm::raw_ostream &report);

#endif // GRAPHC_TEST_TARGET_CUDA_HOSTPROGRAM_H
