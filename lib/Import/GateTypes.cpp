// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types, attributes and names of a module that may be hostile.
#include "dialects/Graph/IR/Graph.h"
#include "lib/Import/Gate.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace graphc {

static int64_t bytesOf(Type element) {
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

/// Checks shape and size, and leaves the number of elements in `elements`.
static LogicalResult checkShape(Location loc, RankedTensorType type,
                                const ImportLimits &limits, int64_t &elements) {
  // A type of rank 100,000 is not printed.
  if (type.getRank() > limits.maxRank)
    return emitError(loc, "expects tensors of rank at most ")
           << limits.maxRank << ", but got rank " << type.getRank();
  if (!type.hasStaticShape())
    return emitError(loc, "expects tensors of static shape, but got ") << type;
  elements = 1;
  bool isEmpty = llvm::is_contained(type.getShape(), 0);
  for (int64_t size : type.getShape()) {
    // The product without the zeros: a large size next to one is no better.
    if (size == 0)
      continue;
    if (llvm::MulOverflow(elements, size, elements) ||
        elements > limits.maxElements)
      return emitError(loc, "expects tensors of at most ")
             << limits.maxElements << " elements, but got " << type;
  }
  int64_t bytes = 0;
  if (llvm::MulOverflow(elements, bytesOf(type.getElementType()), bytes) ||
      bytes > limits.maxBytes)
    return emitError(loc, "expects tensors of at most ")
           << limits.maxBytes << " bytes, but got " << type;
  if (isEmpty)
    elements = 0;
  return success();
}

LogicalResult checkValueType(Location loc, Type type,
                             const ImportLimits &limits) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return emitError(loc, "expects values to be ranked tensors");
  if (tensor.getEncoding())
    return emitError(loc, "expects tensors without an encoding");
  if (!graph::isElementType(tensor.getElementType()))
    return emitError(loc, "expects elements of f64, f32, f16, bf16, i1, i8, "
                          "ui8, i32 or i64");
  int64_t elements = 0;
  return checkShape(loc, tensor, limits, elements);
}

/// Tensors in attributes: kept as bytes, as many as the type needs.
static LogicalResult checkElements(Location loc, ElementsAttr attribute,
                                   const ImportLimits &limits) {
  auto type = dyn_cast<RankedTensorType>(attribute.getShapedType());
  if (!type)
    return emitError(loc, "expects constants to be ranked tensors");
  if (failed(checkValueType(loc, type, limits)))
    return failure();
  int64_t elements = 0;
  if (failed(checkShape(loc, type, limits, elements)))
    return failure();
  auto fail = [&](int64_t want, int64_t got) {
    return emitError(loc, "expects ")
           << want << " bytes of data for " << type << ", but got " << got;
  };
  bool isBool = type.getElementType().isInteger(1);
  int64_t bytes = isBool ? llvm::divideCeil(elements, 8)
                         : elements * bytesOf(type.getElementType());
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(attribute)) {
    int64_t got = dense.getRawData().size();
    if (!dense.isSplat() && got != bytes)
      return fail(bytes, got);
    return success();
  }
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return emitError(loc, "expects data for the resource '")
             << resource.getRawHandle().getKey() << "'";
    if (isBool)
      return emitError(loc, "expects i1 constants to be written as dense");
    int64_t got = blob->getData().size();
    if (got != bytes)
      return fail(bytes, got);
    return success();
  }
  return emitError(loc, "expects constants to be dense or dense_resource");
}

LogicalResult checkName(Location loc, StringRef name,
                        const ImportLimits &limits) {
  if (name.empty())
    return emitError(loc, "expects a name that is not empty");
  if (static_cast<int64_t>(name.size()) > limits.maxNameBytes)
    return emitError(loc, "expects a name of at most ")
           << limits.maxNameBytes << " bytes, but got " << name.size();
  auto isGood = [](char c) {
    return llvm::isAlnum(c) || StringRef("_.$-").contains(c);
  };
  if (!llvm::all_of(name, isGood))
    return emitError(loc, "expects a name of letters, digits, '_', '.', '$' "
                          "and '-', but got \"")
           << llvm::StringRef(llvm::toHex(name, /*LowerCase=*/true))
           << "\" (hex)";
  return success();
}

LogicalResult AttributeGate::checkOne(Attribute attribute, Location loc) {
  if (auto elements = dyn_cast<ElementsAttr>(attribute);
      elements && !isa<DenseArrayAttr>(attribute))
    return checkElements(loc, elements, limits);
  if (auto type = dyn_cast<TypeAttr>(attribute)) {
    llvm::SmallVector<Type> types = {type.getValue()};
    if (auto function = dyn_cast<FunctionType>(type.getValue())) {
      types.assign(function.getInputs().begin(), function.getInputs().end());
      llvm::append_range(types, function.getResults());
    }
    for (Type inner : types)
      if (failed(checkValueType(loc, inner, limits)))
        return failure();
    return success();
  }
  if (auto symbol = dyn_cast<SymbolRefAttr>(attribute)) {
    if (!symbol.getNestedReferences().empty())
      return emitError(loc, "expects symbols without '::'");
    return checkName(loc, symbol.getRootReference().getValue(), limits);
  }
  if (!isa<ArrayAttr, BoolAttr, DenseArrayAttr, DictionaryAttr, FloatAttr,
           IntegerAttr, StringAttr, UnitAttr, LocationAttr>(attribute) &&
      !isa<graph::GraphDialect>(attribute.getDialect()) &&
      !isa<graph::OptimizerAttrInterface>(attribute)) // of a plugin
    return emitError(loc, "expects attributes of the builtin kinds and of the "
                          "graph dialect, but got one of '")
           << attribute.getDialect().getNamespace() << "'";
  return success();
}

FailureOr<int64_t> AttributeGate::countParts(Attribute attribute, Location loc,
                                             int64_t depth) {
  if (auto known = parts.find(attribute); known != parts.end())
    return known->second;
  if (depth > limits.maxAttributeNesting)
    return emitError(loc, "expects attributes at most ")
           << limits.maxAttributeNesting << " deep";
  if (failed(checkOne(attribute, loc)))
    return failure();
  int64_t count = 1;
  bool failing = false;
  // What tensors and symbols hold has been checked with them.
  if (isa<ArrayAttr, DictionaryAttr, LocationAttr>(attribute))
    attribute.walkImmediateSubElements(
        [&](Attribute inner) {
          if (failing)
            return;
          FailureOr<int64_t> more = countParts(inner, loc, depth + 1);
          failing = failed(more);
          if (!failing)
            count = count + *more;
        },
        [](Type) {});
  if (failing)
    return failure();
  if (count > limits.maxAttributeParts)
    return emitError(loc, "expects attributes of at most ")
           << limits.maxAttributeParts << " parts";
  parts[attribute] = count;
  return count;
}

} // namespace graphc
