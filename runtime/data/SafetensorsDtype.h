// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element types of the safetensors format and ours.
#ifndef GRAPHC_RUNTIME_DATA_SAFETENSORSDTYPE_H
#define GRAPHC_RUNTIME_DATA_SAFETENSORSDTYPE_H

#include <cstddef>
#include <string>

#include "graphc/dtype.h"

namespace graphc::runtime {

struct SafetensorsDtype {
  const char *name;
  graphc_dtype dtype;
  size_t bytes;
};

/// In the format's own order: its library writes later types first.
constexpr SafetensorsDtype kSafetensorsDtypes[] = {
    {"BOOL", GRAPHC_DTYPE_I1, 1},         {"U8", GRAPHC_DTYPE_UI8, 1},
    {"I8", GRAPHC_DTYPE_I8, 1},           {"F8_E5M2", GRAPHC_DTYPE_INVALID, 1},
    {"F8_E4M3", GRAPHC_DTYPE_INVALID, 1}, {"F8_E8M0", GRAPHC_DTYPE_INVALID, 1},
    {"I16", GRAPHC_DTYPE_INVALID, 2},     {"U16", GRAPHC_DTYPE_INVALID, 2},
    {"F16", GRAPHC_DTYPE_F16, 2},         {"BF16", GRAPHC_DTYPE_BF16, 2},
    {"I32", GRAPHC_DTYPE_I32, 4},         {"U32", GRAPHC_DTYPE_INVALID, 4},
    {"F32", GRAPHC_DTYPE_F32, 4},         {"C64", GRAPHC_DTYPE_INVALID, 8},
    {"F64", GRAPHC_DTYPE_F64, 8},         {"I64", GRAPHC_DTYPE_I64, 8},
    {"U64", GRAPHC_DTYPE_INVALID, 8},
};

/// The row for a name as the file spells it, or null.
inline const SafetensorsDtype *findSafetensorsDtype(const std::string &name) {
  for (const SafetensorsDtype &row : kSafetensorsDtypes)
    if (name == row.name)
      return &row;
  return nullptr;
}

/// The row for one of our types, or null if there is none.
inline const SafetensorsDtype *findSafetensorsDtype(graphc_dtype dtype) {
  for (const SafetensorsDtype &row : kSafetensorsDtypes)
    if (dtype == row.dtype && dtype != GRAPHC_DTYPE_INVALID)
      return &row;
  return nullptr;
}

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_DATA_SAFETENSORSDTYPE_H
