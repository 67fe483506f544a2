// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// importModule() by name, so that tests may run it in a pipeline.
#include "lib/Import/Import.h"

#include "dialects/Graph/IR/Graph.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace graphc {
namespace {
struct ImportPass : PassWrapper<ImportPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ImportPass)

  StringRef getArgument() const final { return "import"; }
  StringRef getDescription() const final {
    return "Check a module, expand its calls, resolve modes and random draws";
  }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<graph::GraphDialect>();
  }
  void runOnOperation() final {
    if (failed(importModule(getOperation())))
      signalPassFailure();
  }
};
} // namespace

void registerImportPass() { PassRegistration<ImportPass>(); }

} // namespace graphc
