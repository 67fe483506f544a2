// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command-line options that are numbers. LLVM's own say "invalid for uint
// argument" where they are not.
#ifndef GRAPHC_LIB_DRIVER_NUMBEROPTION_H
#define GRAPHC_LIB_DRIVER_NUMBEROPTION_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

#include <limits>
#include <string>

namespace graphc {

/// A T with a parser of its own.
template <typename T> struct Number {
  T value = 0;
  Number() = default;
  Number(T value) : value(value) {}
  operator T() const { return value; }
};

template <typename T> using NumberOption = llvm::cl::opt<Number<T>>;

} // namespace graphc

template <typename T>
struct llvm::cl::parser<graphc::Number<T>>
    : llvm::cl::basic_parser<graphc::Number<T>> {
  using llvm::cl::basic_parser<graphc::Number<T>>::basic_parser;

  /// True for an error, as LLVM has it.
  bool parse(llvm::cl::Option &option, llvm::StringRef name,
             llvm::StringRef text, graphc::Number<T> &number) {
    std::string expected = "a number";
    if constexpr (std::is_floating_point_v<T>) {
      if (llvm::to_float(text, number.value))
        return false;
    } else {
      if (!text.getAsInteger(0, number.value))
        return false;
      expected = "a whole number";
      llvm::StringRef digits = text.ltrim('-');
      if (!digits.empty() && llvm::all_of(digits, llvm::isDigit))
        expected += " from " + std::to_string(std::numeric_limits<T>::min()) +
                    " to " + std::to_string(std::numeric_limits<T>::max());
    }
    return option.error(
        "expects " + expected + ", but got '" + text.str() + "'", name);
  }

  /// For --print-options.
  void printOptionDiff(const llvm::cl::Option &option,
                       const graphc::Number<T> &,
                       const llvm::cl::OptionValue<graphc::Number<T>> &,
                       size_t width) const {
    this->printOptionNoValue(option, width);
  }
};

#endif // GRAPHC_LIB_DRIVER_NUMBEROPTION_H
