// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normalised exponentials.

#include "lib/Interpreter/Ops.h"

#include <cmath>

using namespace mlir;

namespace graphc::interpreter {

namespace {

/// Calls `visit` with the places of each line along `axis`.
void forEachLine(const Tensor &x, int64_t axis,
                 llvm::function_ref<void(ArrayRef<int64_t> places)> visit) {
  llvm::SmallVector<int64_t> outer(x.shape());
  outer[axis] = 1;
  llvm::SmallVector<int64_t> places(x.shape()[axis]);
  forEachIndex(outer, [&](ArrayRef<int64_t> index) {
    llvm::SmallVector<int64_t> at(index);
    for (at[axis] = 0; at[axis] < x.shape()[axis]; ++at[axis])
      places[at[axis]] = linearIndex(x.shape(), at);
    visit(places);
  });
}

struct Line {
  double max;
  long double sum; // of exp(x - max)
};

Line measure(const Tensor &x, ArrayRef<int64_t> places) {
  Line line = {-INFINITY, 0};
  for (int64_t place : places)
    line.max = maximum(line.max, x.floats[place]);
  for (int64_t place : places)
    line.sum += std::exp(x.floats[place] - line.max);
  return line;
}

LogicalResult softmax(graph::SoftmaxOp op, Call &call) {
  const Tensor &x = call.operand();
  forEachLine(x, op.getAxis(), [&](ArrayRef<int64_t> places) {
    Line line = measure(x, places);
    for (int64_t place : places)
      call.result().floats[place] =
          static_cast<double>(std::exp(x.floats[place] - line.max) / line.sum);
  });
  return success();
}

LogicalResult logSoftmax(graph::LogSoftmaxOp op, Call &call) {
  const Tensor &x = call.operand();
  forEachLine(x, op.getAxis(), [&](ArrayRef<int64_t> places) {
    Line line = measure(x, places);
    for (int64_t place : places)
      call.result().floats[place] =
          static_cast<double>(x.floats[place] - line.max - std::log(line.sum));
  });
  return success();
}

} // namespace

void addSoftmax(OpTable &table) {
  table.add<graph::SoftmaxOp>(softmax);
  table.add<graph::LogSoftmaxOp>(logSoftmax);
}

} // namespace graphc::interpreter
