// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes of constants as kernels and hosts read them.
#include "dialects/Plan/IR/Plan.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using graphc::plan::ElementBytes;

/// Where the elements are: all of them, or one that stands for all.
static std::optional<std::pair<ArrayRef<char>, bool>>
getRawBytes(ElementsAttr value) {
  if (auto dense = dyn_cast<DenseElementsAttr>(value))
    return std::make_pair(dense.getRawData(), dense.isSplat());
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  if (!resource)
    return std::nullopt;
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob || int64_t(blob->getData().size()) !=
                   graphc::plan::getByteSize(value.getShapedType()))
    return std::nullopt;
  return std::make_pair(blob->getData(), false);
}

std::string ElementBytes::expand() const {
  std::string bytes;
  bytes.reserve(size);
  for (int64_t at = 0; at < size; at += pattern.size())
    bytes += pattern;
  return bytes;
}

bool graphc::plan::hasElementBytes(ElementsAttr value) {
  return getRawBytes(value).has_value();
}

/// `bytes` without what only repeats their beginning.
static StringRef findPattern(StringRef bytes) {
  for (size_t period : {1, 2, 4, 8})
    if (period < bytes.size() && bytes.size() % period == 0 &&
        bytes.drop_front(period) == bytes.drop_back(period))
      return bytes.take_front(period);
  return bytes;
}

std::optional<ElementBytes> graphc::plan::getElementBytes(ElementsAttr value) {
  auto raw = getRawBytes(value);
  if (!raw)
    return std::nullopt;
  auto [data, isSplat] = *raw;
  int64_t size = getByteSize(value.getShapedType());
  if (size == 0)
    return ElementBytes();
  StringRef bytes(data.data(), data.size());
  // DenseElementsAttr packs i1 into bits; only its iterators know how.
  std::string unpacked;
  if (value.getElementType().isInteger(1) && isa<DenseElementsAttr>(value)) {
    auto elements = cast<DenseElementsAttr>(value).getValues<bool>();
    for (bool element : llvm::make_range(
             elements.begin(), elements.begin() + (isSplat ? 1 : size)))
      unpacked.push_back(element);
    bytes = unpacked;
  }
  return ElementBytes{findPattern(bytes).str(), size};
}

std::optional<uint8_t> graphc::plan::getUniformByte(ElementsAttr value) {
  ShapedType type = value.getShapedType();
  auto raw = getRawBytes(value);
  if (!raw || type.getNumElements() == 0)
    return std::nullopt;
  if (type.getElementType().isInteger(1) && isa<DenseElementsAttr>(value)) {
    if (!raw->second)
      return std::nullopt;
    return *cast<DenseElementsAttr>(value).getValues<bool>().begin();
  }
  ArrayRef<char> data = raw->first;
  if (data.empty() || !llvm::all_equal(data))
    return std::nullopt;
  return uint8_t(data.front());
}
