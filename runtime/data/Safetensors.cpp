// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/data/Safetensors.h"

#include <algorithm>

#include "runtime/core/DType.h"
#include "runtime/data/Message.h"
#include "runtime/data/SafetensorsDtype.h"
#include "runtime/data/Utf8.h"

namespace graphc::runtime {
namespace {

constexpr uint64_t kLengthBytes = 8;
constexpr uint64_t kMaxHeaderBytes = 100'000'000;

/// Reads and checks everything up to the tensors' data.
SafetensorsHeader readHeader(const InputFile &file, uint64_t &dataBegin) {
  auto fail = [&](const std::string &message) {
    runtime::fail(GRAPHC_CORRUPT, quoted(file.path()) + ": " + message);
  };
  if (file.size() < kLengthBytes)
    fail("expects at least 8 bytes, but the file has " +
         std::to_string(file.size()));
  unsigned char length[kLengthBytes];
  file.readAt(0, length, kLengthBytes);
  uint64_t headerBytes = 0;
  for (int i = 7; i >= 0; --i)
    headerBytes = headerBytes << 8 | length[i];
  if (headerBytes > kMaxHeaderBytes)
    fail("not a safetensors file: expects a header of at most 100000000 "
         "bytes, but got " +
         std::to_string(headerBytes));
  if (headerBytes > file.size() - kLengthBytes)
    fail("the header should have " + std::to_string(headerBytes) +
         " bytes, but the file ends after " +
         std::to_string(file.size() - kLengthBytes));
  std::string text(headerBytes, '\0');
  file.readAt(kLengthBytes, &text[0], text.size());
  dataBegin = kLengthBytes + headerBytes;
  return parseSafetensorsHeader(text, file.size() - dataBegin, file.path());
}

void appendJsonString(std::string &json, const std::string &text) {
  static const char *const digits = "0123456789abcdef";
  static const std::string from = "\"\\\b\f\n\r\t", to = "\"\\bfnrt";
  json += '"';
  for (char c : text) {
    size_t known = from.find(c);
    if (known != std::string::npos) {
      json += '\\';
      json += to[known];
    } else if (static_cast<unsigned char>(c) < 0x20) {
      json += "\\u00";
      json += digits[c >> 4];
      json += digits[c & 15];
    } else {
      json += c;
    }
  }
  json += '"';
}

std::string headerText(const std::vector<SafetensorsEntry> &entries,
                       const std::map<std::string, std::string> &metadata) {
  std::string json = "{";
  if (!metadata.empty()) {
    json += "\"__metadata__\":{";
    const char *separator = "";
    for (const auto &[key, value] : metadata) {
      json += separator;
      separator = ",";
      appendJsonString(json, key);
      json += ':';
      appendJsonString(json, value);
    }
    json += '}';
  }
  for (const SafetensorsEntry &entry : entries) {
    if (json.size() > 1)
      json += ',';
    appendJsonString(json, entry.name);
    json += ":{\"dtype\":\"" + entry.formatDtype + "\",\"shape\":[";
    for (size_t i = 0; i < entry.shape.size(); ++i)
      json += (i ? "," : "") + std::to_string(entry.shape[i]);
    json += "],\"data_offsets\":[" + std::to_string(entry.begin) + "," +
            std::to_string(entry.begin + entry.bytes) + "]}";
  }
  json += '}';
  json.resize((json.size() + 7) / 8 * 8, ' '); // aligns the data
  return json;
}

void checkName(const std::string &name, const char *what) {
  if (findInvalidUtf8(name.data(), name.size()) != std::string::npos)
    fail(GRAPHC_INVALID_ARGUMENT,
         std::string(what) + " " + quoted(name) + " is not valid UTF-8");
  if (name.find('\0') != std::string::npos)
    fail(GRAPHC_INVALID_ARGUMENT,
         std::string(what) + " " + quoted(name) + " has a NUL");
}

std::vector<SafetensorsEntry>
layOut(const std::vector<SafetensorsWriter::Tensor> &tensors) {
  std::vector<SafetensorsEntry> entries;
  auto fail = [](const SafetensorsEntry &entry, const char *problem) {
    runtime::fail(GRAPHC_INVALID_ARGUMENT,
                  "tensor " + quoted(entry.name) + " " + problem);
  };
  for (const SafetensorsWriter::Tensor &tensor : tensors) {
    SafetensorsEntry entry;
    entry.name = tensor.name;
    entry.dtype = tensor.dtype;
    entry.shape = tensor.shape;
    checkName(entry.name, "tensor name");
    if (entry.name == "__metadata__")
      fail(entry, "has a name that the format reserves");
    const SafetensorsDtype *dtype = findSafetensorsDtype(tensor.dtype);
    if (!dtype)
      fail(entry, "has no valid dtype");
    entry.formatDtype = dtype->name;
    if (!arrayBytes(dtype->bytes, static_cast<uint32_t>(entry.shape.size()),
                    entry.shape.data(), entry.bytes))
      fail(entry, "has a negative dimension or more than 2^63 bytes");
    entries.push_back(std::move(entry));
  }
  std::sort(entries.begin(), entries.end(),
            [](const SafetensorsEntry &a, const SafetensorsEntry &b) {
              const auto *rowA = findSafetensorsDtype(a.dtype);
              const auto *rowB = findSafetensorsDtype(b.dtype);
              return rowA != rowB ? rowA > rowB : a.name < b.name;
            });
  std::map<std::string, int> names;
  uint64_t offset = 0;
  for (SafetensorsEntry &entry : entries) {
    if (++names[entry.name] > 1)
      fail(entry, "occurs twice");
    entry.begin = offset;
    if (__builtin_add_overflow(offset, entry.bytes, &offset) ||
        offset > INT64_MAX)
      fail(entry, "makes the file larger than 2^63 bytes");
  }
  return entries;
}

} // namespace

SafetensorsReader::SafetensorsReader(const std::string &path)
    : file_(path), header_(readHeader(file_, dataBegin_)) {
  for (size_t i = 0; i < header_.entries.size(); ++i)
    byName_.emplace(header_.entries[i].name, i);
}

const SafetensorsEntry *SafetensorsReader::find(const std::string &name) const {
  auto found = byName_.find(name);
  return found == byName_.end() ? nullptr : &header_.entries[found->second];
}

void SafetensorsReader::read(const SafetensorsEntry &entry, void *out) const {
  if (entry.dtype == GRAPHC_DTYPE_INVALID)
    fail(GRAPHC_UNSUPPORTED, quoted(path()) + ": tensor " + quoted(entry.name) +
                                 " has dtype " + entry.formatDtype +
                                 ", which graphc does not have");
  file_.readAt(dataBegin_ + entry.begin, out, entry.bytes);
  if (entry.dtype == GRAPHC_DTYPE_I1) {
    auto *bools = static_cast<uint8_t *>(out);
    for (uint64_t i = 0; i < entry.bytes; ++i)
      bools[i] = bools[i] != 0;
  }
}

SafetensorsWriter::SafetensorsWriter(
    const std::string &path, const std::vector<Tensor> &tensors,
    const std::map<std::string, std::string> &metadata)
    : entries_(layOut(tensors)), file_(path) {
  for (const auto &[key, value] : metadata) {
    checkName(key, "metadata key");
    checkName(value, "metadata value");
  }
  std::string header = headerText(entries_, metadata);
  if (header.size() > kMaxHeaderBytes)
    fail(GRAPHC_INVALID_ARGUMENT,
         "expects a header of at most 100000000 bytes, but got " +
             std::to_string(header.size()));
  unsigned char length[kLengthBytes];
  for (size_t i = 0; i < kLengthBytes; ++i)
    length[i] = static_cast<unsigned char>(header.size() >> 8 * i);
  file_.write(length, kLengthBytes);
  file_.write(header.data(), header.size());
}

void SafetensorsWriter::write(const void *data) {
  const SafetensorsEntry &entry = entries_.at(written_);
  file_.write(data, entry.bytes);
  ++written_;
}

void SafetensorsWriter::commit() {
  if (written_ != entries_.size())
    fail(GRAPHC_INTERNAL, "a tensor was not written");
  file_.commit();
}

} // namespace graphc::runtime
