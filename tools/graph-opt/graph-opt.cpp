// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs passes and pipelines over a file, one at a time or chained: the tool
// that tests are written with.

#include "lib/Driver/RegisterAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Debug.h"

#ifndef NDEBUG
// The system's LLVM is built without assertions and so has no --debug-only,
// though our own LLVM_DEBUG statements work in a debug build.
static llvm::cl::opt<std::string>
    debugOnly("debug-only", llvm::cl::desc("Print debug output of these types"),
              llvm::cl::value_desc("type,..."),
              llvm::cl::callback([](const std::string &types) {
                llvm::SmallVector<llvm::StringRef> names;
                llvm::StringRef(types).split(names, ',', -1, false);
                static std::vector<std::string> owned;
                owned.assign(names.begin(), names.end());
                std::vector<const char *> pointers;
                for (const std::string &name : owned)
                  pointers.push_back(name.c_str());
                llvm::DebugFlag = true;
                llvm::setCurrentDebugTypes(pointers.data(), pointers.size());
              }));
#endif

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  graphc::registerAll(registry);
  graphc::registerAllPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "graphc optimizer driver\n", registry));
}
