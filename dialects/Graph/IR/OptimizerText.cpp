// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What optimizers look like and which numbers they take.
#include "dialects/Graph/IR/Graph.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace graphc::graph;

namespace {

struct Number {
  StringRef name;
  F64 *value;
};
struct Flag {
  StringRef name;
  bool *value;
};

/// `<name = 0.1, flag = true>`: fields in any order, each at most once.
class FieldList {
public:
  FieldList(AsmParser &parser, ArrayRef<Number> numbers, Flag flag)
      : parser(parser), numbers(numbers), flag(flag) {}

  ParseResult parse() {
    return parser.parseCommaSeparatedList(
        AsmParser::Delimiter::OptionalLessGreater,
        [&] { return parseField(); });
  }
  bool saw(StringRef name) const { return llvm::is_contained(seen, name); }

private:
  ParseResult parseField() {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    if (saw(name))
      return parser.emitError(loc) << "'" << name << "' is given twice";
    seen.push_back(name);
    if (name == flag.name) {
      *flag.value = succeeded(parser.parseOptionalKeyword("true"));
      if (!*flag.value && failed(parser.parseOptionalKeyword("false")))
        return parser.emitError(loc, "expects ")
               << name << " to be true or false";
      return success();
    }
    for (const Number &number : numbers)
      if (name == number.name) {
        FailureOr<F64> value = parseF64(parser);
        if (succeeded(value))
          *number.value = *value;
        return ParseResult(value);
      }
    InFlightDiagnostic diag = parser.emitError(loc) << "expects one of ";
    for (const Number &number : numbers)
      diag << number.name << ", ";
    return diag << flag.name << ", but got '" << name << "'";
  }

  AsmParser &parser;
  ArrayRef<Number> numbers;
  Flag flag;
  llvm::SmallVector<StringRef> seen;
};

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

LogicalResult checkNotNegative(EmitError emitError, StringRef name, F64 value) {
  if (value < 0.0)
    return emitError() << "expects " << name << " to be 0 or more, but got "
                       << llvm::to_string(value);
  return success();
}

} // namespace

//===----------------------------------------------------------------------===//
// SgdAttr
//===----------------------------------------------------------------------===//

LogicalResult SgdAttr::verify(EmitError emitError, F64 lr, F64 momentum,
                              F64 dampening, F64 weightDecay, bool nesterov) {
  if (failed(checkNotNegative(emitError, "lr", lr)) ||
      failed(checkNotNegative(emitError, "momentum", momentum)) ||
      failed(checkNotNegative(emitError, "weight_decay", weightDecay)))
    return failure();
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
  bool nesterov = false;
  Number numbers[] = {{"lr", &lr},
                      {"momentum", &momentum},
                      {"dampening", &dampening},
                      {"weight_decay", &weightDecay}};
  FieldList fields(parser, numbers, {"nesterov", &nesterov});
  if (fields.parse())
    return {};
  if (!fields.saw("lr")) {
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

//===----------------------------------------------------------------------===//
// AdamAttr, AdamWAttr
//===----------------------------------------------------------------------===//

static LogicalResult verifyAdam(EmitError emitError, F64 lr, F64 beta1,
                                F64 beta2, F64 eps, F64 weightDecay) {
  if (failed(checkNotNegative(emitError, "lr", lr)) ||
      failed(checkNotNegative(emitError, "eps", eps)) ||
      failed(checkNotNegative(emitError, "weight_decay", weightDecay)))
    return failure();
  for (auto [name, beta] : {std::pair("beta1", beta1), {"beta2", beta2}})
    if (!(beta >= 0.0 && beta < 1.0))
      return emitError() << "expects " << name
                         << " to be 0 or more and below 1, but got "
                         << llvm::to_string(beta);
  return success();
}

template <typename Attr>
static Attr parseAdam(AsmParser &parser, F64 weightDecay) {
  SMLoc start = parser.getCurrentLocation();
  F64 lr = 0.001, beta1 = 0.9, beta2 = 0.999, eps = 1e-8;
  bool amsgrad = false;
  Number numbers[] = {{"lr", &lr},
                      {"beta1", &beta1},
                      {"beta2", &beta2},
                      {"eps", &eps},
                      {"weight_decay", &weightDecay}};
  if (FieldList(parser, numbers, {"amsgrad", &amsgrad}).parse())
    return {};
  return parser.getChecked<Attr>(start, parser.getContext(), lr, beta1, beta2,
                                 eps, weightDecay, amsgrad);
}

template <typename Attr> static void printAdam(AsmPrinter &printer, Attr attr) {
  printer.getStream() << "<lr = " << attr.getLr()
                      << ", beta1 = " << attr.getBeta1()
                      << ", beta2 = " << attr.getBeta2()
                      << ", eps = " << attr.getEps()
                      << ", weight_decay = " << attr.getWeightDecay()
                      << (attr.getAmsgrad() ? ", amsgrad = true>" : ">");
}

LogicalResult AdamAttr::verify(EmitError emitError, F64 lr, F64 beta1,
                               F64 beta2, F64 eps, F64 weightDecay, bool) {
  return verifyAdam(emitError, lr, beta1, beta2, eps, weightDecay);
}
Attribute AdamAttr::parse(AsmParser &parser, Type) {
  return parseAdam<AdamAttr>(parser, /*weightDecay=*/0.0);
}
void AdamAttr::print(AsmPrinter &printer) const { printAdam(printer, *this); }

LogicalResult AdamWAttr::verify(EmitError emitError, F64 lr, F64 beta1,
                                F64 beta2, F64 eps, F64 weightDecay, bool) {
  return verifyAdam(emitError, lr, beta1, beta2, eps, weightDecay);
}
Attribute AdamWAttr::parse(AsmParser &parser, Type) {
  return parseAdam<AdamWAttr>(parser, /*weightDecay=*/0.01);
}
void AdamWAttr::print(AsmPrinter &printer) const { printAdam(printer, *this); }
