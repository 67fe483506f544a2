// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files read at given places, and files that appear whole or not at all.
#ifndef GRAPHC_RUNTIME_DATA_FILE_H
#define GRAPHC_RUNTIME_DATA_FILE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "runtime/core/UniqueFd.h"

namespace graphc::runtime {

/// A regular file opened for reading. Fails with GRAPHC_NOT_FOUND if
/// there is none, GRAPHC_IO_ERROR if it cannot be read.
class InputFile {
public:
  /// Messages call it `kind` and its path: "model 'a.so'".
  explicit InputFile(std::string path, const char *kind = "");

  const std::string &path() const { return path_; }

  /// Bytes the file had when it was opened.
  uint64_t size() const { return size_; }

  /// Fills `out` from `offset`. Fails with GRAPHC_CORRUPT if the file ends
  /// before, which it does only if another program cut it after it was opened.
  void readAt(uint64_t offset, void *out, size_t bytes) const;

  /// Gives the descriptor away; nothing can be read afterwards.
  UniqueFd take() { return std::move(fd_); }

private:
  std::string path_;
  const char *kind_;
  UniqueFd fd_;
  uint64_t size_ = 0;
};

/// Writes a temporary file beside `path` and, on commit(), renames it over
/// `path`, all made durable by fsync. Without commit() the temporary goes and
/// what was at `path` stays. A symbolic link stays and what it points to is
/// replaced; permissions are kept. Fails with GRAPHC_IO_ERROR, also if there is
/// something at `path` that is no regular file.
class AtomicFile {
public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile &) = delete;
  AtomicFile &operator=(const AtomicFile &) = delete;

  void write(const void *data, size_t bytes);
  void commit();

private:
  std::string path_;   // As given, for messages.
  std::string target_; // What is replaced: `path_` with its links followed.
  std::string temporary_;
  int fd_ = -1;

  [[noreturn]] void failWith(const char *what, int error) const;
};

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_DATA_FILE_H
