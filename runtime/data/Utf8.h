// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_RUNTIME_DATA_UTF8_H
#define GRAPHC_RUNTIME_DATA_UTF8_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace graphc::runtime {

/// Place of the first byte that is not part of well-formed UTF-8 (Unicode,
/// table 3-7: no overlong forms, no surrogates), or npos.
inline size_t findInvalidUtf8(const char *text, size_t size) {
  for (size_t i = 0; i < size;) {
    auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80) {
      ++i;
      continue;
    }
    size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || size - i < length)
      return i;
    // The second byte's range is narrower after some leads.
    unsigned char low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    unsigned char high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    for (size_t k = 1; k < length; ++k) {
      auto next = static_cast<unsigned char>(text[i + k]);
      if (next < low || next > high)
        return i;
      low = 0x80;
      high = 0xbf;
    }
    i += length;
  }
  return std::string::npos;
}

/// Appends a code point that is no surrogate.
inline void appendUtf8(std::string &text, uint32_t c) {
  if (c < 0x80) {
    text += static_cast<char>(c);
    return;
  }
  if (c < 0x800) {
    text += static_cast<char>(0xc0 | c >> 6);
  } else {
    if (c < 0x10000) {
      text += static_cast<char>(0xe0 | c >> 12);
    } else {
      text += static_cast<char>(0xf0 | c >> 18);
      text += static_cast<char>(0x80 | (c >> 12 & 0x3f));
    }
    text += static_cast<char>(0x80 | (c >> 6 & 0x3f));
  }
  text += static_cast<char>(0x80 | (c & 0x3f));
}

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_DATA_UTF8_H
