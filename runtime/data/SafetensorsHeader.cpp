// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The header's grammar is a fixed corner of JSON (an object of objects of
// strings and lists of integers), so it is parsed as that: nothing nests, and
// every error can say where it is.
#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "runtime/core/DType.h"
#include "runtime/data/Message.h"
#include "runtime/data/Safetensors.h"
#include "runtime/data/SafetensorsDtype.h"
#include "runtime/data/Utf8.h"

namespace graphc::runtime {
namespace {

class Parser {
public:
  Parser(const std::string &text, const std::string &path)
      : text_(text), path_(path) {}

  SafetensorsHeader parse();

  [[noreturn]] void fail(const std::string &message) const {
    runtime::fail(GRAPHC_CORRUPT, quoted(path_) + ": " + message);
  }

private:
  const std::string &text_;
  const std::string &path_;
  size_t at_ = 0;

  [[noreturn]] void failHere(const std::string &expected) const;
  void skipSpace();
  bool accept(char c);
  void expect(char c, const char *what);
  std::string parseString(const char *what);
  uint32_t parseHex4();
  uint64_t parseInteger(const char *what);
  std::vector<int64_t> parseIntegers(const char *what);
  void parseMetadata(SafetensorsHeader &header);
  SafetensorsEntry parseEntry(const std::string &name);
};

void Parser::failHere(const std::string &expected) const {
  std::string got = at_ < text_.size() ? quoted(text_.substr(at_, 1))
                                       : "the end of the header";
  fail("header byte " + std::to_string(at_) + ": expects " + expected +
       ", but got " + got);
}

void Parser::skipSpace() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' ||
                                text_[at_] == '\t' || text_[at_] == '\r'))
    ++at_;
}

bool Parser::accept(char c) {
  skipSpace();
  if (at_ >= text_.size() || text_[at_] != c)
    return false;
  ++at_;
  return true;
}

void Parser::expect(char c, const char *what) {
  if (!accept(c))
    failHere("'" + std::string(1, c) + "' " + what);
}

uint32_t Parser::parseHex4() {
  uint32_t value = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    char c = at_ < text_.size() ? text_[at_] : '\0';
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
    if (digit < 0)
      failHere("four hexadecimal digits after \\u");
    value = value << 4 | static_cast<uint32_t>(digit);
  }
  return value;
}

