// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/graph-run/Model.h"

#include <charconv>

namespace graph_run {
namespace {

void setScalar(graphc::Model &model, const std::string &name, double value) {
  for (const graphc::VariableInfo &variable : model.variables()) {
    if (variable.name != name)
      continue;
    graphc::Array one = graphc::Array::from<double>({}, {value});
    graphc::Array converted = graphc::Array::convert(one, variable.dtype);
    if (variable.bytes != graphc_dtype_bytes(variable.dtype))
      throw UsageError("'" + name + "' expects more than one value: it is " +
                       typeText(variable.dtype, variable.shape));
    graphc_tensor tensor = converted;
    tensor.rank = static_cast<uint32_t>(variable.shape.size());
    tensor.shape = variable.shape.data();
    model.setVariable(name, tensor);
    return;
  }
  throw UsageError("the model has no variable '" + name +
                   "'; graph-run without options lists them");
}

/// "<step>.lr" of the step that is trained; without one, every learning rate.
void setLearningRate(graphc::Model &model, const Options &options) {
  std::vector<std::string> names;
  for (const graphc::VariableInfo &variable : model.variables()) {
    const std::string &name = variable.name;
    size_t dot = name.rfind('.');
    bool isRate = name.substr(dot == std::string::npos ? 0 : dot + 1) == "lr" &&
                  (variable.flags & GRAPHC_VARIABLE_OPTIMIZER);
    if (isRate && name == options.train + ".lr")
      return setScalar(model, name, options.learningRate);
    if (isRate)
      names.push_back(name);
  }
  if (names.empty())
    throw UsageError("--lr: the model has no variable for a learning rate");
  for (const std::string &name : names)
    setScalar(model, name, options.learningRate);
}

void applySet(graphc::Model &model, const std::string &argument) {
  size_t equals = argument.rfind('=');
  double value = 0;
  if (equals != std::string::npos) {
    const char *begin = argument.data() + equals + 1;
    const char *end = argument.data() + argument.size();
    auto [rest, error] = std::from_chars(begin, end, value);
    if (error == std::errc() && rest == end)
      return setScalar(model, argument.substr(0, equals), value);
  }
  throw UsageError("--set expects NAME=X with a number X, but got '" +
                   argument + "'");
}

} // namespace

graphc::Model loadModel(const Options &options) {
  graphc::LoadOptions load;
  load.device = options.device.empty() ? nullptr : options.device.c_str();
  load.threads = options.threads;
  load.max_arena_bytes = options.maxArenaBytes;
  load.seed = options.seed;
  load.check_numerics = options.checkNumerics;
  load.profile = options.profile;
  graphc::Model model(options.model, load);
  if (!options.loadState.empty())
    model.loadState(options.loadState);
  for (const std::string &argument : options.sets)
    applySet(model, argument);
  if (options.hasLearningRate)
    setLearningRate(model, options);
  return model;
}

std::vector<graphc::FunctionInfo> functionsOf(const graphc::Model &model,
                                              const std::string &name) {
  std::vector<graphc::FunctionInfo> found;
  for (graphc::FunctionInfo &function : model.functions())
    if (function.name == name || function.family == name)
      found.push_back(std::move(function));
  if (found.empty())
    model.function(name); // Throws, with the list.
  return found;
}

int64_t batchOf(const graphc::FunctionInfo &function) {
  bool hasBatch = !function.inputs.empty() && !function.inputs[0].shape.empty();
  return hasBatch ? function.inputs[0].shape[0] : 1;
}

std::pair<size_t, std::string>
splitNamed(const std::string &argument,
           const std::vector<graphc::ValueInfo> &values, size_t next,
           const char *what) {
  size_t equals = argument.find('=');
  if (equals != std::string::npos)
    for (size_t i = 0; i < values.size(); ++i)
      if (!values[i].name.empty() &&
          values[i].name == argument.substr(0, equals))
        return {i, argument.substr(equals + 1)};
  if (next >= values.size())
    throw UsageError("the function has " + std::to_string(values.size()) + " " +
                     what + "s, but '" + argument + "' would be number " +
                     std::to_string(next + 1));
  return {next, argument};
}

Format formatOf(const Options &options) {
  return {options.precision, options.scientific, options.full};
}

} // namespace graph_run
