// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Losses.

#include "lib/Interpreter/Deadline.h"
#include "lib/Interpreter/Ops.h"

#include <cmath>

using namespace mlir;

namespace graphc::interpreter {

namespace {

/// Writes the losses, or their sum, or their sum over `count`, to the result.
void reduceLosses(Call &call, graph::Reduction reduction,
                  ArrayRef<double> losses, int64_t count) {
  if (reduction == graph::Reduction::None) {
    call.result().floats.assign(losses.begin(), losses.end());
    return;
  }
  long double sum = 0;
  for (double loss : losses)
    sum += loss;
  if (reduction == graph::Reduction::Mean)
    sum /= count; // 0 / 0 is NaN
  call.result().floats[0] = static_cast<double>(sum);
}

LogicalResult crossEntropy(graph::CrossEntropyOp op, Call &call) {
  const Tensor &logits = call.operand(0), &target = call.operand(1);
  int64_t classes = logits.shape().back();
  double smoothing = op.getLabelSmoothing().convertToDouble();
  std::vector<double> losses(target.size(), 0.0);
  int64_t count = 0;
  for (int64_t position : upTo(target.size())) {
    int64_t t = target.ints[position];
    if (t == static_cast<int64_t>(op.getIgnoreIndex()))
      continue;
    if (t < 0 || t >= classes)
      return call.error() << "expects target " << position
                          << " to be a class in [0, " << classes
                          << ") or ignore_index, but got " << t;
    ++count;
    ArrayRef<double> x(logits.floats.data() + position * classes, classes);
    double max = -INFINITY;
    long double exps = 0, total = 0;
    for (double value : x)
      max = maximum(max, value);
    for (double value : x) {
      exps += std::exp(value - max);
      total += value;
    }
    long double loss = max + std::log(exps);
    // A term of weight 0 is left out: without smoothing a logit of -inf, a
    // class ruled out, does not matter.
    if (smoothing < 1)
      loss -= (1 - smoothing) * x[t];
    if (smoothing > 0)
      loss -= smoothing * (total / classes);
    losses[position] = static_cast<double>(loss);
  }
  reduceLosses(call, op.getReduction(), losses, count);
  return success();
}

template <typename Op>
LogicalResult pairLoss(Op op, Call &call, double (*loss)(double x, double t)) {
  const Tensor &x = call.operand(0), &target = call.operand(1);
  std::vector<double> losses;
  for (int64_t i : upTo(x.size()))
    losses.push_back(loss(x.floats[i], target.floats[i]));
  reduceLosses(call, op.getReduction(), losses, x.size());
  return success();
}

LogicalResult mse(graph::MseLossOp op, Call &call) {
  return pairLoss(op, call,
                  [](double x, double t) { return (x - t) * (x - t); });
}

LogicalResult bce(graph::BceOp op, Call &call) {
  return pairLoss(op, call, [](double p, double t) {
    return -(t * maximum(std::log(p), -100) +
             (1 - t) * maximum(std::log1p(-p), -100));
  });
}

LogicalResult bceWithLogits(graph::BceWithLogitsOp op, Call &call) {
  return pairLoss(op, call, [](double x, double t) {
    return maximum(x, 0) - x * t + std::log1p(std::exp(-std::fabs(x)));
  });
}

} // namespace

void addLosses(OpTable &table) {
  table.add<graph::CrossEntropyOp>(crossEntropy);
  table.add<graph::MseLossOp>(mse);
  table.add<graph::BceOp>(bce);
  table.add<graph::BceWithLogitsOp>(bceWithLogits);
}

} // namespace graphc::interpreter
