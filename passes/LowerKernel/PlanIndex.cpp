// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nests of ops that write where data says, of scans and of sorts.
#include "dialects/Graph/IR/CheckedIndex.h"
#include "passes/LowerKernel/PlanRegion.h"

using namespace mlir;
namespace graphc::kernel {

//===----------------------------------------------------------------------===//
// Indices that are in range
//===----------------------------------------------------------------------===//

/// `op` gathers or scatters slices of `input`.
template <typename Op> static void checkIndices(Op op) {
  if (graph::hasHeldIndices(op))
    return;
  int64_t limit = graph::tensorTypeOf(op.getInput()).getDimSize(op.getAxis());
  Value indices = op.getIndices();
  OpBuilder builder(op);
  Value checked = builder.create<graph::CheckIndexOp>(
      op.getLoc(), indices.getType(), indices, builder.getI64IntegerAttr(limit),
      IntegerAttr());
  op.getIndicesMutable().assign(checked);
}

static void clampStarts(Operation *op, MutableOperandRange starts,
                        ArrayRef<int64_t> shape, ArrayRef<int64_t> sizes) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  for (auto [k, start] : llvm::enumerate(starts)) {
    Value value = start.get();
    auto bound = [&](int64_t number) {
      return graph::splatInt(builder, loc, value.getType(), number);
    };
    value = builder.create<graph::MaximumOp>(loc, value, bound(0));
    start.set(builder.create<graph::MinimumOp>(loc, value,
                                               bound(shape[k] - sizes[k])));
  }
}

void makeIndicesSafe(Block &body) {
  for (Operation &op : llvm::make_early_inc_range(body)) {
    if (auto gather = dyn_cast<graph::GatherOp>(op))
      checkIndices(gather);
    else if (auto scatter = dyn_cast<graph::ScatterAddOp>(op))
      checkIndices(scatter);
    else if (auto slice = dyn_cast<graph::DynamicSliceOp>(op))
      clampStarts(slice, slice.getStartsMutable(),
                  graph::tensorTypeOf(slice.getInput()).getShape(),
                  slice.getSizes());
    else if (auto update = dyn_cast<graph::DynamicUpdateSliceOp>(op))
      clampStarts(update, update.getStartsMutable(),
                  graph::tensorTypeOf(update.getInput()).getShape(),
                  graph::tensorTypeOf(update.getUpdate()).getShape());
  }
}

//===----------------------------------------------------------------------===//
// Nests
//===----------------------------------------------------------------------===//

static Expr *convert(Nest &nest, Expr *value, Type type) {
  if (value->elementType == type)
    return value;
  nest.exprs.push_back({Expr::Convert, type});
  nest.exprs.back().operands = {value};
  return &nest.exprs.back();
}

/// Copies `value` to `to`, as elements of `type`.
void Planner::planCopy(Value value, Buffer *to, Type type, Location loc) {
  ArrayRef<int64_t> shape = graph::tensorTypeOf(value).getShape();
  Nest &nest = addNest(Nest::Map, loc);
  NestBuilder builder(nest, placement);
  SmallVector<Index> indices = builder.addLoops(shape, Outer);
  Expr *expr = convert(nest, builder.element(value, indices), type);
  nest.stores.push_back({expr, to, builder.linearize(indices, shape)});
  Buffer *from = placement.buffers.lookup(value);
  if (from && from->place == Buffer::Input && to->place == Buffer::Output &&
      from->elementType == type) {
    nest.copied = from;
    kernel.copies.push_back({to, from});
  }
  nest.finish();
}

void Planner::planUpdate(graph::DynamicUpdateSliceOp op) {
  ArrayRef<int64_t> shape = graph::tensorTypeOf(op.getInput()).getShape();
  ArrayRef<int64_t> sizes = graph::tensorTypeOf(op.getUpdate()).getShape();
  Buffer *buffer = place(op);
  planCopy(op.getInput(), buffer, graph::elementTypeOf(op), op.getLoc());
  Nest &nest = addNest(Nest::Map, op.getLoc());
  NestBuilder builder(nest, placement);
  SmallVector<Index> indices = builder.addLoops(sizes, Outer);
  Expr *expr = builder.element(op.getUpdate(), indices);
  SmallVector<Index> target =
      builder.shift(indices, op.getStarts(), sizes, shape);
  nest.stores.push_back({expr, buffer, builder.linearize(target, shape)});
  nest.finish();
}

