// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Import/NewTypes.h"

#include "dialects/Graph/IR/Graph.h"

using namespace mlir;

namespace graphc {

static RankedTensorType tensorType(Type type) {
  return cast<RankedTensorType>(type);
}

LogicalResult setTypes(Operation *op, TypeRange types) {
  if (types.size() != op->getNumResults())
    return failure();
  for (auto [result, type] : llvm::zip_equal(op->getResults(), types))
    result.setType(type);
  return success();
}

/// What states `value` with another shape; null if that is not easily had.
static Value withShape(Value value, ArrayRef<int64_t> shape) {
  RankedTensorType type = tensorType(value.getType());
  Operation *op = value.getDefiningOp();
  if (!op || type.getShape() == shape)
    return {};
  if (auto broadcast = dyn_cast<graph::BroadcastOp>(op)) {
    for (int64_t dim : broadcast.getDims())
      if (shape[dim] != type.getDimSize(dim))
        return {};
  } else if (!isa<graph::ConstantOp, graph::IotaOp>(op)) {
    return {};
  }
  OpBuilder builder(op);
  builder.setInsertionPointAfter(op);
  Operation *copy = builder.clone(*op);
  if (auto constant = dyn_cast<graph::ConstantOp>(copy))
    constant.setValueAttr(cast<DenseElementsAttr>(constant.getValue())
                              .resizeSplat(type.clone(shape)));
  copy->getResult(0).setType(type.clone(shape));
  return copy->getResult(0);
}

void followOthers(Operation *op, const OldSizes &sizes) {
  if (!op->hasTrait<graph::ElementwiseOp>())
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    llvm::SmallBitVector dims = sizes.of(operand.get());
    SmallVector<int64_t> shape(tensorType(operand.get().getType()).getShape());
    for (Value other : op->getOperands()) {
      ArrayRef<int64_t> known = tensorType(other.getType()).getShape();
      llvm::SmallBitVector unknown = sizes.of(other);
      if (known.size() != shape.size())
        continue;
      for (unsigned k : dims.set_bits())
        if (!unknown[k])
          shape[k] = known[k];
    }
    if (Value resized = withShape(operand.get(), shape))
      operand.set(resized);
  }
}

/// A slice of all of a dimension stays one; of a part of a dimension that
/// has another size now, nobody knows which part is meant.
static LogicalResult adjustSlice(graph::SliceOp before, graph::SliceOp op) {
  ArrayRef<int64_t> old = tensorType(before.getInput().getType()).getShape();
  ArrayRef<int64_t> now = tensorType(op.getInput().getType()).getShape();
  SmallVector<int64_t> limits(op.getLimits());
  for (auto [k, limit] : llvm::enumerate(limits)) {
    if (old[k] == now[k])
      continue;
    if (op.getStarts()[k] != 0 || op.getStrides()[k] != 1 || limit != old[k])
      return failure();
    limit = now[k];
  }
  op.setLimits(limits);
  return success();
}

static LogicalResult adjustDynamicSlice(graph::DynamicSliceOp before,
                                        graph::DynamicSliceOp op) {
  ArrayRef<int64_t> old = tensorType(before.getInput().getType()).getShape();
  ArrayRef<int64_t> now = tensorType(op.getInput().getType()).getShape();
  SmallVector<int64_t> sizes(op.getSizes());
  for (auto [k, size] : llvm::enumerate(sizes)) {
    if (old[k] == now[k])
      continue;
    if (size != old[k])
      return failure();
    size = now[k];
  }
  op.setSizes(sizes);
  return success();
}

LogicalResult inferTypes(Operation *before, Operation *op, BatchSizes batch) {
  if (auto slice = dyn_cast<graph::DynamicSliceOp>(op))
    if (failed(adjustDynamicSlice(cast<graph::DynamicSliceOp>(before), slice)))
      return failure();
  if (auto slice = dyn_cast<graph::SliceOp>(op))
    if (failed(adjustSlice(cast<graph::SliceOp>(before), slice)))
      return failure();
  if (auto cast = dyn_cast<graph::CastOp>(op)) {
    auto input = tensorType(cast.getInput().getType());
    return setTypes(op,
                    {input.clone(tensorType(cast.getType()).getElementType())});
  }
  if (auto broadcast = dyn_cast<graph::BroadcastOp>(op)) {
    SmallVector<int64_t> shape(tensorType(broadcast.getType()).getShape());
    ArrayRef<int64_t> input =
        tensorType(broadcast.getInput().getType()).getShape();
    for (auto [k, dim] : llvm::enumerate(broadcast.getDims()))
      shape[dim] = input[k];
    return setTypes(op, {tensorType(broadcast.getType()).clone(shape)});
  }
  if (auto oneHot = dyn_cast<graph::OneHotOp>(op)) {
    SmallVector<int64_t> shape(
        tensorType(oneHot.getIndices().getType()).getShape());
    shape.push_back(tensorType(oneHot.getType()).getShape().back());
    return setTypes(op, {tensorType(oneHot.getType()).clone(shape)});
  }
  if (auto reshape = dyn_cast<graph::ReshapeOp>(op)) {
    // Sound only if the leading dimension passes through untouched.
    auto input = tensorType(reshape.getInput().getType());
    SmallVector<int64_t> shape(tensorType(reshape.getType()).getShape());
    if (input.getRank() > 0 && !shape.empty() &&
        input.getDimSize(0) == batch.now && shape[0] == batch.before)
      shape[0] = batch.now;
    return setTypes(op, {tensorType(reshape.getType()).clone(shape)});
  }
  if (auto infer = dyn_cast<InferTypeOpInterface>(op);
      infer && op->getNumRegions() == 0) {
    SmallVector<Type> types;
    if (failed(infer.inferReturnTypes(
            op->getContext(), op->getLoc(), op->getOperands(),
            op->getAttrDictionary(), op->getPropertiesStorage(),
            op->getRegions(), types)))
      return failure();
    // A declared wider element type stays.
    for (auto [type, result] : llvm::zip_equal(types, op->getResultTypes()))
      type = tensorType(type).clone(tensorType(result).getElementType());
    return setTypes(op, types);
  }
  return success(); // Its verifier tells whether the types still fit.
}

} // namespace graphc
