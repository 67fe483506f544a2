// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/data/Message.h"

namespace graphc::runtime {

std::string quoted(const std::string &text) {
  constexpr size_t limit = 200;
  static const char *const digits = "0123456789abcdef";
  std::string result = "'";
  for (unsigned char c : text) {
    if (result.size() > limit) {
      result += "...";
      break;
    }
    if (c < 0x20 || c == 0x7f) {
      result += "\\x";
      result += digits[c >> 4];
      result += digits[c & 15];
    } else {
      result += static_cast<char>(c);
    }
  }
  result += '\'';
  return result;
}

} // namespace graphc::runtime
