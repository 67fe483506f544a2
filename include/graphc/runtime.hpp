// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++17 over graphc/runtime.h: ownership and exceptions, nothing else. What the
// C functions do and when they fail is written there; here a failure throws
// graphc::Error, except in the try*() functions, which return the status.
//
//   graphc::Model model("mlp.so");
//   graphc::Call step = model.call("step");
//   step.bindInput(0, x);           // Anything that converts to graphc_tensor.
//   step.bindInput(1, y);
//   graphc_tensor loss = step.bindOwnOutput(0);
//   for (int epoch = 0; epoch < 10; ++epoch)
//     step.run();
#ifndef GRAPHC_RUNTIME_HPP
#define GRAPHC_RUNTIME_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "graphc/error.hpp"
#include "graphc/runtime.h"

namespace graphc {

/// The C options with `struct_bytes` set and the rest zero.
struct ContextOptions : graphc_context_options {
  ContextOptions() : graphc_context_options{} {
    struct_bytes = sizeof(graphc_context_options);
  }
};
struct LoadOptions : graphc_load_options {
  LoadOptions() : graphc_load_options{} {
    struct_bytes = sizeof(graphc_load_options);
  }
};
struct LoadStateOptions : graphc_load_state_options {
  LoadStateOptions() : graphc_load_state_options{} {
    struct_bytes = sizeof(graphc_load_state_options);
  }
};

namespace detail {
/// An empty struct of the C API, ready to be filled.
template <class Info> Info infoStruct() {
  Info info = {};
  info.struct_bytes = sizeof(Info);
  return info;
}

struct Destroy {
  void operator()(graphc_context *context) const {
    graphc_context_destroy(context);
  }
  void operator()(graphc_model *model) const { graphc_model_destroy(model); }
  void operator()(graphc_call *call) const { graphc_call_destroy(call); }
};
template <class T> using Handle = std::unique_ptr<T, Destroy>;
} // namespace detail

/// A pool of threads that models share.
class Context {
public:
  explicit Context(const ContextOptions &options = {}) {
    graphc_context *created = nullptr;
    check(graphc_context_create(&options, &created));
    handle.reset(created);
  }
  graphc_context *get() const { return handle.get(); }

private:
  detail::Handle<graphc_context> handle;
};

/// An input, output or variable.
struct ValueInfo {
  std::string name;
  graphc_dtype dtype = GRAPHC_DTYPE_INVALID;
  std::vector<int64_t> shape;
  uint64_t bytes = 0;
};

struct VariableInfo : ValueInfo {
  uint32_t flags = 0; // GRAPHC_VARIABLE_*
};

struct FunctionInfo {
  std::string name, family;
  graphc_function_kind kind = GRAPHC_FUNCTION_PLAIN;
  bool writesState = false;
  std::vector<ValueInfo> inputs, outputs;
  size_t entryCount = 0;
  uint64_t arenaBytes = 0;
};

/// One function with tensors bound to it. Must end before its model.
class Call {
public:
  Call(graphc_model *model, const std::string &function) {
    graphc_call *created = nullptr;
    check(graphc_call_create(model, function.c_str(), &created));
    handle.reset(created);
  }
  graphc_call *get() const { return handle.get(); }

  void bindInput(size_t input, const graphc_tensor &tensor) {
    check(graphc_call_bind_input(get(), input, &tensor));
  }
  void bindOutput(size_t output, const graphc_tensor &tensor) {
    check(graphc_call_bind_output(get(), output, &tensor));
  }
  /// Binds memory of the call's own and views it.
  graphc_tensor bindOwnOutput(size_t output) {
    check(graphc_call_bind_output(get(), output, nullptr));
    return this->output(output);
  }
  graphc_tensor output(size_t output) const {
    graphc_tensor tensor = {};
    check(graphc_call_output(get(), output, &tensor));
    return tensor;
  }

