// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Interpreter/Tensor.h"

#include "lib/Interpreter/Deadline.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace graphc::interpreter {

std::optional<ElementKind> getElementKind(Type element) {
  if (element.isF64())
    return ElementKind::F64;
  if (element.isF32())
    return ElementKind::F32;
  if (element.isF16())
    return ElementKind::F16;
  if (element.isBF16())
    return ElementKind::BF16;
  if (element.isSignlessInteger(1))
    return ElementKind::I1;
  if (element.isSignlessInteger(8))
    return ElementKind::I8;
  if (element.isUnsignedInteger(8))
    return ElementKind::UI8;
  if (element.isSignlessInteger(32))
    return ElementKind::I32;
  if (element.isSignlessInteger(64))
    return ElementKind::I64;
  return std::nullopt;
}

bool isFloatKind(ElementKind kind) { return kind <= ElementKind::BF16; }

FloatFormat getFloatFormat(ElementKind kind) {
  switch (kind) {
  case ElementKind::F32:
    return FloatFormat::f32();
  case ElementKind::F16:
    return FloatFormat::f16();
  case ElementKind::BF16:
    return FloatFormat::bf16();
  default:
    return FloatFormat::f64();
  }
}

int getWidth(ElementKind kind) {
  switch (kind) {
  case ElementKind::I1:
    return 1;
  case ElementKind::I8:
  case ElementKind::UI8:
    return 8;
  case ElementKind::I32:
    return 32;
  default:
    return 64;
  }
}

bool isSignedKind(ElementKind kind) {
  return kind != ElementKind::I1 && kind != ElementKind::UI8;
}

int64_t getMinimum(ElementKind kind) {
  return isSignedKind(kind) ? llvm::minIntN(getWidth(kind)) : 0;
}

int64_t getMaximum(ElementKind kind) {
  return isSignedKind(kind)
             ? llvm::maxIntN(getWidth(kind))
             : static_cast<int64_t>(llvm::maxUIntN(getWidth(kind)));
}

int64_t wrapTo(ElementKind kind, uint64_t value) {
  int width = getWidth(kind);
  if (isSignedKind(kind))
    return llvm::SignExtend64(value, width);
  return static_cast<int64_t>(value & llvm::maxUIntN(width));
}

std::optional<int64_t> countElements(RankedTensorType type) {
  int64_t count = 1;
  for (int64_t dim : type.getShape())
    if (dim < 0)
      return std::nullopt;
    else if (dim == 0)
      return 0;
  for (int64_t dim : type.getShape())
    if (llvm::MulOverflow(count, dim, count))
      return std::nullopt;
  return count;
}

Tensor::Tensor(RankedTensorType type) : type(type) {
  int64_t count = *countElements(type);
  if (isFloat())
    floats.assign(count, 0.0);
  else
    ints.assign(count, 0);
}

FailureOr<Tensor> Tensor::fromAttribute(ElementsAttr attribute) {
  auto type = dyn_cast<RankedTensorType>(attribute.getShapedType());
  if (!type || !getElementKind(type.getElementType()) || !countElements(type))
    return failure();
  // A resource holds raw bytes, which the dense attribute knows how to read.
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    bool isSplat = false;
    if (!blob || type.getElementType().isInteger(1) ||
        !DenseElementsAttr::isValidRawBuffer(type, blob->getData(), isSplat))
      return failure();
    attribute = DenseElementsAttr::getFromRawBuffer(type, blob->getData());
  }
  auto dense = dyn_cast<DenseElementsAttr>(attribute);
  if (!dense)
    return failure();

  Tensor tensor(type);
  int64_t next = 0;
  if (tensor.isFloat()) {
    for (llvm::APFloat value : dense.getValues<llvm::APFloat>())
      tensor.floats[next++] = value.convertToDouble();
  } else {
    for (const llvm::APInt &value : dense.getValues<llvm::APInt>())
      tensor.ints[next++] = isSignedKind(tensor.kind())
                                ? value.getSExtValue()
                                : static_cast<int64_t>(value.getZExtValue());
  }
  return tensor;
}

void Tensor::copyElement(int64_t to, const Tensor &source, int64_t from) {
  if (isFloat())
    floats[to] = source.floats[from];
  else
    ints[to] = source.ints[from];
}

void Tensor::roundToType() {
  if (!isFloat() || kind() == ElementKind::F64)
    return;
  FloatFormat format = getFloatFormat(kind());
  for (double &value : floats)
    value = roundToFormat(value, format);
}

int64_t linearIndex(ArrayRef<int64_t> shape, ArrayRef<int64_t> index) {
  int64_t place = 0;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    place = place * shape[dim] + index[dim];
  return place;
}

void forEachIndex(ArrayRef<int64_t> shape,
                  llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  if (llvm::is_contained(shape, 0))
    return;
  llvm::SmallVector<int64_t> index(shape.size(), 0);
  while (true) {
    visit(index);
    if (Deadline::isPast())
      return;
    int64_t dim = static_cast<int64_t>(shape.size()) - 1;
    while (dim >= 0 && ++index[dim] == shape[dim])
      index[dim--] = 0;
    if (dim < 0)
      return;
  }
}

} // namespace graphc::interpreter
