// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Interpreter/NormBounds.h"

#include <cmath>

using namespace mlir;

namespace graphc::interpreter {

namespace {
// What is not finite rules a key out, or the result is not finite either.
double largest(const Tensor &tensor) {
  double size = 0;
  for (double element : tensor.floats)
    if (std::isfinite(element))
      size = std::max(size, std::fabs(element));
  return size;
}

// An error e of a score makes one of relative size e of its exponential. The
// scores' errors are those of a product of depth D, k + 8 units of the sum of
// magnitudes; rounding s - max adds |s - max| eps; sixteen blocks, and the sums
// over all keys, add their own.
double weightErrorOf(const Tensor &query, const Tensor &key, const Tensor *mask,
                     double scale, double eps) {
  auto depth = static_cast<double>(query.shape().back());
  auto keys = static_cast<double>(key.shape().drop_back().back());
  double products = scale * depth * largest(query) * largest(key);
  double scoreError =
      eps * ((depth + 8) * products + 2 * (mask ? largest(*mask) : 0));
  // The exponential of a score far below the largest hardly counts: x e^-x is
  // at most 1.
  return 2 * scoreError + eps * (keys + 72);
}

// By the largest of each factor. The weights of a query sum to 1; of a key, each
// of those of its queries is at most 1.
std::vector<double> gradBounds(graph::AttentionGradOp op,
                               ArrayRef<const Tensor *> operands,
                               unsigned result, double eps) {
  const Tensor &query = *operands[0], &key = *operands[1];
  double scale = std::fabs(op.getScaleOrDefault());
  double weightError = weightErrorOf(
      query, key, op.getMask() ? operands[5] : nullptr, scale, eps);
  ArrayRef<int64_t> shape = query.shape();
  double queries = static_cast<double>(shape.drop_back().back());
  if (shape.size() > 2 && key.shape().drop_back(2).back() != 0)
    queries *= static_cast<double>(shape.drop_back(2).back() /
                                   key.shape().drop_back(2).back());
  double keys = static_cast<double>(key.shape().drop_back().back());
  double width = static_cast<double>(operands[2]->shape().back());
  double grad = largest(*operands[4]);
  double ofWeight =
      width * grad * (largest(*operands[2]) + largest(*operands[3]));
  double ofScore = scale * ofWeight * (weightError + eps * (2 * width + 16));
  double bound = 0;
  if (result == 0)
    bound = largest(key) * (ofScore + scale * ofWeight * eps * (keys + 8));
  else if (result == 1)
    bound = queries * largest(query) *
            (ofScore + scale * ofWeight * eps * (queries + 8));
  else
    bound = queries * grad * (weightError + eps * (queries + 8));
  return std::vector<double>(operands[result]->floats.size(), bound);
}
} // namespace

std::optional<std::vector<double>>
attentionBounds(Operation *op, ArrayRef<const Tensor *> operands,
                unsigned result, double eps) {
  if (auto grad = dyn_cast<graph::AttentionGradOp>(op))
    return gradBounds(grad, operands, result, eps);
  auto attention = dyn_cast<graph::AttentionOp>(op);
  if (!attention)
    return std::nullopt;
  const Tensor &query = *operands[0], &key = *operands[1],
               &value = *operands[2];
  int64_t rank = query.rank();
  int64_t keys = key.shape()[rank - 2], width = value.shape()[rank - 1];
  double weightError =
      weightErrorOf(query, key, attention.getMask() ? operands[3] : nullptr,
                    std::fabs(attention.getScaleOrDefault()), eps);

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
