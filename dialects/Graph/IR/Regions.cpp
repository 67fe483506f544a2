// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// graph.for and graph.fused: text and verifiers.
#include "dialects/Graph/IR/Graph.h"

using namespace mlir;
using namespace graphc::graph;

/// Parses `(%a = %x, ...)`; the types come later in the text.
static ParseResult
parseBindings(OpAsmParser &parser,
              SmallVectorImpl<OpAsmParser::Argument> &arguments,
              SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Paren, [&]() -> ParseResult {
        return failure(parser.parseArgument(arguments.emplace_back()) ||
                       parser.parseEqual() ||
                       parser.parseOperand(operands.emplace_back()));
      });
}

static void printBindings(OpAsmPrinter &printer, ValueRange arguments,
                          ValueRange operands) {
  printer << "(";
  llvm::interleaveComma(
      llvm::zip_equal(arguments, operands), printer, [&](auto pair) {
        printer << std::get<0>(pair) << " = " << std::get<1>(pair);
      });
  printer << ")";
}

static LogicalResult verifyTypes(Operation *op, TypeRange have, TypeRange want,
                                 StringRef what) {
  if (have.size() != want.size())
    return op->emitOpError("expects ")
           << want.size() << " " << what << "s, but got " << have.size();
  for (auto [k, h, w] : llvm::enumerate(have, want))
    if (h != w)
      return op->emitOpError("expects ")
             << what << " " << k << " of type " << w << ", but got " << h;
  return success();
}

//===----------------------------------------------------------------------===//
// ForOp:  %r:2 = graph.for %i = 10 carry(%a = %x, %b = %y) : t0, t1 { ... }
//===----------------------------------------------------------------------===//

ParseResult ForOp::parse(OpAsmParser &parser, OperationState &result) {
  llvm::SmallVector<OpAsmParser::Argument> arguments(1);
  llvm::SmallVector<OpAsmParser::UnresolvedOperand> operands;
  llvm::SmallVector<Type> types;
  IntegerAttr count;
  Type i64 = parser.getBuilder().getI64Type();
  if (parser.parseArgument(arguments.front()) || parser.parseEqual() ||
      parser.parseAttribute(count, i64, "count", result.attributes) ||
      parser.parseKeyword("carry") ||
      parseBindings(parser, arguments, operands))
    return failure();
  if (!operands.empty() && parser.parseColonTypeList(types))
    return failure();
  if (parser.resolveOperands(operands, types, parser.getCurrentLocation(),
                             result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  arguments.front().type = RankedTensorType::get({}, i64);
  for (auto [argument, type] :
       llvm::zip_equal(llvm::drop_begin(arguments), types))
    argument.type = type;
  result.addTypes(types);
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, parser.getBuilder(), result.location);
  return success();
}

void ForOp::print(OpAsmPrinter &printer) {
  Block &body = getBody().front();
  printer << " " << body.getArgument(0) << " = " << getCount() << " carry";
  printBindings(printer, body.getArguments().drop_front(), getInits());
  if (!getInits().empty())
    printer << " : " << getInits().getTypes();
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {"count"});
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult ForOp::verify() {
  // C1
  if (static_cast<int64_t>(getCount()) < 0)
    return emitOpError("expects count to be 0 or more, but got ")
           << static_cast<int64_t>(getCount());
  // C2
  Block &body = getBody().front();
  llvm::SmallVector<Type> want = {
      RankedTensorType::get({}, IntegerType::get(getContext(), 64))};
  llvm::append_range(want, getInits().getTypes());
  if (failed(verifyTypes(*this, TypeRange(body.getArguments()), want,
                         "block argument")))
    return failure();
  return verifyTypes(*this, body.getTerminator()->getOperandTypes(),
                     getInits().getTypes(), "yielded value");
}

//===----------------------------------------------------------------------===//
// FusedOp:  %r = graph.fused(%a = %x) : (t0) -> t1 { ... }
//===----------------------------------------------------------------------===//

ParseResult FusedOp::parse(OpAsmParser &parser, OperationState &result) {
  llvm::SmallVector<OpAsmParser::Argument> arguments;
  llvm::SmallVector<OpAsmParser::UnresolvedOperand> operands;
  FunctionType type;
  SMLoc loc = parser.getCurrentLocation();
  if (parseBindings(parser, arguments, operands) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), loc,
                             result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  for (auto [argument, inputType] :
       llvm::zip_equal(arguments, type.getInputs()))
    argument.type = inputType;
  result.addTypes(type.getResults());
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, parser.getBuilder(), result.location);
  return success();
}

void FusedOp::print(OpAsmPrinter &printer) {
  printBindings(printer, getBody().front().getArguments(), getInputs());
  printer << " : ";
  printer.printFunctionalType(getInputs().getTypes(), getResultTypes());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult FusedOp::verify() {
  // C1
  Block &body = getBody().front();
  if (failed(verifyTypes(*this, TypeRange(body.getArguments()),
                         getInputs().getTypes(), "block argument")))
    return failure();
  return verifyTypes(*this, body.getTerminator()->getOperandTypes(),
                     getResultTypes(), "yielded value");
}
