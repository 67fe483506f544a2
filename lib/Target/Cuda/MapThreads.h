// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a kernel of the tile level to functions of the thread level, one for
// each launch that the kernel takes.

#ifndef GRAPHC_LIB_TARGET_CUDA_MAPTHREADS_H
#define GRAPHC_LIB_TARGET_CUDA_MAPTHREADS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <string>

namespace graphc::cuda {

/// The width of the tile level's vectors that the mapping is made for: 16
/// threads of 16 bytes. Any other width is right too.
inline constexpr int64_t kTileVectorBits = 2048;

/// Threads of a block, whatever runs in it.
inline constexpr int64_t kBlockThreads = 128;

/// Shared memory that a block may have without asking the driver.
inline constexpr int64_t kSharedBytes = 48 * 1024;

/// How a gpu.func is launched, as its attributes known_grid_size,
/// known_block_size and `group_size` say.
struct Launch {
  int64_t blocks, threads;
  int64_t group; // threads that share one iteration
};
Launch launchOf(mlir::gpu::GPUFuncOp function);

/// Adds a gpu.module named after `kernel`, a function marked plan.kernel, at
/// the end of the module around it. Its functions have the kernel's arguments
/// and are launched one after another, each when the one before has ended.
/// Returns null with `notYet` set where the kernel uses what has no CUDA form
/// yet.
mlir::gpu::GPUModuleOp mapThreads(mlir::func::FuncOp kernel,
                                  std::string &notYet);

/// Makes the pass `--cuda-map-threads` known to command lines.
void registerCudaPasses();

} // namespace graphc::cuda

#endif // GRAPHC_LIB_TARGET_CUDA_MAPTHREADS_H
