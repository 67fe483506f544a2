// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_TRAINSTEP_RANDOMKEY_H
#define GRAPHC_PASSES_TRAINSTEP_RANDOMKEY_H

#include "dialects/Graph/IR/Graph.h"

namespace graphc {

/// The variable of the random key: seed, attempted steps, micro-batch.
inline constexpr llvm::StringLiteral kRandomKey = "graphc.rng_key";

/// The key that a step starts with.
mlir::Value getRandomKey(mlir::OpBuilder &builder, mlir::Location loc);

/// Sets the key to the step after that of `key`, so that it draws others.
void countDraws(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value key);

/// Sets the key to that of micro-batch `number`, a tensor<i64>, of the step
/// that starts with `key`.
void numberDraws(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value key,
                 mlir::Value number);

} // namespace graphc

#endif // GRAPHC_PASSES_TRAINSTEP_RANDOMKEY_H
