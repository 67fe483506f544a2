// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In what order sums are taken, and which of a kernel's loops can be one.
#ifndef GRAPHC_LIB_ANALYSIS_REDUCTIONSHAPE_H
#define GRAPHC_LIB_ANALYSIS_REDUCTIONSHAPE_H

#include <cstdint>

namespace graphc {

/// Chunks of a reduction and interleaved partials inside one: by shape alone,
/// so that no choice made later changes a sum.
struct ReductionShape {
  int64_t length;   // terms along the chunked dimension
  int64_t chunk;    // terms of one chunk
  int64_t chunks;   // at least 1
  int64_t partials; // power of two
  static ReductionShape ofRow(int64_t length);
  static ReductionShape ofColumn(int64_t length);
};

/// A loop is not cut into rows that are less than a vector.
constexpr int64_t kLeastRow = 16;

/// True if one loop over `rows` rows may do all that a kernel has to do with
/// each: threads share rows, and of few, each must be short.
bool canShareRows(int64_t rows, double elements);

/// True if such a loop may add up the rows as well, `bytes` each in the type in
/// which it does: the partials of a chunk stay in a near cache, and there are
/// enough chunks for threads to share.
bool canAddRows(int64_t rows, double bytes);

} // namespace graphc

#endif // GRAPHC_LIB_ANALYSIS_REDUCTIONSHAPE_H
