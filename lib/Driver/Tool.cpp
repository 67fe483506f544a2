// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Driver/Tool.h"

#include "graphc/version.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <cstdlib>
#include <new>
#include <unistd.h>

namespace graphc {

static const char *toolName = "graphc";

int checkOutputs(int status) {
  llvm::raw_fd_ostream &out = llvm::outs();
  out.flush();
  bool isLost = std::fflush(stdout) != 0 || std::ferror(stdout);
  std::string why;
  if (out.has_error()) {
    isLost = true;
    why = ": " + out.error().message();
    out.clear_error(); // Or its destructor ends the process in its own way.
  }
  if (!isLost)
    return status;
  std::fprintf(stderr, "%s: error: cannot write to standard output%s\n",
               toolName, why.c_str());
  return 1;
}

void startTool(const char *name) {
  toolName = name;
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << toolName << " " << GRAPHC_VERSION_STRING << " (LLVM "
       << LLVM_VERSION_STRING << ")\n";
  });
  // A refused allocation is an error like any other.
  std::set_new_handler([] {
    std::fprintf(stderr, "%s: error: out of memory\n", toolName);
    _exit(1);
  });
  // Made before the handler is registered, the stream outlives it.
  (void)llvm::outs();
  std::atexit([] {
    if (checkOutputs(0) != 0)
      _exit(1);
  });
}

} // namespace graphc
