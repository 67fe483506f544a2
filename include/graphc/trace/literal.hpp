// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants from nested lists. Include graphc/trace.hpp.
#ifndef GRAPHC_TRACE_LITERAL_HPP
#define GRAPHC_TRACE_LITERAL_HPP

#include <initializer_list>

#include "graphc/trace/tensor.hpp"

namespace graphc {

/// A number or a nested list of numbers: `{{1, 2}, {3, 4}}`.
class Literal {
public:
  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  Literal(T value)
      : isFloat_(std::is_floating_point_v<T>),
        number_(static_cast<double>(value)),
        integer_(std::is_floating_point_v<T> ? 0
                                             : static_cast<int64_t>(value)) {}
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
    bool result = isFloat_;
    for (const Literal &child : children_)
      result |= child.hasFloat();
    return result;
  }
  /// Calls `visit(double, int64_t, bool isFloat)` for each number in order.
  template <class Visit> void forEach(Visit &&visit) const {
    if (!isList_)
      visit(number_, integer_, isFloat_);
    for (const Literal &child : children_)
      child.forEach(visit);
  }

private:
  bool isList_ = false, isFloat_ = false;
  double number_ = 0;
  int64_t integer_ = 0;
  std::vector<Literal> children_;
};

namespace detail {
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
  literal.forEach([&](double number, int64_t integer, bool isFloat) {
    int64_t asInteger = isFloat ? static_cast<int64_t>(number) : integer;
    double asDouble = isFloat ? number : static_cast<double>(integer);
    switch (data.dtype) {
    case GRAPHC_DTYPE_F64:
      return append(asDouble);
    case GRAPHC_DTYPE_F32:
      return append(static_cast<float>(asDouble));
    case GRAPHC_DTYPE_I64:
      return append(asInteger);
    case GRAPHC_DTYPE_I32:
      return append(static_cast<int32_t>(asInteger));
    default:
      raise(source, "expects f64, f32, i64 or i32 for a literal; cast it with "
                    "to()");
    }
  });
  return data;
}
} // namespace detail

/// A constant: integers become i64, a list with any floating number f32, unless
/// `dtype` (f64, f32, i64, i32) is given. Throws if the list is ragged.
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