void Planner::planScatter(graph::ScatterAddOp op) {
  RankedTensorType type = graph::tensorTypeOf(op);
  ArrayRef<int64_t> shape = type.getShape();
  Type sumType = graph::getAccumulationType(type.getElementType());
  Buffer *result = place(op);
  // Sums in a wider type have memory of their own until they are complete.
  Buffer *sums = sumType == type.getElementType()
                     ? result
                     : kernel.addWorkspace(sumType, type.getNumElements());
  planCopy(op.getInput(), sums, sumType, op.getLoc());

  Nest &nest = addNest(Nest::Scatter, op.getLoc());
  NestBuilder builder(nest, placement);
  int64_t axis = op.getAxis();
  int64_t positions =
      graph::tensorTypeOf(op.getIndices()).getRank() - op.getBatchDims();
  SmallVector<Index> indices;
  for (auto [k, size] :
       llvm::enumerate(graph::tensorTypeOf(op.getUpdates()).getShape()))
    indices.push_back(builder.addLoop(size, int64_t(k) < axis ? Outer
                                            : int64_t(k) < axis + positions
                                                ? Reduced
                                                : Inner));
  nest.element =
      convert(nest, builder.element(op.getUpdates(), indices), sumType);
  SmallVector<Index> target = builder.gather(indices, op.getIndices(), axis,
                                             op.getBatchDims(), shape[axis]);
  Expr sum{Expr::Load, sumType};
  sum.buffer = sums;
  sum.index = builder.linearize(target, shape);
  nest.exprs.push_back(sum);
  nest.other = &nest.exprs.back();
  nest.accumulationType = sumType;
  nest.exprs.push_back({Expr::Accumulated, sumType});
  nest.stores.push_back({&nest.exprs.back(), sums, sum.index});
  nest.finish();

  if (sums == result)
    return;
  Nest &round = addNest(Nest::Map, op.getLoc());
  NestBuilder last(round, placement);
  SmallVector<Index> all = last.addLoops(shape, Outer);
  Expr load{Expr::Load, sumType};
  load.buffer = sums;
  load.index = last.linearize(all, shape);
  round.exprs.push_back(load);
  Expr *rounded = convert(round, &round.exprs.back(), type.getElementType());
  round.stores.push_back({rounded, result, load.index});
  round.finish();
}

/// Loops around and inside of the one along `axis`.
static SmallVector<Index> addLines(NestBuilder &builder,
                                   ArrayRef<int64_t> shape, size_t axis) {
  SmallVector<Index> indices;
  for (auto [k, size] : llvm::enumerate(shape))
    indices.push_back(builder.addLoop(size, k < axis    ? Outer
                                            : k == axis ? Reduced
                                                        : Inner));
  return indices;
}

void Planner::planScan(graph::CumsumOp op) {
  RankedTensorType type = graph::tensorTypeOf(op);
  Nest &nest = addNest(Nest::Scan, op.getLoc());
  NestBuilder builder(nest, placement);
  SmallVector<Index> indices = addLines(builder, type.getShape(), op.getAxis());
  nest.op = op;
  nest.accumulationType = graph::getAccumulationType(type.getElementType());
  nest.element = convert(nest, builder.element(op.getInput(), indices),
                         nest.accumulationType);
  storeResult(nest, builder, op, indices);
}

void Planner::planSort(graph::SortOp op) {
  RankedTensorType type = graph::tensorTypeOf(op.getInput());
  int64_t elements = type.getNumElements();
  Nest &nest = addNest(Nest::Sort, op.getLoc());
  NestBuilder builder(nest, placement);
  SmallVector<Index> indices = addLines(builder, type.getShape(), op.getAxis());
  nest.op = op;
  nest.element = builder.element(op.getInput(), indices);
  Index position = builder.linearize(indices, type.getShape());
  Buffer *values = place(op.getValues()), *order = place(op.getIndices());
  nest.stores.push_back({nest.element, values, position});
  nest.stores.push_back({nest.element, order, position});
  if (type.getDimSize(op.getAxis()) > 1) {
    nest.spareValues = kernel.addWorkspace(type.getElementType(), elements);
    nest.spareIndices =
        kernel.addWorkspace(graph::elementTypeOf(op.getIndices()), elements);
  }
  nest.finish();
}

} // namespace graphc::kernel
