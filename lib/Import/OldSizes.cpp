// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Import/OldSizes.h"

#include "dialects/Graph/IR/Graph.h"

using namespace mlir;
using llvm::SmallBitVector;

namespace graphc {

static RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

SmallBitVector OldSizes::of(Value value) const {
  auto found = entries.find(value);
  return found == entries.end() ? SmallBitVector(tensorType(value).getRank())
                                : found->second.dims;
}

SmallBitVector OldSizes::oldDims(Value value) const {
  ArrayRef<int64_t> shape = tensorType(value).getShape();
  SmallBitVector dims(shape.size());
  for (auto [k, size] : llvm::enumerate(shape))
    if (size == oldSize)
      dims.set(k);
  return dims;
}

void OldSizes::state(Value value, Operation *op, const SmallBitVector &dims) {
  if (dims.any())
    entries[value] = {dims, op};
}

void OldSizes::copy(Value from, Value to) {
  if (auto found = entries.find(from); found != entries.end()) {
    Entry entry = found->second;
    entries[to] = entry;
  }
}

LogicalResult OldSizes::refuse(Value value, Operation *reader) const {
  Operation *op = entries.find(value)->second.statedBy;
  InFlightDiagnostic diag = op->emitError("'")
                            << op->getName() << "' does not fit batch size "
                            << newSize << ": its " << oldSize
                            << " may mean the batch or not; give this function "
                               "in both sizes";
  diag.attachNote(reader->getLoc()) << "needed here";
  return diag;
}

LogicalResult OldSizes::checkKnown(ValueRange values, Operation *reader) const {
  for (Value value : values)
    if (!isKnown(value))
      return refuse(value, reader);
  return success();
}

/// Whether the op would verify too if `operand` had the new size, in one of the
/// dimensions or in all.
bool OldSizes::fitsBoth(OpOperand &operand, Fits fits) const {
  SmallBitVector dims = of(operand.get());
  auto fitsWith = [&](const SmallBitVector &changed) {
    SmallVector<int64_t> shape(tensorType(operand.get()).getShape());
    for (unsigned k : changed.set_bits())
      shape[k] = newSize;
    return fits(operand.getOperandNumber(),
                tensorType(operand.get()).clone(shape));
  };
  for (unsigned k : dims.set_bits()) {
    SmallBitVector one(dims.size());
    one.set(k);
    if (fitsWith(one))
      return true;
  }
  return dims.count() > 1 && fitsWith(dims);
}

LogicalResult OldSizes::visit(Operation *op, Fits fits) {
  if (auto constant = dyn_cast<graph::ConstantOp>(op)) {
    // Elements that differ were counted by whoever wrote them.
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (elements && elements.isSplat())
      state(constant, op, oldDims(constant));
    return success();
  }
  if (isa<graph::IotaOp>(op)) {
    state(op->getResult(0), op, oldDims(op->getResult(0)));
    return success();
  }
  if (isa<graph::RandomUniformOp>(op)) {
    state(op->getResult(0), op, oldDims(op->getResult(0)));
    return success();
  }
  if (auto broadcast = dyn_cast<graph::BroadcastOp>(op)) {
    SmallBitVector input = of(broadcast.getInput()), dims = oldDims(broadcast);
    for (auto [k, dim] : llvm::enumerate(broadcast.getDims()))
      dims[dim] = input[k];
    auto from = entries.find(broadcast.getInput());
    state(broadcast, from == entries.end() ? op : from->second.statedBy, dims);
    return success();
  }
  OpOperand *unknown = nullptr;
  for (OpOperand &operand : op->getOpOperands())
    if (!unknown && !isKnown(operand.get()))
      unknown = &operand;
  if (!unknown)
    return success();
  Operation *statedBy = entries.find(unknown->get())->second.statedBy;
  SmallBitVector dims = of(unknown->get());

  if (op->hasTrait<graph::ElementwiseOp>()) {
    // What another operand knows is known of all.
    for (Value operand : op->getOperands())
      dims &= of(operand);
    for (Value result : op->getResults())
      state(result, statedBy, dims);
    return success();
  }
  if (auto transpose = dyn_cast<graph::TransposeOp>(op)) {
    SmallBitVector moved(dims.size());
    for (auto [k, from] : llvm::enumerate(transpose.getPermutation()))
      moved[k] = dims[from];
    state(transpose, statedBy, moved);
    return success();
  }
  if (auto axes = op->getAttrOfType<DenseI64ArrayAttr>("axes");
      axes && op->getNumOperands() == 1) {
    SmallBitVector kept;
    for (unsigned k = 0; k < dims.size(); ++k)
      if (!llvm::is_contained(axes.asArrayRef(), int64_t(k)))
        kept.push_back(dims[k]);
    bool sumsOther = llvm::none_of(axes.asArrayRef(),
                                   [&](int64_t axis) { return dims[axis]; });
    if (sumsOther && op->getNumResults() == 1 &&
        tensorType(op->getResult(0)).getRank() == int64_t(kept.size())) {
      state(op->getResult(0), statedBy, kept);
      return success();
    }
  }
  for (OpOperand &operand : op->getOpOperands())
    if (!isKnown(operand.get()) && fitsBoth(operand, fits))
      return refuse(operand.get(), op);
  return success();
}

} // namespace graphc
