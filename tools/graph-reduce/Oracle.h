// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What makes a module interesting.
#ifndef GRAPHC_TOOLS_GRAPH_REDUCE_ORACLE_H
#define GRAPHC_TOOLS_GRAPH_REDUCE_ORACLE_H

#include "lib/Check/Bisect.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <string>

namespace graphc::reduce {

/// True for a module that shows what is looked for; leaves it as it is.
using Oracle = std::function<bool(mlir::ModuleOp)>;

/// Runs `command` in a shell with a file of the module's text as its last
/// argument; interesting if that exits with 0. Its output is thrown away.
Oracle commandOracle(const std::string &command);

/// Interesting if compiled code differs from the interpreter where that of
/// `original` does: at the same pass, or at a kernel for an op of the same
/// name. Each module is compiled and run in a child process: what a compiler
/// with a fault makes of half a model may crash. `options.compile.emit` and
/// `.stopAfter` do not matter. Null if `original` shows no difference, or none
/// that could be seen; `whyNot` says which. The process must have one thread.
Oracle accuracyOracle(mlir::ModuleOp original,
                      const check::BisectOptions &options, std::string &whyNot);

} // namespace graphc::reduce

#endif // GRAPHC_TOOLS_GRAPH_REDUCE_ORACLE_H
