// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tests share: the hand-written models and short ways to call the C
// API.
#ifndef GRAPHC_TEST_UNIT_RUNTIME_CORE_TOYMODEL_H
#define GRAPHC_TEST_UNIT_RUNTIME_CORE_TOYMODEL_H

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "graphc/abi/trailer.h"
#include "graphc/runtime.h"

inline std::string toyPath(const std::string &name) {
  return std::string(GRAPHC_TOY_MODELS_DIR) + "/" + name + ".so";
}

inline std::string readFile(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(in)), {});
}

inline void writeFile(const std::string &path, const std::string &content) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
}

/// The ELF image of a model with a fresh trailer.
inline std::string signImage(const std::string &image) {
  auto trailer = graphc::abi::makeTrailer(image.data(), image.size());
  return image + std::string(trailer.begin(), trailer.end());
}

/// A folder that goes away with its files.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string pattern = testing::TempDir() + "graphc-runtime-XXXXXX";
    const char *made = mkdtemp(pattern.data());
    EXPECT_NE(made, nullptr);
    path = pattern;
  }
  ~TemporaryFolder() {
    int status = std::system(("rm -rf '" + path + "'").c_str());
    EXPECT_EQ(status, 0);
  }
  std::string file(const std::string &name) const { return path + "/" + name; }

private:
  std::string path;
};

struct DestroyModel {
  void operator()(graphc_model *model) const { graphc_model_destroy(model); }
  void operator()(graphc_call *call) const { graphc_call_destroy(call); }
  void operator()(graphc_context *context) const {
    graphc_context_destroy(context);
  }
};
using ModelPtr = std::unique_ptr<graphc_model, DestroyModel>;
using CallPtr = std::unique_ptr<graphc_call, DestroyModel>;
using ContextPtr = std::unique_ptr<graphc_context, DestroyModel>;

inline graphc_load_options loadOptions() {
  graphc_load_options options = {};
  options.struct_bytes = sizeof(options);
  return options;
}

/// Loads a model that must load.
inline ModelPtr loadModel(const std::string &path,
                          const graphc_load_options &options = loadOptions()) {
  graphc_model *model = nullptr;
  graphc_status status = graphc_model_load(path.c_str(), &options, &model);
  EXPECT_EQ(status, GRAPHC_OK) << graphc_error_message();
  return ModelPtr(model);
}

/// Loads a model that must not.
inline graphc_status
loadStatus(const std::string &path,
           const graphc_load_options &options = loadOptions()) {
  auto *untouched = reinterpret_cast<graphc_model *>(uintptr_t{8});
  graphc_model *model = untouched;
  graphc_status status = graphc_model_load(path.c_str(), &options, &model);
  if (status == GRAPHC_OK)
    graphc_model_destroy(model);
  else
    EXPECT_EQ(model, untouched) << "out-parameters stay as they were";
  return status;
}

/// Memory with a shape; also what the tests compare.
template <class T> struct Array {
  Array(std::vector<int64_t> shape, std::vector<T> values)
      : shape(std::move(shape)), values(std::move(values)) {}
  explicit Array(std::vector<int64_t> shape) : shape(std::move(shape)) {
    size_t count = 1;
    for (int64_t extent : this->shape)
      count *= static_cast<size_t>(extent);
    values.resize(count);
  }
  static constexpr graphc_dtype dtype();
  graphc_tensor tensor() {
    return {dtype(), static_cast<uint32_t>(shape.size()), shape.data(), nullptr,
            values.data()};
  }
  std::vector<int64_t> shape;
  std::vector<T> values;
};
template <> constexpr graphc_dtype Array<float>::dtype() {
  return GRAPHC_DTYPE_F32;
}
template <> constexpr graphc_dtype Array<double>::dtype() {
  return GRAPHC_DTYPE_F64;
}
template <> constexpr graphc_dtype Array<int64_t>::dtype() {
  return GRAPHC_DTYPE_I64;
}
template <> constexpr graphc_dtype Array<int32_t>::dtype() {
  return GRAPHC_DTYPE_I32;
}

inline graphc_status run(const ModelPtr &model, const char *name,
                         std::vector<graphc_tensor> inputs,
                         std::vector<graphc_tensor> outputs) {
  return graphc_model_run(model.get(), name, inputs.data(), inputs.size(),
                          outputs.data(), outputs.size());
}

template <class T>
Array<T> getVariable(const ModelPtr &model, const char *name,
                     std::vector<int64_t> shape) {
  Array<T> value(std::move(shape));
  graphc_tensor tensor = value.tensor();
  EXPECT_EQ(graphc_model_get_variable(model.get(), name, &tensor), GRAPHC_OK)
      << graphc_error_message();
  return value;
}

/// Everything in a model's state, as bytes.
inline std::string stateOf(const ModelPtr &model) {
  TemporaryFolder folder;
  EXPECT_EQ(graphc_model_save_state(model.get(), folder.file("state").c_str()),
            GRAPHC_OK)
      << graphc_error_message();
  return readFile(folder.file("state"));
}

inline std::string message() { return graphc_error_message(); }

#endif // GRAPHC_TEST_UNIT_RUNTIME_CORE_TOYMODEL_H
