// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A curve as text.
#ifndef GRAPHC_EXAMPLES_DIGITS_PLOT_H
#define GRAPHC_EXAMPLES_DIGITS_PLOT_H

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

/// Draws `values` (at least one, finite) from left to right, 60 columns wide
/// and 12 rows high (one if all are equal), on a logarithmic axis if all are positive.
inline std::string plot(const std::vector<double> &values,
                        const std::string &title) {
  const int columns = static_cast<int>(std::min<size_t>(values.size(), 60));
  bool isLog = *std::min_element(values.begin(), values.end()) > 0;
  auto scale = [&](double value) { return isLog ? std::log(value) : value; };
  auto unscale = [&](double value) { return isLog ? std::exp(value) : value; };
  std::vector<double> column(columns);
  for (int c = 0; c < columns; ++c)
    column[c] = scale(values[static_cast<size_t>(c) * values.size() / columns]);
  double low = *std::min_element(column.begin(), column.end());
  double high = *std::max_element(column.begin(), column.end());
  const int rows = high > low ? 12 : 1;
  double step = high > low ? (high - low) / (rows - 1) : 1;
  std::string text = title + (isLog ? " (logarithmic)\n" : "\n");
  for (int row = rows - 1; row >= 0; --row) {
    char label[32];
    std::snprintf(label, sizeof(label), "%9.4f |", unscale(low + row * step));
    text += label;
    for (double value : column)
      text += std::lround((value - low) / step) == row ? "* " : "  ";
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  text += "          +" + std::string(2 * columns, '-') + "\n";
  return text;
}

#endif // GRAPHC_EXAMPLES_DIGITS_PLOT_H
