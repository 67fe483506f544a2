// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Delta debugging of modules.
#ifndef GRAPHC_TOOLS_GRAPH_REDUCE_REDUCE_H
#define GRAPHC_TOOLS_GRAPH_REDUCE_REDUCE_H

#include "tools/graph-reduce/Oracle.h"

#include "mlir/IR/OwningOpRef.h"

namespace graphc::reduce {

/// The smallest module found that is still interesting, with at most `maxTests`
/// questions to the oracle. `module` must be interesting itself; says on `log`
/// what each round left.
mlir::OwningOpRef<mlir::ModuleOp> reduce(mlir::ModuleOp module,
                                         const Oracle &oracle, int64_t maxTests,
                                         llvm::raw_ostream &log);

/// Ops that compute, in all functions.
int64_t countOps(mlir::ModuleOp module);

} // namespace graphc::reduce

#endif // GRAPHC_TOOLS_GRAPH_REDUCE_REDUCE_H
