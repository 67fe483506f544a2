// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/Call.h"

#include <algorithm>

#include "runtime/core/DType.h"
#include "runtime/core/Error.h"
#include "runtime/cpu/FloatControl.h"

namespace graphc::runtime {

Call::Call(Model &model, size_t number)
    : model(model), number(number), function(model.function(number)),
      program(*model.variant, function, model.plan(number), model.spaces()),
      inputs(function.input_count), outputs(function.output_count) {
  ranges.reserve(inputs.size() + outputs.size());
}

TensorName Call::inputName(size_t index) const {
  if (index >= inputs.size())
    fail(GRAPHC_INVALID_ARGUMENT,
         "@%s expects an input number below %zu, but got %zu", function.name,
         inputs.size(), index);
  return {"input", static_cast<int64_t>(index), function.inputs[index].name,
          function.name};
}

TensorName Call::outputName(size_t index) const {
  if (index >= outputs.size())
    fail(GRAPHC_INVALID_ARGUMENT,
         "@%s expects an output number below %zu, but got %zu", function.name,
         outputs.size(), index);
  return {"output", static_cast<int64_t>(index), function.outputs[index].name,
          function.name};
}

void Call::bindInput(size_t index, const graphc_tensor &tensor) {
  TensorName name = inputName(index);
  checkTensor(name, function.inputs[index].type, tensor);
  checkZeroCopy(name, tensor);
  bindInputData(index, tensor.data);
}

void Call::bindOutput(size_t index, const graphc_tensor &tensor) {
  TensorName name = outputName(index);
  checkTensor(name, function.outputs[index].type, tensor);
  checkZeroCopy(name, tensor);
  bindOutputData(index, tensor.data);
}

void Call::bindOwnOutput(size_t index) {
  outputName(index);
  Binding &binding = outputs[index];
  if (!binding.own)
    binding.own =
        allocateAligned(bytesOf(function.outputs[index].type), "an output");
  bindOutputData(index, binding.own.get());
}

void Call::bindInputData(size_t index, void *data) {
  Binding &binding = inputs[index];
  if (binding.isBound && binding.data == data)
    return;
  binding.data = data;
  binding.isBound = true;
  isChecked = false;
  program.bindInput(static_cast<uint32_t>(index), data);
}

void Call::bindOutputData(size_t index, void *data) {
  Binding &binding = outputs[index];
  if (binding.isBound && binding.data == data)
    return;
  binding.data = data;
  binding.isBound = true;
  isChecked = false;
  program.bindOutput(static_cast<uint32_t>(index), data);
}

graphc_tensor Call::output(size_t index) const {
  outputName(index);
  if (!outputs[index].isBound)
    fail(GRAPHC_INVALID_ARGUMENT, "output %zu of @%s is not bound", index,
         function.name);
  const graphc_abi_type &type = function.outputs[index].type;
  graphc_tensor tensor = {};
  tensor.dtype = static_cast<graphc_dtype>(type.dtype);
  tensor.rank = type.rank;
  tensor.shape = type.dims;
  tensor.data = outputs[index].data;
  return tensor;
}

// Plans may write an output before they have read every input, so memory that
// is shared would give wrong numbers without a word.
void Call::checkBindings() {
  ranges.clear();
  auto add = [&](const std::vector<Binding> &bindings,
                 const graphc_abi_value *values, bool isOutput) {
    for (uint32_t i = 0; i < bindings.size(); ++i) {
      if (!bindings[i].isBound)
        fail(GRAPHC_INVALID_ARGUMENT, "%s %u ('%s') of @%s is not bound",
             isOutput ? "output" : "input", i, values[i].name, function.name);
      auto begin = reinterpret_cast<uintptr_t>(bindings[i].data);
      if (uint64_t bytes = bytesOf(values[i].type))
        ranges.push_back({begin, begin + bytes, i, isOutput});
    }
  };
  add(inputs, function.inputs, false);
  add(outputs, function.outputs, true);
  std::sort(ranges.begin(), ranges.end(),
            [](const Range &a, const Range &b) { return a.begin < b.begin; });
  const Range *lastOutput = nullptr, *last = nullptr; // By their ends.
  for (const Range &range : ranges) {
    const Range *before = range.isOutput ? last : lastOutput;
    if (before && before->end > range.begin)
      fail(GRAPHC_INVALID_ARGUMENT,
           "%s %u of @%s overlaps %s %u; outputs expect memory of their own",
           before->isOutput ? "output" : "input", before->index, function.name,
           range.isOutput ? "output" : "input", range.index);
    if (!last || range.end > last->end)
      last = &range;
    if (range.isOutput && (!lastOutput || range.end > lastOutput->end))
      lastOutput = &range;
  }
  isChecked = true;
}

graphc_status Call::run() {
  if (!isChecked)
    checkBindings();
  RunOutcome outcome;
  {
    DefaultFloatControl floatControl;
    outcome = runtime::run(program, model.runOptions(number));
  }
  return outcome.status == GRAPHC_OK ? GRAPHC_OK : report(outcome);
}

graphc_status Call::report(const RunOutcome &outcome) const {
  const graphc_abi_entry &entry = model.plan(number).entries[outcome.entry];
  FailurePlace place;
  place.function = function.name;
  place.opName = entry.op_name;
  place.location = entry.location;
  place.entry = outcome.entry;
  place.position = outcome.position;
  if (outcome.hostNumber >= 0) {
    const std::string message = graphc_error_message();
    return setErrorAt(place, outcome.status,
                      "%s: %s of host function '%s' failed: %s; @%s changed no "
                      "state",
                      entry.location, entry.op_name,
                      model.host[outcome.hostNumber].name, message.c_str(),
                      function.name);
  }
  if (outcome.status == GRAPHC_OUT_OF_RANGE) {
    place.value = outcome.value;
    place.limit = outcome.limit;
    return setErrorAt(
        place, GRAPHC_OUT_OF_RANGE,
        "%s: %s expects indices in [0, %lld), but got %lld at element %lld; "
        "@%s changed no state",
        entry.location, entry.op_name, static_cast<long long>(outcome.limit),
        static_cast<long long>(outcome.value),
        static_cast<long long>(outcome.position), function.name);
  }
  return setErrorAt(
      place, GRAPHC_NUMERIC,
      "%s: %s gave %g at element %lld of its buffer %u (entry %u of @%s, which "
      "changed no state)",
      entry.location, entry.op_name, outcome.number,
      static_cast<long long>(outcome.position), outcome.buffer, outcome.entry,
      function.name);
}

} // namespace graphc::runtime
