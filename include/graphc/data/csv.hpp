// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Columns of csv files.
#ifndef GRAPHC_DATA_CSV_HPP
#define GRAPHC_DATA_CSV_HPP

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "graphc/data.h"
#include "graphc/data/array.hpp"
#include "graphc/error.hpp"

namespace graphc {

/// A table of text cells.
class Csv {
public:
  explicit Csv(const std::string &path, char separator = ',',
               graphc_csv_header header = GRAPHC_CSV_HEADER_AUTO) {
    graphc_csv_options options = rawOptions(separator, header);
    graphc_csv *csv = nullptr;
    check(graphc_csv_read(path.c_str(), &options, &csv));
    csv_.reset(csv);
  }
  /// From text in memory; `name` stands for the path in messages.
  static Csv parse(const std::string &name, const std::string &text,
                   char separator = ',',
                   graphc_csv_header header = GRAPHC_CSV_HEADER_AUTO) {
    graphc_csv_options options = rawOptions(separator, header);
    graphc_csv *csv = nullptr;
    check(graphc_csv_parse(name.c_str(), text.data(), text.size(), &options,
                           &csv));
    return Csv(csv);
  }

  int64_t rows() const { return graphc_csv_row_count(csv_.get()); }
  int64_t columns() const { return graphc_csv_column_count(csv_.get()); }
  std::string columnName(int64_t column) const {
    const char *name = graphc_csv_column_name(csv_.get(), column);
    return name ? name : "";
  }
  /// Number of the column with this name, or, as text, this number.
  int64_t find(const std::string &column) const {
    int64_t number = 0;
    check(graphc_csv_find_column(csv_.get(), column.c_str(), &number));
    return number;
  }

  /// Columns as an array [rows, columns].
  template <class T> Array array(const std::vector<int64_t> &columns) const {
    return convert(columns, dtypeOf<T>(), false);
  }
  template <class T>
  Array array(const std::vector<std::string> &columns) const {
    std::vector<int64_t> numbers;
    for (const std::string &column : columns)
      numbers.push_back(find(column));
    return convert(numbers, dtypeOf<T>(), false);
  }
  Array array(const std::vector<int64_t> &columns, graphc_dtype dtype) const {
    return convert(columns, dtype, false);
  }
  /// One column as an array [rows].
  template <class T> Array column(int64_t column) const {
    return convert({column}, dtypeOf<T>(), true);
  }
  template <class T> Array column(const std::string &name) const {
    return convert({find(name)}, dtypeOf<T>(), true);
  }

private:
  struct Destroy {
    void operator()(graphc_csv *csv) const { graphc_csv_destroy(csv); }
  };
  std::unique_ptr<graphc_csv, Destroy> csv_;

  explicit Csv(graphc_csv *csv) : csv_(csv) {}
  static graphc_csv_options rawOptions(char separator,
                                       graphc_csv_header header) {
    graphc_csv_options options = {};
    options.struct_bytes = sizeof options;
    options.separator = separator;
    options.header = header;
    return options;
  }
  Array convert(const std::vector<int64_t> &columns, graphc_dtype dtype,
                bool flat) const {
    graphc_array *array = nullptr;
    check(graphc_csv_to_array(csv_.get(), columns.data(), columns.size(), dtype,
                              flat, &array));
    return Array(array);
  }
};

} // namespace graphc

#endif // GRAPHC_DATA_CSV_HPP
