// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/data/NpyHeader.h"

#include <algorithm>

#include "runtime/data/Array.h"
#include "runtime/data/Message.h"

namespace graphc::runtime {
namespace {

struct NpyType {
  const char *name; // without the byte order
  graphc_dtype dtype;
};

/// NumPy has no bf16; extensions that add it store two opaque bytes.
constexpr NpyType kTypes[] = {
    {"f8", GRAPHC_DTYPE_F64}, {"f4", GRAPHC_DTYPE_F32},
    {"f2", GRAPHC_DTYPE_F16}, {"V2", GRAPHC_DTYPE_BF16},
    {"b1", GRAPHC_DTYPE_I1},  {"i1", GRAPHC_DTYPE_I8},
    {"u1", GRAPHC_DTYPE_UI8}, {"i4", GRAPHC_DTYPE_I32},
    {"i8", GRAPHC_DTYPE_I64}};

class Parser {
public:
  Parser(const std::string &text, const std::string &path)
      : text_(text), path_(path) {}

  NpyHeader parse();

private:
  const std::string &text_;
  const std::string &path_;
  size_t at_ = 0;

  [[noreturn]] void failWith(graphc_status status,
                             const std::string &message) const {
    runtime::fail(status, quoted(path_) + ": " + message);
  }
  [[noreturn]] void expected(const std::string &what) const {
    std::string got = at_ < text_.size() ? quoted(text_.substr(at_, 1))
                                         : "the end of the header";
    failWith(GRAPHC_CORRUPT, "npy header byte " + std::to_string(at_) +
                                 ": expects " + what + ", but got " + got);
  }
  void skipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n'))
      ++at_;
  }
  bool accept(char c) {
    skipSpace();
    if (at_ >= text_.size() || text_[at_] != c)
      return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c))
      expected(quoted(std::string(1, c)));
  }
  bool acceptWord(const char *word) {
    size_t length = std::char_traits<char>::length(word);
    if (text_.compare(at_, length, word) != 0)
      return false;
    at_ += length;
    return true;
  }

  std::string parseString(const char *what);
  bool parseBool();
  std::vector<int64_t> parseShape();
  void parseType(NpyHeader &header);
};

std::string Parser::parseString(const char *what) {
  char quote = accept('\'') ? '\'' : '"';
  if (quote == '"' && !accept('"'))
    expected(what);
  size_t end = text_.find(quote, at_);
  std::string result = text_.substr(at_, end - at_);
  if (end == std::string::npos || result.find('\\') != std::string::npos)
    failWith(GRAPHC_CORRUPT, "npy header byte " + std::to_string(at_) +
                                 ": expects a plain, closed string");
  at_ = end + 1;
  return result;
}

bool Parser::parseBool() {
  skipSpace();
  if (acceptWord("True"))
    return true;
  if (acceptWord("False"))
    return false;
  expected("True or False");
}

std::vector<int64_t> Parser::parseShape() {
  std::vector<int64_t> shape;
  expect('(');
  while (!accept(')')) {
    size_t start = at_;
    int64_t dim = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
      if (__builtin_mul_overflow(dim, 10, &dim) ||
          __builtin_add_overflow(dim, text_[at_] - '0', &dim))
        failWith(GRAPHC_CORRUPT, "npy header byte " + std::to_string(start) +
                                     ": a dimension does not fit 63 bits");
    if (at_ == start)
      expected("a dimension of 0 or more");
    acceptWord("L"); // a long integer of Python 2
    shape.push_back(dim);
    if (shape.size() > kMaxRank)
      failWith(GRAPHC_UNSUPPORTED, "expects a rank of at most 16");
    if (accept(','))
      continue;
    if (shape.size() == 1)
      expected("',' (\"(n)\" is no tuple in Python)");
    expect(')');
    break;
  }
  return shape;
}

void Parser::parseType(NpyHeader &header) {
  if (accept('['))
    failWith(GRAPHC_UNSUPPORTED, "arrays of structures are not supported");
  std::string descr = parseString("an element type as a string");
  char order = descr.empty() ? '\0' : descr[0];
  std::string name = descr.substr(std::min<size_t>(1, descr.size()));
  for (const NpyType &type : kTypes)
    if (name == type.name &&
        std::string("<>=|").find(order) != std::string::npos)
      header.dtype = type.dtype;
  bool hasOrder = name.empty() || (name[1] != '1' && name[0] != 'V');
  if (header.dtype == GRAPHC_DTYPE_INVALID || (hasOrder && order == '|'))
    failWith(GRAPHC_UNSUPPORTED,
             "expects an element type f8, f4, f2, V2 (bf16), b1, i1, u1, i4 or "
             "i8 with its byte order, but got " +
                 quoted(descr));
  header.bigEndian = order == '>';
}

NpyHeader Parser::parse() {
  NpyHeader header;
  bool seen[3] = {};
  auto first = [&](int key, const char *name) {
    if (seen[key])
      failWith(GRAPHC_CORRUPT,
               std::string("the npy header has '") + name + "' twice");
    seen[key] = true;
  };
  expect('{');
  while (!accept('}')) {
    std::string key = parseString("a key");
    expect(':');
    if (key == "descr") {
      first(0, "descr");
      parseType(header);
    } else if (key == "fortran_order") {
      first(1, "fortran_order");
      header.fortranOrder = parseBool();
    } else if (key == "shape") {
      first(2, "shape");
      header.shape = parseShape();
    } else {
      failWith(GRAPHC_CORRUPT,
               "the npy header has the unknown key " + quoted(key));
    }
    if (accept(','))
      continue;
    expect('}');
    break;
  }
  static const char *const names[] = {"descr", "fortran_order", "shape"};
  for (int key = 0; key < 3; ++key)
    if (!seen[key])
      failWith(GRAPHC_CORRUPT,
               std::string("the npy header lacks '") + names[key] + "'");
  skipSpace();
  if (at_ < text_.size())
    expected("nothing after the dictionary");
  return header;
}

} // namespace

NpyHeader parseNpyHeader(const std::string &text, const std::string &path) {
  return Parser(text, path).parse();
}

std::string npyPrologue(graphc_dtype dtype, const std::vector<int64_t> &shape) {
  std::string name;
  for (const NpyType &type : kTypes)
    if (dtype == type.dtype)
      name = type.name;
  bool hasOrder = name[1] != '1' && name[0] != 'V';
  std::string tuple = "(";
  for (size_t i = 0; i < shape.size(); ++i)
    tuple += (i ? ", " : "") + std::to_string(shape[i]);
  tuple += shape.size() == 1 ? ",)" : ")";
  std::string text = "{'descr': '" + std::string(hasOrder ? "<" : "|") + name +
                     "', 'fortran_order': False, 'shape': " + tuple + ", }";
  // NumPy leaves room for the first dimension to grow to 21 digits in place.
  if (!shape.empty())
    text.append(21 - std::to_string(shape[0]).size(), ' ');
  constexpr size_t fixed = 10; // magic, version, length
  text.append(63 - (fixed + text.size()) % 64, ' ');
  text += '\n';
  std::string prologue("\x93NUMPY\1\0", 8);
  prologue += static_cast<char>(text.size() & 0xff);
  prologue += static_cast<char>(text.size() >> 8);
  return prologue + text;
}

} // namespace graphc::runtime
