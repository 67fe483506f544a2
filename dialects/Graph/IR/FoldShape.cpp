// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folders of ops that only move data, and of integer sums.
#include "dialects/Graph/IR/FoldElements.h"
#include "dialects/Graph/IR/GraphBuilders.h"

using namespace mlir;
using namespace graphc::graph;

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

//===----------------------------------------------------------------------===//
// Constants by index
//===----------------------------------------------------------------------===//

/// Row-major strides of `shape`.
static llvm::SmallVector<int64_t> stridesOf(ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t k = static_cast<int64_t>(shape.size()) - 2; k >= 0; --k)
    strides[k] = strides[k + 1] * shape[k + 1];
  return strides;
}

template <typename T>
static Attribute takeElements(RankedTensorType type, DenseElementsAttr input,
                              int64_t offset, ArrayRef<int64_t> steps) {
  auto source = input.getValues<T>().begin();
  llvm::SmallVector<T> values;
  values.reserve(type.getNumElements());
  llvm::SmallVector<int64_t> index(type.getRank(), 0);
  for (int64_t n = type.getNumElements(); n > 0; --n) {
    values.push_back(*(source + offset));
    for (int64_t k = type.getRank() - 1; k >= 0; --k) {
      offset += steps[k];
      if (++index[k] < type.getDimSize(k))
        break;
      offset -= steps[k] * index[k];
      index[k] = 0;
    }
  }
  return DenseElementsAttr::get(type, values);
}

/// A constant of `type` whose element at `index` is element `offset + index *
/// steps` of `operand`.
static Attribute foldTake(Type resultType, Attribute operand, int64_t offset,
                          ArrayRef<int64_t> steps) {
  auto type = cast<RankedTensorType>(resultType);
  auto input = dyn_cast_if_present<DenseElementsAttr>(operand);
  if (!input || input.empty() || type.getNumElements() == 0)
    return {};
  if (input.isSplat())
    return input.resizeSplat(type);
  if (type.getNumElements() > kMaxFoldedElements)
    return {};
  if (isFloatTensor(type))
    return takeElements<APFloat>(type, input, offset, steps);
  return takeElements<APInt>(type, input, offset, steps);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  auto type = tensorTypeOf(getResult());
  // Equal types leave no choice of dims: they increase strictly.
  if (getInput().getType() == type)
    return getInput();
  if (auto inner = getInput().getDefiningOp<BroadcastOp>();
      inner && inner != *this) {
    llvm::SmallVector<int64_t> dims;
    for (int64_t dim : inner.getDims())
      dims.push_back(getDims()[dim]);
    getInputMutable().assign(inner.getInput());
    setDims(dims);
    return getResult();
  }
  llvm::SmallVector<int64_t> steps(type.getRank(), 0);
  auto strides = stridesOf(tensorTypeOf(getInput()).getShape());
  for (auto [dim, stride] : llvm::zip_equal(getDims(), strides))
    steps[dim] = stride;
  return foldTake(type, adaptor.getInput(), 0, steps);
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getType())
    return getInput();
  if (auto inner = getInput().getDefiningOp<ReshapeOp>();
      inner && inner != *this) {
    getInputMutable().assign(inner.getInput());
    return getResult();
  }
  auto input = dyn_cast_if_present<DenseElementsAttr>(adaptor.getInput());
  if (!input || (!input.isSplat() && input.size() > kMaxFoldedElements))
    return {};
  return input.reshape(cast<RankedTensorType>(getType()));
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  ArrayRef<int64_t> permutation = getPermutation();
  auto rank = static_cast<int64_t>(permutation.size());
  if (llvm::equal(permutation, llvm::seq<int64_t>(0, rank)))
    return getInput();
  if (auto inner = getInput().getDefiningOp<TransposeOp>();
      inner && inner != *this) {
    llvm::SmallVector<int64_t> composed;
    for (int64_t dim : permutation)
      composed.push_back(inner.getPermutation()[dim]);
    getInputMutable().assign(inner.getInput());
    setPermutation(composed);
    return getResult();
  }
  auto strides = stridesOf(tensorTypeOf(getInput()).getShape());
  llvm::SmallVector<int64_t> steps;
  for (int64_t dim : permutation)
    steps.push_back(strides[dim]);
  return foldTake(getType(), adaptor.getInput(), 0, steps);
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  // Neither start nor stride leaves an element out of a full-size result.
  if (getInput().getType() == getType())
    return getInput();
  auto strides = stridesOf(tensorTypeOf(getInput()).getShape());
  llvm::SmallVector<int64_t> steps;
  int64_t offset = 0;
  for (auto [k, stride] : llvm::enumerate(strides)) {
    offset += getStarts()[k] * stride;
    // Of a dimension of size 1 or less the step, perhaps huge, does not matter.
    bool isSingle = tensorTypeOf(getResult()).getDimSize(k) <= 1;
    steps.push_back(isSingle ? 0 : getStrides()[k] * stride);
  }
  return foldTake(getType(), adaptor.getInput(), offset, steps);
}

