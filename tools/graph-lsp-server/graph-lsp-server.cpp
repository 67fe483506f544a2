// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's language server with the compiler's dialects, for editors.

#include "lib/Driver/RegisterAll.h"
#include "lib/Driver/Tool.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/LogicalResult.h"

int main(int argc, char **argv) {
  graphc::startTool("graph-lsp-server");
  mlir::DialectRegistry registry;
  graphc::registerAll(registry);
  return succeeded(mlir::MlirLspServerMain(argc, argv, registry)) ? 0 : 1;
}
