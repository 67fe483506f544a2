// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The generated op definitions, alone: they take a while to compile.
#include "dialects/Graph/IR/Graph.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

// An enum attribute as its bare keyword. The default would print it after a
// space of its own, a second one.
template <typename EnumAttr>
static ParseResult parseEnum(OpAsmParser &parser, EnumAttr &attribute) {
  using Enum = decltype(attribute.getValue());
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseOptionalKeyword(&keyword))
    keyword = "";
  if (std::optional<Enum> value = graphc::graph::symbolizeEnum<Enum>(keyword)) {
    attribute = EnumAttr::get(parser.getContext(), *value);
    return success();
  }
  InFlightDiagnostic diag = parser.emitError(loc, "expects one of ");
  StringRef name, comma;
  for (uint32_t k = 0; !(name = stringifyEnum(Enum(k))).empty(); ++k) {
    diag << comma << name;
    comma = ", ";
  }
  if (!keyword.empty())
    diag << ", but got '" << keyword << "'";
  return diag;
}

template <typename EnumAttr>
static void printEnum(OpAsmPrinter &printer, Operation *, EnumAttr attribute) {
  printer << stringifyEnum(attribute.getValue());
}

// The attribute of a clause of an oilist, which would take `clip_norm()` for no
// clause.
template <typename Attr>
static ParseResult parseGiven(OpAsmParser &parser, Attr &attribute) {
  Type type;
  if constexpr (std::is_same_v<Attr, FloatAttr>)
    type = parser.getBuilder().getF64Type();
  else if constexpr (std::is_same_v<Attr, IntegerAttr>)
    type = parser.getBuilder().getI64Type();
  return parser.parseAttribute(attribute, type);
}

template <typename Attr>
static void printGiven(OpAsmPrinter &printer, Operation *, Attr attribute) {
  printer.printAttributeWithoutType(attribute);
}

#define GET_OP_CLASSES
#include "dialects/Graph/IR/GraphOps.cpp.inc"
