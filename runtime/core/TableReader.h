// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds checks of pointers in a model's tables.
#ifndef GRAPHC_RUNTIME_CORE_TABLEREADER_H
#define GRAPHC_RUNTIME_CORE_TABLEREADER_H

#include <cstdarg>
#include <cstdio>

#include "runtime/core/Error.h"
#include "runtime/core/Image.h"

namespace graphc::runtime {

/// Throws CORRUPT with "the model's tables are malformed: " and the message.
[[noreturn]] inline void corrupt(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
inline void corrupt(const char *format, ...) {
  char message[1024];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(message, sizeof(message), format, arguments);
  va_end(arguments);
  fail(GRAPHC_CORRUPT, "the model's tables are malformed: %s", message);
}

/// Everything a table points to must lie inside the model's own image.
class TableReader {
public:
  explicit TableReader(const Library &library) : library(library) {}

  template <class T>
  void array(const T *first, uint64_t count, const char *what) const {
    if (count == 0)
      return;
    if (reinterpret_cast<uintptr_t>(first) % alignof(T) != 0)
      corrupt("%s are not aligned", what);
    uint64_t size;
    if (__builtin_mul_overflow(count, uint64_t{sizeof(T)}, &size))
      corrupt("%s are too many: %llu", what,
              static_cast<unsigned long long>(count));
    bytes(first, size, what);
  }

  void bytes(const void *first, uint64_t count, const char *what) const {
    if (count != 0 && !library.hasData(first, count))
      corrupt("%s lie outside the file", what);
  }

  void string(const char *text, const char *what) const {
    if (!text || !library.hasString(text))
      corrupt("a %s is no string inside the file", what);
  }

private:
  const Library &library;
};

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_CORE_TABLEREADER_H
