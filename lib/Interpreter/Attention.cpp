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

/// One query: the keys that take part with it, and their weights.
struct Row {
  int64_t place = 0; // of the query, counted in queries
  int64_t first = 0; // of key 0 of its head, counted in keys
  std::vector<int64_t> taking;
  std::vector<long double> weights; // none if all scores are -inf
};

template <typename Op> long double scaleOf(Op op, const Tensor &query) {
  return op.getScale()
             ? op.getScale()->convertToDouble()
             : 1 / std::sqrt(static_cast<long double>(query.shape().back()));
}

/// softmax(scale q k^T + mask), one query at a time.
template <typename Op>
void forEachRow(Op op, const Call &call, const Tensor *mask,
                llvm::function_ref<void(const Row &)> f) {
  const Tensor &query = call.operand(0), &key = call.operand(1);
  int64_t rank = query.rank();
  int64_t depth = query.shape()[rank - 1], queries = query.shape()[rank - 2];
  int64_t keys = key.shape()[rank - 2];
  long double scale = scaleOf(op, query);

  llvm::SmallVector<int64_t> rows(query.shape().drop_back());
  forEachIndex(rows, [&](ArrayRef<int64_t> index) {
    int64_t i = index.back();
    llvm::SmallVector<int64_t> head(index.drop_back());
    if (!head.empty())
      head.back() /= rows[rows.size() - 2] / key.shape()[rank - 3];
    Row row;
    row.first = linearIndex(key.shape().drop_back(2), head) * keys;
    row.place = linearIndex(rows, index);

    for (int64_t j : upTo(keys)) {
      if (op.getCausal() && j > i + keys - queries)
        continue;
      llvm::SmallVector<int64_t> at(index);
      at.push_back(j);
      if (mask && !mask->isFloat() && !mask->ints[maskPlace(*mask, at)])
        continue;
      long double score = 0;
      for (int64_t d = 0; d < depth; ++d)
        score += static_cast<long double>(query.floats[row.place * depth + d]) *
                 key.floats[(row.first + j) * depth + d];
      score *= scale;
      if (mask && mask->isFloat())
        score += mask->floats[maskPlace(*mask, at)];
      row.taking.push_back(j);
      row.weights.push_back(score);
    }

    long double max = -INFINITY, sum = 0;
    for (long double score : row.weights)
      max = std::isnan(score) ? score : std::max(max, score);
    if (max == -INFINITY)
      return f({row.place, row.first, {}, {}});
    for (long double &score : row.weights)
      sum += score = std::exp(score - max);
    for (long double &weight : row.weights)
      weight /= sum;
    f(row);
  });
}

LogicalResult attention(graph::AttentionOp op, Call &call) {
  const Tensor &value = call.operand(2);
  int64_t width = value.shape().back();
  forEachRow(
      op, call, op.getMask() ? call.operands[3] : nullptr, [&](const Row &row) {
        for (int64_t e : upTo(width)) {
          long double y = 0;
          for (auto [j, weight] : llvm::zip_equal(row.taking, row.weights))
            y += weight * value.floats[(row.first + j) * width + e];
          call.result().floats[row.place * width + e] = static_cast<double>(y);
        }
      });
  return success();
}

/// The chain rule, score by score.
LogicalResult attentionGrad(graph::AttentionGradOp op, Call &call) {
  const Tensor &query = call.operand(0), &key = call.operand(1),
               &value = call.operand(2), &output = call.operand(3),
               &grad = call.operand(4);
  int64_t depth = query.shape().back(), width = value.shape().back();
  long double scale = scaleOf(op, query);
  std::vector<long double> sums[3];
  for (int64_t k : {0, 1, 2})
    sums[k].resize(call.results[k].floats.size());
  forEachRow(
      op, call, op.getMask() ? call.operands[5] : nullptr, [&](const Row &row) {
        long double mean = 0;
        for (int64_t e : upTo(width))
          mean += static_cast<long double>(grad.floats[row.place * width + e]) *
                  output.floats[row.place * width + e];
        for (auto [j, weight] : llvm::zip_equal(row.taking, row.weights)) {
          int64_t place = row.first + j;
          long double ofWeight = 0;
          for (int64_t e : upTo(width)) {
            long double g = grad.floats[row.place * width + e];
            ofWeight += g * value.floats[place * width + e];
            sums[2][place * width + e] += weight * g;
          }
          long double ofScore = scale * weight * (ofWeight - mean);
          for (int64_t d : upTo(depth)) {
            sums[0][row.place * depth + d] +=
                ofScore * key.floats[place * depth + d];
            sums[1][place * depth + d] +=
                ofScore * query.floats[row.place * depth + d];
          }
        }
      });
  for (int64_t k : {0, 1, 2})
    llvm::copy(sums[k], call.results[k].floats.begin());
  return success();
}

} // namespace

void addAttention(OpTable &table) {
  table.add<graph::AttentionOp>(attention);
  table.add<graph::AttentionGradOp>(attentionGrad);
}

} // namespace graphc::interpreter
