// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs of the C API that begin with `struct_bytes`: programs compiled
// against an older or a newer header than this runtime pass theirs.
#ifndef GRAPHC_RUNTIME_CORE_INFOSTRUCT_H
#define GRAPHC_RUNTIME_CORE_INFOSTRUCT_H

#include <cstddef>
#include <cstring>

#include "runtime/core/Error.h"

namespace graphc::runtime {

/// Options as this runtime knows them: fields that the caller's struct lacks
/// are zero. Fails if the caller sets one that this runtime lacks.
template <class Options> Options readOptions(const Options *options) {
  Options known = {};
  known.struct_bytes = sizeof(Options);
  if (!options)
    return known;
  size_t bytes = options->struct_bytes;
  if (bytes < sizeof(size_t))
    fail(GRAPHC_INVALID_ARGUMENT,
         "options expect struct_bytes to be the size of the struct (%zu), but "
         "got %zu",
         sizeof(Options), bytes);
  std::memcpy(&known, options,
              bytes < sizeof(Options) ? bytes : sizeof(Options));
  known.struct_bytes = sizeof(Options);
  const char *raw = reinterpret_cast<const char *>(options);
  for (size_t i = sizeof(Options); i < bytes; ++i)
    if (raw[i] != 0)
      fail(GRAPHC_UNSUPPORTED,
           "options ask for something newer than this runtime: byte %zu of "
           "the struct is set, but the last known one is %zu",
           i, sizeof(Options) - 1);
  return known;
}

/// Fills the part of `out` that the caller's header knows. Throws
/// INVALID_ARGUMENT if it is null or says no size.
template <class Info> void writeInfo(Info *out, Info info) {
  if (!out || out->struct_bytes < sizeof(size_t))
    fail(GRAPHC_INVALID_ARGUMENT,
         "the out parameter expects struct_bytes to be the size of "
         "the struct (%zu), but got %zu",
         sizeof(Info), out ? out->struct_bytes : 0);
  size_t bytes = out->struct_bytes;
  info.struct_bytes = bytes;
  std::memcpy(out, &info, bytes < sizeof(Info) ? bytes : sizeof(Info));
}

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_CORE_INFOSTRUCT_H
