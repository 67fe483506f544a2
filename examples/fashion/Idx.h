// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// IDX files, the format of MNIST: bytes with their sizes in front.
#ifndef GRAPHC_EXAMPLES_FASHION_IDX_H
#define GRAPHC_EXAMPLES_FASHION_IDX_H

#include <string>

#include "examples/common/Gzip.h"
#include "graphc/data.hpp"

/// The unsigned bytes of an IDX file, compressed or not, as i64 (labels) or as
/// f32 from 0 to 1 (images). Throws graphc::Error if it is damaged.
template <class T> graphc::Array loadIdx(const std::string &path) {
  std::string bytes = example::readFile(path);
  auto fail = [&](const std::string &message) {
    throw graphc::Error(GRAPHC_CORRUPT, "'" + path + "' " + message);
  };
  auto at = [&](size_t k) { return static_cast<unsigned char>(bytes[k]); };
  // Two zeros, 8 for unsigned bytes, the rank; then big-endian sizes.
  if (bytes.size() < 4 || at(0) || at(1) || at(2) != 8)
    fail("is no IDX file of unsigned bytes");
  size_t rank = at(3), start = 4 + 4 * rank, count = 1;
  if (bytes.size() < start)
    fail("ends in its header");
  graphc::Array::Shape shape;
  for (size_t k = 4; k < start; k += 4) {
    uint64_t size =
        uint64_t(at(k)) << 24 | at(k + 1) << 16 | at(k + 2) << 8 | at(k + 3);
    shape.push_back(static_cast<int64_t>(size));
    if (size != 0 && count > bytes.size() / size)
      fail("is shorter than its header says");
    count *= size;
  }
  if (bytes.size() - start != count)
    fail("expects " + std::to_string(count) + " elements, but has " +
         std::to_string(bytes.size() - start));
  graphc::Array array = graphc::Array::of<T>(shape);
  constexpr T scale = std::is_floating_point_v<T> ? T(255) : T(1);
  for (size_t k = 0; k < count; ++k)
    array.template data<T>()[k] = static_cast<T>(at(start + k)) / scale;
  return array;
}

#endif // GRAPHC_EXAMPLES_FASHION_IDX_H
