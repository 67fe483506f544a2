// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nests of matrix products, and of what packs their factors.
#include "passes/LowerKernel/PlanRegion.h"

using namespace mlir;
namespace graphc::kernel {

/// Copies `factor`, its dimensions in the order `dims`, to the workspace.
Buffer *Planner::pack(Value factor, ArrayRef<int64_t> dims, Type type,
                      Location loc) {
  ArrayRef<int64_t> shape = graph::tensorTypeOf(factor).getShape();
  Nest &nest = addNest(Nest::Map, loc);
  NestBuilder builder(nest, placement);
  SmallVector<Index> indices(shape.size()), packed;
  SmallVector<int64_t> packedShape;
  for (int64_t dim : dims) {
    packed.push_back(indices[dim] = builder.addLoop(shape[dim], Outer));
    packedShape.push_back(shape[dim]);
  }
  Expr *value = builder.element(factor, indices);
  nest.exprs.push_back({Expr::Convert, type});
  nest.exprs.back().operands = {value};
  Buffer *buffer =
      kernel.addWorkspace(type, graph::tensorTypeOf(factor).getNumElements());
  nest.stores.push_back(
      {&nest.exprs.back(), buffer, builder.linearize(packed, packedShape)});
  nest.finish();
  return buffer;
}

static bool isView(Operation *op) {
  return isa<graph::BroadcastOp, graph::ReshapeOp, graph::TransposeOp,
             graph::SliceOp, graph::ReverseOp, graph::UnfoldOp>(op);
}

/// True if `value` is read where it lies, through views alone.
static bool isViewOfBuffer(Value value, const Placement &placement) {
  while (!placement.buffers.contains(value)) {
    if (!isView(value.getDefiningOp()))
      return false;
    value = value.getDefiningOp()->getOperand(0);
  }
  return true;
}

/// A window shows each element many times: what it slides over is stored once,
/// not computed each time, and not the windows.
void Planner::materializeWindowSource(Value factor) {
  bool hasWindows = false;
  while (!placement.buffers.contains(factor) &&
         isView(factor.getDefiningOp())) {
    hasWindows |= isa<graph::UnfoldOp>(factor.getDefiningOp());
    factor = factor.getDefiningOp()->getOperand(0);
  }
  if (hasWindows)
    materialize(factor);
}

/// True if vectors cannot run along the `free` dimensions of `factor`, which is
/// a view of a buffer: they do not follow each other in memory, or too few do.
bool Planner::isLaneRunShort(Value factor, ArrayRef<int64_t> free) const {
  Nest probe(Nest::Product, factor.getLoc());
  NestBuilder builder(probe, placement);
  ArrayRef<int64_t> shape = graph::tensorTypeOf(factor).getShape();
  SmallVector<Index> indices = builder.addLoops(shape, Outer);
  Expr *expr = builder.element(factor, indices);
  int64_t run = 1, all = 1;
  bool isRun = true;
  for (int64_t dim : llvm::reverse(free)) {
    if (shape[dim] == 1)
      continue;
    isRun = isRun && expr->index.coefficient(dim) == run;
    if (isRun)
      run *= shape[dim];
    all *= shape[dim];
  }
  constexpr int64_t enough = 8;
  return all > 1 && (run == 1 || (run < enough && run < all));
}

void Planner::planProduct(graph::DotGeneralOp op) {
  ArrayRef<int64_t> lhsShape = graph::tensorTypeOf(op.getLhs()).getShape();
  ArrayRef<int64_t> rhsShape = graph::tensorTypeOf(op.getRhs()).getShape();
  Type operandType = graph::tensorTypeOf(op.getLhs()).getElementType();
  Type resultType = graph::tensorTypeOf(op).getElementType();
  Type type = isa<FloatType>(operandType)
                  ? graph::getAccumulationType(operandType)
                  : resultType;
  SmallVector<int64_t> lhsFree =
      graph::freeDims(graph::tensorTypeOf(op.getLhs()), op.getLhsBatching(),
                      op.getLhsContracting());
  SmallVector<int64_t> rhsFree =
      graph::freeDims(graph::tensorTypeOf(op.getRhs()), op.getRhsBatching(),
                      op.getRhsContracting());

  materializeWindowSource(op.getLhs());
  materializeWindowSource(op.getRhs());

  // Vectors run along the last free dimension of rhs, so that must be
  // contiguous; and a factor that is not lying ready in the accumulation type
  // would be computed again for each row or column.
  auto mustPack = [&](Value factor, ArrayRef<int64_t> free, bool contiguous) {
    if (operandType != type || !isViewOfBuffer(factor, placement))
      return true;
    return contiguous && isLaneRunShort(factor, free);
  };
  auto order = [](ArrayRef<int64_t> a, ArrayRef<int64_t> b,
                  ArrayRef<int64_t> c) {
    SmallVector<int64_t> all(a);
    llvm::append_range(all, b);
    llvm::append_range(all, c);
    return all;
  };
  SmallVector<int64_t> lhsOrder =
      order(op.getLhsBatching(), lhsFree, op.getLhsContracting());
  SmallVector<int64_t> rhsOrder =
      order(op.getRhsBatching(), op.getRhsContracting(), rhsFree);
  Buffer *lhsPacked = mustPack(op.getLhs(), lhsFree, false)
                          ? pack(op.getLhs(), lhsOrder, type, op.getLoc())
                          : nullptr;
  Buffer *rhsPacked = mustPack(op.getRhs(), rhsFree, true)
                          ? pack(op.getRhs(), rhsOrder, type, op.getLoc())
                          : nullptr;

  Nest &nest = addNest(Nest::Product, op.getLoc());
  NestBuilder builder(nest, placement);
  SmallVector<Index> lhs(lhsShape.size()), rhs(rhsShape.size()), kept;
  auto loop = [&](int64_t size, unsigned role) {
    return size == 1 ? Index() : builder.addLoop(size, role);
  };
  for (auto [l, r] : llvm::zip_equal(op.getLhsBatching(), op.getRhsBatching()))
    kept.push_back(lhs[l] = rhs[r] = loop(lhsShape[l], Outer));
  for (int64_t l : lhsFree)
    kept.push_back(lhs[l] = loop(lhsShape[l], M));
  for (int64_t r : rhsFree)
    kept.push_back(rhs[r] = loop(rhsShape[r], N));
  for (auto [l, r] :
       llvm::zip_equal(op.getLhsContracting(), op.getRhsContracting()))
    lhs[l] = rhs[r] = loop(lhsShape[l], K);

  nest.op = op;
  nest.accumulationType = type;
  auto factor = [&](Value value, Buffer *packed, ArrayRef<int64_t> dims,
                    ArrayRef<Index> indices) {
    if (!packed)
      return builder.element(value, indices);
    ArrayRef<int64_t> shape = graph::tensorTypeOf(value).getShape();
    Expr expr{Expr::Load, type};
    expr.buffer = packed;
    expr.index = builder.linearize(
        llvm::map_to_vector(dims, [&](int64_t d) { return indices[d]; }),
        llvm::map_to_vector(dims, [&](int64_t d) { return shape[d]; }));
    nest.exprs.push_back(expr);
    return &nest.exprs.back();
  };
  nest.element = factor(op.getLhs(), lhsPacked, lhsOrder, lhs);
  nest.other = factor(op.getRhs(), rhsPacked, rhsOrder, rhs);
  storeResult(nest, builder, op, kept);
}

} // namespace graphc::kernel
