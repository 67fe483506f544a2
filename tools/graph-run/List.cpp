// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is in a model, and what it could run on.
#include <algorithm>
#include <cstdio>
#include <sched.h>

#include "tools/graph-run/Model.h"

namespace graph_run {
namespace {

const char *kindText(graphc_function_kind kind) {
  switch (kind) {
  case GRAPHC_FUNCTION_TRAIN:
    return "train ";
  case GRAPHC_FUNCTION_GRAD:
    return "grad  ";
  case GRAPHC_FUNCTION_PLAIN:
    break;
  }
  return "      ";
}

std::string flagsText(uint32_t flags) {
  std::string text;
  if (flags & GRAPHC_VARIABLE_TRAINABLE)
    text += " trainable";
  if (flags & GRAPHC_VARIABLE_OPTIMIZER)
    text += " optimizer";
  if (flags & GRAPHC_VARIABLE_INTERNAL)
    text += " internal";
  return text;
}

} // namespace

void listModel(const graphc::Model &model) {
  graphc_model_info info = model.info();
  std::printf("model%s%s, by graphc %s, ABI %u.%u\n", *info.name ? " " : "",
              info.name, info.compiler_version, info.abi_major, info.abi_minor);
  std::printf("target %s %s, threads %u of at most %u\n", info.target,
              info.level, info.threads, info.max_threads);
  std::printf("bytes: arena %s, state %s, constants %s\n",
              grouped(info.arena_bytes).c_str(),
              grouped(info.state_bytes).c_str(),
              grouped(info.constant_bytes).c_str());

  std::printf("\nfunctions\n");
  for (const graphc::FunctionInfo &function : model.functions()) {
    std::printf("  %s%s", kindText(function.kind),
                signatureText(function).c_str());
    if (function.family != function.name)
      std::printf("  size of @%s", function.family.c_str());
    std::printf("\n");
  }

  std::vector<graphc::VariableInfo> variables = model.variables();
  if (variables.empty())
    return;
  std::printf("\nstate\n");
  size_t nameWidth = 0, typeWidth = 0;
  for (const graphc::VariableInfo &variable : variables) {
    nameWidth = std::max(nameWidth, variable.name.size());
    typeWidth =
        std::max(typeWidth, typeText(variable.dtype, variable.shape).size());
  }
  uint64_t parameters = 0;
  for (const graphc::VariableInfo &variable : variables) {
    std::string flags = flagsText(variable.flags);
    std::string type = typeText(variable.dtype, variable.shape);
    if (!flags.empty())
      type.resize(typeWidth + 1, ' ');
    std::printf("  %-*s  %s%s\n", static_cast<int>(nameWidth),
                variable.name.c_str(), type.c_str(), flags.c_str());
    if (variable.flags & GRAPHC_VARIABLE_TRAINABLE)
      parameters += variable.bytes / graphc_dtype_bytes(variable.dtype);
  }
  std::printf("%s trainable parameters\n", grouped(parameters).c_str());
}

void listDevices() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  int cpus = sched_getaffinity(0, sizeof allowed, &allowed) == 0
                 ? CPU_COUNT(&allowed)
                 : 1;
  std::printf("cpu  %d CPUs that this process may use\n", cpus);
}

void printVariables(const graphc::Model &model, const Options &options) {
  std::vector<graphc::VariableInfo> variables = model.variables();
  for (const std::string &name : options.printVariables) {
    auto found = std::find_if(
        variables.begin(), variables.end(),
        [&](const graphc::VariableInfo &v) { return v.name == name; });
    if (found == variables.end())
      throw UsageError("the model has no variable '" + name +
                       "'; graph-run without options lists them");
    graphc::Array value(found->dtype, found->shape);
    model.getVariable(name, value);
    std::printf("%s: %s\n%s\n", name.c_str(), typeText(value.tensor()).c_str(),
                arrayText(value, formatOf(options)).c_str());
  }
}

} // namespace graph_run
