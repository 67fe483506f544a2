// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays in npy files.
#ifndef GRAPHC_DATA_NPY_HPP
#define GRAPHC_DATA_NPY_HPP

#include <string>

#include "graphc/data.h"
#include "graphc/data/array.hpp"
#include "graphc/error.hpp"

namespace graphc {

inline Array readNpy(const std::string &path) {
  graphc_array *array = nullptr;
  check(graphc_npy_read(path.c_str(), &array));
  return Array(array);
}

inline void writeNpy(const std::string &path, const graphc_tensor &tensor) {
  check(graphc_npy_write(path.c_str(), &tensor));
}

} // namespace graphc

#endif // GRAPHC_DATA_NPY_HPP
