// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The safetensors format: 8 bytes of header length, a JSON header, raw tensors.
// Files are refused unless they meet the format's description to the letter.
#ifndef GRAPHC_RUNTIME_DATA_SAFETENSORS_H
#define GRAPHC_RUNTIME_DATA_SAFETENSORS_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "graphc/dtype.h"
#include "runtime/data/File.h"

namespace graphc::runtime {

struct SafetensorsEntry {
  std::string name;
  /// GRAPHC_DTYPE_INVALID for types of the format that graphc does not have.
  graphc_dtype dtype = GRAPHC_DTYPE_INVALID;
  std::string formatDtype; // as the file spells it: "BF16"
  std::vector<int64_t> shape;
  uint64_t begin = 0; // bytes from the start of the tensor data
  uint64_t bytes = 0;
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries; // by place in the file
  std::map<std::string, std::string> metadata;
};

/// Parses the JSON `text` of a header that describes `dataBytes` of tensors.
/// Fails with a message that begins with `path`.
SafetensorsHeader parseSafetensorsHeader(const std::string &text,
                                         uint64_t dataBytes,
                                         const std::string &path);

/// An open file whose header has been read and checked. Functions throw or
/// std::bad_alloc.
class SafetensorsReader {
public:
  explicit SafetensorsReader(const std::string &path);

  const std::string &path() const { return file_.path(); }
  const std::vector<SafetensorsEntry> &entries() const {
    return header_.entries;
  }
  const std::map<std::string, std::string> &metadata() const {
    return header_.metadata;
  }

  /// The entry called `name`, or null.
  const SafetensorsEntry *find(const std::string &name) const;

  /// Reads the `entry.bytes` of an entry of this file, row-major. Elements of
  /// i1 become 0 or 1. Fails with GRAPHC_UNSUPPORTED if `entry.dtype` is
  /// invalid.
  void read(const SafetensorsEntry &entry, void *out) const;

private:
  InputFile file_;
  uint64_t dataBegin_ = 0; // set while header_ is read
  SafetensorsHeader header_;
  std::map<std::string, size_t> byName_;
};

/// Writes a file tensor by tensor, so that no copy of all of them is needed.
class SafetensorsWriter {
public:
  struct Tensor {
    std::string name;
    graphc_dtype dtype;
    std::vector<int64_t> shape;
  };

  /// Fails with GRAPHC_INVALID_ARGUMENT for equal names, names that are not
  /// UTF-8, invalid types and shapes, and a header of more than 100 MB.
  SafetensorsWriter(const std::string &path, const std::vector<Tensor> &tensors,
                    const std::map<std::string, std::string> &metadata = {});

  /// The tensors in the order in which they are to be written: wide elements
  /// first, which keeps every tensor aligned, then by name. The order, and so
  /// the file, is that of the format's own library.
  const std::vector<SafetensorsEntry> &entries() const { return entries_; }

  /// Writes `entries()[i].bytes` bytes, i counting the calls.
  void write(const void *data);

  /// Puts the finished file in place; before it, whatever was there stays.
  void commit();

private:
  std::vector<SafetensorsEntry> entries_;
  AtomicFile file_;
  size_t written_ = 0;
};

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_DATA_SAFETENSORS_H
