// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nests of matrix products.
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

/// True if the columns of `op` are so spread over dimensions that vectors along
/// the last of them would be mostly empty.
bool Planner::isRunShort(graph::DotGeneralOp op) const {
  Nest probe(Nest::Map, op.getLoc());
  NestBuilder builder(probe, placement);
  ArrayRef<int64_t> shape = graph::tensorTypeOf(op.getRhs()).getShape();
  SmallVector<Index> indices(shape.size());
  auto addLoops = [&](ArrayRef<int64_t> dims, unsigned role) {
    for (int64_t dim : dims)
      if (shape[dim] != 1)
        indices[dim] = builder.addLoop(shape[dim], role);
  };
  addLoops(op.getRhsBatching(), Outer);
  addLoops(graph::freeDims(graph::tensorTypeOf(op.getRhs()),
                           op.getRhsBatching(), op.getRhsContracting()),
           N);
  addLoops(op.getRhsContracting(), K);
  builder.element(op.getRhs(), indices);
  probe.finish();
  SmallVector<unsigned> loops = probe.loopsOf(N);
  constexpr int64_t enough = 8;
  return loops.size() > 1 && probe.variables[loops.back()].size < enough;
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

  SmallVector<int64_t> rhsOrder(op.getRhsBatching());
  llvm::append_range(rhsOrder, op.getRhsContracting());
  llvm::append_range(rhsOrder, rhsFree);
  Buffer *rhsCopy =
      isRunShort(op) ? pack(op.getRhs(), rhsOrder, type, op.getLoc()) : nullptr;

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
  auto converted = [&](Expr *value) {
    if (value->elementType == type)
      return value;
    nest.exprs.push_back({Expr::Convert, type});
    nest.exprs.back().operands = {value};
    return &nest.exprs.back();
  };
  nest.element = converted(builder.element(op.getLhs(), lhs));
  if (rhsCopy) {
    Expr expr{Expr::Load, type};
    expr.buffer = rhsCopy;
    expr.index = builder.linearize(
        llvm::map_to_vector(rhsOrder, [&](int64_t d) { return rhs[d]; }),
        llvm::map_to_vector(rhsOrder, [&](int64_t d) { return rhsShape[d]; }));
    nest.exprs.push_back(expr);
    nest.other = &nest.exprs.back();
  } else {
    nest.other = converted(builder.element(op.getRhs(), rhs));
  }
  storeResult(nest, builder, op, kept);
  chooseProduct(nest);
}

} // namespace graphc::kernel
