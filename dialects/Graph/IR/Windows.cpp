// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sliding windows, unfold, fold and reverse.
#include "dialects/Graph/IR/Windows.h"

#include "dialects/Graph/IR/Sizes.h"

using namespace mlir;
using namespace graphc::graph;

LogicalResult Windows::check(std::optional<Location> loc, StringRef op,
                             int64_t rank, bool hasPadding) const {
  auto checkList = [&](StringRef name, ArrayRef<int64_t> list,
                       int64_t least) -> LogicalResult {
    if (rank < 1 || static_cast<int64_t>(list.size()) != rank)
      return emitOptionalError(loc, "'", op, "' op expects ",
                               std::max<int64_t>(rank, 1), " entries of ", name,
                               ", one for each dimension that slides, but got ",
                               list.size());
    for (int64_t value : list)
      if (value < least)
        return emitOptionalError(loc, "'", op, "' op expects ", name,
                                 " of at least ", least, ", but got ", value);
    return success();
  };
  if (failed(checkList("kernel", kernel, 1)) ||
      failed(checkList("strides", strides, 1)) ||
      failed(checkList("dilation", dilation, 1)))
    return failure();
  if (hasPadding &&
      (failed(checkList("low", low, 0)) || failed(checkList("high", high, 0))))
    return failure();
  return success();
}

FailureOr<SmallVector<int64_t>>
Windows::positions(std::optional<Location> loc, StringRef op,
                   ArrayRef<int64_t> sizes) const {
  SmallVector<int64_t> counts;
  for (auto [k, size] : llvm::enumerate(sizes)) {
    int64_t reach = 0, padded = size;
    if (llvm::MulOverflow(kernel[k] - 1, dilation[k], reach) ||
        llvm::AddOverflow(reach, int64_t(1), reach) ||
        (!low.empty() && (llvm::AddOverflow(padded, low[k], padded) ||
                          llvm::AddOverflow(padded, high[k], padded))))
      return emitOptionalError(loc, "'", op, "' op window size overflows");
    if (reach > padded)
      return emitOptionalError(
          loc, "'", op, "' op expects a window that fits, but got one of ",
          reach, " in ", padded, " elements of dimension ", k,
          " of those that slide");
    counts.push_back((padded - reach) / strides[k] + 1);
  }
  return counts;
}

SmallVector<int64_t> graphc::graph::unfoldedShape(ArrayRef<int64_t> shape,
                                                  ArrayRef<int64_t> positions,
                                                  ArrayRef<int64_t> kernel) {
  SmallVector<int64_t> result(shape.drop_back(kernel.size()));
  llvm::append_range(result, positions);
  llvm::append_range(result, kernel);
  return result;
}

SmallVector<int64_t> graphc::graph::dimsBetween(int64_t first, int64_t end) {
  SmallVector<int64_t> dims;
  for (int64_t dim = first; dim < end; ++dim)
    dims.push_back(dim);
  return dims;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult ReverseOp::verify() {
  int64_t previous = -1;
  for (int64_t axis : getAxes()) {
    // C1
    if (axis <= previous || axis >= tensorTypeOf(getInput()).getRank())
      return emitOpError(
                 "expects axes to be strictly increasing dimensions of ")
             << getInput().getType() << ", but got [" << getAxes() << "]";
    previous = axis;
  }
  return success();
}

/// The type of the windows of `input`, or an error at `loc`.
static FailureOr<RankedTensorType> inferUnfold(std::optional<Location> loc,
                                               StringRef op,
                                               RankedTensorType input,
                                               const Windows &windows) {
  int64_t slides = windows.strides.size();
  // C1
  if (slides > input.getRank())
    return emitOptionalError(
        loc, "'", op, "' op expects at most ", input.getRank(),
        " dimensions that slide, as many as ", input, " has, but got ", slides);
  if (failed(windows.check(loc, op, slides, /*hasPadding=*/false)))
    return failure();
  // C2
  auto counts = windows.positions(loc, op, input.getShape().take_back(slides));
  if (failed(counts))
    return failure();
  return input.clone(unfoldedShape(input.getShape(), *counts, windows.kernel));
}

LogicalResult UnfoldOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         UnfoldOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  auto type = inferUnfold(
      loc, getOperationName(), tensorTypeOf(adaptor.getInput()),
      {adaptor.getKernel(), adaptor.getStrides(), adaptor.getDilation()});
  if (failed(type))
    return failure();
  inferred.push_back(*type);
  return success();
}

LogicalResult FoldOp::verify() {
  auto windows = tensorTypeOf(getWindows()), result = tensorTypeOf(getResult());
  size_t slides = getStrides().size();
  // C2
  if (slides > static_cast<size_t>(windows.getRank()))
    return emitOpError("expects windows of at least ")
           << slides << " dimensions, but got " << windows;
  auto type = inferUnfold(
      getLoc(), getOperationName(), result,
      {windows.getShape().take_back(slides), getStrides(), getDilation()});
  if (failed(type))
    return failure();
  if (*type != windows)
    return emitOpError("expects windows of type ")
           << *type << " for a result of type " << result << ", but got "
           << windows;
  // C3
  SmallVector<int64_t> looks(windows.getShape().take_back(slides));
  llvm::append_range(looks, result.getShape());
  return checkInnerShape(*this, "a window and a result", looks);
}
