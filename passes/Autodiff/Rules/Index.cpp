// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of gathers, scatters, dynamic slices, scans and sorts.
#include "passes/Autodiff/Rules/Rule.h"

using namespace mlir;
using namespace graphc;
using namespace graphc::graph;

static Value zeros(Rule &r, Type type) {
  return splat(r.builder, r.loc, type, 0.0);
}

//===----------------------------------------------------------------------===//
// Gather and scatter: each is the transpose of the other
//===----------------------------------------------------------------------===//

static LogicalResult gatherRule(GatherOp op, Rule &r) {
  r.give(0,
         r.op<ScatterAddOp>(zeros(r, op.getInput().getType()), op.getIndices(),
                            r.rawCotangent(), op.getAxis(), op.getBatchDims()));
  return success();
}

static LogicalResult scatterAddRule(ScatterAddOp op, Rule &r) {
  Value g = r.rawCotangent();
  if (r.wants(0))
    r.give(0, g);
  if (r.wants(2))
    r.give(2,
           r.op<GatherOp>(g, op.getIndices(), op.getAxis(), op.getBatchDims()));
  return success();
}

static LogicalResult embeddingRule(EmbeddingOp op, Rule &r) {
  Value g = r.rawCotangent(), indices = op.getIndices();
  if (std::optional<uint64_t> padding = op.getPaddingIdx()) {
    Value isPadding = r.compare(ComparePredicate::EQ, indices,
                                splatInt(r.builder, r.loc, indices.getType(),
                                         static_cast<int64_t>(*padding)));
    ArrayRef<int64_t> shape = tensorTypeOf(g).getShape();
    int64_t last = static_cast<int64_t>(shape.size()) - 1;
    g = r.select(r.repeat(isPadding, last, shape), r.like(g, 0.0), g);
  }
  r.give(0, r.op<ScatterAddOp>(zeros(r, op.getWeight().getType()), indices, g,
                               /*axis=*/uint64_t(0),
                               /*batch_dims=*/uint64_t(0)));
  return success();
}

//===----------------------------------------------------------------------===//
// Dynamic slices
//===----------------------------------------------------------------------===//

static LogicalResult dynamicSliceRule(DynamicSliceOp op, Rule &r) {
  if (r.wants(0))
    r.give(0, r.op<DynamicUpdateSliceOp>(zeros(r, op.getInput().getType()),
                                         r.rawCotangent(), op.getStarts()));
  return success();
}

static LogicalResult dynamicUpdateSliceRule(DynamicUpdateSliceOp op, Rule &r) {
  Value g = r.rawCotangent();
  auto update = tensorTypeOf(op.getUpdate());
  if (r.wants(0))
    r.give(0, r.op<DynamicUpdateSliceOp>(g, zeros(r, update), op.getStarts()));
  if (r.wants(1))
    r.give(1, r.op<DynamicSliceOp>(g, op.getStarts(), update.getShape()));
  return success();
}

//===----------------------------------------------------------------------===//
// Scans and sorts
//===----------------------------------------------------------------------===//

// Element i is in all sums from i on.
static LogicalResult cumsumRule(CumsumOp op, Rule &r) {
  r.give(0, r.op<CumsumOp>(r.rawCotangent(), op.getAxis(), !op.getReverse()));
  return success();
}

/// `g`, of the elements that were at `indices` along `axis`, put back there in
/// zeros of `type`.
static Value putBack(Rule &r, RankedTensorType type, Value indices, Value g,
                     int64_t axis) {
  // Last, so that all other dimensions pair up.
  llvm::SmallVector<int64_t> toLast, back, shape;
  int64_t rank = type.getRank();
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != axis)
      toLast.push_back(dim);
  toLast.push_back(axis);
  for (int64_t dim = 0; dim < rank; ++dim) {
    back.push_back(dim < axis ? dim : dim == axis ? rank - 1 : dim - 1);
    shape.push_back(type.getDimSize(toLast[dim]));
  }
  Value moved = r.op<ScatterAddOp>(
      zeros(r, type.clone(shape)), r.transpose(indices, toLast),
      r.transpose(g, toLast), static_cast<uint64_t>(rank - 1),
      static_cast<uint64_t>(rank - 1));
  return r.transpose(moved, back);
}

// The indices are constant between ties.
static LogicalResult sortRule(SortOp op, Rule &r) {
  if (Value g = r.rawCotangent())
    r.give(0, putBack(r, tensorTypeOf(op.getInput()), op.getIndices(), g,
                      op.getAxis()));
  return success();
}

static LogicalResult topKRule(TopKOp op, Rule &r) {
  if (Value g = r.rawCotangent())
    r.give(0, putBack(r, tensorTypeOf(op.getInput()), op.getIndices(), g,
                      op.getAxis()));
  return success();
}

//===----------------------------------------------------------------------===//
// Triangles
//===----------------------------------------------------------------------===//

template <typename Op> static LogicalResult triangleRule(Op op, Rule &r) {
  r.give(0, r.op<Op>(r.rawCotangent(), op.getDiagonal()));
  return success();
}

void graphc::attachIndexRules(MLIRContext *context) {
  attachRule<CumsumOp, cumsumRule>(context);
  attachRule<DynamicSliceOp, dynamicSliceRule>(context);
  attachRule<DynamicUpdateSliceOp, dynamicUpdateSliceRule>(context);
  attachRule<EmbeddingOp, embeddingRule>(context);
  attachRule<GatherOp, gatherRule>(context);
  attachRule<ScatterAddOp, scatterAddRule>(context);
  attachRule<SortOp, sortRule>(context);
  attachRule<TopKOp, topKRule>(context);
  attachRule<TrilOp, triangleRule<TrilOp>>(context);
  attachRule<TriuOp, triangleRule<TriuOp>>(context);
}
