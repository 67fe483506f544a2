// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/graph-run/Model.h"

#include <charconv>
#include <cmath>
#include <set>

namespace graph_run {
namespace {

/// What --set and --lr write: as typed, for not every i64 is a double.
struct Number {
  std::string text;
  double value = 0;
  bool isInteger = false; // then `integer` is exactly it
  int64_t integer = 0;
};

/// False if `text` is no number.
bool parse(const std::string &text, Number &number) {
  number.text = text;
  const char *begin = text.data(), *end = begin + text.size();
  auto [rest, error] = std::from_chars(begin, end, number.value);
  if (error != std::errc() || rest != end)
    return false;
  auto [last, problem] = std::from_chars(begin, end, number.integer);
  number.isInteger = problem == std::errc() && last == end;
  if (!number.isInteger && std::fabs(number.value) <= 0x1p53 &&
      std::trunc(number.value) == number.value) { // such as 1e3
    number.isInteger = true;
    number.integer = static_cast<int64_t>(number.value);
  }
  return true;
}

/// `number` as a scalar of `dtype`. Throws if that would change an integer, or
/// make a float infinite.
graphc::Array scalar(const Number &number, graphc_dtype dtype,
                     const std::string &name) {
  auto refuse = [&] {
    throw UsageError("'" + name + "' expects a number that " +
                     graphc_dtype_name(dtype) + " holds, but got " +
                     number.text);
  };
  if (isFloat(dtype)) {
    graphc::Array wide = graphc::Array::from<double>({}, {number.value});
    graphc::Array array = graphc::Array::convert(wide, dtype);
    graphc::Array back = graphc::Array::convert(array, GRAPHC_DTYPE_F64);
    if (std::isinf(back.data<double>()[0]) && !std::isinf(number.value))
      refuse();
    return array;
  }
  if (!number.isInteger)
    refuse();
  graphc::Array wide = graphc::Array::from<int64_t>({}, {number.integer});
  graphc::Array array = graphc::Array::convert(wide, dtype);
  graphc::Array back = graphc::Array::convert(array, GRAPHC_DTYPE_I64);
  if (back.data<int64_t>()[0] != number.integer)
    refuse();
  return array;
}

void setScalar(graphc::Model &model, const std::string &name,
               const Number &number) {
  for (const graphc::VariableInfo &variable : model.variables()) {
    if (variable.name != name)
      continue;
    if (variable.bytes != graphc_dtype_bytes(variable.dtype))
      throw UsageError("'" + name + "' expects more than one value: it is " +
                       typeText(variable.dtype, variable.shape));
    graphc::Array array = scalar(number, variable.dtype, name);
    graphc_tensor tensor = array;
    tensor.rank = static_cast<uint32_t>(variable.shape.size());
    tensor.shape = variable.shape.data();
    model.setVariable(name, tensor);
    return;
  }
  throw UsageError("the model has no variable '" + name +
                   "'; graph-run without options lists them");
}

/// The training step whose learning rates --lr means: that of --train or
/// --function, or the only one.
std::string stepOf(const graphc::Model &model, const Options &options) {
  std::set<std::string> steps;
  const std::string &wanted =
      options.train.empty() ? options.function : options.train;
  for (const graphc::FunctionInfo &function : model.functions())
    if (function.kind == GRAPHC_FUNCTION_TRAIN &&
        (wanted.empty() || function.name == wanted ||
         function.family == wanted))
      steps.insert(function.family);
  if (steps.size() == 1)
    return *steps.begin();
  if (!wanted.empty())
    throw UsageError("--lr expects a training step, but '" + wanted +
                     "' is none");
  throw UsageError(steps.empty() ? "--lr: the model has no training step"
                                 : "--lr expects --train or --function to say "
                                   "which of several steps is meant");
}

/// The step that a variable is a learning rate of: "<step>.lr", or
/// "<step>.group<number>.lr". "" for none; that of a model that was written by
/// hand may be called just "lr".
std::string stepOfRate(const std::string &name,
                       const std::set<std::string> &steps) {
  if (!endsWith(name, ".lr"))
    return "";
  std::string step = name.substr(0, name.size() - 3);
  if (steps.count(step))
    return step;
  size_t digits = step.find_last_not_of("0123456789") + 1;
  step.resize(digits);
  return digits != name.size() - 3 && endsWith(step, ".group")
             ? step.substr(0, digits - 6)
             : "";
}

void setLearningRates(graphc::Model &model, const Options &options) {
  Number number;
  parse(options.learningRate, number);
  std::string step = stepOf(model, options);
  std::set<std::string> steps;
  for (const graphc::FunctionInfo &function : model.functions())
    if (function.kind == GRAPHC_FUNCTION_TRAIN)
      steps.insert(function.family);
  bool any = false;
  for (const graphc::VariableInfo &variable : model.variables()) {
    const std::string &name = variable.name;
    if (!(variable.flags & GRAPHC_VARIABLE_OPTIMIZER) ||
        (name != "lr" && stepOfRate(name, steps) != step))
      continue;
    setScalar(model, name, number);
    any = true;
  }
  if (!any)
    throw UsageError("--lr: @" + step + " has no variable for its rate");
}

void applySet(graphc::Model &model, const std::string &argument) {
  size_t equals = argument.rfind('=');
  Number number;
  if (equals != std::string::npos &&
      parse(argument.substr(equals + 1), number) && !std::isnan(number.value))
    return setScalar(model, argument.substr(0, equals), number);
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
  load.state_path =
      options.loadState.empty() ? nullptr : options.loadState.c_str();
  graphc::Model model(options.model, load);
  for (const std::string &argument : options.sets)
    applySet(model, argument);
  if (!options.learningRate.empty())
    setLearningRates(model, options);
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
  std::string name = argument.substr(0, equals);
  if (equals != std::string::npos) {
    std::string names;
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i].name.empty())
        continue;
      if (values[i].name == name)
        return {i, argument.substr(equals + 1)};
      names += (names.empty() ? "" : ", ") + values[i].name;
    }
    // A path with a folder is no name.
    if (name.find('/') == std::string::npos)
      throw UsageError("the function has no " + std::string(what) + " '" +
                       name + "'" + (names.empty() ? "" : "; it has " + names) +
                       "; a file of that name is './" + argument + "'");
  }
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
