// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/data/Csv.h"

#include <algorithm>

#include "runtime/data/Message.h"

namespace graphc::runtime {
namespace {

class Splitter {
public:
  Splitter(graphc_csv &csv, char separator)
      : csv_(csv), text_(csv.text), separator_(separator) {
    if (text_.compare(0, 3, "\xef\xbb\xbf") == 0)
      at_ = 3; // the mark some programs put before UTF-8
  }

  /// Appends the cells of the next line that is not blank to `cells`. False at
  /// the end of the file.
  bool nextRow(std::vector<graphc_csv::Cell> &cells);

private:
  graphc_csv &csv_;
  const std::string &text_;
  char separator_;
  uint64_t at_ = 0;

  bool atLineEnd() const {
    return at_ >= text_.size() || text_[at_] == '\n' || text_[at_] == '\r';
  }
  void skipLineEnd() {
    if (at_ < text_.size() && text_[at_] == '\r')
      ++at_;
    if (at_ < text_.size() && text_[at_] == '\n')
      ++at_;
  }
  graphc_csv::Cell nextCell();
};

graphc_csv::Cell Splitter::nextCell() {
  if (at_ < text_.size() && text_[at_] == csv_.quote) {
    uint64_t begin = ++at_;
    for (;; ++at_) {
      at_ = text_.find(csv_.quote, at_);
      if (at_ == std::string::npos)
        fail(GRAPHC_CORRUPT,
             csv_.location(begin - 1) + ": this quote is never closed");
      ++at_;
      if (at_ >= text_.size() || text_[at_] != csv_.quote)
        break;
    }
    uint64_t end = at_ - 1;
    if (!atLineEnd() && text_[at_] != separator_)
      fail(GRAPHC_CORRUPT, csv_.location(at_) +
                               ": expects a separator or the end of the line "
                               "after a closing quote, but got " +
                               quoted(text_.substr(at_, 1)));
    return {begin, end, true};
  }
  uint64_t begin = at_;
  while (!atLineEnd() && text_[at_] != separator_)
    ++at_;
  return {begin, at_, false};
}

bool Splitter::nextRow(std::vector<graphc_csv::Cell> &cells) {
  while (at_ < text_.size() && atLineEnd())
    skipLineEnd();
  if (at_ >= text_.size())
    return false;
  for (;;) {
    cells.push_back(nextCell());
    if (atLineEnd())
      break;
    ++at_;
  }
  skipLineEnd();
  return true;
}

} // namespace

void parseCsv(graphc_csv &csv, char separator, graphc_csv_header header) {
  Splitter splitter(csv, separator);
  std::vector<graphc_csv::Cell> first;
  if (!splitter.nextRow(first))
    fail(GRAPHC_CORRUPT, quoted(csv.path) + " has no rows");
  csv.columns = static_cast<int64_t>(first.size());
  bool hasHeader = header == GRAPHC_CSV_HEADER_PRESENT;
  if (header == GRAPHC_CSV_HEADER_AUTO)
    hasHeader = std::none_of(first.begin(), first.end(), [&](const auto &cell) {
      return isNumber(csv.content(cell));
    });
  if (hasHeader)
    for (const graphc_csv::Cell &cell : first)
      csv.names.push_back(csv.content(cell));
  else
    csv.cells = std::move(first);

  size_t before = csv.cells.size();
  while (splitter.nextRow(csv.cells)) {
    auto got = static_cast<int64_t>(csv.cells.size() - before);
    if (got != csv.columns)
      fail(GRAPHC_CORRUPT, csv.location(csv.cells[before].begin) +
                               ": expects " + std::to_string(csv.columns) +
                               " cells as in the first line, but got " +
                               std::to_string(got));
    before = csv.cells.size();
  }
}

} // namespace graphc::runtime

std::string graphc_csv::content(const Cell &cell) const {
  std::string result = text.substr(cell.begin, cell.end - cell.begin);
  if (!cell.isQuoted)
    return result;
  size_t to = 0;
  for (size_t from = 0; from < result.size(); ++from) {
    result[to++] = result[from];
    if (result[from] == quote)
      ++from; // its double
  }
  result.resize(to);
  return result;
}

std::string graphc_csv::location(uint64_t offset) const {
  auto begin = text.begin();
  auto at = begin + static_cast<int64_t>(offset);
  auto line = std::count(begin, at, '\n') + 1;
  size_t lineBegin = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  return path + ":" + std::to_string(line) + ":" +
         std::to_string(offset - lineBegin + 1);
}
