// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Analysis/ReductionShape.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace graphc {

ReductionShape ReductionShape::ofRow(int64_t length) {
  // Few terms: fewer partials cost less, and the error stays small.
  int64_t partials = length >= 128 ? 64 : length >= 8 ? 8 : 1;
  return {length, 4096, std::max<int64_t>(1, llvm::divideCeil(length, 4096)),
          partials};
}

ReductionShape ReductionShape::ofColumn(int64_t length) {
  return {length, 64, std::max<int64_t>(1, llvm::divideCeil(length, 64)),
          length >= 8 ? 8 : 1};
}

bool canShareRows(int64_t rows, double elements) {
  constexpr int64_t enoughRows = 64, shortRow = 16384;
  return rows >= enoughRows || elements <= double(rows * shortRow);
}

bool canAddRows(int64_t rows, double bytes) {
  constexpr int64_t enoughRows = 512, mostBytes = 131072;
  return rows >= enoughRows &&
         double(ReductionShape::ofColumn(rows).partials) * bytes <= mostBytes;
}

} // namespace graphc
