// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops of the value form and of kernels.
#include "dialects/Plan/IR/Plan.h"

using namespace mlir;
using namespace graphc::plan;

//===----------------------------------------------------------------------===//
// LaunchOp
//===----------------------------------------------------------------------===//

void LaunchOp::build(OpBuilder &builder, OperationState &state,
                     TypeRange outputs, FlatSymbolRefAttr kernel,
                     ValueRange inputs, ArrayRef<int64_t> args,
                     ArrayRef<InPlacePair> inplace, StringAttr opName,
                     bool mayFail, bool parallel) {
  ArrayAttr pairs;
  if (!inplace.empty())
    pairs = builder.getArrayAttr(
        llvm::map_to_vector(inplace, [&](InPlacePair pair) -> Attribute {
          return builder.getI64ArrayAttr({pair.output, pair.input});
        }));
  build(builder, state, outputs, kernel, inputs,
        builder.getDenseI64ArrayAttr(args), pairs, opName,
        mayFail ? builder.getUnitAttr() : UnitAttr(),
        parallel ? builder.getUnitAttr() : UnitAttr(),
        /*givesInf=*/UnitAttr());
}

static SmallVector<InPlacePair> readPairs(ArrayAttr inplace) {
  SmallVector<InPlacePair> pairs;
  if (inplace)
    for (auto pair : inplace.getAsRange<ArrayAttr>())
      pairs.push_back({cast<IntegerAttr>(pair[0]).getInt(),
                       cast<IntegerAttr>(pair[1]).getInt()});
  return pairs;
}

SmallVector<InPlacePair> LaunchOp::getInPlacePairs() {
  return readPairs(getInplaceAttr());
}
SmallVector<InPlacePair> EntryOp::getInPlacePairs() {
  return readPairs(getInplaceAttr());
}

void LaunchOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  // A failure is seen by the caller, so such a launch stays even if unused.
  if (getMayFail())
    effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult graphc::plan::verifyInPlace(Operation *op, ArrayAttr inplace,
                                          ArrayRef<int64_t> inputBytes,
                                          ArrayRef<int64_t> outputBytes) {
  if (!inplace)
    return success();
  llvm::SmallDenseSet<std::pair<int64_t, int64_t>> seen;
  for (auto pair : inplace.getAsRange<ArrayAttr>()) {
    if (pair.size() != 2)
      return op->emitOpError(
                 "expects pairs [output, input] in inplace, but got ")
             << pair;
    int64_t output = cast<IntegerAttr>(pair[0]).getInt();
    int64_t input = cast<IntegerAttr>(pair[1]).getInt();
    if (output < 0 || output >= int64_t(outputBytes.size()) || input < 0 ||
        input >= int64_t(inputBytes.size()))
      return op->emitOpError("expects inplace to name one of ")
             << outputBytes.size() << " outputs and one of "
             << inputBytes.size() << " inputs, but got " << pair;
    if (outputBytes[output] != inputBytes[input])
      return op->emitOpError("expects inplace to pair buffers of equal size, "
                             "but got ")
             << pair << " of " << outputBytes[output] << " and "
             << inputBytes[input] << " bytes";
    if (!seen.insert({output, input}).second)
      return op->emitOpError("expects each pair of inplace once, but got ")
             << pair;
  }
  return success();
}

LogicalResult LaunchOp::verify() {
  // C4
  auto bytes = [](Value value) {
    return getByteSize(cast<ShapedType>(value.getType()));
  };
  return verifyInPlace(*this, getInplaceAttr(),
                       llvm::map_to_vector(getInputs(), bytes),
                       llvm::map_to_vector(getOutputs(), bytes));
}

/// True if a kernel may see a tensor of type `tensor` as `memref`.
static bool fits(MemRefType memref, ShapedType tensor) {
  if (memref.getNumElements() != tensor.getNumElements())
    return false;
  Type element = tensor.getElementType();
  if (memref.getElementType() == element)
    return true;
  // Kernels hold i1, ui8, f16 and bf16 as the bits in memory.
  unsigned width = std::max(element.getIntOrFloatBitWidth(), 8u);
  return !element.isF32() && !element.isF64() &&
         memref.getElementType().isSignlessInteger(width);
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // C1
  auto kernel =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getKernelAttr());
  if (!kernel || !isKernel(kernel))
    return emitOpError("expects ")
           << getKernelAttr() << " to name a function marked plan.kernel";
  auto fail = [&](auto &&...parts) -> LogicalResult {
    InFlightDiagnostic diag = emitOpError("expects ");
    (diag << ... << parts);
    diag.attachNote(kernel.getLoc())
        << "the kernel: " << kernel.getFunctionType();
    return diag;
  };

  // C2
  ArrayRef<Type> types = kernel.getArgumentTypes();
  unsigned inputCount = getInputs().size(), outputCount = getOutputs().size();
  unsigned bufferCount = getBufferCount(kernel);
  unsigned plain = inputCount + outputCount;
  if (bufferCount != plain && bufferCount != plain + 1)
    return fail(plain, " or ", plain + 1, " memrefs of ", getKernelAttr(),
                ", but got ", bufferCount);
  if (bufferCount == plain + 1) {
    auto workspace = cast<MemRefType>(types[inputCount]);
    if (workspace.getRank() != 1 ||
        !workspace.getElementType().isSignlessInteger(8))
      return fail("argument ", inputCount, " of ", getKernelAttr(),
                  " to be a workspace memref<Nxi8>, but got ", workspace);
  }
  auto check = [&](StringRef what, unsigned number, Value value,
                   Type type) -> LogicalResult {
    if (fits(cast<MemRefType>(type), cast<ShapedType>(value.getType())))
      return success();
    return fail("a memref for ", what, " ", number, " of type ",
                value.getType(), ", but got ", type);
  };
  for (auto [number, value] : llvm::enumerate(getInputs()))
    if (failed(check("input", number, value, types[number])))
      return failure();
  for (auto [number, value] : llvm::enumerate(getOutputs()))
    if (failed(check("output", number, value,
                     types[bufferCount - outputCount + number])))
      return failure();

  // C3
  if (types.size() - bufferCount != getArgs().size())
    return fail(types.size() - bufferCount, " args for ", getKernelAttr(),
                ", but got ", getArgs().size());
  return success();
}

//===----------------------------------------------------------------------===//
// plan.places
//===----------------------------------------------------------------------===//

LogicalResult graphc::plan::verifyPlaces(Operation *op,
                                         NamedAttribute attribute) {
  auto kernel = dyn_cast<func::FuncOp>(op);
  auto places = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
  if (!kernel || !isKernel(kernel) || !places ||
      places.size() != 2 * int64_t(getBufferCount(kernel)))
    return op->emitOpError("expects '")
           << attribute.getName().getValue()
           << "' to be two i64 for each buffer, on a kernel";
  auto anchorOf = [&](int64_t k) { return places[2 * k]; };
  for (int64_t k = 0; k < places.size() / 2; ++k) {
    int64_t anchor = anchorOf(k);
    if (anchor < 0 || anchor > k || anchorOf(anchor) != anchor ||
        (anchor == k && places[2 * k + 1] != 0))
      return op->emitOpError("expects the place of buffer ")
             << k << " to be its own, or some bytes from an earlier buffer "
             << "that has its own";
  }
  return success();
}
