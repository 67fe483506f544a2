// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text at the start of a NumPy array file: a Python dictionary with the
// keys descr, fortran_order and shape.
#ifndef GRAPHC_RUNTIME_DATA_NPYHEADER_H
#define GRAPHC_RUNTIME_DATA_NPYHEADER_H

#include <string>
#include <vector>

#include "graphc/data.h"

namespace graphc::runtime {

struct NpyHeader {
  graphc_dtype dtype = GRAPHC_DTYPE_INVALID;
  bool bigEndian = false;
  bool fortranOrder = false;
  std::vector<int64_t> shape;
};

/// Parses the dictionary. Fails with a message that begins with `path`.
NpyHeader parseNpyHeader(const std::string &text, const std::string &path);

/// Everything before the data of a file of format 1.0, as NumPy writes it.
std::string npyPrologue(graphc_dtype dtype, const std::vector<int64_t> &shape);

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_DATA_NPYHEADER_H
