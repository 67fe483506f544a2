// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <memory>
#include <unordered_map>

#include "runtime/core/DType.h"
#include "runtime/core/InfoStruct.h"
#include "runtime/data/Array.h"
#include "runtime/data/Message.h"
#include "runtime/data/Safetensors.h"

using namespace graphc::runtime;

struct graphc_safetensors {
  SafetensorsReader reader;

  explicit graphc_safetensors(const char *path) : reader(path) {}

  const SafetensorsEntry &entry(size_t tensor) const {
    if (tensor >= reader.entries().size())
      fail(GRAPHC_INVALID_ARGUMENT,
           quoted(reader.path()) + " has " +
               std::to_string(reader.entries().size()) +
               " tensors, but number " + std::to_string(tensor) +
               " is asked for");
    return reader.entries()[tensor];
  }
};

graphc_status graphc_safetensors_open(const char *path,
                                      graphc_safetensors **out_file) {
  return guarded([&] {
    if (!path || !out_file)
      fail(GRAPHC_INVALID_ARGUMENT, "an argument is NULL");
    *out_file = new graphc_safetensors(path);
  });
}

void graphc_safetensors_close(graphc_safetensors *file) { delete file; }

size_t graphc_safetensors_count(const graphc_safetensors *file) {
  return file->reader.entries().size();
}

graphc_status graphc_safetensors_describe(const graphc_safetensors *file,
                                          size_t tensor,
                                          graphc_value_info *out_info) {
  return guarded([&] {
    if (!file)
      fail(GRAPHC_INVALID_ARGUMENT, "an argument is NULL");
    const SafetensorsEntry &entry = file->entry(tensor);
    graphc_value_info info = {};
    info.name = entry.name.c_str();
    info.dtype = entry.dtype;
    info.rank = static_cast<uint32_t>(entry.shape.size());
    info.shape = entry.shape.data();
    info.bytes = entry.bytes;
    writeInfo(out_info, info);
  });
}

graphc_status graphc_safetensors_find(const graphc_safetensors *file,
                                      const char *name, size_t *out_tensor) {
  return guarded([&] {
    if (!file || !name || !out_tensor)
      fail(GRAPHC_INVALID_ARGUMENT, "an argument is NULL");
    const SafetensorsEntry *entry = file->reader.find(name);
    if (!entry)
      fail(GRAPHC_NOT_FOUND,
           quoted(file->reader.path()) + " has no tensor " + quoted(name));
    *out_tensor = static_cast<size_t>(entry - file->reader.entries().data());
  });
}

graphc_status graphc_safetensors_read(const graphc_safetensors *file,
                                      size_t tensor, graphc_array **out_array) {
  return guarded([&] {
    if (!file || !out_array)
      fail(GRAPHC_INVALID_ARGUMENT, "an argument is NULL");
    const SafetensorsEntry &entry = file->entry(tensor);
    std::unique_ptr<graphc_array> array;
    if (entry.dtype != GRAPHC_DTYPE_INVALID)
      array = std::make_unique<graphc_array>(entry.dtype, entry.shape);
    file->reader.read(entry, array ? array->data.get() : nullptr);
    *out_array = array.release();
  });
}

const char *graphc_safetensors_metadata(const graphc_safetensors *file,
                                        const char *key) {
  // No std::string of `key`: this function cannot report being out of memory.
  if (file && key)
    for (const auto &[name, value] : file->reader.metadata())
      if (name == key)
        return value.c_str();
  return nullptr;
}

graphc_status graphc_safetensors_write(const char *path,
                                       const graphc_named_tensor *tensors,
                                       size_t tensor_count,
                                       const graphc_key_value *metadata,
                                       size_t metadata_count) {
  return guarded([&] {
    if (!path || (tensor_count && !tensors) || (metadata_count && !metadata))
      fail(GRAPHC_INVALID_ARGUMENT, "an argument is NULL");
    std::vector<SafetensorsWriter::Tensor> descriptions;
    std::unordered_map<std::string, const graphc_tensor *> byName;
    for (size_t i = 0; i < tensor_count; ++i) {
      const graphc_tensor &tensor = tensors[i].tensor;
      if (!tensors[i].name)
        fail(GRAPHC_INVALID_ARGUMENT, "a tensor's name is NULL");
      checkTensor(&tensor, tensors[i].name);
      descriptions.push_back(
          {tensors[i].name, tensor.dtype,
           std::vector<int64_t>(tensor.shape, tensor.shape + tensor.rank)});
      byName[tensors[i].name] = &tensor;
    }
    std::map<std::string, std::string> pairs;
    for (size_t i = 0; i < metadata_count; ++i) {
      if (!metadata[i].key || !metadata[i].value)
        fail(GRAPHC_INVALID_ARGUMENT, "a key or value of metadata is NULL");
      if (!pairs.emplace(metadata[i].key, metadata[i].value).second)
        fail(GRAPHC_INVALID_ARGUMENT,
             "metadata has the key " + quoted(metadata[i].key) + " twice");
    }
    SafetensorsWriter writer(path, descriptions, pairs);
    for (const SafetensorsEntry &entry : writer.entries()) {
      const graphc_tensor &tensor = *byName.at(entry.name);
      if (isRowMajor(tensor)) {
        writer.write(tensor.data);
        continue;
      }
      graphc_array packed(entry.dtype, entry.shape);
      gather(tensor, packed.data.get());
      writer.write(packed.data.get());
    }
    writer.commit();
  });
}
