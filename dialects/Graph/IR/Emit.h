// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How decompositions write their formulas.
#ifndef GRAPHC_DIALECTS_GRAPH_IR_EMIT_H
#define GRAPHC_DIALECTS_GRAPH_IR_EMIT_H

#include "dialects/Graph/IR/GraphBuilders.h"

namespace graphc::graph {

/// Builds ops at one place: `Emit e{builder, loc}; e.op<MulOp>(x, y)`.
struct Emit {
  mlir::OpBuilder &builder;
  mlir::Location loc;

  template <typename Op, typename... Args> mlir::Value op(Args &&...args) {
    return builder.create<Op>(loc, std::forward<Args>(args)...);
  }
  mlir::Value like(mlir::Value x, double value) {
    return splatLike(builder, loc, x, value);
  }
  mlir::Value cast(mlir::Value x, mlir::Type elementType) {
    return castTo(builder, loc, x, elementType);
  }
  /// `x` in its accumulation type: f32 for f16 and bf16, else itself.
  mlir::Value widen(mlir::Value x) {
    return cast(x, getAccumulationType(elementTypeOf(x)));
  }
  mlir::Value sum(mlir::Value x, llvm::ArrayRef<int64_t> axes) {
    return op<ReduceSumOp>(x, axes);
  }
  /// The largest element along `axis`, repeated to the shape of `x`.
  mlir::Value max(mlir::Value x, int64_t axis) {
    return repeat(op<ReduceMaxOp>(x, axis), axis, x);
  }
  /// `reduced`, which lacks `axis`, repeated to the shape of `x`.
  mlir::Value repeat(mlir::Value reduced, int64_t axis, mlir::Value x) {
    return broadcastReduced(builder, loc, reduced, axis,
                            tensorTypeOf(x).getShape());
  }
};

} // namespace graphc::graph

#endif // GRAPHC_DIALECTS_GRAPH_IR_EMIT_H
