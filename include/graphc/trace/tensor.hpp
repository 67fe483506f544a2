// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traced tensors and where they come from. Include graphc/trace.hpp.
#ifndef GRAPHC_TRACE_TENSOR_HPP
#define GRAPHC_TRACE_TENSOR_HPP

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "graphc/compiler.h"
#include "graphc/error.hpp"

namespace graphc {

inline constexpr graphc_dtype f64 = GRAPHC_DTYPE_F64;
inline constexpr graphc_dtype f32 = GRAPHC_DTYPE_F32;
inline constexpr graphc_dtype f16 = GRAPHC_DTYPE_F16;
inline constexpr graphc_dtype bf16 = GRAPHC_DTYPE_BF16;
inline constexpr graphc_dtype i1 = GRAPHC_DTYPE_I1;
inline constexpr graphc_dtype i8 = GRAPHC_DTYPE_I8;
inline constexpr graphc_dtype ui8 = GRAPHC_DTYPE_UI8;
inline constexpr graphc_dtype i32 = GRAPHC_DTYPE_I32;
inline constexpr graphc_dtype i64 = GRAPHC_DTYPE_I64;

using Shape = std::vector<int64_t>;

inline bool isFloat(graphc_dtype dtype) {
  return dtype == f64 || dtype == f32 || dtype == f16 || dtype == bf16;
}

/// "[8, 2]"
inline std::string toString(const Shape &shape) {
  std::string text = "[";
  for (size_t k = 0; k < shape.size(); ++k)
    text += (k ? ", " : "") + std::to_string(shape[k]);
  return text + "]";
}

/// A place in the user's program.
struct Source {
  const char *file = "";
  unsigned line = 0;

  std::string text() const {
    return std::string(file) + ":" + std::to_string(line);
  }
};

/// The place that calls the function of which this is a default argument.
inline Source here(const char *file = __builtin_FILE(),
                   unsigned line = __builtin_LINE()) {
  return {file, line};
}

namespace detail {
/// What happens inside a module of this library belongs to the place of the
/// module's call in the user's program: null outside.
inline const Source *&callSite() {
  thread_local const Source *site = nullptr;
  return site;
}
inline const Source &placeOf(const Source &source) {
  return callSite() ? *callSite() : source;
}
/// While it lives the call site is `site`, or none.
struct CallSite {
  explicit CallSite(const Source *site) : outer(callSite()) {
    callSite() = site;
  }
  ~CallSite() { callSite() = outer; }
  CallSite(const CallSite &) = delete;
  CallSite &operator=(const CallSite &) = delete;
  const Source *outer;
};
} // namespace detail

/// Throws with `source`, or the call of this library's module that it lies in,
/// in front, as the compiler's own messages have it.
[[noreturn]] inline void raise(const Source &source,
                               const std::string &message) {
  std::string text = detail::placeOf(source).text() + ": error: " + message;
  graphc_error_set(GRAPHC_COMPILE_ERROR, text.c_str());
  throw Error(GRAPHC_COMPILE_ERROR, text);
}

namespace detail {

struct DestroyModule {
  void operator()(graphc_module *module) const {
    graphc_module_destroy(module);
  }
};
/// One model being recorded; shared by its tensors.
struct Recording {
  std::unique_ptr<graphc_module, DestroyModule> module;
  int nextPrivate = 0; // Number of the next private function.
  /// Name of each nn::Parameter's variable, by the parameter's data.
  std::map<std::shared_ptr<const void>, std::string> variables;
};

/// What is being traced by this thread: set while Tracer::function() runs the
/// user's function.
inline std::shared_ptr<Recording> &current() {
  thread_local std::shared_ptr<Recording> recording;
  return recording;
}

inline const std::shared_ptr<Recording> &requireCurrent(const Source &source) {
  if (!current())
    raise(source, "no function is being traced here; use this inside the "
                  "function given to Tracer::function()");
  return current();
}

inline graphc_source toC(const Source &source) {
  const Source &where = placeOf(source);
  return {where.file, where.line, 0};
}

inline graphc_tensor_type toC(graphc_dtype dtype, const Shape &shape) {
  return {dtype, static_cast<uint32_t>(shape.size()), shape.data()};
}

} // namespace detail

/// A value of the function being traced: element type, static shape, no data.
class Tensor {
public:
  Tensor() = default;

