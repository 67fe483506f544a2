// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/IR/GraphBuilders.h"

using namespace mlir;

namespace graphc::graph {

Value splat(OpBuilder &builder, Location loc, Type tensorType, double value) {
  auto type = cast<RankedTensorType>(tensorType);
  auto element = dyn_cast<FloatType>(type.getElementType());
  if (!element) {
    auto number = static_cast<int64_t>(value);
    assert(static_cast<double>(number) == value && "expects an integer");
    return splatInt(builder, loc, type, number);
  }
  APFloat number(value);
  bool losesInfo = false;
  number.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return builder.create<ConstantOp>(loc, type,
                                    DenseElementsAttr::get(type, number));
}

Value splatInt(OpBuilder &builder, Location loc, Type tensorType,
               int64_t value) {
  auto type = cast<RankedTensorType>(tensorType);
  APInt number(type.getElementTypeBitWidth(), static_cast<uint64_t>(value),
               /*isSigned=*/true);
  return builder.create<ConstantOp>(loc, type,
                                    DenseElementsAttr::get(type, number));
}

Value splatLike(OpBuilder &builder, Location loc, Value like, double value) {
  return splat(builder, loc, like.getType(), value);
}

Value lowestOf(OpBuilder &builder, Location loc, Type elementType) {
  auto type = RankedTensorType::get({}, elementType);
  if (isa<FloatType>(elementType))
    return splat(builder, loc, type, -std::numeric_limits<double>::infinity());
  unsigned width = elementType.getIntOrFloatBitWidth();
  APInt lowest = elementType.isUnsignedInteger()
                     ? APInt::getMinValue(width)
                     : APInt::getSignedMinValue(width);
  return builder.create<ConstantOp>(loc, type,
                                    DenseElementsAttr::get(type, lowest));
}

Value castTo(OpBuilder &builder, Location loc, Value value, Type elementType) {
  if (elementTypeOf(value) == elementType)
    return value;
  auto type =
      RankedTensorType::get(tensorTypeOf(value).getShape(), elementType);
  return builder.create<CastOp>(loc, type, value);
}

Value broadcastTo(OpBuilder &builder, Location loc, Value value,
                  ArrayRef<int64_t> dims, ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, elementTypeOf(value));
  // Equal shapes leave no choice of dims: they increase strictly.
  if (value.getType() == type)
    return value;
  return builder.create<BroadcastOp>(loc, type, value, dims);
}

Value broadcastScalar(OpBuilder &builder, Location loc, Value scalar,
                      ArrayRef<int64_t> shape) {
  return broadcastTo(builder, loc, scalar, {}, shape);
}

Value broadcastReduced(OpBuilder &builder, Location loc, Value reduced,
                       ArrayRef<int64_t> axes, ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t> dims;
  for (int64_t dim = 0, rank = shape.size(); dim < rank; ++dim)
    if (!llvm::is_contained(axes, dim))
      dims.push_back(dim);
  return broadcastTo(builder, loc, reduced, dims, shape);
}

Value reshapeTo(OpBuilder &builder, Location loc, Value value,
                ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, elementTypeOf(value));
  if (value.getType() == type)
    return value;
  return builder.create<ReshapeOp>(loc, type, value);
}

llvm::SmallVector<int64_t> allAxes(Value value) {
  return llvm::to_vector(llvm::seq<int64_t>(0, tensorTypeOf(value).getRank()));
}

llvm::SmallVector<int64_t> freeDims(RankedTensorType type,
                                    ArrayRef<int64_t> batching,
                                    ArrayRef<int64_t> contracting) {
  llvm::SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!llvm::is_contained(batching, dim) &&
        !llvm::is_contained(contracting, dim))
      dims.push_back(dim);
  return dims;
}

int64_t reducedCount(RankedTensorType type, ArrayRef<int64_t> axes) {
  int64_t count = 1;
  for (int64_t axis : axes)
    count *= type.getDimSize(axis);
  return count;
}

} // namespace graphc::graph
