// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that may be compressed.
#ifndef GRAPHC_EXAMPLES_COMMON_GZIP_H
#define GRAPHC_EXAMPLES_COMMON_GZIP_H

#include <memory>
#include <string>
#include <zlib.h>

#include "graphc/error.hpp"

namespace example {

/// The bytes of a file, compressed or not: zlib reads both. Throws
/// graphc::Error.
inline std::string readFile(const std::string &path) {
  std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"),
                                                  gzclose);
  if (!file)
    throw graphc::Error(GRAPHC_NOT_FOUND,
                        "cannot open '" + path +
                            "'; examples/README.md says where it comes from, "
                            "and --data reads another");
  std::string text;
  char buffer[1 << 16];
  int got;
  while ((got = gzread(file.get(), buffer, sizeof buffer)) > 0)
    text.append(buffer, static_cast<size_t>(got));
  int error = Z_OK;
  const char *message = gzerror(file.get(), &error);
  if (got < 0 || error != Z_OK)
    throw graphc::Error(GRAPHC_CORRUPT, "'" + path + "': " + message);
  return text;
}

} // namespace example

#endif // GRAPHC_EXAMPLES_COMMON_GZIP_H
