// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Target/Cuda/Cuda.h"

#include "lib/Target/Cuda/Print.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace graphc::cuda {

KernelText printKernel(func::FuncOp kernel) {
  KernelText result;
  result.name = kernel.getSymName();
  gpu::GPUModuleOp module = mapThreads(kernel, result.notYet);
  if (!module)
    return result;
  result.text = printKernels(module, result.notYet);
  for (auto function : module.getOps<gpu::GPUFuncOp>()) {
    Launch launch = launchOf(function);
    KernelLaunch &added = result.launches.emplace_back(
        KernelLaunch{function.getName().str(), launch.blocks, launch.threads,
                     launch.group, false, false});
    function.walk([&](Operation *op) {
      added.exchanges |= isa<gpu::ShuffleOp, NVVM::SyncWarpOp>(op);
      added.hasLocalScratch |= isa<memref::AllocaOp>(op);
    });
  }
  module.erase();
  return result;
}

} // namespace graphc::cuda
