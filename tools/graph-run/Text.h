// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How types, functions and arrays look in print.
#ifndef GRAPHC_TOOLS_GRAPHRUN_TEXT_H
#define GRAPHC_TOOLS_GRAPHRUN_TEXT_H

#include <cstdint>
#include <string>
#include <vector>

#include "graphc/runtime.hpp"

namespace graph_run {

struct Format {
  int precision = 4;
  bool scientific = false;
  bool full = false; // Else more than 256 elements are abridged.
};

bool isFloat(graphc_dtype dtype);

/// `value`; a NaN without its sign, which printf would write though it means
/// nothing.
double printable(double value);

/// "tensor<8x2xf32>"
std::string typeText(graphc_dtype dtype, const std::vector<int64_t> &shape);
std::string typeText(const graphc_tensor &tensor);

/// "@forward(%x: tensor<8x2xf32>) -> tensor<8x30xf32>"
std::string signatureText(const graphc::FunctionInfo &function);

/// "1,234,567"
std::string grouped(uint64_t number);

/// The elements in nested brackets, one row a line, columns aligned.
std::string arrayText(const graphc_tensor &tensor, const Format &format);

} // namespace graph_run

#endif // GRAPHC_TOOLS_GRAPHRUN_TEXT_H
