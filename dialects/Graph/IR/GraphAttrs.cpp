// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attribute storage, and the text of #graph.sgd.
#include "dialects/Graph/IR/Graph.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace graphc::graph;

#define GET_ATTRDEF_CLASSES
#include "dialects/Graph/IR/GraphAttrs.cpp.inc"

void GraphDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Graph/IR/GraphAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// FileAttr
//===----------------------------------------------------------------------===//

LogicalResult
FileAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 StringRef path) {
  llvm::SmallVector<StringRef> parts;
  path.split(parts, '/');
  if (path.empty() || path.starts_with("/") ||
      llvm::is_contained(parts, "..") || path.contains('\0') ||
      path.contains('\\'))
    return emitError() << "expects a relative path without '..', but got '"
                       << path << "'";
  return success();
}

//===----------------------------------------------------------------------===//
// SgdAttr
//===----------------------------------------------------------------------===//

LogicalResult
SgdAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, F64 lr,
                F64 momentum, F64 dampening, F64 weightDecay, bool nesterov) {
  if (lr < 0.0)
    return emitError() << "expects lr to be 0 or more, but got "
                       << llvm::to_string(lr);
  if (momentum < 0.0)
    return emitError() << "expects momentum to be 0 or more, but got "
                       << llvm::to_string(momentum);
  if (weightDecay < 0.0)
    return emitError() << "expects weight_decay to be 0 or more, but got "
                       << llvm::to_string(weightDecay);
  if (nesterov && (!(momentum > 0.0) || dampening > 0.0))
    return emitError() << "expects momentum above 0 and no dampening with "
                          "nesterov, but got momentum = "
                       << llvm::to_string(momentum)
                       << ", dampening = " << llvm::to_string(dampening);
  return success();
}

Attribute SgdAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  F64 lr, momentum, dampening, weightDecay;
  bool nesterov = false, sawLr = false;
  llvm::SmallVector<StringRef> seen;

  auto parseField = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    if (llvm::is_contained(seen, name))
      return parser.emitError(loc) << "'" << name << "' is given twice";
    seen.push_back(name);
    if (name == "nesterov") {
      if (succeeded(parser.parseOptionalKeyword("true")))
        nesterov = true;
      else if (failed(parser.parseOptionalKeyword("false")))
        return parser.emitError(loc, "expects nesterov to be true or false");
      return success();
    }
    F64 *field = llvm::StringSwitch<F64 *>(name)
                     .Case("lr", &lr)
                     .Case("momentum", &momentum)
                     .Case("dampening", &dampening)
                     .Case("weight_decay", &weightDecay)
                     .Default(nullptr);
    if (!field)
      return parser.emitError(loc)
             << "expects one of lr, momentum, dampening, weight_decay, "
                "nesterov, but got '"
             << name << "'";
    sawLr |= field == &lr;
    FailureOr<F64> value = parseF64(parser);
    if (failed(value))
      return failure();
    *field = *value;
    return success();
  };

  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseField))
    return {};
  if (!sawLr) {
    parser.emitError(start, "expects a learning rate: #graph.sgd<lr = 0.1>");
    return {};
  }
  return parser.getChecked<SgdAttr>(start, parser.getContext(), lr, momentum,
                                    dampening, weightDecay, nesterov);
}

void SgdAttr::print(AsmPrinter &printer) const {
  llvm::raw_ostream &os = printer.getStream();
  os << "<lr = " << getLr();
  if (!(getMomentum() == F64(0.0)))
    os << ", momentum = " << getMomentum();
  if (!(getDampening() == F64(0.0)))
    os << ", dampening = " << getDampening();
  if (!(getWeightDecay() == F64(0.0)))
    os << ", weight_decay = " << getWeightDecay();
  if (getNesterov())
    os << ", nesterov = true";
  os << ">";
}
