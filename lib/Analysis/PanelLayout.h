// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a factor of a matrix product lies in memory when it is packed.
#ifndef GRAPHC_LIB_ANALYSIS_PANELLAYOUT_H
#define GRAPHC_LIB_ANALYSIS_PANELLAYOUT_H

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdint>

namespace graphc {

/// A factor of `free` rows (of the left one; columns of the right one) and
/// `depth` terms of the sum, cut into panels of `width` rows. A panel holds all
/// terms in order, and of each the panel's rows side by side, `pitch` elements
/// from one term to the next: [free / width][depth][pitch]. The last panel may
/// have fewer rows; or, if panels overlap, it starts earlier, so that all are
/// full. What lies past the rows of a panel has no meaning, but may be read: it
/// never reaches a sum that is kept.
///
/// A sum of several dimensions has its terms in row-major order.
struct PanelLayout {
  int64_t free = 0, depth = 0;
  int64_t width = 1, pitch = 1; // pitch >= width
  bool overlaps = false;        // free >= width then

  int64_t panels() const { return llvm::divideCeil(free, width); }
  int64_t panelElements() const { return depth * pitch; }
  int64_t elements() const { return panels() * panelElements(); }
  int64_t firstRow(int64_t panel) const {
    return overlaps ? std::min(panel * width, free - width) : panel * width;
  }
};

} // namespace graphc

#endif // GRAPHC_LIB_ANALYSIS_PANELLAYOUT_H
