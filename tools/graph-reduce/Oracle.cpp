// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/graph-reduce/Oracle.h"

#include "lib/Driver/Child.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <sys/mman.h>

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

namespace {

/// What a child found, in memory that it shares with its parent.
class Verdict {
public:
  Verdict()
      : text(static_cast<char *>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                                      MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  ~Verdict() {
    if (*this)
      munmap(text, kBytes);
  }
  Verdict(const Verdict &) = delete;
  Verdict &operator=(const Verdict &) = delete;

  /// False if the system has no memory for it.
  explicit operator bool() const { return text != MAP_FAILED; }

  void set(StringRef value) {
    value = value.take_front(kBytes - 1);
    std::memcpy(text, value.data(), value.size());
    text[value.size()] = '\0';
  }
  std::string get() const { return text; }

private:
  static constexpr size_t kBytes = 4096;
  char *text;
};

/// The kind of difference that `module` shows; "" if there is none, it does not
/// compile, or the child ends otherwise, which `endedBy` then says.
std::string examine(ModuleOp module, const check::BisectOptions &options,
                    bool isQuiet, std::string &endedBy) {
  Verdict verdict;
  if (!verdict) {
    endedBy = "a lack of memory for its verdict";
    return "";
  }
  ChildLimits limits;
  limits.memoryBytes = uint64_t(8) << 30;
  limits.cpuSeconds = 300;
  ChildResult result = runInChild(limits, [&](const auto &tellFolder) {
    // What cannot be compared or compiled is no candidate; nobody needs to
    // know.
    std::optional<ScopedDiagnosticHandler> silence;
    if (isQuiet)
      silence.emplace(module.getContext(),
                      [](Diagnostic &) { return success(); });
    check::BisectOptions childOptions = options;
    childOptions.compile.onTempFolder = [&](StringRef folder) {
      tellFolder(folder.str());
    };
    OwningOpRef<ModuleOp> copy = module.clone();
    auto found = check::bisect(*copy, childOptions, llvm::nulls());
    if (failed(found))
      return 1;
    verdict.set(kindOf(*found));
    return 0;
  });
  endedBy = result.endedBy;
  return result.endedBy.empty() ? verdict.get() : "";
}

} // namespace

Oracle accuracyOracle(ModuleOp original, const check::BisectOptions &options,
                      std::string &whyNot) {
  std::string endedBy;
  std::string kind = examine(original, options, /*isQuiet=*/false, endedBy);
  if (kind.empty()) {
    whyNot = endedBy.empty()
                 ? "no pass and no kernel is seen to change a result"
                 : "its comparison was ended by " + endedBy;
    return nullptr;
  }
  llvm::errs() << "graph-reduce: keeps what differs at " << kind << "\n";
  return [=](ModuleOp module) {
    std::string childEndedBy;
    bool isSame =
        examine(module, options, /*isQuiet=*/true, childEndedBy) == kind;
    if (!childEndedBy.empty())
      llvm::errs() << "graph-reduce: a candidate was left, for its comparison "
                      "was ended by "
                   << childEndedBy << "\n";
    return isSame;
  };
}

} // namespace graphc::reduce