  graphc_dtype dtype() const { return dtype_; }
  const Shape &shape() const { return shape_; }
  int64_t dim() const { return static_cast<int64_t>(shape_.size()); }
  /// Size of dimension `d`; negative `d` counts from the end. Throws if there
  /// is no such dimension.
  int64_t size(int64_t d, Source source = here()) const {
    int64_t wrapped = d < 0 ? d + dim() : d;
    if (wrapped < 0 || wrapped >= dim())
      raise(source, "expects a dimension of " + toString(shape_) +
                        ", but got " + std::to_string(d));
    return shape_[wrapped];
  }
  int64_t numel() const {
    int64_t n = 1;
    for (int64_t size : shape_)
      n *= size;
    return n;
  }
  bool defined() const { return recording_ != nullptr; }

  /// Where it was made: "graph.linear at app.cpp:40".
  std::string origin() const {
    const char *text = nullptr;
    if (!recording_ ||
        graphc_value_origin(recording_->module.get(), value_, &text))
      return "an undefined tensor";
    return text;
  }

  // For the headers beside this one.
  Tensor(std::shared_ptr<detail::Recording> recording, graphc_value value)
      : recording_(std::move(recording)), value_(value) {
    graphc_tensor_type type;
    check(graphc_value_type(recording_->module.get(), value, &type));
    dtype_ = type.dtype;
    shape_.assign(type.dims, type.dims + type.rank);
  }
  graphc_value value() const { return value_; }
  const std::shared_ptr<detail::Recording> &recording() const {
    return recording_;
  }

private:
  std::shared_ptr<detail::Recording> recording_;
  graphc_value value_ = -1;
  graphc_dtype dtype_ = GRAPHC_DTYPE_INVALID;
  Shape shape_;
};

/// A number as it was written: an integer or a floating number.
struct Number {
  Number() = default;
  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  Number(T value)
      : real(static_cast<double>(value)),
        isInteger(!std::is_floating_point_v<T>) {
    if constexpr (!std::is_floating_point_v<T>) {
      integer = static_cast<int64_t>(value);
      if constexpr (std::is_unsigned_v<T> && sizeof(T) >= sizeof(int64_t))
        isTooLarge = value > static_cast<T>(INT64_MAX);
    }
  }

  double real = 0;
  int64_t integer = 0;
  bool isInteger = false;
  bool isTooLarge = false; // No int64_t.
};

/// An argument of an op: a tensor or a number, and the place of the call. Made
/// implicitly; the default arguments are evaluated where that happens.
struct Operand {
  Operand(const Tensor &tensor, const char *file = __builtin_FILE(),
          unsigned line = __builtin_LINE())
      : tensor(tensor), source{file, line} {
    if (!tensor.defined())
      raise(source, "an undefined tensor is used here");
  }
  /// Of what has a current value in the traced function: a parameter.
  template <class P,
            class = decltype(std::declval<const P &>().value(Source()))>
  Operand(const P &parameter, const char *file = __builtin_FILE(),
          unsigned line = __builtin_LINE())
      : Operand(parameter.value(Source{file, line}), file, line) {}
  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  Operand(T number, const char *file = __builtin_FILE(),
          unsigned line = __builtin_LINE())
      : number(number), source{file, line} {}
  Operand(Number number, Source source) : number(number), source(source) {}
  Operand(const Tensor &tensor, Source source)
      : Operand(tensor, source.file, source.line) {}

  bool isTensor() const { return tensor.defined(); }

