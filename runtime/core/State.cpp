// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables: get, set, save and load, always in logical row-major layout.
#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/core/DType.h"
#include "runtime/core/Error.h"
#include "runtime/core/Model.h"
#include "runtime/core/Tensors.h"
#include "runtime/cpu/FloatControl.h"
#include "runtime/data/Safetensors.h"

namespace graphc::runtime {
namespace {

TensorName nameOf(const graphc_abi_variable &variable) {
  return {"variable", -1, variable.name, nullptr};
}

std::vector<int64_t> shapeOf(const graphc_abi_type &type) {
  return std::vector<int64_t>(type.dims, type.dims + type.rank);
}

/// Variables' numbers by name.
class VariableNumbers {
public:
  explicit VariableNumbers(const graphc_model_root &root) {
    for (uint32_t i = 0; i < root.variable_count; ++i)
      numbers.emplace(root.variables[i].name, i);
  }
  bool has(const std::string &name) const { return numbers.count(name) != 0; }
  uint32_t operator[](const std::string &name) const {
    return numbers.at(name);
  }

private:
  std::unordered_map<std::string_view, uint32_t> numbers;
};

/// Collects what is wrong with a state file; all of it goes into one message.
class Complaints {
public:
  void add(const std::string &text) {
    if (++count <= maxListed)
      list += (count > 1 ? "; " : "") + text;
  }
  bool any() const { return count != 0; }
  std::string text() const {
    return count <= maxListed
               ? list
               : list + "; and " + std::to_string(count - maxListed) + " more";
  }

private:
  static constexpr size_t maxListed = 10;
  size_t count = 0;
  std::string list;
};

} // namespace

void Model::runPackKernel(uint32_t kernelPlusOne, const void *from,
                          void *to) const {
  DefaultFloatControl floatControl;
  ExecutionEnv env(nullptr, nullptr);
  void *buffers[2] = {const_cast<void *>(from), to};
  variant->kernels[kernelPlusOne - 1].function(env.get(), buffers, nullptr);
}

const std::byte *Model::logicalBytes(size_t index, std::byte *scratch) const {
  const graphc_abi_layout &layout = variant->layouts[index];
  const std::byte *physical = state.get() + layout.offset;
  if (!layout.unpack_kernel)
    return physical;
  runPackKernel(layout.unpack_kernel, physical, scratch);
  return scratch;
}

void Model::storeLogical(size_t index, const std::byte *logical,
                         std::byte *stateBlock) const {
  const graphc_abi_layout &layout = variant->layouts[index];
  std::byte *physical = stateBlock + layout.offset;
  if (layout.pack_kernel)
    runPackKernel(layout.pack_kernel, logical, physical);
  else if (layout.bytes != 0 && physical != logical)
    std::memcpy(physical, logical, layout.bytes);
}

uint64_t Model::maxPackedBytes() const {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < root->variable_count; ++i)
    if (variant->layouts[i].pack_kernel)
      bytes = std::max(bytes, bytesOf(root->variables[i].type));
  return bytes;
}

void Model::getVariable(size_t index, const graphc_tensor &to) {
  const graphc_abi_variable &variable = this->variable(index);
  checkTensor(nameOf(variable), variable.type, to);
  AlignedBuffer scratch;
  if (variant->layouts[index].unpack_kernel)
    scratch = allocateAligned(bytesOf(variable.type), "a variable's copy");
  scatter(logicalBytes(index, scratch.get()), to);
}

void Model::setVariable(size_t index, const graphc_tensor &from) {
  const graphc_abi_variable &variable = this->variable(index);
  checkTensor(nameOf(variable), variable.type, from);
  const graphc_abi_layout &layout = variant->layouts[index];
  if (!layout.pack_kernel)
    return gather(from, state.get() + layout.offset);
  AlignedBuffer logical =
      allocateAligned(bytesOf(variable.type), "a variable's copy");
  gather(from, logical.get());
  storeLogical(index, logical.get(), state.get());
}

void Model::saveState(const char *path) {
  std::vector<SafetensorsWriter::Tensor> tensors;
  for (uint32_t i = 0; i < root->variable_count; ++i) {
    const graphc_abi_variable &variable = root->variables[i];
    tensors.push_back({variable.name,
                       static_cast<graphc_dtype>(variable.type.dtype),
                       shapeOf(variable.type)});
  }
  AlignedBuffer scratch =
      allocateAligned(maxPackedBytes(), "a variable's copy");
  VariableNumbers numbers(*root);
  SafetensorsWriter writer(path, tensors,
                           {{"graphc.model", root->module_name}});
  for (const SafetensorsEntry &entry : writer.entries())
    writer.write(logicalBytes(numbers[entry.name], scratch.get()));
  writer.commit();
}

void Model::checkStateFile(const SafetensorsReader &reader, const char *path,
                           const graphc_load_state_options &options) const {
  Complaints complaints;
  for (uint32_t i = 0; i < root->variable_count; ++i) {
    const graphc_abi_variable &variable = root->variables[i];
    const SafetensorsEntry *entry = reader.find(variable.name);
    if (!entry) {
      if (!options.ignore_missing)
        complaints.add("'" + std::string(variable.name) + "' is missing");
    } else if (static_cast<uint32_t>(entry->dtype) != variable.type.dtype ||
               entry->shape != shapeOf(variable.type)) {
      std::string shape = listText(entry->shape.data(), entry->shape.size());
      complaints.add("'" + entry->name + "' expects " +
                     typeText(variable.type) + ", but got " +
                     entry->formatDtype + " " + shape);
    }
  }
  VariableNumbers numbers(*root);
  for (const SafetensorsEntry &entry : reader.entries())
    if (!options.ignore_unexpected && !numbers.has(entry.name))
      complaints.add("'" + entry.name + "' is unexpected");
  if (complaints.any())
    fail(GRAPHC_INVALID_ARGUMENT, "state file '%s' does not fit model '%s': %s",
         path, root->module_name, complaints.text().c_str());
}

void Model::readStateFile(const SafetensorsReader &reader, std::byte *scratch,
                          std::byte *stateBlock) const {
  for (uint32_t i = 0; i < root->variable_count; ++i) {
    const SafetensorsEntry *entry = reader.find(root->variables[i].name);
    if (!entry)
      continue;
    const graphc_abi_layout &layout = variant->layouts[i];
    std::byte *logical =
        layout.pack_kernel ? scratch : stateBlock + layout.offset;
    reader.read(*entry, logical);
    storeLogical(i, logical, stateBlock);
  }
}

void Model::loadState(const char *path,
                      const graphc_load_state_options &options) {
  SafetensorsReader reader(path);
  checkStateFile(reader, path, options);
  // Read into a second block: what fails halfway leaves the state as it was.
  AlignedBuffer next = allocateAligned(variant->state_bytes, "new state");
  AlignedBuffer scratch =
      allocateAligned(maxPackedBytes(), "a variable's copy");
  if (next)
    std::memcpy(next.get(), state.get(), variant->state_bytes);
  readStateFile(reader, scratch.get(), next.get());
  if (next)
    std::memcpy(state.get(), next.get(), variant->state_bytes);
}

void Model::loadInitialState(const char *path) {
  SafetensorsReader reader(path);
  checkStateFile(reader, path, {});
  AlignedBuffer scratch =
      allocateAligned(maxPackedBytes(), "a variable's copy");
  readStateFile(reader, scratch.get(), state.get());
}

} // namespace graphc::runtime
