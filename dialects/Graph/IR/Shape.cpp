// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Type inference, verifiers and text of the data-movement ops.
#include "dialects/Graph/IR/GraphBuilders.h"

using namespace mlir;
using namespace graphc::graph;

LogicalResult ConstantOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location> loc,
                                           ConstantOp::Adaptor adaptor,
                                           SmallVectorImpl<Type> &inferred) {
  auto type = dyn_cast<RankedTensorType>(adaptor.getValue().getType());
  if (!type)
    return emitOptionalError(
        loc, "'graph.constant' op expects tensor elements, but got ",
        adaptor.getValue().getType());
  inferred.push_back(type);
  return success();
}

LogicalResult IotaOp::verify() {
  int64_t rank = tensorTypeOf(getResult()).getRank(), axis = getAxis();
  // C1
  if (axis < 0 || axis >= rank)
    return emitOpError("expects axis to be a dimension of ")
           << getResult().getType() << ", but got " << axis;
  return success();
}

LogicalResult BroadcastOp::verify() {
  auto input = tensorTypeOf(getInput()), result = tensorTypeOf(getResult());
  ArrayRef<int64_t> dims = getDims();
  // C1
  if (static_cast<int64_t>(dims.size()) != input.getRank())
    return emitOpError("expects ")
           << input.getRank() << " dims, one for each of " << input
           << ", but got " << dims.size();
  int64_t previous = -1;
  for (auto [k, dim] : llvm::enumerate(dims)) {
    if (dim <= previous || dim >= result.getRank())
      return emitOpError(
                 "expects dims to be strictly increasing dimensions of ")
             << result << ", but got [" << dims << "]";
    // C2
    if (input.getDimSize(k) != result.getDimSize(dim))
      return emitOpError("expects result dim ")
             << dim << " to be " << input.getDimSize(k) << " (dim " << k
             << " of " << input << "), but got " << result.getDimSize(dim);
    previous = dim;
  }
  return success();
}

LogicalResult ReshapeOp::verify() {
  auto input = tensorTypeOf(getInput()), result = tensorTypeOf(getResult());
  // C1
  if (input.getNumElements() != result.getNumElements())
    return emitOpError("expects as many elements in ")
           << result << " as in " << input << ", but got "
           << result.getNumElements() << " and " << input.getNumElements();
  return success();
}

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            TransposeOp::Adaptor adaptor,
                                            SmallVectorImpl<Type> &inferred) {
  auto input = tensorTypeOf(adaptor.getInput());
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  llvm::SmallVector<bool> seen(input.getRank());
  llvm::SmallVector<int64_t> shape;
  // C1
  bool valid = static_cast<int64_t>(permutation.size()) == input.getRank();
  for (int64_t dim : permutation) {
    if (!valid || dim < 0 || dim >= input.getRank() || seen[dim]) {
      valid = false;
      break;
    }
    seen[dim] = true;
    shape.push_back(input.getDimSize(dim));
  }
  if (!valid)
    return emitOptionalError(
        loc, "'graph.transpose' op expects a permutation of the dimensions of ",
        input, ", but got [", permutation, "]");
  inferred.push_back(input.clone(shape));
  return success();
}

LogicalResult SliceOp::inferReturnTypes(MLIRContext *,
                                        std::optional<Location> loc,
                                        SliceOp::Adaptor adaptor,
                                        SmallVectorImpl<Type> &inferred) {
  auto input = tensorTypeOf(adaptor.getInput());
  ArrayRef<int64_t> starts = adaptor.getStarts(), limits = adaptor.getLimits(),
                    strides = adaptor.getStrides();
  size_t rank = input.getRank();
  // C1
  if (starts.size() != rank || limits.size() != rank || strides.size() != rank)
    return emitOptionalError(loc, "'graph.slice' op expects ", rank,
                             " starts, limits and strides for ", input,
                             ", but got ", starts.size(), ", ", limits.size(),
                             " and ", strides.size());
  llvm::SmallVector<int64_t> shape;
  for (size_t k = 0; k < rank; ++k) {
    // C2
    if (starts[k] < 0 || starts[k] > limits[k] ||
        limits[k] > input.getDimSize(k) || strides[k] < 1)
      return emitOptionalError(
          loc, "'graph.slice' op expects 0 <= start <= limit <= ",
          input.getDimSize(k), " and a stride of 1 or more for dim ", k,
          ", but got start ", starts[k], ", limit ", limits[k], ", stride ",
          strides[k]);
    // Not (limit - start + stride - 1) / stride, which can overflow.
    int64_t span = limits[k] - starts[k];
    shape.push_back(span == 0 ? 0 : (span - 1) / strides[k] + 1);
  }
  inferred.push_back(input.clone(shape));
  return success();
}

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         ConcatOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  // C1
  if (adaptor.getInputs().empty())
    return emitOptionalError(loc, "'graph.concat' op expects an input");
  auto first = tensorTypeOf(adaptor.getInputs().front());
  int64_t axis = adaptor.getAxis();
  if (axis < 0 || axis >= first.getRank())
    return emitOptionalError(
        loc, "'graph.concat' op expects axis to be a dimension of ", first,
        ", but got ", axis);
  llvm::SmallVector<int64_t> shape(first.getShape());
  for (Value input : adaptor.getInputs().drop_front()) {
    auto type = tensorTypeOf(input);
    llvm::SmallVector<int64_t> expected(type.getShape());
    if (type.getRank() == first.getRank())
      expected[axis] = first.getDimSize(axis);
    // C2
    if (type.getElementType() != first.getElementType() ||
        ArrayRef<int64_t>(expected) != first.getShape())
      return emitOptionalError(
          loc, "'graph.concat' op expects inputs that differ only in dim ",
          axis, ", but got ", first, " and ", type);
    if (llvm::AddOverflow(shape[axis], type.getDimSize(axis), shape[axis]))
      return emitOptionalError(loc, "'graph.concat' op result size overflows");
  }
  inferred.push_back(first.clone(shape));
  return success();
}