  void run() { check(tryRun()); }
  graphc_status tryRun() { return graphc_call_run(get()); }

private:
  detail::Handle<graphc_call> handle;
};

class Model {
public:
  explicit Model(const std::string &path, const LoadOptions &options = {}) {
    graphc_model *loaded = nullptr;
    check(graphc_model_load(path.c_str(), &options, &loaded));
    handle.reset(loaded);
  }
  graphc_model *get() const { return handle.get(); }

  /// Its strings live as long as the model.
  graphc_model_info info() const {
    auto info = detail::infoStruct<graphc_model_info>();
    check(graphc_model_describe(get(), &info));
    return info;
  }

  FunctionInfo function(size_t number) const {
    auto from = detail::infoStruct<graphc_function_info>();
    check(graphc_model_describe_function(get(), number, &from));
    FunctionInfo function;
    function.name = from.name;
    function.family = from.family;
    function.kind = from.kind;
    function.writesState = from.writes_state != 0;
    function.entryCount = from.entry_count;
    function.arenaBytes = from.arena_bytes;
    auto value = detail::infoStruct<graphc_value_info>();
    for (size_t i = 0; i < from.input_count; ++i) {
      check(graphc_model_describe_input(get(), number, i, &value));
      function.inputs.push_back(valueInfo(value));
    }
    for (size_t i = 0; i < from.output_count; ++i) {
      check(graphc_model_describe_output(get(), number, i, &value));
      function.outputs.push_back(valueInfo(value));
    }
    return function;
  }

  /// The function called exactly `name`.
  FunctionInfo function(const std::string &name) const {
    size_t number = 0;
    check(graphc_model_find_function(get(), name.c_str(), &number));
    return function(number);
  }

  std::vector<FunctionInfo> functions() const {
    std::vector<FunctionInfo> functions;
    for (size_t i = 0, count = info().function_count; i < count; ++i)
      functions.push_back(function(i));
    return functions;
  }

  std::vector<VariableInfo> variables() const {
    std::vector<VariableInfo> variables;
    for (size_t i = 0, count = info().variable_count; i < count; ++i) {
      auto from = detail::infoStruct<graphc_variable_info>();
      check(graphc_model_describe_variable(get(), i, &from));
      VariableInfo variable;
      static_cast<ValueInfo &>(variable) = valueInfo(from);
      variable.flags = from.flags;
      variables.push_back(variable);
    }
    return variables;
  }

  void getVariable(const std::string &name, const graphc_tensor &to) const {
    check(graphc_model_get_variable(get(), name.c_str(), &to));
  }
  void setVariable(const std::string &name, const graphc_tensor &from) {
    check(graphc_model_set_variable(get(), name.c_str(), &from));
  }
  void initialize(uint64_t seed) {
    check(graphc_model_initialize(get(), seed));
  }
  void saveState(const std::string &path) const {
    check(graphc_model_save_state(get(), path.c_str()));
  }
  void loadState(const std::string &path,
                 const LoadStateOptions &options = {}) {
    check(graphc_model_load_state(get(), path.c_str(), &options));
  }

  /// Runs the function or the family `name`, in the size of `inputs`.
  void run(const std::string &name, const std::vector<graphc_tensor> &inputs,
           const std::vector<graphc_tensor> &outputs = {}) {
    check(tryRun(name, inputs, outputs));
  }
  graphc_status tryRun(const std::string &name,
                       const std::vector<graphc_tensor> &inputs,
                       const std::vector<graphc_tensor> &outputs = {}) {
    return graphc_model_run(get(), name.c_str(), inputs.data(), inputs.size(),
                            outputs.data(), outputs.size());
  }

  Call call(const std::string &function) { return Call(get(), function); }

private:
  template <class Info> static ValueInfo valueInfo(const Info &from) {
    ValueInfo value;
    value.name = from.name;
    value.dtype = from.dtype;
    value.shape.assign(from.shape, from.shape + from.rank);
    value.bytes = from.bytes;
    return value;
  }

  detail::Handle<graphc_model> handle;
};

} // namespace graphc

#endif // GRAPHC_RUNTIME_HPP
