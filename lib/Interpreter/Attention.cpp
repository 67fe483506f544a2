// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention.

#include "lib/Interpreter/Deadline.h"
#include "lib/Interpreter/Ops.h"

#include <cmath>

using namespace mlir;

namespace graphc::interpreter {

namespace {

/// The place in `mask` of the score at `index`: the last dimensions are
/// aligned, and those of size 1 repeat.
int64_t maskPlace(const Tensor &mask, ArrayRef<int64_t> index) {
  llvm::SmallVector<int64_t> at(index.take_back(mask.rank()));
  for (auto [k, size] : llvm::enumerate(mask.shape()))
    if (size == 1)
      at[k] = 0;
  return linearIndex(mask.shape(), at);
}

/// softmax(scale q k^T + mask) v, one query at a time.
LogicalResult attention(graph::AttentionOp op, Call &call) {
  const Tensor &query = call.operand(0), &key = call.operand(1),
               &value = call.operand(2);
  const Tensor *mask = op.getMask() ? call.operands[3] : nullptr;
  int64_t rank = query.rank();
  int64_t depth = query.shape()[rank - 1], queries = query.shape()[rank - 2];
  int64_t keys = key.shape()[rank - 2], width = value.shape()[rank - 1];
  long double scale = op.getScale()
                          ? op.getScale()->convertToDouble()
                          : 1 / std::sqrt(static_cast<long double>(depth));

  llvm::SmallVector<int64_t> rows(query.shape().drop_back());
  forEachIndex(rows, [&](ArrayRef<int64_t> row) {
    int64_t i = row.back();
    // Where key 0 of this query's head is, counted in keys.
    llvm::SmallVector<int64_t> head(row.drop_back());
    if (!head.empty())
      head.back() /= rows[rows.size() - 2] / key.shape()[rank - 3];
    int64_t first = linearIndex(key.shape().drop_back(2), head) * keys;
    int64_t place = linearIndex(rows, row);

    std::vector<int64_t> taking;
    std::vector<long double> scores;
    for (int64_t j : upTo(keys)) {
      if (op.getCausal() && j > i + keys - queries)
        continue;
      llvm::SmallVector<int64_t> at(row);
      at.push_back(j);
      if (mask && !mask->isFloat() && !mask->ints[maskPlace(*mask, at)])
        continue;
      long double score = 0;
      for (int64_t d = 0; d < depth; ++d)
        score += static_cast<long double>(query.floats[place * depth + d]) *
                 key.floats[(first + j) * depth + d];
      score *= scale;
      if (mask && mask->isFloat())
        score += mask->floats[maskPlace(*mask, at)];
      taking.push_back(j);
      scores.push_back(score);
    }

    long double max = -INFINITY, sum = 0;
    for (long double score : scores)
      max = std::isnan(score) ? score : std::max(max, score);
    if (max == -INFINITY)
      return; // No key takes part: 0.
    for (long double &score : scores)
      sum += score = std::exp(score - max);
    for (int64_t e : upTo(width)) {
      long double y = 0;
      for (auto [j, weight] : llvm::zip_equal(taking, scores))
        y += weight / sum * value.floats[(first + j) * width + e];
      call.result().floats[place * width + e] = static_cast<double>(y);
    }
  });
  return success();
}

} // namespace

void addAttention(OpTable &table) { table.add<graph::AttentionOp>(attention); }

} // namespace graphc::interpreter
