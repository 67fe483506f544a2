// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_LIB_IMPORT_CHECKPOINTS_H
#define GRAPHC_LIB_IMPORT_CHECKPOINTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace graphc {

/// Puts the ops of each graph.checkpoint in its place. Each of them carries the
/// number of the innermost region that it was in, as the i64 attribute
/// `graph.checkpoint`; regions of one function have different numbers.
void dissolveCheckpoints(mlir::func::FuncOp function);

/// Puts the ops of each graph.precision in its place. Each of them carries the
/// type of the region as the attribute `graph.precision`.
void dissolvePrecisions(mlir::func::FuncOp function);

} // namespace graphc

#endif // GRAPHC_LIB_IMPORT_CHECKPOINTS_H