std::string Parser::parseString(const char *what) {
  expect('"', what);
  std::string result;
  for (;;) {
    if (at_ >= text_.size() || static_cast<unsigned char>(text_[at_]) < 0x20)
      failHere("a string's closing '\"'");
    char c = text_[at_++];
    if (c == '"')
      return result;
    if (c != '\\') {
      result += c;
      continue;
    }
    static const std::string from = "\"\\/bfnrt", to = "\"\\/\b\f\n\r\t";
    char escape = at_ < text_.size() ? text_[at_] : '\0';
    size_t known = from.find(escape);
    if (known != std::string::npos) {
      result += to[known];
      ++at_;
      continue;
    }
    if (escape != 'u')
      failHere("an escape sequence of JSON");
    ++at_;
    uint32_t code = parseHex4();
    if (code >= 0xd800 && code < 0xdc00 && text_.compare(at_, 2, "\\u") == 0) {
      at_ += 2;
      uint32_t low = parseHex4();
      if (low < 0xdc00 || low > 0xdfff)
        failHere("the second half of a surrogate pair before this");
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    if (code >= 0xd800 && code < 0xe000)
      failHere("a whole surrogate pair before this");
    if (code == 0)
      failHere("no NUL before this (C programs could not see what follows)");
    appendUtf8(result, code);
  }
}

uint64_t Parser::parseInteger(const char *what) {
  skipSpace();
  size_t start = at_;
  uint64_t value = 0;
  bool overflow = false;
  for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
    overflow |= __builtin_mul_overflow(value, 10, &value) ||
                __builtin_add_overflow(value, text_[at_] - '0', &value);
  if (at_ == start)
    failHere(std::string("a non-negative integer as ") + what);
  if (text_[start] == '0' && at_ - start > 1)
    failHere("an integer without leading zeros before this");
  if (overflow || value > INT64_MAX)
    fail("header byte " + std::to_string(start) + ": " + what +
         " does not fit 63 bits");
  return value;
}

std::vector<int64_t> Parser::parseIntegers(const char *what) {
  std::vector<int64_t> values;
  expect('[', what);
  if (accept(']'))
    return values;
  do
    values.push_back(static_cast<int64_t>(parseInteger(what)));
  while (accept(','));
  expect(']', what);
  return values;
}

void Parser::parseMetadata(SafetensorsHeader &header) {
  expect('{', "to begin __metadata__");
  if (accept('}'))
    return;
  do {
    std::string key = parseString("to begin a key of __metadata__");
    expect(':', "after a key of __metadata__");
    std::string value =
        parseString("to begin a value of __metadata__ (all are strings)");
    if (!header.metadata.emplace(key, std::move(value)).second)
      fail("__metadata__ has the key " + quoted(key) + " twice");
  } while (accept(','));
  expect('}', "to end __metadata__");
}

SafetensorsEntry Parser::parseEntry(const std::string &name) {
  SafetensorsEntry entry;
  entry.name = name;
  const std::string tensor = "tensor " + quoted(name);
  std::optional<std::vector<int64_t>> shape, offsets;
  std::set<std::string> seen;
  expect('{', "to begin a tensor's description");
  do {
    std::string key = parseString("to begin a key of a tensor's description");
    expect(':', "after a key");
    if (!seen.insert(key).second)
      fail(tensor + " has the key " + quoted(key) + " twice");
    if (key == "dtype")
      entry.formatDtype = parseString("to begin a dtype");
    else if (key == "shape")
      shape = parseIntegers("a dimension");
    else if (key == "data_offsets")
      offsets = parseIntegers("an offset");
    else
      fail(tensor + " has the unknown key " + quoted(key));
  } while (accept(','));
  expect('}', "to end a tensor's description");

  for (const char *key : {"dtype", "shape", "data_offsets"})
    if (!seen.count(key))
      fail(tensor + " lacks the key '" + key + "'");
  const SafetensorsDtype *dtype = findSafetensorsDtype(entry.formatDtype);
  if (!dtype)
    runtime::fail(GRAPHC_UNSUPPORTED, quoted(path_) + ": " + tensor +
                                          " has the unknown dtype " +
                                          quoted(entry.formatDtype));
  entry.dtype = dtype->dtype;
  if (offsets->size() != 2)
    fail(tensor + " expects two data_offsets, but got " +
         std::to_string(offsets->size()));
  auto begin = static_cast<uint64_t>((*offsets)[0]);
  auto end = static_cast<uint64_t>((*offsets)[1]);
  if (begin > end)
    fail(tensor + " begins at byte " + std::to_string(begin) +
         " after its end at " + std::to_string(end));
  uint64_t bytes = 0;
  if (!arrayBytes(dtype->bytes, static_cast<uint32_t>(shape->size()),
                  shape->data(), bytes))
    fail(tensor + " has a shape of more than 2^63 bytes");
  if (end - begin != bytes)
    fail(tensor + " expects " + std::to_string(bytes) +
         " bytes by dtype and shape, but its data_offsets span " +
         std::to_string(end - begin));
  entry.shape = std::move(*shape);
  entry.begin = begin;
  entry.bytes = bytes;
  return entry;
}

SafetensorsHeader Parser::parse() {
  SafetensorsHeader header;
  size_t invalid = findInvalidUtf8(text_.data(), text_.size());
  if (invalid != std::string::npos)
    fail("header byte " + std::to_string(invalid) + ": invalid UTF-8");
  if (text_.empty() || text_[0] != '{')
    failHere("'{' to begin the header");
  ++at_;
  std::set<std::string> names;
  if (!accept('}')) {
    do {
      std::string name = parseString("to begin a tensor's name");
      expect(':', "after a tensor's name");
      if (!names.insert(name).second)
        fail("the name " + quoted(name) + " occurs twice");
      if (name == "__metadata__")
        parseMetadata(header);
      else
        header.entries.push_back(parseEntry(name));
    } while (accept(','));
    expect('}', "to end the header");
  }
  at_ = std::min(text_.find_first_not_of(' ', at_), text_.size());
  if (at_ < text_.size())
    failHere("only spaces after the header");
  return header;
}

/// Tensors must cover the data from its first byte to its last, once.
void checkCover(const SafetensorsHeader &header, uint64_t dataBytes,
                const Parser &parser) {
  uint64_t covered = 0;
  for (const SafetensorsEntry &entry : header.entries) {
    std::string where = "tensor " + quoted(entry.name) + " begins at byte " +
                        std::to_string(entry.begin);
    if (entry.begin < covered)
      parser.fail(where + " and overlaps the one before it, which ends at " +
                  std::to_string(covered));
    if (entry.begin > covered)
      parser.fail(where + " and leaves a gap after byte " +
                  std::to_string(covered));
    covered += entry.bytes;
  }
  if (covered != dataBytes)
    parser.fail("tensors cover " + std::to_string(covered) +
                " bytes, but the file has " + std::to_string(dataBytes) +
                " bytes of data");
}

} // namespace

SafetensorsHeader parseSafetensorsHeader(const std::string &text,
                                         uint64_t dataBytes,
                                         const std::string &path) {
  Parser parser(text, path);
  SafetensorsHeader header = parser.parse();
  std::sort(header.entries.begin(), header.entries.end(),
            [](const SafetensorsEntry &a, const SafetensorsEntry &b) {
              return std::tie(a.begin, a.bytes, a.name) <
                     std::tie(b.begin, b.bytes, b.name);
            });
  checkCover(header, dataBytes, parser);
  return header;
}

} // namespace graphc::runtime
