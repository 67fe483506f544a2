// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Type inference and verifiers of gathers, scatters, dynamic slices, scans and
// sorts.
#include "dialects/Graph/IR/GraphBuilders.h"

using namespace mlir;
using namespace graphc::graph;

static LogicalResult checkAxis(std::optional<Location> loc, StringRef op,
                               RankedTensorType input, int64_t axis) {
  if (axis >= 0 && axis < input.getRank())
    return success();
  return emitOptionalError(loc, "'", op,
                           "' op expects axis to be a dimension of ", input,
                           ", but got ", axis);
}

//===----------------------------------------------------------------------===//
// Gather and scatter
//===----------------------------------------------------------------------===//

/// The shape of slices of `input` along `axis` at `indices`.
static FailureOr<llvm::SmallVector<int64_t>>
inferGathered(std::optional<Location> loc, StringRef op, RankedTensorType input,
              RankedTensorType indices, int64_t axis, int64_t batchDims) {
  // C1
  if (failed(checkAxis(loc, op, input, axis)))
    return failure();
  // C2
  int64_t most = std::min(axis, indices.getRank());
  if (batchDims < 0 || batchDims > most)
    return emitOptionalError(loc, "'", op, "' op expects batch_dims in [0, ",
                             most, "] for axis ", axis, " and indices of type ",
                             indices, ", but got ", batchDims);
  // C3
  for (int64_t dim = 0; dim < batchDims; ++dim)
    if (input.getDimSize(dim) != indices.getDimSize(dim))
      return emitOptionalError(
          loc, "'", op, "' op expects indices whose first ", batchDims,
          " dims are those of ", input, ", but got ", indices);
  // C4
  if (input.getDimSize(axis) == 0 && indices.getNumElements() != 0)
    return emitOptionalError(loc, "'", op, "' op expects dim ", axis, " of ",
                             input,
                             " not to be empty, since there are indices");
  llvm::SmallVector<int64_t> shape(input.getShape().take_front(axis));
  llvm::append_range(shape, indices.getShape().drop_front(batchDims));
  llvm::append_range(shape, input.getShape().drop_front(axis + 1));
  return shape;
}

LogicalResult GatherOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         GatherOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  auto input = tensorTypeOf(adaptor.getInput());
  auto shape = inferGathered(loc, getOperationName(), input,
                             tensorTypeOf(adaptor.getIndices()),
                             adaptor.getAxis(), adaptor.getBatchDims());
  if (failed(shape))
    return failure();
  // C5
  inferred.push_back(input.clone(*shape));
  return success();
}

LogicalResult ScatterAddOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location> loc,
                                             ScatterAddOp::Adaptor adaptor,
                                             SmallVectorImpl<Type> &inferred) {
  auto input = tensorTypeOf(adaptor.getInput());
  auto shape = inferGathered(loc, getOperationName(), input,
                             tensorTypeOf(adaptor.getIndices()),
                             adaptor.getAxis(), adaptor.getBatchDims());
  if (failed(shape))
    return failure();
  // C5
  auto expected = input.clone(*shape);
  if (adaptor.getUpdates().getType() != expected)
    return emitOptionalError(
        loc, "'graph.scatter_add' op expects updates of type ", expected,
        ", but got ", adaptor.getUpdates().getType());
  // C6
  inferred.push_back(input);
  return success();
}

LogicalResult EmbeddingOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            EmbeddingOp::Adaptor adaptor,
                                            SmallVectorImpl<Type> &inferred) {
  auto weight = tensorTypeOf(adaptor.getWeight());
  auto indices = tensorTypeOf(adaptor.getIndices());
  // C1
  if (weight.getRank() != 2)
    return emitOptionalError(
        loc, "'graph.embedding' op expects a weight of rank 2, but got ",
        weight);
  // C2
  int64_t rows = weight.getDimSize(0);
  if (rows == 0 && indices.getNumElements() != 0)
    return emitOptionalError(
        loc,
        "'graph.embedding' op expects a weight with a row, since there "
        "are indices, but got ",
        weight);
  // C3
  if (std::optional<uint64_t> padding = adaptor.getPaddingIdx();
      padding && *padding >= static_cast<uint64_t>(rows))
    return emitOptionalError(
        loc, "'graph.embedding' op expects padding_idx in [0, ", rows,
        "), but got ", static_cast<int64_t>(*padding));
  // C4
  llvm::SmallVector<int64_t> shape(indices.getShape());
  shape.push_back(weight.getDimSize(1));
  inferred.push_back(weight.clone(shape));
  return success();
}

