// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Analysis/ProductTile.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace graphc {

ProductTile ProductTile::choose(int64_t vectorBits, int64_t usedBits,
                                int64_t elementBits, int64_t rows,
                                int64_t columns, bool isWide) {
  ProductTile tile;
  if (usedBits / elementBits >= 2 && columns >= 2)
    tile.lanes = usedBits / elementBits;
  // AVX-512 has 32 registers; each vector of a row needs one, as do the vectors
  // of the other factor and the broadcast element. Below AVX there is no fused
  // multiply-add: fewer sums are alive across its calls.
  int64_t registers = vectorBits >= 512 ? 32 : 16;
  int64_t most = vectorBits >= 512 ? 14 : vectorBits >= 256 ? 6 : 4;
  int64_t available = llvm::divideCeil(columns, tile.lanes);
  if (isWide)
    most = std::clamp<int64_t>(
        (registers - 2) / std::max<int64_t>(available, 1) - 1, 1, most);
  int64_t tiles = std::max<int64_t>(llvm::divideCeil(rows, most), 1);
  tile.rows = std::max<int64_t>(llvm::divideCeil(rows, tiles), 1);
  int64_t fitting = (registers - 2) / (tile.rows + 1);
  if (2 * tile.rows > most && !isWide)
    fitting = 2;
  tile.vectors =
      std::clamp<int64_t>(fitting, 1, std::max<int64_t>(available, 1));
  if (available > tile.vectors) {
    // Nearly equal tiles along the columns as well, if there are few.
    int64_t blocks = llvm::divideCeil(available, tile.vectors);
    tile.vectors = llvm::divideCeil(available, blocks);
  }
  return tile;
}

} // namespace graphc
