// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Type inference, verifiers and text of the elementwise ops.
#include "dialects/Graph/IR/Graph.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace graphc::graph;

static RankedTensorType boolLike(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.clone(IntegerType::get(type.getContext(), 1));
}

#define INFER_BOOL_LIKE_FIRST(Op)                                              \
  LogicalResult Op::inferReturnTypes(MLIRContext *, std::optional<Location>,   \
                                     Op::Adaptor adaptor,                      \
                                     SmallVectorImpl<Type> &inferred) {        \
    inferred.push_back(boolLike(adaptor.getOperands().front().getType()));     \
    return success();                                                          \
  }
INFER_BOOL_LIKE_FIRST(IsFiniteOp)
INFER_BOOL_LIKE_FIRST(IsNanOp)
INFER_BOOL_LIKE_FIRST(CompareOp)
#undef INFER_BOOL_LIKE_FIRST

//===----------------------------------------------------------------------===//
// SelectOp
//===----------------------------------------------------------------------===//

LogicalResult SelectOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         SelectOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  auto condition = cast<RankedTensorType>(adaptor.getCondition().getType());
  auto value = cast<RankedTensorType>(adaptor.getOnTrue().getType());
  // C1
  if (condition.getShape() != value.getShape())
    return emitOptionalError(loc,
                             "'graph.select' op expects a condition of type ",
                             boolLike(value), ", but got ", condition);
  // C2
  if (adaptor.getOnFalse().getType() != value)
    return emitOptionalError(loc, "'graph.select' op expects on_false of type ",
                             value, ", but got ",
                             adaptor.getOnFalse().getType());
  inferred.push_back(value);
  return success();
}

ParseResult SelectOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand condition, onTrue, onFalse;
  Type type;
  if (parser.parseOperand(condition) || parser.parseComma() ||
      parser.parseOperand(onTrue) || parser.parseComma() ||
      parser.parseOperand(onFalse) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon())
    return failure();
  SMLoc typeLoc = parser.getCurrentLocation();
  if (parser.parseType(type))
    return failure();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return parser.emitError(typeLoc, "expects a ranked tensor, but got ")
           << type;
  if (parser.resolveOperand(condition, boolLike(tensor), result.operands) ||
      parser.resolveOperand(onTrue, type, result.operands) ||
      parser.resolveOperand(onFalse, type, result.operands))
    return failure();
  result.addTypes(type);
  return success();
}

void SelectOp::print(OpAsmPrinter &printer) {
  printer << " " << getOperands();
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getResult().getType();
}

//===----------------------------------------------------------------------===//
// CheckIndexOp
//===----------------------------------------------------------------------===//

static LogicalResult verifyFits(Operation *op, StringRef name, int64_t value,
                                Type type) {
  if (llvm::isIntN(getElementTypeOrSelf(type).getIntOrFloatBitWidth(), value))
    return success();
  return op->emitOpError("expects ")
         << name << " to be a value of " << getElementTypeOrSelf(type)
         << ", but got " << value;
}

LogicalResult CheckIndexOp::verify() {
  // C1
  if (static_cast<int64_t>(getLimit()) < 0)
    return emitOpError("expects limit to be 0 or more, but got ")
           << static_cast<int64_t>(getLimit());
  // C2
  if (std::optional<uint64_t> ignore = getIgnore())
    return verifyFits(*this, "ignore", static_cast<int64_t>(*ignore),
                      getIndex().getType());
  return success();
}

//===----------------------------------------------------------------------===//
// ClampOp
//===----------------------------------------------------------------------===//

LogicalResult ClampOp::verify() {
  double low = getLow().convertToDouble(), high = getHigh().convertToDouble();
  // C1
  if (!(low <= high))
    return emitOpError("expects low to be at most high, but got ")
           << llvm::to_string(F64(low)) << " and "
           << llvm::to_string(F64(high));
  return success();
}
