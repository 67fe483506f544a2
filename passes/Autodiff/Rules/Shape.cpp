// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of data movement: each moves the cotangent back.
#include "passes/Autodiff/Rules/Rule.h"

using namespace mlir;
using namespace graphc;
using namespace graphc::graph;

static LogicalResult broadcastRule(BroadcastOp op, Rule &r) {
  llvm::SmallVector<int64_t> repeated;
  for (int64_t dim : allAxes(op.getResult()))
    if (!llvm::is_contained(op.getDims(), dim))
      repeated.push_back(dim);
  r.give(0, r.sum(r.rawCotangent(), repeated));
  return success();
}

static LogicalResult reshapeRule(ReshapeOp op, Rule &r) {
  r.give(0,
         r.reshape(r.rawCotangent(), tensorTypeOf(op.getInput()).getShape()));
  return success();
}

static LogicalResult transposeRule(TransposeOp op, Rule &r) {
  llvm::SmallVector<int64_t> inverse(op.getPermutation().size());
  for (auto [to, from] : llvm::enumerate(op.getPermutation()))
    inverse[from] = to;
  r.give(0, r.transpose(r.rawCotangent(), inverse));
  return success();
}

static LogicalResult sliceRule(SliceOp op, Rule &r) {
  auto from = tensorTypeOf(op.getInput()), to = tensorTypeOf(op.getResult());
  if (to.getNumElements() == 0)
    return success();
  llvm::SmallVector<int64_t> high, interior;
  for (int64_t dim : allAxes(op.getInput())) {
    int64_t start = op.getStarts()[dim], stride = op.getStrides()[dim];
    int64_t last = start + (to.getDimSize(dim) - 1) * stride;
    high.push_back(from.getDimSize(dim) - 1 - last);
    interior.push_back(stride - 1);
  }
  Value g = r.rawCotangent();
  auto scalar = RankedTensorType::get({}, to.getElementType());
  r.give(0, r.op<PadOp>(from, g, splat(r.builder, r.loc, scalar, 0.0),
                        op.getStarts(), high, interior));
  return success();
}

/// The elements of `padded`, which has the type of the pad's result, at the
/// places of the pad's input.
static Value unpad(PadOp op, Rule &r, Value padded) {
  auto type = tensorTypeOf(op.getInput());
  llvm::SmallVector<int64_t> limits, strides;
  for (int64_t dim : allAxes(op.getInput())) {
    int64_t stride = op.getInterior()[dim] + 1, size = type.getDimSize(dim);
    int64_t span = size == 0 ? 0 : (size - 1) * stride + 1;
    limits.push_back(op.getLow()[dim] + span);
    strides.push_back(stride);
  }
  return r.op<SliceOp>(padded, op.getLow(), limits, strides);
}

static LogicalResult padRule(PadOp op, Rule &r) {
  Value g = r.rawCotangent();
  if (r.wants(0))
    r.give(0, unpad(op, r, g));
  // The value gets the sum over the padding alone.
  if (r.wants(1)) {
    Type i1 = r.builder.getI1Type();
    auto inside = cast<RankedTensorType>(op.getInput().getType()).clone(i1);
    Value outside =
        r.op<PadOp>(cast<RankedTensorType>(g.getType()).clone(i1),
                    splat(r.builder, r.loc, inside, 0.0),
                    splat(r.builder, r.loc, RankedTensorType::get({}, i1), 1.0),
                    op.getLow(), op.getHigh(), op.getInterior());
    Value masked = r.select(outside, r.cotangent(), r.like(r.cotangent(), 0.0));
    r.give(1, r.sum(masked, allAxes(masked)));
  }
  return success();
}

static LogicalResult concatRule(ConcatOp op, Rule &r) {
  auto type = tensorTypeOf(op.getResult());
  int64_t axis = op.getAxis(), position = 0;
  llvm::SmallVector<int64_t> starts(type.getRank(), 0), limits(type.getShape()),
      strides(type.getRank(), 1);
  for (auto [k, input] : llvm::enumerate(op.getInputs())) {
    starts[axis] = position;
    position += tensorTypeOf(input).getDimSize(axis);
    limits[axis] = position;
    if (r.wants(k))
      r.give(k, r.op<SliceOp>(r.rawCotangent(), starts, limits, strides));
  }
  return success();
}

void graphc::attachShapeRules(MLIRContext *context) {
  attachRule<BroadcastOp, broadcastRule>(context);
  attachRule<ReshapeOp, reshapeRule>(context);
  attachRule<TransposeOp, transposeRule>(context);
  attachRule<SliceOp, sliceRule>(context);
  attachRule<PadOp, padRule>(context);
  attachRule<ConcatOp, concatRule>(context);
}
