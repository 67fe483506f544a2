// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA target: a module's kernels to CUDA C++.

#ifndef GRAPHC_LIB_TARGET_CUDA_CUDA_H
#define GRAPHC_LIB_TARGET_CUDA_CUDA_H

#include "lib/Target/Cuda/MapThreads.h"

#include <string>
#include <vector>

namespace graphc::cuda {

/// One launch of a kernel. Launches of a kernel have the same arguments and
/// follow one another.
struct KernelLaunch {
  std::string function;
  int64_t blocks, threads;
  int64_t group;        // threads that share one iteration of a loop
  bool exchanges;       // the threads of a group wait for one another
  bool hasLocalScratch; // each thread has memory of its own
};

struct KernelText {
  std::string name;
  std::vector<KernelLaunch> launches;
  std::string text;   // includes the prelude
  std::string notYet; // if not empty, why there is no text
};

/// Prints `kernel`, a function marked plan.kernel, of the tile level. It and
/// the module around it stay as they are.
KernelText printKernel(mlir::func::FuncOp kernel);

} // namespace graphc::cuda

#endif // GRAPHC_LIB_TARGET_CUDA_CUDA_H
