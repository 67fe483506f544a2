// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors that live in the model. Include graphc/trace.hpp.
#ifndef GRAPHC_TRACE_PARAMETER_HPP
#define GRAPHC_TRACE_PARAMETER_HPP

#include <cstring>

#include "graphc/trace/functional.hpp"

namespace graphc::nn {

/// A tensor that lives in the model: a parameter or another variable. Copies
/// share it. Inside a traced function it converts to its current value.
class Parameter {
public:
  Parameter() = default;
  /// `initializer` is text such as "#graph.uniform<-0.5, 0.5>".
  Parameter(Shape shape, std::string initializer, graphc_dtype dtype = f32,
            bool trainable = true, Source source = here())
      : data_(std::make_shared<Data>()) {
    *data_ = {std::move(shape),
              dtype,
              std::move(initializer),
              {},
              trainable,
              "",
              source};
  }
  /// With given elements, as tensor() reads them.
  explicit Parameter(const Literal &literal,
                     graphc_dtype dtype = GRAPHC_DTYPE_INVALID,
                     bool trainable = true, Source source = here())
      : data_(std::make_shared<Data>()) {
    graphc::detail::LiteralData data =
        graphc::detail::literalData(literal, source, dtype);
    *data_ = {data.shape, data.dtype, "", data.bytes, trainable, "", source};
  }

  bool defined() const { return data_ != nullptr; }
  const Shape &shape() const { return data_->shape; }
  graphc_dtype dtype() const { return data_->dtype; }
  bool trainable() const { return data_->trainable; }
  int64_t numel() const {
    int64_t n = 1;
    for (int64_t size : data_->shape)
      n *= size;
    return n;
  }
  /// Name in the last model that it was added to, such as "layers.0.weight"; ""
  /// before Tracer::add().
  const std::string &name() const { return data_->name; }

  /// Its current value in the function being traced: as set() left it, or as it
  /// was when the function was called. Throws if Tracer::add() was not given it.
  Tensor value(Source source = here()) const {
    if (!data_)
      return {};
    return graphc::detail::build(source, "graph.get", {}, reference(source),
                                 data_->dtype, data_->shape);
  }
  /// Gives it a new value, of its dtype and shape, which the model has once the
  /// call has ended without an error. Throws if Tracer::add() was not given it.
  void set(const Tensor &value, Source source = here()) const {
    if (!data_ || !value.defined())
      raise(source, "an undefined parameter or tensor is used here");
    graphc::detail::buildMany(source, "graph.set", {value}, reference(source),
                              {});
  }
  operator Tensor() const { return data_ ? value(data_->source) : Tensor(); }

  /// Makes its elements those of another float dtype. Throws if either is none,
  /// or if it has given elements and a dtype is neither f32 nor f64.
  void to(graphc_dtype dtype, Source source = here()) const {
    if (!data_ || data_->dtype == dtype)
      return;
    bool isGiven = data_->initializer.empty();
    for (graphc_dtype each : {data_->dtype, dtype})
      if (!isFloat(each) || (isGiven && each != f32 && each != f64))
        raise(source, std::string("a parameter cannot go from ") +
                          graphc_dtype_name(data_->dtype) + " to " +
                          graphc_dtype_name(dtype));
    if (isGiven && dtype == f64)
      convertBytes<float, double>();
    else if (isGiven)
      convertBytes<double, float>();
    data_->dtype = dtype;
  }

  // For Tracer.
  struct Data {
    Shape shape;
    graphc_dtype dtype;
    std::string initializer;
    std::vector<char> bytes;
    bool trainable;
    std::string name;
    Source source;
  };
  const std::shared_ptr<Data> &data() const { return data_; }

private:
  template <class From, class To> void convertBytes() const {
    std::vector<char> bytes(data_->bytes.size() / sizeof(From) * sizeof(To));
    for (size_t k = 0; k < bytes.size() / sizeof(To); ++k) {
      From from;
      std::memcpy(&from, &data_->bytes[k * sizeof(From)], sizeof(From));
      To to = static_cast<To>(from);
      std::memcpy(&bytes[k * sizeof(To)], &to, sizeof(To));
    }
    data_->bytes = std::move(bytes);
  }
  /// The attribute that names its variable.
  std::string reference(const Source &source) const {
    const auto &recording = graphc::detail::requireCurrent(source);
    auto variable = recording->variables.find(data_);
    if (variable == recording->variables.end())
      raise(source, "this parameter is used, but its module was not given to "
                    "Tracer::add()\nnote: it was made at " +
                        data_->source.text());
    return "{variable = @\"" + variable->second + "\"}";
  }

  std::shared_ptr<Data> data_;
};

} // namespace graphc::nn

#endif // GRAPHC_TRACE_PARAMETER_HPP
