// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants from nested lists. Include graphc/trace.hpp.
#ifndef GRAPHC_TRACE_LITERAL_HPP
#define GRAPHC_TRACE_LITERAL_HPP

#include <cmath>
#include <initializer_list>

#include "graphc/runtime.h"
#include "graphc/trace/tensor.hpp"

namespace graphc {

/// A number or a nested list of numbers: `{{1, 2}, {3, 4}}`.
class Literal {
public:
  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  Literal(T value) : number_(value) {}
  Literal(Number number) : number_(number) {}
  Literal(std::initializer_list<Literal> children)
      : isList_(true), children_(children) {}

  /// Shape of the list; throws at `source` if it is ragged.
  Shape shape(const Source &source) const {
    if (!isList_)
      return {};
    Shape inner;
    for (size_t k = 0; k < children_.size(); ++k) {
      Shape child = children_[k].shape(source);
      if (k == 0)
        inner = child;
      else if (child != inner)
        raise(source, "a ragged list: element 0 has shape " + toString(inner) +
                          ", but element " + std::to_string(k) + " has shape " +
                          toString(child));
    }
    Shape result = {static_cast<int64_t>(children_.size())};
    result.insert(result.end(), inner.begin(), inner.end());
    return result;
  }
  bool hasFloat() const {
    bool result = !isList_ && !number_.isInteger;
    for (const Literal &child : children_)
      result |= child.hasFloat();
    return result;
  }
  /// Calls `visit(number)` for each number in order.
  template <class Visit> void forEach(Visit &&visit) const {
    if (!isList_)
      visit(number_);
    for (const Literal &child : children_)
      child.forEach(visit);
  }

private:
  bool isList_ = false;
  Number number_;
  std::vector<Literal> children_;
};

namespace detail {
/// `number` as an element of an integer dtype: truncated, and not 0 is 1 for
/// i1, as PyTorch does; throws if it does not fit.
inline int64_t toInteger(const Number &number, graphc_dtype dtype,
                         const Source &source) {
  if (dtype == i1)
    return number.isInteger ? number.integer != 0 : number.real != 0;
  int bits = dtype == i64 ? 64 : dtype == i32 ? 32 : 8;
  int64_t low = dtype == ui8 ? 0 : INT64_MIN >> (64 - bits);
  int64_t high = dtype == ui8 ? 255 : INT64_MAX >> (64 - bits);
  // 2^63 is a double and INT64_MAX is none, hence the < there.
  double edge = std::trunc(number.real);
  bool fits = number.isInteger
                  ? !number.isTooLarge && low <= number.integer &&
                        number.integer <= high
                  : static_cast<double>(low) <= edge &&
                        (dtype == i64 ? edge < static_cast<double>(high)
                                      : edge <= static_cast<double>(high));
  if (!fits)
    raise(source, std::string("expects a number that fits ") +
                      graphc_dtype_name(dtype) + ", but got " +
                      (number.isInteger && !number.isTooLarge
                           ? std::to_string(number.integer)
                           : detail::number(number.real)));
  return number.isInteger ? number.integer : static_cast<int64_t>(edge);
}

/// Row-major bytes of a literal: i64 if all are integers, else f32.
struct LiteralData {
  graphc_dtype dtype;
  Shape shape;
  std::vector<char> bytes;
};
inline LiteralData literalData(const Literal &literal, const Source &source,
                               graphc_dtype dtype = GRAPHC_DTYPE_INVALID) {
  LiteralData data;
  data.shape = literal.shape(source);
  data.dtype = dtype != GRAPHC_DTYPE_INVALID ? dtype
               : literal.hasFloat()          ? f32
                                             : i64;
  auto append = [&](auto value) {
    const char *from = reinterpret_cast<const char *>(&value);
    data.bytes.insert(data.bytes.end(), from, from + sizeof(value));
  };
  literal.forEach([&](const Number &number) {
    auto integer = [&] { return toInteger(number, data.dtype, source); };
    switch (data.dtype) {
    case GRAPHC_DTYPE_F64:
      return append(number.real);
    case GRAPHC_DTYPE_F32:
      return append(static_cast<float>(number.real));
    case GRAPHC_DTYPE_I64:
      return append(integer());
    case GRAPHC_DTYPE_I32:
      return append(static_cast<int32_t>(integer()));
    case GRAPHC_DTYPE_I8:
    case GRAPHC_DTYPE_UI8:
    case GRAPHC_DTYPE_I1:
      return append(static_cast<uint8_t>(integer()));
    default:
      raise(source, "expects a literal of f64, f32 or an integer dtype; cast "
                    "it with to()");
    }
  });
  return data;
}
} // namespace detail

/// A constant: integers become i64, a list with any floating number f32, unless
/// `dtype` (any but f16 and bf16) is given. Rank 0 for one number, else as the
/// lists nest. Throws if the list is ragged or a number does not fit the dtype.
inline Tensor tensor(const Literal &literal,
                     graphc_dtype dtype = GRAPHC_DTYPE_INVALID,
                     Source source = here()) {
  const auto &recording = detail::requireCurrent(source);
  detail::LiteralData data = detail::literalData(literal, source, dtype);
  graphc_tensor_type type = detail::toC(data.dtype, data.shape);
  graphc_source where = detail::toC(source);
  graphc_value value = -1;
  check(graphc_build_constant(recording->module.get(), &type, data.bytes.data(),
                              data.bytes.size(), &where, &value));
  return Tensor(recording, value);
}

} // namespace graphc

#endif // GRAPHC_TRACE_LITERAL_HPP