OpFoldResult PadOp::fold(FoldAdaptor) {
  // Nothing is added to a result of the input's size.
  if (getInput().getType() == getType())
    return getInput();
  return {};
}

template <typename T>
static Attribute joinElements(RankedTensorType type, ArrayRef<Attribute> inputs,
                              int64_t axis) {
  // An input contributes, for each index before `axis`, a run of its elements.
  int64_t runs = 1;
  for (int64_t size : type.getShape().take_front(axis))
    runs *= size;
  llvm::SmallVector<T> values;
  values.reserve(type.getNumElements());
  for (int64_t run = 0; run < runs; ++run)
    for (Attribute attribute : inputs) {
      auto input = cast<DenseElementsAttr>(attribute);
      int64_t length = input.getNumElements() / runs;
      auto source = input.getValues<T>().begin() + run * length;
      for (int64_t k = 0; k < length; ++k)
        values.push_back(*(source + k));
    }
  return DenseElementsAttr::get(type, values);
}

OpFoldResult ConcatOp::fold(FoldAdaptor adaptor) {
  if (getInputs().size() == 1)
    return getInputs().front();
  auto type = tensorTypeOf(getResult());
  if (type.getNumElements() == 0 || type.getNumElements() > kMaxFoldedElements)
    return {};
  for (Attribute input : adaptor.getInputs())
    if (!isa_and_present<DenseElementsAttr>(input))
      return {};
  auto axis = static_cast<int64_t>(getAxis());
  if (isFloatTensor(type))
    return joinElements<APFloat>(type, adaptor.getInputs(), axis);
  return joinElements<APInt>(type, adaptor.getInputs(), axis);
}

// Sums of integers wrap, so that their order does not matter. Those of floats
// follow the order that the target fixes by shape.
OpFoldResult ReduceSumOp::fold(FoldAdaptor adaptor) {
  auto type = tensorTypeOf(getInput());
  if (isFloatTensor(type))
    return {};
  if (getAxes().empty())
    return getInput();
  auto input = dyn_cast_if_present<DenseElementsAttr>(adaptor.getInput());
  auto result = tensorTypeOf(getResult());
  if (!input || type.getNumElements() == 0 ||
      type.getNumElements() > kMaxFoldedElements)
    return {};
  llvm::SmallVector<int64_t> steps(type.getRank(), 0);
  auto strides = stridesOf(result.getShape());
  for (int64_t dim = 0, kept = 0; dim < type.getRank(); ++dim)
    if (!llvm::is_contained(getAxes(), dim))
      steps[dim] = strides[kept++];
  APInt zero(type.getElementTypeBitWidth(), 0);
  llvm::SmallVector<APInt> sums(result.getNumElements(), zero);
  llvm::SmallVector<int64_t> index(type.getRank(), 0);
  int64_t place = 0;
  for (const APInt &x : input.getValues<APInt>()) {
    sums[place] += x;
    for (int64_t k = type.getRank() - 1; k >= 0; --k) {
      place += steps[k];
      if (++index[k] < type.getDimSize(k))
        break;
      place -= steps[k] * index[k];
      index[k] = 0;
    }
  }
  return DenseElementsAttr::get(result, sums);
}
