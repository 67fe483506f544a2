// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// graphc_model_run(): picks a size, copies what cannot be used in place.
#include <cstring>

#include "runtime/core/Call.h"
#include "runtime/core/DType.h"
#include "runtime/core/Error.h"

namespace graphc::runtime {
namespace {

bool isCandidate(const graphc_abi_function &function, const char *name) {
  return !std::strcmp(function.name, name) ||
         !std::strcmp(function.family, name);
}

bool accepts(const graphc_abi_function &function, const graphc_tensor *inputs,
             size_t count) {
  if (function.input_count != count)
    return false;
  for (size_t i = 0; i < count; ++i)
    if (!hasType(inputs[i], function.inputs[i].type))
      return false;
  return true;
}

std::string signatureText(const graphc_abi_function &function) {
  std::string text = "@" + std::string(function.name) + "(";
  for (uint32_t i = 0; i < function.input_count; ++i)
    text += (i ? ", " : "") + typeText(function.inputs[i].type);
  return text + ")";
}

std::string typesText(const graphc_tensor *inputs, size_t count) {
  std::string text = "(";
  for (size_t i = 0; i < count; ++i) {
    bool isSane = inputs[i].rank <= GRAPHC_ABI_MAX_RANK &&
                  (inputs[i].rank == 0 || inputs[i].shape);
    text += (i ? ", " : "") +
            (isSane ? typeText(inputs[i].dtype, inputs[i].rank, inputs[i].shape)
                    : std::string("a tensor without a shape"));
  }
  return text + ")";
}

} // namespace

size_t chooseFunction(const Model &model, const char *name,
                      const graphc_tensor *inputs, size_t inputCount) {
  const graphc_model_root &root = *model.root;
  if (!name)
    fail(GRAPHC_INVALID_ARGUMENT, "the function's name is NULL");
  if (inputCount != 0 && !inputs)
    fail(GRAPHC_INVALID_ARGUMENT, "inputs is NULL");
  uint32_t candidates = 0;
  for (uint32_t i = 0; i < root.function_count; ++i) {
    if (!isCandidate(root.functions[i], name))
      continue;
    if (accepts(root.functions[i], inputs, inputCount))
      return i;
    ++candidates;
  }
  if (candidates == 0)
    return model.findFunction(name); // Throws, with the list.
  std::string sizes;
  for (uint32_t i = 0; i < root.function_count; ++i)
    if (isCandidate(root.functions[i], name))
      sizes += (sizes.empty() ? "" : ", ") + signatureText(root.functions[i]);
  fail(GRAPHC_NOT_FOUND,
       "'%s' has no size for inputs %s; there are: %s; compile the model with "
       "the size you need",
       name, typesText(inputs, inputCount).c_str(), sizes.c_str());
}

ConvenientCall::ConvenientCall(Model &model, size_t function)
    : call(model, function), inputCopies(call.signature().input_count),
      outputCopies(call.signature().output_count) {}

graphc_status ConvenientCall::run(const graphc_tensor *inputs,
                                  const graphc_tensor *outputs,
                                  size_t outputCount) {
  const graphc_abi_function &function = call.signature();
  if (outputCount > function.output_count)
    fail(GRAPHC_INVALID_ARGUMENT, "@%s expects at most %u outputs, but got %zu",
         function.name, function.output_count, outputCount);
  if (outputCount != 0 && !outputs)
    fail(GRAPHC_INVALID_ARGUMENT, "outputs is NULL");

  for (uint32_t i = 0; i < function.input_count; ++i) {
    const graphc_tensor &tensor = inputs[i];
    const graphc_abi_type &type = function.inputs[i].type;
    checkTensor(call.inputName(i), type, tensor);
    if (isRowMajor(tensor) && isElementAligned(tensor)) {
      call.bindInputData(i, tensor.data);
      continue;
    }
    if (!inputCopies[i])
      inputCopies[i] = allocateAligned(bytesOf(type), "an input's copy");
    gather(tensor, inputCopies[i].get());
    call.bindInputData(i, inputCopies[i].get());
  }
  auto needsCopy = [&](uint32_t i) {
    return i >= outputCount || !outputs[i].data || !isRowMajor(outputs[i]) ||
           !isElementAligned(outputs[i]);
  };
  for (uint32_t i = 0; i < function.output_count; ++i) {
    const graphc_abi_type &type = function.outputs[i].type;
    if (i < outputCount)
      checkTensor(call.outputName(i), type, outputs[i], /*mayLackData=*/true);
    if (!needsCopy(i)) {
      call.bindOutputData(i, outputs[i].data);
      continue;
    }
    if (!outputCopies[i])
      outputCopies[i] = allocateAligned(bytesOf(type), "an output's copy");
    call.bindOutputData(i, outputCopies[i].get());
  }
  graphc_status status = call.run();
  if (status == GRAPHC_OK)
    for (uint32_t i = 0; i < outputCount; ++i)
      if (needsCopy(i) && outputs[i].data)
        scatter(outputCopies[i].get(), outputs[i]);
  return status;
}

} // namespace graphc::runtime
