// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decompositions of linear, mean and the softmaxes.
#include "dialects/Graph/IR/Emit.h"

using namespace mlir;
using namespace graphc::graph;

llvm::SmallVector<Value> LinearOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  auto result = tensorTypeOf(getResult());
  Type wide = getAccumulationType(elementTypeOf(getInput()));
  int64_t last = result.getRank() - 1;
  Value y = e.op<DotGeneralOp>(RankedTensorType::get(result.getShape(), wide),
                               getInput(), getWeight(),
                               /*lhs_batching=*/ArrayRef<int64_t>(),
                               /*rhs_batching=*/ArrayRef<int64_t>(),
                               /*lhs_contracting=*/ArrayRef<int64_t>(last),
                               /*rhs_contracting=*/ArrayRef<int64_t>(1));
  if (Value bias = getBias())
    y = e.op<AddOp>(y, broadcastTo(builder, getLoc(), e.cast(bias, wide), last,
                                   result.getShape()));
  return {e.cast(y, result.getElementType())};
}

llvm::SmallVector<Value> ReduceMeanOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  Value sum = e.sum(e.widen(getInput()), getAxes());
  auto count = reducedCount(tensorTypeOf(getInput()), getAxes());
  Value mean = e.op<DivOp>(sum, e.like(sum, static_cast<double>(count)));
  return {e.cast(mean, elementTypeOf(getResult()))};
}

/// x - max(x): the exponentials of it are at most 1, and one of them is 1. A
/// row of -inf becomes NaN here.
static Value shifted(Emit e, Value x, int64_t axis) {
  return e.op<SubOp>(x, e.max(x, axis));
}

llvm::SmallVector<Value> SoftmaxOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  int64_t axis = getAxis();
  Value exp = e.op<ExpOp>(shifted(e, e.widen(getInput()), axis));
  // The sum is at least 1 and finite, so its inverse is a normal number: one
  // division a row.
  Value inverse = e.op<ReciprocalOp>(e.sum(exp, axis));
  Value y = e.op<MulOp>(exp, e.repeat(inverse, axis, exp));
  return {e.cast(y, elementTypeOf(getResult()))};
}

llvm::SmallVector<Value> LogSoftmaxOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  int64_t axis = getAxis();
  Value x = shifted(e, e.widen(getInput()), axis);
  Value logSum = e.op<LogOp>(e.sum(e.op<ExpOp>(x), axis));
  Value y = e.op<SubOp>(x, e.repeat(logSum, axis, x));
  return {e.cast(y, elementTypeOf(getResult()))};
}
