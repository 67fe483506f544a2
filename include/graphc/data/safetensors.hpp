// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named arrays in safetensors files.
#ifndef GRAPHC_DATA_SAFETENSORS_HPP
#define GRAPHC_DATA_SAFETENSORS_HPP

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graphc/data.h"
#include "graphc/data/array.hpp"
#include "graphc/error.hpp"

namespace graphc {

/// Named arrays in a file.
class Safetensors {
public:
  explicit Safetensors(const std::string &path) {
    graphc_safetensors *file = nullptr;
    check(graphc_safetensors_open(path.c_str(), &file));
    file_.reset(file);
  }

  size_t size() const { return graphc_safetensors_count(file_.get()); }
  std::string name(size_t tensor) const {
    graphc_value_info info = {};
    info.struct_bytes = sizeof info;
    check(graphc_safetensors_describe(file_.get(), tensor, &info));
    return info.name;
  }
  Array read(size_t tensor) const {
    graphc_array *array = nullptr;
    check(graphc_safetensors_read(file_.get(), tensor, &array));
    return Array(array);
  }
  Array read(const std::string &name) const {
    size_t tensor = 0;
    check(graphc_safetensors_find(file_.get(), name.c_str(), &tensor));
    return read(tensor);
  }

  static void
  write(const std::string &path,
        const std::vector<std::pair<std::string, graphc_tensor>> &tensors) {
    std::vector<graphc_named_tensor> named;
    for (const auto &[name, tensor] : tensors)
      named.push_back({name.c_str(), tensor});
    check(graphc_safetensors_write(path.c_str(), named.data(), named.size(),
                                   nullptr, 0));
  }

private:
  struct Close {
    void operator()(graphc_safetensors *file) const {
      graphc_safetensors_close(file);
    }
  };
  std::unique_ptr<graphc_safetensors, Close> file_;
};

} // namespace graphc

#endif // GRAPHC_DATA_SAFETENSORS_HPP
