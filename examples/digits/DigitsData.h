// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The handwritten digits as arrays.
#ifndef GRAPHC_EXAMPLES_DIGITS_DIGITSDATA_H
#define GRAPHC_EXAMPLES_DIGITS_DIGITSDATA_H

#include <string>

#include "graphc/data.hpp"

struct DigitsData {
  graphc::Array trainImages; // f32 [1437, 64], each pixel from 0 to 1
  graphc::Array trainLabels; // i64 [1437]
  graphc::Array testImages;  // f32 [360, 64], from other writers
  graphc::Array testLabels;  // i64 [360]
};

/// Where the data lies in the source tree.
std::string defaultDigitsPath();

/// Reads the table, a .csv or .csv.gz file. Throws graphc::Error.
DigitsData loadDigits(const std::string &path = defaultDigitsPath());

#endif // GRAPHC_EXAMPLES_DIGITS_DIGITSDATA_H
