// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ops cost. Sizes within the limits of an import have products beyond.
#include "dialects/Graph/IR/GraphBuilders.h"

using namespace mlir;
using namespace graphc::graph;

/// The product of `factors`, none negative, at most 2^63 - 1.
static int64_t saturatingProduct(ArrayRef<int64_t> factors) {
  if (llvm::is_contained(factors, 0))
    return 0;
  int64_t product = 1;
  for (int64_t factor : factors)
    if (llvm::MulOverflow(product, factor, product))
      return std::numeric_limits<int64_t>::max();
  return product;
}

static int64_t countElements(Value value) {
  return saturatingProduct(tensorTypeOf(value).getShape());
}

int64_t graphc::graph::countResultElements(Operation *op) {
  int64_t total = 0;
  for (Value result : op->getResults())
    if (llvm::AddOverflow(total, countElements(result), total))
      return std::numeric_limits<int64_t>::max();
  return total;
}

int64_t DotGeneralOp::getFlops() {
  // A multiplication and an addition for each term.
  llvm::SmallVector<int64_t> factors = {2, countElements(getResult())};
  for (int64_t dim : getLhsContracting())
    factors.push_back(tensorTypeOf(getLhs()).getDimSize(dim));
  return saturatingProduct(factors);
}

int64_t LinearOp::getFlops() {
  return saturatingProduct(
      {2, countElements(getResult()), tensorTypeOf(getWeight()).getDimSize(1)});
}

/// A product of depth `query` for each of `ofDepth`, and of the values' width for
/// each of `ofWidth`, of all scores.
static int64_t attentionFlops(Value query, Value key, Value value,
                              int64_t ofDepth, int64_t ofWidth) {
  int64_t keys = tensorTypeOf(key).getShape().drop_back().back();
  int64_t depths = 0, widths = 0, all = 0;
  if (llvm::MulOverflow(tensorTypeOf(query).getShape().back(), ofDepth,
                        depths) ||
      llvm::MulOverflow(tensorTypeOf(value).getShape().back(), ofWidth,
                        widths) ||
      llvm::AddOverflow(depths, widths, all))
    return std::numeric_limits<int64_t>::max();
  llvm::SmallVector<int64_t> factors(
      tensorTypeOf(query).getShape().drop_back());
  factors.append({2, keys, all});
  return saturatingProduct(factors);
}

// Two products: queries by keys, weights by values.
int64_t AttentionOp::getFlops() {
  return attentionFlops(getQuery(), getKey(), getValue(), 1, 1);
}
// The scores again and two gradients; two of the values' width.
int64_t AttentionGradOp::getFlops() {
  return attentionFlops(getQuery(), getKey(), getValue(), 3, 2);
}

int64_t ReduceSumOp::getFlops() { return countElements(getInput()); }
int64_t ReduceMeanOp::getFlops() { return countElements(getInput()); }
int64_t ReduceMaxOp::getFlops() { return countElements(getInput()); }
int64_t ReduceMinOp::getFlops() { return countElements(getInput()); }
int64_t ReduceProdOp::getFlops() { return countElements(getInput()); }

// One addition for each update.
int64_t ScatterAddOp::getFlops() { return countElements(getUpdates()); }
// A merge sort: as many comparisons as elements, for each doubling of its runs.
int64_t SortOp::getFlops() {
  auto type = tensorTypeOf(getInput());
  auto length = static_cast<uint64_t>(type.getDimSize(getAxis()));
  return saturatingProduct(
      {countElements(getInput()), static_cast<int64_t>(llvm::Log2_64_Ceil(
                                      std::max<uint64_t>(length, 1)))});
}

int64_t FoldOp::getFlops() { return countElements(getWindows()); }

/// A multiplication and an addition for each weight that meets each position.
static int64_t convFlops(Value positions, Value weight) {
  llvm::SmallVector<int64_t> factors = {2, countElements(weight),
                                        tensorTypeOf(positions).getDimSize(0)};
  llvm::append_range(factors, tensorTypeOf(positions).getShape().drop_front(2));
  return saturatingProduct(factors);
}

int64_t ConvOp::getFlops() { return convFlops(getResult(), getWeight()); }
int64_t ConvTransposeOp::getFlops() {
  return convFlops(getInput(), getWeight());
}
int64_t ConvWeightGradOp::getFlops() {
  return convFlops(getGrad(), getResult());
}
