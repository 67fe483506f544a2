// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled code against the reference interpreter, op by op.
#ifndef GRAPHC_TOOLS_GRAPH_RANDOM_CHECK_H
#define GRAPHC_TOOLS_GRAPH_RANDOM_CHECK_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace graphc::random {

/// Compiles function `name` of `module`, whose body is ops of the graph dialect
/// alone, at -O0 and -O3 with every value as a result, runs both on inputs
/// drawn from `seed`, and compares. Returns "" or what is wrong. `plant`, if
/// not empty, is "graph.add:graph.sub": in the compiled copy the one op stands
/// for the other.
std::string checkFunction(mlir::ModuleOp module, llvm::StringRef name,
                          uint64_t seed, llvm::StringRef plant);

} // namespace graphc::random

#endif // GRAPHC_TOOLS_GRAPH_RANDOM_CHECK_H