  Tensor tensor;
  Number number;
  Source source;
};

/// A string argument with the place of the call.
struct Name {
  Name(const char *text, const char *file = __builtin_FILE(),
       unsigned line = __builtin_LINE())
      : text(text), source{file, line} {}
  Name(std::string text, const char *file = __builtin_FILE(),
       unsigned line = __builtin_LINE())
      : text(std::move(text)), source{file, line} {}
  std::string text;
  Source source;
};

namespace detail {

/// MLIR text of numbers and lists.
inline std::string attribute(const Shape &list) {
  std::string text = "array<i64";
  for (size_t k = 0; k < list.size(); ++k)
    text += (k ? ", " : ": ") + std::to_string(list[k]);
  return text + ">";
}
inline std::string attribute(int64_t number) {
  return std::to_string(number) + " : i64";
}
inline std::string attribute(double number) {
  uint64_t bits;
  std::memcpy(&bits, &number, sizeof(bits));
  char text[40]; // Bits, so that nothing is rounded on the way.
  std::snprintf(text, sizeof(text), "0x%016llX : f64",
                static_cast<unsigned long long>(bits));
  return text;
}
/// The shortest text of a finite number that reads back to it: "0.5". Not by
/// printf, which follows the program's locale.
inline std::string number(double value) {
  char text[32];
  std::string result(text, std::to_chars(text, text + sizeof(text), value).ptr);
  // MLIR wants a dot, before the exponent if there is one.
  if (std::isfinite(value) && result.find('.') == std::string::npos)
    result.insert(std::min(result.find('e'), result.size()), ".0");
  return result;
}

inline std::vector<graphc_value> valuesOf(const std::vector<Tensor> &operands,
                                          const Source &source) {
  const std::shared_ptr<Recording> &recording = requireCurrent(source);
  std::vector<graphc_value> values;
  for (const Tensor &operand : operands) {
    if (operand.recording() != recording)
      raise(source,
            "a tensor of another model is used here: " + operand.origin());
    values.push_back(operand.value());
  }
  return values;
}

/// Builds one op with one result, whose type is inferred if `dtype` is INVALID.
inline Tensor build(const Source &source, const char *op,
                    const std::vector<Tensor> &operands,
                    const std::string &attributes = "",
                    graphc_dtype dtype = GRAPHC_DTYPE_INVALID,
                    const Shape &shape = {}) {
  const std::shared_ptr<Recording> &recording = requireCurrent(source);
  std::vector<graphc_value> values = valuesOf(operands, source);
  graphc_source where = toC(source);
  graphc_tensor_type type = toC(dtype, shape);
  graphc_value result = -1;
  check(graphc_build_op(
      recording->module.get(), op, values.data(), values.size(),
      attributes.c_str(), dtype == GRAPHC_DTYPE_INVALID ? nullptr : &type,
      dtype == GRAPHC_DTYPE_INVALID ? 0 : 1, &where, &result));
  return Tensor(recording, result);
}

/// Builds one op with results of the dtypes and shapes given: any number.
inline std::vector<Tensor>
buildMany(const Source &source, const char *op,
          const std::vector<Tensor> &operands, const std::string &attributes,
          const std::vector<std::pair<graphc_dtype, Shape>> &results) {
  const std::shared_ptr<Recording> &recording = requireCurrent(source);
  std::vector<graphc_value> values = valuesOf(operands, source);
  std::vector<graphc_tensor_type> types;
  for (const auto &[dtype, shape] : results)
    types.push_back(toC(dtype, shape));
  types.emplace_back(); // Never null, which would ask for inference.
  std::vector<graphc_value> out(types.size());
  graphc_source where = toC(source);
  check(graphc_build_op(recording->module.get(), op, values.data(),
                        values.size(), attributes.c_str(), types.data(),
                        results.size(), &where, out.data()));
  std::vector<Tensor> tensors;
  for (size_t k = 0; k < results.size(); ++k)
    tensors.emplace_back(recording, out[k]);
  return tensors;
}

} // namespace detail
} // namespace graphc

#endif // GRAPHC_TRACE_TENSOR_HPP
