// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a step does to gradients before the optimizer sees them.
#ifndef GRAPHC_PASSES_TRAINSTEP_CLIP_H
#define GRAPHC_PASSES_TRAINSTEP_CLIP_H

#include "dialects/Graph/IR/Graph.h"

namespace graphc {

/// `gradients` as `op` wants them clipped; each of the type it had.
llvm::SmallVector<mlir::Value> clipGradients(mlir::OpBuilder &builder,
                                             graph::TrainOp op,
                                             mlir::ValueRange gradients);

} // namespace graphc

#endif // GRAPHC_PASSES_TRAINSTEP_CLIP_H
