// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <charconv>
#include <memory>

#include "runtime/core/DType.h"
#include "runtime/core/InfoStruct.h"
#include "runtime/data/Array.h"
#include "runtime/data/Csv.h"
#include "runtime/data/File.h"
#include "runtime/data/Message.h"

using namespace graphc::runtime;

namespace {

std::unique_ptr<graphc_csv> parse(std::string name, std::string text,
                                  const graphc_csv_options &options) {
  char separator = options.separator ? options.separator : ',';
  auto csv = std::make_unique<graphc_csv>();
  csv->path = std::move(name);
  csv->text = std::move(text);
  csv->quote = options.quote ? options.quote : '"';
  for (char c : {separator, csv->quote})
    if (c == '\n' || c == '\r')
      fail(GRAPHC_INVALID_ARGUMENT,
           "a line end can be neither separator nor quote");
  if (separator == csv->quote)
    fail(GRAPHC_INVALID_ARGUMENT, "separator and quote are the same");
  if (options.header < GRAPHC_CSV_HEADER_AUTO ||
      options.header > GRAPHC_CSV_HEADER_ABSENT)
    fail(GRAPHC_INVALID_ARGUMENT, "header has no value %d",
         static_cast<int>(options.header));
  parseCsv(*csv, separator, options.header);
  return csv;
}

int64_t findColumn(const graphc_csv &csv, const std::string &column) {
  std::string known;
  for (size_t i = 0; i < csv.names.size(); ++i) {
    if (csv.names[i] == column)
      return static_cast<int64_t>(i);
    known += (i ? ", " : "") + quoted(csv.names[i]);
  }
  int64_t number = 0;
  const char *end = column.data() + column.size();
  auto [rest, error] = std::from_chars(column.data(), end, number);
  if (rest == end && error == std::errc() && !column.empty()) {
    int64_t counted = number < 0 ? number + csv.columns : number;
    if (counted >= 0 && counted < csv.columns)
      return counted;
  }
  fail(GRAPHC_NOT_FOUND,
       quoted(csv.path) + " has no column " + quoted(column) +
           (known.empty() ? "; it has no header, and columns 0 to " +
                                std::to_string(csv.columns - 1)
                          : "; it has " + known));
}

void fillArray(const graphc_csv &csv, const std::vector<int64_t> &columns,
               graphc_array &array) {
  size_t index = 0;
  for (int64_t row = 0; row < csv.rows(); ++row)
    for (int64_t column : columns) {
      const auto &cell =
          csv.cells[static_cast<size_t>(row * csv.columns + column)];
      std::string text = csv.content(cell);
      const char *problem =
          parseCell(text, array.dtype, array.data.get(), index++);
      if (!problem)
        continue;
      std::string name = csv.names.empty()
                             ? std::to_string(column)
                             : quoted(csv.names[static_cast<size_t>(column)]);
      fail(GRAPHC_CORRUPT, csv.location(cell.begin) + ": " + problem + " (" +
                               graphc_dtype_name(array.dtype) + ", column " +
                               name + "), but got " + quoted(text));
    }
}

} // namespace

graphc_status graphc_csv_read(const char *path,
                              const graphc_csv_options *options,
                              graphc_csv **out_csv) {
  return guarded([&] {
    if (!path || !out_csv)
      fail(GRAPHC_INVALID_ARGUMENT, "an argument is NULL");
    InputFile file(path);
    std::string text(file.size(), '\0');
    file.readAt(0, &text[0], text.size());
    *out_csv = parse(path, std::move(text), readOptions(options)).release();
  });
}

graphc_status graphc_csv_parse(const char *name, const char *text, size_t bytes,
                               const graphc_csv_options *options,
                               graphc_csv **out_csv) {
  return guarded([&] {
    if (!name || (!text && bytes) || !out_csv)
      fail(GRAPHC_INVALID_ARGUMENT, "an argument is NULL");
    *out_csv =
        parse(name, std::string(text, bytes), readOptions(options)).release();
  });
}

void graphc_csv_destroy(graphc_csv *csv) { delete csv; }

int64_t graphc_csv_row_count(const graphc_csv *csv) { return csv->rows(); }

int64_t graphc_csv_column_count(const graphc_csv *csv) { return csv->columns; }

const char *graphc_csv_column_name(const graphc_csv *csv, int64_t column) {
  if (column < 0 || column >= csv->columns)
    return nullptr;
  return csv->names.empty() ? ""
                            : csv->names[static_cast<size_t>(column)].c_str();
}

graphc_status graphc_csv_find_column(const graphc_csv *csv, const char *column,
                                     int64_t *out_column) {
  return guarded([&] {
    if (!csv || !column || !out_column)
      fail(GRAPHC_INVALID_ARGUMENT, "an argument is NULL");
    *out_column = findColumn(*csv, column);
  });
}

graphc_status graphc_csv_to_array(const graphc_csv *csv, const int64_t *columns,
                                  size_t column_count, graphc_dtype dtype,
                                  int flat, graphc_array **out_array) {
  return guarded([&] {
    if (!csv || !out_array)
      fail(GRAPHC_INVALID_ARGUMENT, "an argument is NULL");
    std::vector<int64_t> chosen;
    if (columns)
      chosen.assign(columns, columns + column_count);
    else
      for (int64_t i = 0; i < csv->columns; ++i)
        chosen.push_back(i);
    for (int64_t column : chosen)
      if (column < 0 || column >= csv->columns)
        fail(GRAPHC_INVALID_ARGUMENT, quoted(csv->path) + " has columns 0 to " +
                                          std::to_string(csv->columns - 1) +
                                          ", but got " +
                                          std::to_string(column));
    if (flat && chosen.size() != 1)
      fail(GRAPHC_INVALID_ARGUMENT,
           "a flat array expects one column, but got " +
               std::to_string(chosen.size()));
    std::vector<int64_t> shape = {csv->rows()};
    if (!flat)
      shape.push_back(static_cast<int64_t>(chosen.size()));
    auto array = std::make_unique<graphc_array>(dtype, shape);
    fillArray(*csv, chosen, *array);
    *out_array = array.release();
  });
}
