// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small helpers that build graph ops: constants, casts, broadcasts. For
// decompositions, derivative rules and optimizers.
#ifndef GRAPHC_DIALECTS_GRAPH_IR_GRAPHBUILDERS_H
#define GRAPHC_DIALECTS_GRAPH_IR_GRAPHBUILDERS_H

#include "dialects/Graph/IR/Graph.h"

namespace graphc::graph {

inline mlir::RankedTensorType tensorTypeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}
inline mlir::Type elementTypeOf(mlir::Value value) {
  return tensorTypeOf(value).getElementType();
}

/// A constant of `tensorType` whose every element is `value`, rounded to the
/// element type (for integers `value` must be an integer).
mlir::Value splat(mlir::OpBuilder &builder, mlir::Location loc,
                  mlir::Type tensorType, double value);

/// The same for 64-bit integers, of which a double cannot hold all.
mlir::Value splatInt(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Type tensorType, int64_t value);

/// A constant of the type of `like` whose every element is `value`.
mlir::Value splatLike(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value like, double value);

/// A rank-0 constant: the lowest value of `elementType`, -inf for floats.
mlir::Value lowestOf(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Type elementType);

/// `value` with elements of type `elementType`; `value` itself if it has them.
mlir::Value castTo(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value value, mlir::Type elementType);

/// `value` repeated to `shape`: its dimension k becomes dimension `dims[k]`.
/// `value` itself if it has that shape.
mlir::Value broadcastTo(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value, llvm::ArrayRef<int64_t> dims,
                        llvm::ArrayRef<int64_t> shape);

/// A rank-0 `scalar` repeated to `shape`.
mlir::Value broadcastScalar(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value scalar, llvm::ArrayRef<int64_t> shape);

/// Undoes the loss of dimensions of a reduction: repeats `reduced`, the shape
/// of which is `shape` without `axes`, to `shape`.
mlir::Value broadcastReduced(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value reduced, llvm::ArrayRef<int64_t> axes,
                             llvm::ArrayRef<int64_t> shape);

/// `value` in `shape`; `value` itself if it has that shape.
mlir::Value reshapeTo(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value value, llvm::ArrayRef<int64_t> shape);

/// 0, 1, ..., rank - 1.
llvm::SmallVector<int64_t> allAxes(mlir::Value value);

/// The dimensions of `type` that a product with these lists keeps apart.
llvm::SmallVector<int64_t> freeDims(mlir::RankedTensorType type,
                                    llvm::ArrayRef<int64_t> batching,
                                    llvm::ArrayRef<int64_t> contracting);

/// The number of elements that a reduction over `axes` adds up.
int64_t reducedCount(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> axes);

} // namespace graphc::graph

#endif // GRAPHC_DIALECTS_GRAPH_IR_GRAPHBUILDERS_H
