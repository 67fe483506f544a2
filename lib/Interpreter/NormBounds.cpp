// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Interpreter/NormBounds.h"

#include <cmath>

using namespace mlir;

namespace graphc::interpreter {

namespace {

using Operands = ArrayRef<const Tensor *>;

/// Which elements a normalisation takes together, and which elements of weight
/// and bias an element meets.
struct Layout {
  int64_t groupCount = 0;
  std::function<int64_t(int64_t place)> group, parameter;
  double eps = 0;
  bool isCentred = true;
  const Tensor *weight = nullptr, *bias = nullptr;
};

std::optional<Layout> layoutOf(Operation *op, Operands operands) {
  const Tensor &x = *operands[0];
  auto product = [](ArrayRef<int64_t> dims) {
    int64_t count = 1;
    for (int64_t dim : dims)
      count *= dim;
    return count;
  };
  Layout layout;
  auto affine = [&](unsigned first) {
    if (first < operands.size())
      layout.weight = operands[first];
    if (first + 1 < operands.size())
      layout.bias = operands[first + 1];
  };
  auto overLast = [&](int64_t rank) {
    int64_t size = product(x.shape().take_back(rank));
    layout.groupCount = product(x.shape().drop_back(rank));
    layout.group = [=](int64_t place) { return place / size; };
    layout.parameter = [=](int64_t place) { return place % size; };
    affine(1);
  };
  int64_t channels = x.rank() > 1 ? x.shape()[1] : 0;
  int64_t size = x.rank() > 1 ? product(x.shape().drop_front(2)) : 0;
  auto channelOf = [=](int64_t place) { return place / size % channels; };
  if (auto norm = dyn_cast<graph::LayerNormOp>(op)) {
    overLast(norm.getNormalizedRank());
    layout.eps = norm.getEps().convertToDouble();
  } else if (auto norm = dyn_cast<graph::RmsNormOp>(op)) {
    overLast(norm.getNormalizedRank());
    layout.eps = norm.getEps().convertToDouble();
    layout.isCentred = false;
  } else if (auto norm = dyn_cast<graph::GroupNormOp>(op)) {
    auto groups = static_cast<int64_t>(norm.getGroups());
    layout.groupCount = x.shape()[0] * groups;
    layout.group = [=](int64_t place) {
      return place / (size * (channels / groups));
    };
    layout.parameter = channelOf;
    layout.eps = norm.getEps().convertToDouble();
    affine(1);
  } else if (auto norm = dyn_cast<graph::BatchNormOp>(op)) {
    layout.groupCount = channels;
    layout.group = layout.parameter = channelOf;
    layout.eps = norm.getEps().convertToDouble();
    affine(3);
  } else {
    return std::nullopt;
  }
  return layout;
}

/// Mean, biased variance and mean magnitude of a group, and the bounds of the
/// errors of mean and variance.
struct Group {
  double count = 0, mean = 0, variance = 0, magnitude = 0;
  double meanError = 0, varianceError = 0;
};

std::vector<Group> measure(const Layout &layout, const Tensor &x, double eps) {
  std::vector<Group> groups(layout.groupCount);
  for (int64_t i = 0; i < x.size(); ++i) {
    Group &group = groups[layout.group(i)];
    ++group.count;
    group.mean += x.floats[i];
    group.magnitude += std::fabs(x.floats[i]);
  }
  for (Group &group : groups) {
    group.mean = layout.isCentred ? group.mean / group.count : 0;
    group.magnitude = layout.isCentred ? group.magnitude / group.count : 0;
  }
  for (int64_t i = 0; i < x.size(); ++i) {
    Group &group = groups[layout.group(i)];
    double centred = x.floats[i] - group.mean;
    group.variance += centred * centred / group.count;
  }
  for (Group &group : groups) {
    double factor = (group.count / 64 + 8) * eps;
    group.meanError = factor * group.magnitude;
    group.varianceError = factor * group.variance +
                          2 * std::sqrt(group.variance) * group.meanError +
                          group.meanError * group.meanError;
  }
  return groups;
}

/// The bounds of (1 - momentum) * running + momentum * batch.
std::vector<double> movingBounds(graph::BatchNormOp op, Operands operands,
                                 unsigned result, ArrayRef<Group> groups,
                                 double eps) {
  std::vector<double> bounds(groups.size(), 0.0);
  if (op.getMode() != graph::Mode::Train)
    return bounds;
  double momentum = op.getMomentum().convertToDouble();
  for (auto [i, group] : llvm::enumerate(groups)) {
    double scale = result == 1 ? 1 : group.count / (group.count - 1);
    double batch = result == 1 ? std::fabs(group.mean) : group.variance * scale;
    double error = result == 1 ? group.meanError : group.varianceError * scale;
    bounds[i] = momentum * (error + 4 * eps * batch) +
                4 * eps * std::fabs(operands[result]->floats[i]);
  }
  return bounds;
}

} // namespace

std::optional<std::vector<double>> normBounds(Operation *op, Operands operands,
                                              unsigned result, double eps) {
  if (operands.empty())
    return std::nullopt;
  std::optional<Layout> layout = layoutOf(op, operands);
  if (!layout)
    return std::nullopt;
  const Tensor &x = *operands[0];
  std::vector<Group> groups = measure(*layout, x, eps);
  if (auto norm = dyn_cast<graph::BatchNormOp>(op)) {
    if (result > 0)
      return movingBounds(norm, operands, result, groups, eps);
    if (norm.getMode() != graph::Mode::Train)
      for (auto [channel, group] : llvm::enumerate(groups)) {
        group.mean = operands[1]->floats[channel];
        group.variance = operands[2]->floats[channel];
        group.meanError = group.varianceError = 0;
      }
  }

  std::vector<double> bounds(x.size());
  for (int64_t i = 0; i < x.size(); ++i) {
    const Group &group = groups[layout->group(i)];
    double total = group.variance + layout->eps;
    double centred = std::fabs(x.floats[i] - group.mean);
    double centredError = group.meanError + eps * centred;
    double relative = group.varianceError / total;
    double y = centred / std::sqrt(total);
    // Where the variance is lost in the error of the mean, only eps holds the
    // divisor up.
    double error =
        relative > 0.5
            ? y + (centred + centredError) / std::sqrt(layout->eps)
            : centredError / std::sqrt(total) * 2 + y * (relative + 4 * eps);
    if (layout->weight) {
      double weight = std::fabs(layout->weight->floats[layout->parameter(i)]);
      error *= weight;
      y *= weight;
    }
    if (layout->bias)
      y += std::fabs(layout->bias->floats[layout->parameter(i)]);
    bounds[i] = error + 2 * eps * y;
  }
  return bounds;
}

} // namespace graphc::interpreter
