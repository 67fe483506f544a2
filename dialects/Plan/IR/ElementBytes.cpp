// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes of constants as kernels and hosts read them.
#include "dialects/Plan/IR/Plan.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

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

std::optional<std::string> graphc::plan::getElementBytes(ElementsAttr value) {
  auto raw = getRawBytes(value);
  if (!raw)
    return std::nullopt;
  auto [data, isSplat] = *raw;
  ShapedType type = value.getShapedType();
  int64_t count = type.getNumElements();
  // DenseElementsAttr packs i1 into bits; only its iterators know how.
  if (type.getElementType().isInteger(1) && isa<DenseElementsAttr>(value)) {
    std::string bytes;
    bytes.reserve(count);
    for (bool element : cast<DenseElementsAttr>(value).getValues<bool>())
      bytes.push_back(element);
    return bytes;
  }
  if (!isSplat)
    return std::string(data.begin(), data.end());
  std::string bytes;
  bytes.reserve(data.size() * count);
  for (int64_t i = 0; i < count; ++i)
    bytes.append(data.begin(), data.end());
  return bytes;
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