LogicalResult OneHotOp::verify() {
  auto indices = tensorTypeOf(getIndices()), result = tensorTypeOf(getResult());
  // C1
  if (result.getRank() != indices.getRank() + 1 ||
      result.getShape().drop_back() != indices.getShape())
    return emitOpError("expects a result with the shape of ")
           << indices << " and one more dim, but got " << result;
  return success();
}

//===----------------------------------------------------------------------===//
// Dynamic slices
//===----------------------------------------------------------------------===//

static LogicalResult checkStarts(std::optional<Location> loc, StringRef op,
                                 RankedTensorType input, size_t count) {
  if (count == static_cast<size_t>(input.getRank()))
    return success();
  return emitOptionalError(loc, "'", op, "' op expects ", input.getRank(),
                           " starts, one for each dim of ", input, ", but got ",
                           count);
}

LogicalResult
DynamicSliceOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                 DynamicSliceOp::Adaptor adaptor,
                                 SmallVectorImpl<Type> &inferred) {
  auto input = tensorTypeOf(adaptor.getInput());
  ArrayRef<int64_t> sizes = adaptor.getSizes();
  // C1
  if (failed(checkStarts(loc, getOperationName(), input,
                         adaptor.getStarts().size())))
    return failure();
  if (sizes.size() != static_cast<size_t>(input.getRank()))
    return emitOptionalError(loc, "'graph.dynamic_slice' op expects ",
                             input.getRank(), " sizes, one for each dim of ",
                             input, ", but got ", sizes.size());
  // C2
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (size < 0 || size > input.getDimSize(dim))
      return emitOptionalError(
          loc, "'graph.dynamic_slice' op expects a size in [0, ",
          input.getDimSize(dim), "] for dim ", dim, ", but got ", size);
  // C3
  inferred.push_back(input.clone(sizes));
  return success();
}

LogicalResult DynamicUpdateSliceOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> loc,
    DynamicUpdateSliceOp::Adaptor adaptor, SmallVectorImpl<Type> &inferred) {
  auto input = tensorTypeOf(adaptor.getInput());
  auto update = tensorTypeOf(adaptor.getUpdate());
  // C1
  if (update.getElementType() != input.getElementType() ||
      update.getRank() != input.getRank() ||
      llvm::any_of(llvm::zip(update.getShape(), input.getShape()),
                   [](auto sizes) {
                     auto [small, large] = sizes;
                     return small > large;
                   }))
    return emitOptionalError(
        loc,
        "'graph.dynamic_update_slice' op expects an update that fits into ",
        input, ", but got ", update);
  // C2
  if (failed(checkStarts(loc, getOperationName(), input,
                         adaptor.getStarts().size())))
    return failure();
  // C3
  inferred.push_back(input);
  return success();
}

//===----------------------------------------------------------------------===//
// Scans, sorts and triangles
//===----------------------------------------------------------------------===//

LogicalResult CumsumOp::verify() {
  // C1
  return checkAxis(getLoc(), getOperationName(), tensorTypeOf(getInput()),
                   getAxis());
}

LogicalResult SortOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location> loc,
                                       SortOp::Adaptor adaptor,
                                       SmallVectorImpl<Type> &inferred) {
  auto input = tensorTypeOf(adaptor.getInput());
  // C1
  if (failed(checkAxis(loc, getOperationName(), input, adaptor.getAxis())))
    return failure();
  // C2
  inferred.push_back(input);
  inferred.push_back(input.clone(IntegerType::get(context, 64)));
  return success();
}

LogicalResult TopKOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location> loc,
                                       TopKOp::Adaptor adaptor,
                                       SmallVectorImpl<Type> &inferred) {
  auto input = tensorTypeOf(adaptor.getInput());
  auto axis = static_cast<int64_t>(adaptor.getAxis());
  // C1
  if (failed(checkAxis(loc, getOperationName(), input, axis)))
    return failure();
  // C2
  auto k = static_cast<int64_t>(adaptor.getK());
  if (k < 0 || k > input.getDimSize(axis))
    return emitOptionalError(loc, "'graph.top_k' op expects k in [0, ",
                             input.getDimSize(axis), "] for dim ", axis, " of ",
                             input, ", but got ", k);
  // C3
  llvm::SmallVector<int64_t> shape(input.getShape());
  shape[axis] = k;
  inferred.push_back(input.clone(shape));
  inferred.push_back(
      RankedTensorType::get(shape, IntegerType::get(context, 64)));
  return success();
}

static LogicalResult verifyMatrices(Operation *op) {
  auto input = tensorTypeOf(op->getOperand(0));
  // C1
  if (input.getRank() < 2)
    return op->emitOpError("expects an input of rank 2 or more, but got ")
           << input;
  return success();
}

LogicalResult TrilOp::verify() { return verifyMatrices(*this); }
LogicalResult TriuOp::verify() { return verifyMatrices(*this); }
