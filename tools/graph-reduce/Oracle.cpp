// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/graph-reduce/Oracle.h"

#include "lib/Check/Bisect.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace graphc::reduce {

Oracle commandOracle(const std::string &command) {
  return [command](ModuleOp module) {
    SmallString<128> path;
    int file = -1;
    if (llvm::sys::fs::createTemporaryFile("graph-reduce", "mlir", file, path))
      return false;
    {
      llvm::raw_fd_ostream os(file, /*shouldClose=*/true);
      module.print(os);
      os << "\n";
    }
    std::string script = command + " \"$1\"";
    StringRef arguments[] = {"/bin/sh", "-c", script, "graph-reduce", path};
    std::optional<StringRef> redirects[] = {StringRef(""), StringRef(""),
                                            StringRef("")};
    int status = llvm::sys::ExecuteAndWait("/bin/sh", arguments, std::nullopt,
                                           redirects, /*SecondsToWait=*/600);
    llvm::sys::fs::remove(path);
    return status == 0;
  };
}

/// The pass, or "kernel graph.add": what two findings must share.
static std::string kindOf(const check::BisectResult &result) {
  if (result.culprit != "kernel")
    return result.culprit;
  size_t at = result.finding.find("graph.");
  if (at == std::string::npos)
    return result.culprit;
  size_t end = result.finding.find_first_not_of(
      "abcdefghijklmnopqrstuvwxyz_0123456789", at + 6);
  return result.culprit + " " + result.finding.substr(at, end - at);
}

static std::string examine(ModuleOp module, const std::string &folder,
                           const std::string &plant) {
  // What cannot be compared or compiled is no candidate; nobody needs to know.
  ScopedDiagnosticHandler silence(module.getContext(),
                                  [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> copy = module.clone();
  check::BisectOptions options;
  options.compile.folder = folder;
  options.plant = plant;
  auto result = check::bisect(*copy, options, llvm::nulls());
  return failed(result) ? std::string() : kindOf(*result);
}

Oracle accuracyOracle(ModuleOp original, const std::string &folder,
                      const std::string &plant) {
  std::string kind = examine(original, folder, plant);
  if (kind.empty())
    return nullptr;
  return
      [=](ModuleOp module) { return examine(module, folder, plant) == kind; };
}

} // namespace graphc::reduce
