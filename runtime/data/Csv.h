// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_RUNTIME_DATA_CSV_H
#define GRAPHC_RUNTIME_DATA_CSV_H

#include <cstdint>
#include <string>
#include <vector>

#include "graphc/data.h"

/// See graphc/data.h. Cells stay text, as places in the file's bytes, until a
/// caller says what type they are.
struct graphc_csv {
  struct Cell {
    uint64_t begin, end; // Within the quotes, if it has them.
    bool isQuoted;
  };

  std::string path;
  std::string text;
  char quote = '"';
  std::vector<std::string> names; // Empty without a header.
  std::vector<Cell> cells;        // Row by row, header excluded.
  int64_t columns = 0;

  int64_t rows() const {
    return columns ? static_cast<int64_t>(cells.size()) / columns : 0;
  }

  /// The cell's text, doubled quotes undone.
  std::string content(const Cell &cell) const;

  /// "file.csv:12:8", from which the message of an error at `offset` begins.
  std::string location(uint64_t offset) const;
};

namespace graphc::runtime {

/// Splits `csv.text` into cells. Fails with a located message.
void parseCsv(graphc_csv &csv, char separator, graphc_csv_header header);

/// Whether `text` is a number as graphc_csv_to_array() reads it into f64.
bool isNumber(const std::string &text);

/// Writes element `index` of `out`. Returns what is wrong with `text`, or null.
const char *parseCell(const std::string &text, graphc_dtype dtype, void *out,
                      size_t index);

} // namespace graphc::runtime

#endif // GRAPHC_RUNTIME_DATA_CSV_H
