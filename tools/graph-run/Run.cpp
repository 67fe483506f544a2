// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One run of one function.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "tools/graph-run/Model.h"

namespace graph_run {
namespace {

std::string valueName(const std::vector<graphc::ValueInfo> &values, size_t i,
                      const char *what) {
  return values[i].name.empty()
             ? std::string(what) + " " + std::to_string(i)
             : std::string(what) + " '" + values[i].name + "'";
}

/// Where two arrays of one type differ.
struct Difference {
  int64_t count = 0; // of elements outside the tolerance
  int64_t first = 0; // row-major number of the first of them
  std::string got, expected;
  double largest = 0; // absolute difference

  void note(int64_t number, const std::string &x, const std::string &y) {
    if (count++ != 0)
      return;
    first = number;
    got = x;
    expected = y;
  }
};

std::string shortText(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", printable(value));
  return text;
}

Difference compareFloats(const graphc_tensor &got,
                         const graphc_tensor &expected,
                         const Options &options) {
  graphc::Array a = graphc::Array::convert(got, GRAPHC_DTYPE_F64);
  graphc::Array b = graphc::Array::convert(expected, GRAPHC_DTYPE_F64);
  Difference difference;
  for (int64_t i = 0; i < a.size(); ++i) {
    double x = a.data<double>()[i], y = b.data<double>()[i];
    if (x == y || (std::isnan(x) && std::isnan(y)))
      continue;
    double distance = std::fabs(x - y);
    if (!(distance <= difference.largest))
      difference.largest = distance;
    // Nothing is close to an infinity, whose tolerance would be infinite.
    if (std::isfinite(distance) &&
        distance <= options.atol + options.rtol * std::fabs(y))
      continue;
    difference.note(i, shortText(x), shortText(y));
  }
  return difference;
}

/// Integers are equal or not: an f64 does not hold all of them.
Difference compareIntegers(const graphc_tensor &got,
                           const graphc_tensor &expected) {
  graphc::Array a = graphc::Array::convert(got, GRAPHC_DTYPE_I64);
  graphc::Array b = graphc::Array::convert(expected, GRAPHC_DTYPE_I64);
  Difference difference;
  for (int64_t i = 0; i < a.size(); ++i) {
    int64_t x = a.data<int64_t>()[i], y = b.data<int64_t>()[i];
    if (x == y)
      continue;
    uint64_t distance = static_cast<uint64_t>(std::max(x, y)) -
                        static_cast<uint64_t>(std::min(x, y));
    difference.largest =
        std::max(difference.largest, static_cast<double>(distance));
    difference.note(i, std::to_string(x), std::to_string(y));
  }
  return difference;
}

std::string indexText(int64_t number, const std::vector<int64_t> &shape) {
  std::string text;
  for (size_t i = shape.size(); i-- > 0;) {
    text =
        std::to_string(number % shape[i]) + (text.empty() ? "" : ", ") + text;
    number /= shape[i];
  }
  return "[" + text + "]";
}

bool checkExpected(const std::string &name, const graphc::Array &got,
                   const std::string &path, const Options &options) {
  graphc::Array expected = graphc::readNpy(path);
  bool isSameType = expected.dtype() == got.dtype();
  if (expected.shape() != got.shape() || (!isSameType && !options.convert))
    throw UsageError(
        path + " expects " + name + " to be " + typeText(expected.tensor()) +
        ", but it is " + typeText(got.tensor()) +
        (expected.shape() == got.shape() ? "; --convert converts the file"
                                         : ""));
  if (!isSameType)
    expected = graphc::Array::convert(expected, got.dtype());
  Difference difference = isFloat(got.dtype())
                              ? compareFloats(got, expected, options)
                              : compareIntegers(got, expected);
  if (difference.count == 0) {
    std::printf("%s is as expected; largest difference %.3g\n", name.c_str(),
                printable(difference.largest));
    return true;
  }
  std::printf("%s differs from %s in %lld of %lld elements, first at %s: "
              "expects %s, but got %s; largest difference %.3g\n",
              name.c_str(), path.c_str(),
              static_cast<long long>(difference.count),
              static_cast<long long>(got.size()),
              indexText(difference.first, got.shape()).c_str(),
              difference.expected.c_str(), difference.got.c_str(),
              printable(difference.largest));
  return false;
}

std::vector<graphc::Array> makeOutputs(const graphc::FunctionInfo &function) {
  std::vector<graphc::Array> outputs;
  for (const graphc::ValueInfo &value : function.outputs)
    outputs.emplace_back(value.dtype, value.shape);
  return outputs;
}

std::vector<graphc_tensor> views(const std::vector<graphc::Array> &arrays) {
  std::vector<graphc_tensor> result;
  for (const graphc::Array &array : arrays)
    result.push_back(array);
  return result;
}

/// The outputs that `arguments` mean, each with its file.
std::vector<std::pair<size_t, std::string>>
findOutputs(const graphc::FunctionInfo &function,
            const std::vector<std::string> &arguments) {
  std::vector<std::pair<size_t, std::string>> found;
  for (const std::string &argument : arguments)
    found.push_back(splitNamed(argument, function.outputs,
                               found.empty() ? 0 : found.back().first + 1,
                               "output"));
  return found;
}

bool fits(const graphc::FunctionInfo &function,
          const std::vector<graphc::Array> &inputs, bool anyDtype) {
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].shape() != function.inputs[i].shape ||
        (!anyDtype && inputs[i].dtype() != function.inputs[i].dtype))
      return false;
  return true;
}

} // namespace

