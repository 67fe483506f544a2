// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Driver/RegisterAll.h"
#include "dialects/Graph/IR/Graph.h"
#include "dialects/Plan/IR/Plan.h"
#include "lib/Driver/RegisterUpstream.h"
#include "lib/Import/Import.h"
#include "lib/Target/Cpu/Kernels.h"
#include "lib/Target/Cuda/MapThreads.h"
#include "passes/AllPasses.h"

#include "mlir/IR/DialectRegistry.h"

namespace graphc {

void registerAll(mlir::DialectRegistry &registry) {
  registerUpstreamDialects(registry);

  registry.insert<graph::GraphDialect, plan::PlanDialect>();

  registerPassExtensions(registry);
}

void registerAllPasses() {
  registerUpstreamPasses();
  registerPassRooms();
  registerImportPass();
  cpu::registerCpuPipelines();
  cuda::registerCudaPasses();
}

} // namespace graphc
