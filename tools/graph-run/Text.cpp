// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/graph-run/Text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "graphc/data.hpp"

namespace graph_run {

bool isFloat(graphc_dtype dtype) {
  return dtype == GRAPHC_DTYPE_F64 || dtype == GRAPHC_DTYPE_F32 ||
         dtype == GRAPHC_DTYPE_F16 || dtype == GRAPHC_DTYPE_BF16;
}

double printable(double value) {
  return std::isnan(value) ? std::fabs(value) : value;
}

namespace {

std::string floatText(double value, const Format &format) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  int size = std::snprintf(nullptr, 0, format.scientific ? "%.*e" : "%.*f",
                           format.precision, value);
  std::string text(static_cast<size_t>(size) + 1, '\0');
  std::snprintf(&text[0], text.size(), format.scientific ? "%.*e" : "%.*f",
                format.precision, value);
  text.pop_back();
  return text;
}

/// Prints one array; keeps what the recursion over dimensions shares.
class ArrayPrinter {
public:
  ArrayPrinter(const graphc_tensor &tensor, const Format &format)
      : shape_(tensor.shape, tensor.shape + tensor.rank), format_(format),
        isFloat_(isFloat(tensor.dtype)),
        isBool_(tensor.dtype == GRAPHC_DTYPE_I1),
        values_(graphc::Array::convert(tensor, isFloat_ ? GRAPHC_DTYPE_F64
                                                        : GRAPHC_DTYPE_I64)),
        isAbridged_(!format.full && values_.size() > 256) {}

  std::string print() {
    visit(0, 0, [&](size_t index) {
      width_ = std::max(width_, element(index).size());
    });
    std::string text;
    append(text, 0, 0);
    return text;
  }

private:
  std::vector<int64_t> shape_;
  Format format_;
  bool isFloat_, isBool_;
  graphc::Array values_;
  bool isAbridged_;
  size_t width_ = 0;

  static constexpr int64_t edge = 3;

  std::string element(size_t index) const {
    if (isFloat_)
      return floatText(values_.data<double>()[index], format_);
    int64_t value = values_.data<int64_t>()[index];
    return isBool_ ? (value ? "true" : "false") : std::to_string(value);
  }

  /// Whether element `i` of a dimension of `size` is left out.
  bool isHidden(int64_t i, int64_t size) const {
    return isAbridged_ && size > 2 * edge && i >= edge && i < size - edge;
  }

  size_t blockSize(size_t dim) const {
    size_t size = 1;
    for (size_t i = dim + 1; i < shape_.size(); ++i)
      size *= static_cast<size_t>(shape_[i]);
    return size;
  }

  template <class Visit> void visit(size_t dim, size_t index, Visit body) {
    if (dim == shape_.size())
      return body(index);
    for (int64_t i = 0; i < shape_[dim]; ++i)
      if (!isHidden(i, shape_[dim]))
        visit(dim + 1, index + static_cast<size_t>(i) * blockSize(dim), body);
  }

  void append(std::string &text, size_t dim, size_t index) {
    if (dim == shape_.size()) {
      std::string value = element(index);
      text.append(shape_.empty() ? 0 : width_ - value.size(), ' ');
      text += value;
      return;
    }
    // Rows begin below one another; blocks of rows have blank lines between.
    std::string separator = ", ";
    if (dim + 1 < shape_.size())
      separator = "," + std::string(shape_.size() - dim - 1, '\n') +
                  std::string(dim + 1, ' ');
    text += '[';
    for (int64_t i = 0; i < shape_[dim]; ++i) {
      if (isHidden(i, shape_[dim])) {
        if (i == edge)
          text += separator + "...";
        continue;
      }
      if (i > 0)
        text += separator;
      append(text, dim + 1, index + static_cast<size_t>(i) * blockSize(dim));
    }
    text += ']';
  }
};

std::string valuesText(const std::vector<graphc::ValueInfo> &values) {
  std::string text;
  for (const graphc::ValueInfo &value : values) {
    text += text.empty() ? "" : ", ";
    if (!value.name.empty())
      text += "%" + value.name + ": ";
    text += typeText(value.dtype, value.shape);
  }
  return text;
}

} // namespace

std::string typeText(graphc_dtype dtype, const std::vector<int64_t> &shape) {
  std::string text = "tensor<";
  for (int64_t dim : shape)
    text += std::to_string(dim) + "x";
  return text + graphc_dtype_name(dtype) + ">";
}

std::string typeText(const graphc_tensor &tensor) {
  return typeText(tensor.dtype, {tensor.shape, tensor.shape + tensor.rank});
}

std::string signatureText(const graphc::FunctionInfo &function) {
  std::string results = valuesText(function.outputs);
  if (function.outputs.size() != 1 || !function.outputs[0].name.empty())
    results = "(" + results + ")";
  return "@" + function.name + "(" + valuesText(function.inputs) + ") -> " +
         results;
}

std::string grouped(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t i = text.size(); i > 3;) {
    i -= 3;
    text.insert(i, ",");
  }
  return text;
}

std::string arrayText(const graphc_tensor &tensor, const Format &format) {
  return ArrayPrinter(tensor, format).print();
}

} // namespace graph_run