std::vector<graphc::Array> readInputs(const graphc::FunctionInfo &function,
                                      const Options &options) {
  std::vector<graphc::Array> inputs(function.inputs.size());
  size_t next = 0;
  for (const std::string &argument : options.inputs) {
    auto [number, path] = splitNamed(argument, function.inputs, next, "input");
    if (inputs[number])
      throw UsageError(valueName(function.inputs, number, "input") +
                       " is given twice");
    inputs[number] = graphc::readNpy(path);
    next = number + 1;
  }
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!inputs[i])
      throw UsageError("@" + function.name + " expects " +
                       std::to_string(inputs.size()) + " inputs, but " +
                       valueName(function.inputs, i, "input") +
                       " is missing; give it with --input");
  return inputs;
}

graphc::FunctionInfo chooseFunction(graphc::Model &model,
                                    const std::string &name,
                                    const Options &options,
                                    std::vector<graphc::Array> &inputs) {
  // Sizes of one family differ in shapes only, so any tells names and number.
  std::vector<graphc::FunctionInfo> sizes = functionsOf(model, name);
  inputs = readInputs(sizes[0], options);
  for (bool anyDtype : {false, true})
    for (const graphc::FunctionInfo &function : sizes) {
      if (!fits(function, inputs, anyDtype))
        continue;
      for (size_t i = 0; i < inputs.size(); ++i) {
        graphc_dtype wanted = function.inputs[i].dtype;
        if (inputs[i].dtype() == wanted)
          continue;
        if (!options.convert)
          throw UsageError(valueName(function.inputs, i, "input") +
                           " expects " + graphc_dtype_name(wanted) +
                           " elements, but got " +
                           graphc_dtype_name(inputs[i].dtype()) +
                           "; --convert converts them");
        inputs[i] = graphc::Array::convert(inputs[i], wanted);
      }
      return function;
    }
  model.run(name, views(inputs)); // Throws, with the sizes there are.
  return sizes[0];
}

bool runFunction(graphc::Model &model, const Options &options) {
  std::vector<graphc::Array> inputs;
  graphc::FunctionInfo function =
      chooseFunction(model, options.function, options, inputs);
  // Before anything runs or is written.
  auto written = findOutputs(function, options.outputs);
  auto expected = findOutputs(function, options.expects);
  std::vector<graphc::Array> outputs = makeOutputs(function);
  model.run(function.name, views(inputs), views(outputs));

  auto name = [&](size_t i) {
    return valueName(function.outputs, i, "output");
  };
  bool wantsFiles = !options.outputs.empty() || !options.expects.empty();
  if (options.print || !wantsFiles)
    for (size_t i = 0; i < outputs.size(); ++i)
      std::printf("%s: %s\n%s\n", name(i).c_str(),
                  typeText(outputs[i].tensor()).c_str(),
                  arrayText(outputs[i], formatOf(options)).c_str());
  for (const auto &[number, path] : written)
    graphc::writeNpy(path, outputs[number]);
  bool isAsExpected = true;
  for (const auto &[number, path] : expected)
    isAsExpected &= checkExpected(name(number), outputs[number], path, options);
  return isAsExpected;
}

void dumpGradients(graphc::Model &model, const Options &options) {
  std::string name = options.function;
  if (name.empty()) {
    std::string found;
    for (const graphc::FunctionInfo &function : model.functions()) {
      if (function.kind != GRAPHC_FUNCTION_GRAD || function.family == name)
        continue;
      found += (found.empty() ? "" : ", ") + function.family;
      if (!name.empty())
        throw UsageError("the model has several gradient functions (" + found +
                         "); choose one with --function");
      name = function.family;
    }
    if (name.empty())
      throw UsageError("the model has no gradient function; graph.grad makes "
                       "one");
  }
  std::vector<graphc::Array> inputs;
  graphc::FunctionInfo function = chooseFunction(model, name, options, inputs);
  if (function.kind != GRAPHC_FUNCTION_GRAD)
    throw UsageError("--dump-grads expects a gradient function, but @" +
                     function.name + " is none");
  if (function.outputs.empty())
    throw UsageError("@" + function.name + " gives no loss");
  std::vector<graphc::Array> outputs = makeOutputs(function);
  model.run(function.name, views(inputs), views(outputs));

  // Between the loss and the gradients may stand other results of the loss
  // function; a gradient bears the name of what it is the gradient of. An input
  // without a name is called by its number.
  std::vector<std::string> known;
  for (const graphc::VariableInfo &variable : model.variables())
    known.push_back(variable.name);
  for (size_t i = 0; i < function.inputs.size(); ++i) {
    const std::string &input = function.inputs[i].name;
    known.push_back(input.empty() ? "input" + std::to_string(i) : input);
  }
  std::vector<std::pair<std::string, graphc_tensor>> gradients;
  for (size_t i = 1; i < outputs.size(); ++i) {
    const std::string &output = function.outputs[i].name;
    if (!output.empty() &&
        std::find(known.begin(), known.end(), output) != known.end())
      gradients.emplace_back(output, outputs[i]);
  }
  graphc::Safetensors::write(options.dumpGrads, gradients);
  std::printf("loss %s\nwrote %zu gradients to %s\n",
              arrayText(outputs[0], formatOf(options)).c_str(),
              gradients.size(), options.dumpGrads.c_str());
}

} // namespace graph_run
