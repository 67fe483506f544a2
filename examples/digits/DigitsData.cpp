// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "examples/digits/DigitsData.h"

#include <algorithm>
#include <memory>
#include <zlib.h>

namespace {

constexpr int64_t kTrainRows = 1437, kRows = 1797, kPixels = 64;

/// The text of a file, compressed or not: zlib reads both.
std::string readText(const std::string &path) {
  std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"),
                                                  gzclose);
  if (!file)
    throw graphc::Error(GRAPHC_NOT_FOUND, "cannot open '" + path + "'");
  std::string text;
  char buffer[1 << 16];
  int got;
  while ((got = gzread(file.get(), buffer, sizeof buffer)) > 0)
    text.append(buffer, static_cast<size_t>(got));
  int error = Z_OK;
  const char *message = gzerror(file.get(), &error);
  if (got < 0 || error != Z_OK)
    throw graphc::Error(GRAPHC_CORRUPT, "'" + path + "': " + message);
  return text;
}

/// Rows [begin, end) as an array of their own.
graphc::Array copyRows(const graphc::Array &all, int64_t begin, int64_t end) {
  graphc::Array::Shape shape;
  return graphc::Array::convert(all.rows(begin, end, shape), all.dtype());
}

} // namespace

std::string defaultDigitsPath() { return DIGITS_PATH; }

DigitsData loadDigits(const std::string &path) {
  graphc::Csv csv =
      graphc::Csv::parse(path, readText(path), ',', GRAPHC_CSV_HEADER_ABSENT);
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
