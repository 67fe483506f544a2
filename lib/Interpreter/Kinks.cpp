// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Interpreter/Kinks.h"

#include "llvm/ADT/DenseMap.h"

#include <algorithm>
#include <cmath>

using namespace mlir;

namespace graphc::interpreter {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Distance of two numbers; none if they are equal or one is not finite.
double gap(double a, double b) {
  double difference = std::fabs(a - b);
  return difference > 0 && std::isfinite(difference) ? difference : kInfinity;
}

double nearestTo(const Tensor &x, double point) {
  double distance = kInfinity;
  for (double value : x.floats)
    distance = std::min(distance, gap(value, point));
  return distance;
}

double nearestPair(const Tensor &a, const Tensor &b) {
  double distance = kInfinity;
  for (size_t i = 0; i < a.floats.size(); ++i)
    distance = std::min(distance, gap(a.floats[i], b.floats[i]));
  return distance;
}

/// Distance to the nearest of offset, offset +- 1, offset +- 2, ...
double nearestToGrid(const Tensor &x, double offset) {
  double distance = kInfinity;
  for (double value : x.floats)
    distance =
        std::min(distance, gap(value - offset, std::nearbyint(value - offset)));
  return distance;
}

/// Smallest gap between an extremum along `axes` and another element.
double nearestRival(const Tensor &x, ArrayRef<int64_t> axes, double sign) {
  llvm::DenseMap<int64_t, llvm::SmallVector<double>> groups;
  llvm::SmallVector<int64_t> kept(x.shape());
  for (int64_t axis : axes)
    kept[axis] = 1;
  forEachIndex(x.shape(), [&](ArrayRef<int64_t> index) {
    llvm::SmallVector<int64_t> group(index);
    for (int64_t axis : axes)
      group[axis] = 0;
    groups[linearIndex(kept, group)].push_back(
        sign * x.floats[linearIndex(x.shape(), index)]);
  });
  double distance = kInfinity;
  for (auto &[place, values] : groups) {
    double best = *std::max_element(values.begin(), values.end());
    for (double value : values)
      distance = std::min(distance, gap(value, best));
  }
  return distance;
}

/// Smallest gap between two elements along `axis`.
double nearestNeighbours(const Tensor &x, int64_t axis) {
  double distance = kInfinity;
  llvm::SmallVector<int64_t> first(x.shape());
  first[axis] = std::min<int64_t>(first[axis], 1);
  forEachIndex(first, [&](ArrayRef<int64_t> start) {
    llvm::SmallVector<int64_t> index(start);
    std::vector<double> values;
    for (index[axis] = 0; index[axis] < x.shape()[axis]; ++index[axis])
      values.push_back(x.floats[linearIndex(x.shape(), index)]);
    std::sort(values.begin(), values.end(), [](double a, double b) {
      return a < b || (std::isnan(b) && !std::isnan(a));
    });
    for (size_t i = 1; i < values.size(); ++i)
      distance = std::min(distance, gap(values[i - 1], values[i]));
  });
  return distance;
}

} // namespace

double kinkDistance(Operation *op, ArrayRef<const Tensor *> operands) {
  if (operands.empty() || !operands[0]->isFloat())
    return kInfinity;
  const Tensor &x = *operands[0];
  if (isa<graph::ReluOp, graph::AbsOp, graph::SignOp>(op))
    return nearestTo(x, 0);
  if (isa<graph::MaximumOp, graph::MinimumOp, graph::CompareOp>(op))
    return nearestPair(x, *operands[1]);
  if (auto clamp = dyn_cast<graph::ClampOp>(op))
    return std::min(nearestTo(x, clamp.getLow().convertToDouble()),
                    nearestTo(x, clamp.getHigh().convertToDouble()));
  if (isa<graph::FloorOp, graph::CeilOp>(op))
    return nearestToGrid(x, 0);
  if (isa<graph::RoundOp>(op))
    return nearestToGrid(x, 0.5);
  if (isa<graph::CastOp>(op) &&
      !isa<FloatType>(
          cast<RankedTensorType>(op->getResult(0).getType()).getElementType()))
    return nearestToGrid(x, 0);
  if (isa<graph::RemOp>(op)) {
    Tensor quotient(x.type);
    for (size_t i = 0; i < x.floats.size(); ++i)
      quotient.floats[i] = x.floats[i] / operands[1]->floats[i];
    return nearestToGrid(quotient, 0);
  }
  if (auto max = dyn_cast<graph::ReduceMaxOp>(op))
    return nearestRival(x, max.getAxes(), 1);
  if (auto min = dyn_cast<graph::ReduceMinOp>(op))
    return nearestRival(x, min.getAxes(), -1);
  if (auto sort = dyn_cast<graph::SortOp>(op))
    return nearestNeighbours(x, sort.getAxis());
  if (auto top = dyn_cast<graph::TopKOp>(op))
    return nearestNeighbours(x, top.getAxis());
  if (auto max = dyn_cast<graph::ArgmaxOp>(op))
    return nearestRival(x, static_cast<int64_t>(max.getAxis()), 1);
  if (auto min = dyn_cast<graph::ArgminOp>(op))
    return nearestRival(x, static_cast<int64_t>(min.getAxis()), -1);
  return kInfinity;
}

Observer KinkMeter::observer() {
  return [this](Operation *op, ArrayRef<const Tensor *> operands,
                ArrayRef<Tensor>) {
    double here = kinkDistance(op, operands);
    if (here < distance) {
      distance = here;
      nearest = op;
    }
  };
}

FailureOr<KinkMeter>
nearestKink(ModuleOp module, StringRef function, ArrayRef<Tensor> inputs,
            Options options,
            llvm::function_ref<LogicalResult(Interpreter &)> prepare) {
  KinkMeter meter;
  options.observer = meter.observer();
  Interpreter interpreter(module, std::move(options));
  if ((prepare && failed(prepare(interpreter))) ||
      failed(interpreter.run(function, inputs)))
    return failure();
  return meter;
}

LogicalResult emitTooNear(const KinkMeter &kink, StringRef function,
                          double clearance, int draws) {
  return kink.nearest->emitError("'")
         << function << "' was nearer than " << clearance
         << " to a kink at each of " << draws << " random points, to that of "
         << kink.nearest->getName() << " at the last";
}

} // namespace graphc::interpreter
