// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What of a matrix product stays in registers.
#ifndef GRAPHC_LIB_ANALYSIS_PRODUCTTILE_H
#define GRAPHC_LIB_ANALYSIS_PRODUCTTILE_H

#include <cstdint>

namespace graphc {

/// The part of a product whose sums stay in registers for all terms: `rows`
/// broadcast elements of one factor times `vectors` of the other.
struct ProductTile {
  int64_t lanes = 1; // of a vector; 1 without vectors
  int64_t rows = 1, vectors = 1;

  int64_t columns() const { return vectors * lanes; }

  /// For `rows` x `columns` sums of `elementBits` in registers of `vectorBits`
  /// (0: scalars), of which vectors use `usedBits`: balanced tiles, as high as
  /// leaves two vectors room, and wider where there are few rows. With
  /// `isWide`, as many vectors as a row has, and fewer rows.
  static ProductTile choose(int64_t vectorBits, int64_t usedBits,
                            int64_t elementBits, int64_t rows, int64_t columns,
                            bool isWide = false);
};

} // namespace graphc

#endif // GRAPHC_LIB_ANALYSIS_PRODUCTTILE_H
