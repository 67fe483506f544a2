// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the command-line programs have in common.
#ifndef GRAPHC_LIB_DRIVER_TOOL_H
#define GRAPHC_LIB_DRIVER_TOOL_H

namespace graphc {

/// Call it first in main(), with a string that lives on. `--version` of LLVM's
/// option parser prints `name` and the versions of graphc and LLVM. And whatever
/// way the program returns or calls exit(), it ends with status 1, and an error,
/// if something written to llvm::outs() or stdout did not get there.
void startTool(const char *name);

/// For a program that ends with _exit(): `status`, or 1 after that error.
int checkOutputs(int status);

} // namespace graphc

#endif // GRAPHC_LIB_DRIVER_TOOL_H
