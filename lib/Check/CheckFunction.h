// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled code against the reference interpreter, op by op.
#ifndef GRAPHC_LIB_CHECK_CHECKFUNCTION_H
#define GRAPHC_LIB_CHECK_CHECKFUNCTION_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace graphc::check {

/// Makes each op of `module` that is called as the text before the colon of
/// `plant`, "graph.add:graph.sub", one of the other name: a compiler's mistake.
void plantError(mlir::ModuleOp module, llvm::StringRef plant);

/// Compiles function `name` of `module`, whose body is ops of the graph dialect
/// alone, at -O0 and -O3 with every value as a result, runs both on inputs
/// drawn from `seed` (variables are inputs as well), and compares. Returns "" or what is wrong. `plant`, if
/// not empty, is "graph.add:graph.sub": in the compiled copy the one op stands
/// for the other.
std::string checkFunction(mlir::ModuleOp module, llvm::StringRef name,
                          uint64_t seed, llvm::StringRef plant);

} // namespace graphc::check

#endif // GRAPHC_LIB_CHECK_CHECKFUNCTION_H
