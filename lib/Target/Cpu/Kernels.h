// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps that take kernels from memrefs and vectors to the LLVM dialect.
// Each works on every kernel of a module; addKernelsToLLVM() has the order.

#ifndef GRAPHC_LIB_TARGET_CPU_KERNELS_H
#define GRAPHC_LIB_TARGET_CPU_KERNELS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace graphc::cpu {

/// An i1 in memory is a byte, 0 or not 0, as it is on the host: makes memrefs
/// of i1 memrefs of i8 and converts at each load and store. LLVM alone would
/// pack a vector of i1 into bits.
mlir::LogicalResult widenBoolMemory(mlir::ModuleOp module);

/// Replaces f16 and bf16 by the i16 of their bits and expands conversions, so
/// that no call into compiler-rt is left. With `convertsF16`, f16 <-> f32 stay
/// conversions, which the level has instructions for.
mlir::LogicalResult expandSmallFloats(mlir::ModuleOp module, bool convertsF16);

/// Makes loads and stores of the first few lanes of a vector, as many as a
/// constant says, those of smaller whole vectors.
void splitMasks(mlir::ModuleOp module);

/// Gives each kernel the signature of graphc_kernel_fn, makes each of its
/// plan.parallel loops a function called through env->parallel_for, and calls
/// env->fail_index for plan.fail_index.
mlir::LogicalResult applyKernelAbi(mlir::ModuleOp module);

/// Makes each function of libm that is left in `math` (exp, pow, ...) a call of
/// it, element by element.
void callLibm(mlir::ModuleOp module);

/// Makes control flow of loops, and keeps what they say to LLVM.
std::unique_ptr<mlir::Pass> createLowerLoops();

/// Appends passes on a module of kernels: the steps above, then what is left to
/// the LLVM dialect. A function with stores past the caches ends in the
/// intrinsic `storeFence`, unless that is null.
void addKernelsToLLVM(mlir::OpPassManager &passes, bool convertsF16,
                      const char *storeFence);

/// Makes the pipeline `--cpu-kernels-to-llvm` known to command lines.
void registerCpuPipelines();

} // namespace graphc::cpu

#endif // GRAPHC_LIB_TARGET_CPU_KERNELS_H
