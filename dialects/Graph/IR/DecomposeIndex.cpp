// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decompositions of embedding, one_hot, top_k and triangles.
#include "dialects/Graph/IR/Emit.h"

using namespace mlir;
using namespace graphc::graph;

llvm::SmallVector<Value> EmbeddingOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  return {e.op<GatherOp>(getWeight(), getIndices(), /*axis=*/uint64_t(0),
                         /*batch_dims=*/uint64_t(0))};
}

llvm::SmallVector<Value> OneHotOp::decompose(OpBuilder &builder) {
  Emit e{builder, getLoc()};
  auto type = tensorTypeOf(getResult());
  int64_t axis = type.getRank() - 1;
  Value index = e.op<CheckIndexOp>(
      getIndices().getType(), getIndices(),
      builder.getI64IntegerAttr(type.getDimSize(axis)), IntegerAttr());
  Value classes =
      e.op<IotaOp>(RankedTensorType::get(type.getShape(), elementTypeOf(index)),
                   static_cast<uint64_t>(axis));
  Value isClass = e.op<CompareOp>(ComparePredicate::EQ, classes,
                                  e.repeat(index, axis, classes));
  return {e.cast(isClass, type.getElementType())};
}

llvm::SmallVector<Value> TopKOp::decompose(OpBuilder &builder) {
  auto sort = builder.create<SortOp>(getLoc(), getInput(), getAxis(),
                                     /*descending=*/!getSmallest());
  auto type = tensorTypeOf(getValues());
  llvm::SmallVector<int64_t> starts(type.getRank(), 0),
      strides(type.getRank(), 1);
  Emit e{builder, getLoc()};
  return {e.op<SliceOp>(sort.getValues(), starts, type.getShape(), strides),
          e.op<SliceOp>(sort.getIndices(), starts, type.getShape(), strides)};
}

/// `x`, but 0 where column - row is not in `predicate` to `diagonal`.
static Value triangle(Emit e, Value x, ComparePredicate predicate,
                      int64_t diagonal) {
  auto type = tensorTypeOf(x);
  int64_t rank = type.getRank();
  // Beyond the corners, where all diagonals are alike, and sums could overflow.
  diagonal = std::clamp(diagonal, -type.getDimSize(rank - 2) - 1,
                        type.getDimSize(rank - 1) + 1);
  auto positions =
      RankedTensorType::get(type.getShape(), e.builder.getI64Type());
  Value row = e.op<IotaOp>(positions, static_cast<uint64_t>(rank - 2));
  Value column = e.op<IotaOp>(positions, static_cast<uint64_t>(rank - 1));
  Value keeps =
      e.op<CompareOp>(predicate, e.op<SubOp>(column, row),
                      splatInt(e.builder, e.loc, positions, diagonal));
  return e.op<SelectOp>(keeps, x, e.like(x, 0.0));
}

llvm::SmallVector<Value> TrilOp::decompose(OpBuilder &builder) {
  return {triangle({builder, getLoc()}, getInput(), ComparePredicate::LE,
                   static_cast<int64_t>(getDiagonal()))};
}

llvm::SmallVector<Value> TriuOp::decompose(OpBuilder &builder) {
  return {triangle({builder, getLoc()}, getInput(), ComparePredicate::GE,
                   static_cast<int64_t>(getDiagonal()))};
}
