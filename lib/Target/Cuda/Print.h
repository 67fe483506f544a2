// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From functions of the thread level to CUDA C++.

#ifndef GRAPHC_LIB_TARGET_CUDA_PRINT_H
#define GRAPHC_LIB_TARGET_CUDA_PRINT_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <string>

namespace graphc::cuda {

/// The C++ type of an element or a vector in a kernel; memory is `bits of an
/// element` *.
std::string typeName(mlir::Type type, bool wideIndex);

/// True if some index of `function` may not fit 32 bits.
bool needsWideIndex(mlir::gpu::GPUFuncOp function);

/// The largest power of two, at most 2^20, that is known to divide `index`.
int64_t knownDivisor(mlir::Value index);

/// Bytes that an access at `index` of `memory` is a multiple of: at most 16.
int64_t knownAlignment(mlir::Value memory, mlir::Value index);

/// CUDA C++ that defines the functions of `module` as extern "C" kernels; it
/// includes the prelude. "" with `notYet` set on an op that has no text.
std::string printKernels(mlir::gpu::GPUModuleOp module, std::string &notYet);

} // namespace graphc::cuda

#endif // GRAPHC_LIB_TARGET_CUDA_PRINT_H
