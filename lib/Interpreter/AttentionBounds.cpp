// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Interpreter/NormBounds.h"

#include <cmath>

using namespace mlir;

namespace graphc::interpreter {

// An error e of a score makes one of relative size e of its exponential. The
// scores' errors are those of a product of depth D, k + 8 units of the sum of
// magnitudes; rounding s - max adds |s - max| eps; sixteen blocks, and the sums
// over all keys, add their own.
std::optional<std::vector<double>>
attentionBounds(Operation *op, ArrayRef<const Tensor *> operands, double eps) {
  auto attention = dyn_cast<graph::AttentionOp>(op);
  if (!attention)
    return std::nullopt;
  const Tensor &query = *operands[0], &key = *operands[1],
               &value = *operands[2];
  int64_t rank = query.rank();
  int64_t depth = query.shape()[rank - 1], keys = key.shape()[rank - 2],
          width = value.shape()[rank - 1];
  double scale = attention.getScale()
                     ? std::fabs(attention.getScale()->convertToDouble())
                     : 1 / std::sqrt(static_cast<double>(depth));
  // What is not finite rules a key out, or the result is not finite either.
  auto largest = [](const Tensor &tensor) {
    double size = 0;
    for (double element : tensor.floats)
      if (std::isfinite(element))
        size = std::max(size, std::fabs(element));
    return size;
  };
  double maskSize = attention.getMask() ? largest(*operands[3]) : 0;
  double products =
      scale * static_cast<double>(depth) * largest(query) * largest(key);
  double scoreError =
      eps * ((static_cast<double>(depth) + 8) * products + 2 * maskSize);
  // The exponential of a score far below the largest hardly counts: x e^-x is
  // at most 1.
  double weightError = 2 * scoreError + eps * (static_cast<double>(keys) + 72);

  // Bounded by the largest value of each head and column.
  int64_t rows = query.shape()[rank - 2];
  int64_t heads = rank > 2 ? query.shape()[rank - 3] : 1;
  int64_t keyHeads = rank > 2 ? key.shape()[rank - 3] : 1;
  int64_t outer = 1;
  for (int64_t dim : query.shape().drop_back(std::min<int64_t>(rank, 3)))
    outer *= dim;
  std::vector<double> bounds;
  for (int64_t n = 0; n < outer; ++n)
    for (int64_t h = 0; h < heads; ++h) {
      int64_t first = (n * keyHeads + h / (heads / keyHeads)) * keys;
      std::vector<double> column(width, 0.0);
      for (int64_t j = 0; j < keys; ++j)
        for (int64_t e = 0; e < width; ++e) {
          double size = std::fabs(value.floats[(first + j) * width + e]);
          if (std::isfinite(size))
            column[e] = std::max(column[e], size);
        }
      for (int64_t i = 0; i < rows; ++i)
        for (double size : column)
          bounds.push_back(weightError * size);
    }
  return bounds;
}

} // namespace graphc::interpreter
