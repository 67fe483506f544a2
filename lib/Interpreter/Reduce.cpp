// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and arg-reductions.

#include "lib/Interpreter/Ops.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace graphc::interpreter {

namespace {

/// The result's index of an input index: without the dimensions in `axes`.
llvm::SmallVector<int64_t> dropAxes(ArrayRef<int64_t> index,
                                    ArrayRef<int64_t> axes) {
  llvm::SmallVector<int64_t> kept;
  for (auto [dim, i] : llvm::enumerate(index))
    if (!llvm::is_contained(axes, static_cast<int64_t>(dim)))
      kept.push_back(i);
  return kept;
}

/// Calls `visit(input place, result place)` for every input element.
void forEachReduced(Call &call, ArrayRef<int64_t> axes,
                    llvm::function_ref<void(int64_t from, int64_t to)> visit) {
  const Tensor &x = call.operand();
  Tensor &result = call.result();
  forEachIndex(x.shape(), [&](ArrayRef<int64_t> index) {
    visit(linearIndex(x.shape(), index),
          linearIndex(result.shape(), dropAxes(index, axes)));
  });
}

/// Accumulates in long double, so that the error of a sum of f64 elements is
/// far below that of any f64 program.
template <typename Op>
LogicalResult reduce(Op op, Call &call, long double initial,
                     long double (*onFloats)(long double, long double),
                     int64_t (*initialInt)(ElementKind),
                     uint64_t (*onInts)(int64_t accumulated, int64_t element)) {
  const Tensor &x = call.operand();
  Tensor &result = call.result();
  ElementKind kind = x.kind();
  if (x.isFloat()) {
    std::vector<long double> sums(result.size(), initial);
    forEachReduced(call, op.getAxes(), [&](int64_t from, int64_t to) {
      sums[to] = onFloats(sums[to], x.floats[from]);
    });
    for (int64_t i = 0; i < result.size(); ++i)
      result.floats[i] = static_cast<double>(sums[i]);
    return success();
  }
  for (int64_t &element : result.ints)
    element = initialInt(kind);
  forEachReduced(call, op.getAxes(), [&](int64_t from, int64_t to) {
    result.ints[to] = wrapTo(kind, onInts(result.ints[to], x.ints[from]));
  });
  return success();
}

long double add(long double a, long double b) { return a + b; }

LogicalResult reduceSum(graph::ReduceSumOp op, Call &call) {
  return reduce(
      op, call, 0, add, [](ElementKind) -> int64_t { return 0; },
      [](int64_t a, int64_t b) {
        return static_cast<uint64_t>(a) + static_cast<uint64_t>(b);
      });
}

LogicalResult reduceMean(graph::ReduceMeanOp op, Call &call) {
  const Tensor &x = call.operand();
  std::vector<long double> sums(call.result().size(), 0);
  forEachReduced(call, op.getAxes(),
                 [&](int64_t from, int64_t to) { sums[to] += x.floats[from]; });
  int64_t terms = 1;
  for (int64_t axis : op.getAxes())
    terms *= x.shape()[axis];
  for (auto [result, sum] : llvm::zip(call.result().floats, sums))
    result = static_cast<double>(sum / terms);
  return success();
}

LogicalResult reduceProd(graph::ReduceProdOp op, Call &call) {
  return reduce(
      op, call, 1, [](long double a, long double b) { return a * b; },
      [](ElementKind) -> int64_t { return 1; },
      [](int64_t a, int64_t b) {
        return static_cast<uint64_t>(a) * static_cast<uint64_t>(b);
      });
}

LogicalResult reduceMax(graph::ReduceMaxOp op, Call &call) {
  return reduce(
      op, call, -INFINITY,
      [](long double a, long double b) -> long double { return maximum(a, b); },
      getMinimum,
      [](int64_t a, int64_t b) -> uint64_t { return std::max(a, b); });
}

LogicalResult reduceMin(graph::ReduceMinOp op, Call &call) {
  return reduce(
      op, call, INFINITY,
      [](long double a, long double b) -> long double { return minimum(a, b); },
      getMaximum,
      [](int64_t a, int64_t b) -> uint64_t { return std::min(a, b); });
}

/// Index along `axis` of the first NaN, or else of the first best element.
LogicalResult argBest(Call &call, int64_t axis, bool largest) {
  const Tensor &x = call.operand();
  Tensor &result = call.result();
  auto isBetter = [&](int64_t place, int64_t best) {
    if (!x.isFloat())
      return largest ? x.ints[place] > x.ints[best]
                     : x.ints[place] < x.ints[best];
    double a = x.floats[place], b = x.floats[best];
    if (std::isnan(a) || std::isnan(b))
      return std::isnan(a) && !std::isnan(b);
    return largest ? a > b : a < b;
  };
  std::vector<int64_t> best(result.size(), -1);
  forEachIndex(x.shape(), [&](ArrayRef<int64_t> index) {
    int64_t place = linearIndex(x.shape(), index);
    int64_t to = linearIndex(result.shape(), dropAxes(index, axis));
    if (best[to] < 0 || isBetter(place, best[to])) {
      best[to] = place;
      result.ints[to] = index[axis];
    }
  });
  return success();
}

LogicalResult argmax(graph::ArgmaxOp op, Call &call) {
  return argBest(call, op.getAxis(), /*largest=*/true);
}
LogicalResult argmin(graph::ArgminOp op, Call &call) {
  return argBest(call, op.getAxis(), /*largest=*/false);
}

} // namespace

void addReductions(OpTable &table) {
  table.add<graph::ReduceSumOp>(reduceSum);
  table.add<graph::ReduceMeanOp>(reduceMean);
  table.add<graph::ReduceProdOp>(reduceProd);
  table.add<graph::ReduceMaxOp>(reduceMax);
  table.add<graph::ReduceMinOp>(reduceMin);
  table.add<graph::ArgmaxOp>(argmax);
  table.add<graph::ArgminOp>(argmin);
}

} // namespace graphc::interpreter
