// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs passes and pipelines over a file, one at a time or chained: the tool
// that tests are written with.

#include "dialects/Graph/IR/Graph.h"
#include "lib/Driver/NumberOption.h"
#include "lib/Driver/RegisterAll.h"
#include "lib/Driver/Tool.h"
#include "lib/Pipelines/Pipelines.h"
#include "lib/Support/OptBisect/OptBisect.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Debug.h"

#ifndef NDEBUG
static void printDebugOutputOf(const std::string &types) {
  llvm::SmallVector<llvm::StringRef> split;
  llvm::StringRef(types).split(split, ',', /*MaxSplit=*/-1,
                               /*KeepEmpty=*/false);
  std::vector<std::string> names(split.begin(), split.end());
  std::vector<const char *> pointers;
  for (const std::string &name : names)
    pointers.push_back(name.c_str());
  llvm::DebugFlag = true;
  llvm::setCurrentDebugTypes(pointers.data(), pointers.size());
}

// The system's LLVM is built without assertions and so has no --debug-only,
// though our own LLVM_DEBUG statements work in a debug build.
static llvm::cl::opt<std::string>
    debugOnly("debug-only",
              llvm::cl::desc("Print the debug output of these types"),
              llvm::cl::value_desc("type,..."),
              llvm::cl::callback([](const std::string &types) {
                printDebugOutputOf(types);
              }));
#endif

/// LLVM's option of this name would bisect passes over LLVM IR, of which there
/// are none here.
static void addBisectLimit(mlir::DialectRegistry &registry) {
  if (auto it = llvm::cl::getRegisteredOptions().find("opt-bisect-limit");
      it != llvm::cl::getRegisteredOptions().end())
    it->second->removeArgument();
  static graphc::NumberOption<int64_t> limit(
      "opt-bisect-limit", llvm::cl::init(-1), llvm::cl::value_desc("n"),
      llvm::cl::desc("Make only the first n choices that may be left out, and "
                     "list them; all of them with -1"));
  // MlirOptMain makes the context itself; each file's has our dialect.
  registry.addExtension(
      +[](mlir::MLIRContext *context, graphc::graph::GraphDialect *) {
        if (limit.getNumOccurrences())
          graphc::bisectOptionalSteps(*context, limit, llvm::errs());
      });
}

int main(int argc, char **argv) {
  graphc::startTool("graph-opt");
  mlir::DialectRegistry registry;
  graphc::registerAll(registry);
  graphc::registerAllPasses();
  graphc::registerPipelines();
  addBisectLimit(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "graphc optimizer driver\n", registry));
}
