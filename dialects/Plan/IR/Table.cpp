// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table form in text.
#include "dialects/Plan/IR/Plan.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace graphc::plan;

//===----------------------------------------------------------------------===//
// #plan.ref:  f32 input 0[0:64] stride 16
//===----------------------------------------------------------------------===//

bool RefAttr::overlaps(RefAttr other) const {
  return getSpace() == other.getSpace() && getIndex() == other.getIndex() &&
         getOffset() < other.getEnd() && other.getOffset() < getEnd();
}

RefAttr RefAttr::parseBare(AsmParser &parser) {
  Type elementType;
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  int64_t index = 0, begin, end, stride = 0;
  if (parser.parseType(elementType))
    return {};
  loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return {};
  std::optional<Space> space = symbolizeSpace(keyword);
  if (!space) {
    parser.emitError(loc, "expects arena, state, constant, input or output, "
                          "but got ")
        << keyword;
    return {};
  }
  if (*space == Space::Input || *space == Space::Output)
    if (parser.parseInteger(index))
      return {};
  if (parser.parseLSquare() || parser.parseInteger(begin) ||
      parser.parseColon() || parser.parseInteger(end) || parser.parseRSquare())
    return {};
  if (succeeded(parser.parseOptionalKeyword("stride")) &&
      parser.parseInteger(stride))
    return {};
  int64_t bytes;
  if (llvm::SubOverflow(end, begin, bytes)) {
    parser.emitError(loc, "expects an end at or after the first byte");
    return {};
  }
  return RefAttr::getChecked([&] { return parser.emitError(loc); },
                             parser.getContext(), elementType, *space, index,
                             begin, bytes, stride);
}

void RefAttr::printBare(raw_ostream &os) const {
  os << getElementType() << " " << stringifySpace(getSpace());
  if (getSpace() == Space::Input || getSpace() == Space::Output)
    os << " " << getIndex();
  os << "[" << getOffset() << ":" << getEnd() << "]";
  if (getIterationStride() != 0)
    os << " stride " << getIterationStride();
}

Attribute RefAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  RefAttr ref = parseBare(parser);
  if (!ref || parser.parseGreater())
    return {};
  return ref;
}

void RefAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printBare(printer.getStream());
  printer << ">";
}

LogicalResult RefAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              Type elementType, Space space, int64_t index,
                              int64_t offset, int64_t bytes, int64_t) {
  if (!elementType.isIntOrFloat())
    return emitError() << "expects an integer or float element type, but got "
                       << elementType;
  bool isNumbered = space == Space::Input || space == Space::Output;
  if (index < 0 || (!isNumbered && index != 0))
    return emitError() << "expects no such number of the "
                       << stringifySpace(space) << ": " << index;
  int64_t end;
  if (offset < 0 || bytes < 0 || llvm::AddOverflow(offset, bytes, end))
    return emitError()
           << "expects a first byte of 0 or more and an end at or after it";
  int64_t elementBytes =
      llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
  if (bytes % elementBytes != 0 || offset % elementBytes != 0)
    return emitError() << "expects whole elements of " << elementType
                       << ", but got bytes " << offset << " to " << end;
  return success();
}

//===----------------------------------------------------------------------===//
// Lists in text
//===----------------------------------------------------------------------===//

static ParseResult parseValues(OpAsmParser &parser, ArrayAttr &values) {
  SmallVector<Attribute> list;
  if (parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Paren, [&]() -> ParseResult {
            std::string name;
            RankedTensorType type;
            if (parser.parseString(&name) || parser.parseColonType(type))
              return failure();
            list.push_back(ValueAttr::get(parser.getContext(), name, type));
            return success();
          }))
    return failure();
  values = parser.getBuilder().getArrayAttr(list);
  return success();
}

static void printValues(OpAsmPrinter &printer, Operation *, ArrayAttr values) {
  printer << "(";
  llvm::interleaveComma(
      values.getAsRange<ValueAttr>(), printer, [&](ValueAttr value) {
        printer.printAttributeWithoutType(
            StringAttr::get(value.getContext(), value.getName()));
        printer << " : " << value.getType();
      });
  printer << ")";
}

static ParseResult parseRefs(OpAsmParser &parser, ArrayAttr &refs) {
  SmallVector<Attribute> list;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&] {
        RefAttr ref = RefAttr::parseBare(parser);
        list.push_back(ref);
        return success(bool(ref));
      }))
    return failure();
  refs = parser.getBuilder().getArrayAttr(list);
  return success();
}

static void printRefs(OpAsmPrinter &printer, ArrayAttr refs) {
  printer << "(";
  llvm::interleaveComma(refs.getAsRange<RefAttr>(), printer, [&](RefAttr ref) {
    ref.printBare(printer.getStream());
  });
  printer << ")";
}

/// Parses `(reads) -> (writes)`; each half may be missing.
static ParseResult parseBuffers(OpAsmParser &parser, ArrayAttr &reads,
                                ArrayAttr &writes) {
  reads = writes = parser.getBuilder().getArrayAttr({});
  SmallVector<Attribute> list;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::OptionalParen, [&] {
        RefAttr ref = RefAttr::parseBare(parser);
        list.push_back(ref);
        return success(bool(ref));
      }))
    return failure();
  reads = parser.getBuilder().getArrayAttr(list);
  if (succeeded(parser.parseOptionalArrow()))
    return parseRefs(parser, writes);
  return success();
}

static void printBuffers(OpAsmPrinter &printer, Operation *, ArrayAttr reads,
                         ArrayAttr writes) {
  if (!reads.empty())
    printRefs(printer, reads);
  if (!writes.empty()) {
    printer << " -> ";
    printRefs(printer, writes);
  }
}

static ParseResult parseCarried(OpAsmParser &parser, ArrayAttr &carried) {
  carried = parser.getBuilder().getArrayAttr({});
  if (succeeded(parser.parseOptionalKeyword("carry")))
    return parseRefs(parser, carried);
  return success();
}

static void printCarried(OpAsmPrinter &printer, Operation *,
                         ArrayAttr carried) {
  if (carried.empty())
    return;
  printer << " carry";
  printRefs(printer, carried);
}

/// A region that has its block even if nothing is in it.
static ParseResult parseBody(OpAsmParser &parser, Region &body) {
  if (parser.parseRegion(body, /*arguments=*/{}))
    return failure();
  if (body.empty())
    body.emplaceBlock();
  return success();
}

static void printBody(OpAsmPrinter &printer, Operation *, Region &body) {
  printer.printRegion(body, /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/true);
}

#define GET_OP_CLASSES
#include "dialects/Plan/IR/PlanOps.cpp.inc"
