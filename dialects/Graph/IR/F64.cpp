// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/IR/F64.h"

#include <charconv>
#include <cmath>

using namespace mlir;

namespace graphc::graph {

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const F64 &f) {
  char text[32];
  auto [end, error] = std::to_chars(text, text + sizeof(text), f.value);
  (void)error; // 32 characters hold every double.
  llvm::StringRef digits(text, end - text);
  if (!std::isfinite(f.value))
    return os << digits; // Only an error message shows one.
  // MLIR's lexer wants a dot before an exponent: 1.0e-05, not 1e-05.
  size_t exponent = digits.find('e');
  llvm::StringRef mantissa = digits.substr(0, exponent);
  os << mantissa;
  if (!mantissa.contains('.'))
    os << ".0";
  if (exponent != llvm::StringRef::npos)
    os << digits.substr(exponent);
  return os;
}

FailureOr<F64> parseF64(AsmParser &parser) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  // MLIR reads 0x3F800000 as the bits of a number of a known type only.
  llvm::StringRef text = loc.getPointer();
  text.consume_front("-");
  if (text.starts_with("0x")) {
    parser.emitError(loc, "expects a decimal number");
    return failure();
  }
  // MLIR's lexer ends the number before the exponent.
  llvm::StringRef rest = text.ltrim("0123456789");
  if (rest.size() < text.size() && rest.consume_front_insensitive("e") &&
      rest.ltrim("+-").find_first_of("0123456789") == 0) {
    parser.emitError(loc, "expects a point before the exponent, as in 1.0e-8");
    return failure();
  }
  // As an attribute: AsmParser::parseFloat refuses `1`, and
  // parseOptionalInteger eats the minus of `-0.5`.
  Attribute attribute;
  if (parser.parseAttribute(attribute))
    return failure();
  double value = 0;
  if (auto number = dyn_cast<FloatAttr>(attribute)) {
    value = number.getValueAsDouble();
  } else if (auto number = dyn_cast<IntegerAttr>(attribute)) {
    value = number.getValue().signedRoundToDouble();
  } else {
    parser.emitError(loc, "expects a number, but got ") << attribute;
    return failure();
  }
  if (!std::isfinite(value)) {
    parser.emitError(loc, "expects a finite number");
    return failure();
  }
  return F64(value);
}

} // namespace graphc::graph
