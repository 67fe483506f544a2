// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "examples/digits/DigitsData.h"

#include "examples/common/Gzip.h"

#include <algorithm>
#include <numeric>

namespace {

constexpr int64_t kTrainRows = 1437, kRows = 1797, kPixels = 64;

/// Rows [begin, end) as an array of their own.
graphc::Array copyRows(const graphc::Array &all, int64_t begin, int64_t end) {
  graphc::Array::Shape shape;
  return graphc::Array::convert(all.rows(begin, end, shape), all.dtype());
}

} // namespace

std::string defaultDigitsPath() { return DIGITS_PATH; }

DigitsData loadDigits(const std::string &path) {
  graphc::Csv csv = graphc::Csv::parse(path, example::readFile(path), ',',
                                       GRAPHC_CSV_HEADER_ABSENT);
  if (csv.rows() != kRows || csv.columns() != kPixels + 1)
    throw graphc::Error(GRAPHC_CORRUPT,
                        "'" + path +
                            "' expects 1797 rows of 65 cells, but has " +
                            std::to_string(csv.rows()) + " of " +
                            std::to_string(csv.columns()));
  std::vector<int64_t> pixels(kPixels);
  std::iota(pixels.begin(), pixels.end(), int64_t{0});
  graphc::Array images = csv.array<float>(pixels);
  graphc::Array labels = csv.column<int64_t>(kPixels);
  std::for_each(images.data<float>(), images.data<float>() + images.size(),
                [](float &pixel) { pixel /= 16; });
  return {copyRows(images, 0, kTrainRows), copyRows(labels, 0, kTrainRows),
          copyRows(images, kTrainRows, kRows),
          copyRows(labels, kTrainRows, kRows)};
}