//===----------------------------------------------------------------------===//
// PadOp
//===----------------------------------------------------------------------===//

LogicalResult PadOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> loc,
                                      PadOp::Adaptor adaptor,
                                      SmallVectorImpl<Type> &inferred) {
  auto input = tensorTypeOf(adaptor.getInput());
  auto value = tensorTypeOf(adaptor.getValue());
  ArrayRef<int64_t> low = adaptor.getLow(), high = adaptor.getHigh(),
                    interior = adaptor.getInterior();
  size_t rank = input.getRank();
  // C1
  if (low.size() != rank || high.size() != rank || interior.size() != rank)
    return emitOptionalError(loc, "'graph.pad' op expects ", rank,
                             " entries of low, high and interior for ", input,
                             ", but got ", low.size(), ", ", high.size(),
                             " and ", interior.size());
  // C2
  if (value.getRank() != 0 || value.getElementType() != input.getElementType())
    return emitOptionalError(loc, "'graph.pad' op expects a value of type ",
                             RankedTensorType::get({}, input.getElementType()),
                             ", but got ", value);
  llvm::SmallVector<int64_t> shape;
  for (size_t k = 0; k < rank; ++k) {
    if (low[k] < 0 || high[k] < 0 || interior[k] < 0)
      return emitOptionalError(
          loc, "'graph.pad' op expects no negative padding, but got low ",
          low[k], ", high ", high[k], ", interior ", interior[k], " for dim ",
          k);
    if (interior[k] == std::numeric_limits<int64_t>::max())
      return emitOptionalError(
          loc, "'graph.pad' op expects interior padding of less than ",
          interior[k], ", but got ", interior[k], " for dim ", k);
    int64_t size = input.getDimSize(k), between = 0, total = 0;
    if (llvm::MulOverflow(std::max<int64_t>(size - 1, 0), interior[k],
                          between) ||
        llvm::AddOverflow(size, between, total) ||
        llvm::AddOverflow(total, low[k], total) ||
        llvm::AddOverflow(total, high[k], total))
      return emitOptionalError(loc, "'graph.pad' op result size overflows");
    shape.push_back(total);
  }
  inferred.push_back(input.clone(shape));
  return success();
}

ParseResult PadOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand input, value;
  DenseI64ArrayAttr low, high, interior;
  Type inputType, resultType;
  auto parseList = [&](StringRef name, DenseI64ArrayAttr &list) -> ParseResult {
    if (parser.parseKeyword(name) || parser.parseEqual())
      return failure();
    list = dyn_cast_if_present<DenseI64ArrayAttr>(
        DenseI64ArrayAttr::parse(parser, Type()));
    if (!list)
      return failure();
    result.addAttribute(name, list);
    return success();
  };
  if (parser.parseOperand(input) || parser.parseComma() ||
      parser.parseOperand(value) || parseList("low", low) ||
      parseList("high", high) || parseList("interior", interior) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon())
    return failure();
  SMLoc typeLoc = parser.getCurrentLocation();
  if (parser.parseType(inputType) || parser.parseArrow() ||
      parser.parseType(resultType))
    return failure();
  auto tensor = dyn_cast<RankedTensorType>(inputType);
  if (!tensor)
    return parser.emitError(typeLoc, "expects a ranked tensor, but got ")
           << inputType;
  auto valueType = RankedTensorType::get({}, tensor.getElementType());
  if (parser.resolveOperand(input, inputType, result.operands) ||
      parser.resolveOperand(value, valueType, result.operands))
    return failure();
  result.addTypes(resultType);
  return success();
}

void PadOp::print(OpAsmPrinter &printer) {
  auto printList = [&](StringRef name, DenseI64ArrayAttr list) {
    printer << " " << name << " = ";
    list.print(printer);
  };
  printer << " " << getInput() << ", " << getValue();
  printList("low", getLowAttr());
  printList("high", getHighAttr());
  printList("interior", getInteriorAttr());
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {"low", "high", "interior"});
  printer << " : " << getInput().getType() << " -> " << getResult().getType();
}
