// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random graphs over every op of the dialect that computes.
#ifndef GRAPHC_TOOLS_GRAPH_RANDOM_GENERATE_H
#define GRAPHC_TOOLS_GRAPH_RANDOM_GENERATE_H

#include "lib/Interpreter/RandomInputs.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>
#include <string>

namespace graphc::random {

/// How often each op was drawn.
using Counts = std::map<std::string, int64_t>;

/// A module with one function `@f` of `ops` or so ops, whose results are all
/// values it computes. Adds to `counts`, which has every op there is.
mlir::OwningOpRef<mlir::ModuleOp> generate(mlir::MLIRContext *context,
                                           interpreter::RandomStream &stream,
                                           Counts &counts, int ops);

/// Every op that generate() may draw, with 0.
Counts allOps();

/// Adds `@loss`, a rank-0 f32 made of `@f`'s float results, and
/// `graph.grad @dloss` of it by every float argument. False if there is nothing
/// to differentiate.
bool addGradient(mlir::ModuleOp module, interpreter::RandomStream &stream);

} // namespace graphc::random

#endif // GRAPHC_TOOLS_GRAPH_RANDOM_GENERATE_H
