// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normalisations.

#include "lib/Interpreter/Ops.h"

#include <cmath>
#include <limits>
#include <map>

using namespace mlir;

namespace graphc::interpreter {

namespace {

/// A sum over elements of the op's input; infinite where it does not fit into
/// the type in which the op accumulates.
long double fit(long double sum, const Call &call) {
  auto type = cast<RankedTensorType>(call.op->getOperand(0).getType());
  bool isWide = call.options.mode == Mode::F64 || type.getElementType().isF64();
  long double most = isWide ? std::numeric_limits<double>::max()
                            : std::numeric_limits<float>::max();
  return std::fabs(sum) > most ? std::copysign(HUGE_VALL, sum) : sum;
}

/// Mean and biased variance of the elements at `places`.
struct Moments {
  long double mean = 0, variance = 0;

  Moments(const Tensor &x, ArrayRef<int64_t> places, const Call &call) {
    for (int64_t place : places)
      mean += x.floats[place];
    mean = fit(mean, call) / places.size();
    for (int64_t place : places)
      variance += (x.floats[place] - mean) * (x.floats[place] - mean);
    variance = fit(variance, call) / places.size();
  }
};

/// The places of the elements with each value of `key`, in order.
std::map<int64_t, std::vector<int64_t>>
groupBy(const Tensor &x,
        llvm::function_ref<int64_t(ArrayRef<int64_t> index)> key) {
  std::map<int64_t, std::vector<int64_t>> groups;
  forEachIndex(x.shape(), [&](ArrayRef<int64_t> index) {
    groups[key(index)].push_back(linearIndex(x.shape(), index));
  });
  return groups;
}

/// (x - mean) / sqrt(variance + eps), times element `parameter` of the operand
/// `weight` and plus that of `bias`; the operands are there if not null.
double normalized(double x, long double mean, long double variance, double eps,
                  const Tensor *weight, const Tensor *bias, int64_t parameter) {
  long double y = (x - mean) / std::sqrt(variance + eps);
  if (weight)
    y *= weight->floats[parameter];
  if (bias)
    y += bias->floats[parameter];
  return static_cast<double>(y);
}

/// Operand `index`, or null if the op has fewer.
const Tensor *operandOrNull(const Call &call, unsigned index) {
  return index < call.operands.size() ? call.operands[index] : nullptr;
}

int64_t lastElements(const Tensor &x, int64_t dims) {
  int64_t count = 1;
  for (int64_t dim : x.shape().take_back(dims))
    count *= dim;
  return count;
}

LogicalResult layerNorm(graph::LayerNormOp op, Call &call) {
  const Tensor &x = call.operand();
  int64_t size = lastElements(x, op.getNormalizedRank());
  double eps = op.getEps().convertToDouble();
  auto rows = groupBy(x, [&](ArrayRef<int64_t> index) {
    return linearIndex(x.shape(), index) / size;
  });
  for (auto &[row, places] : rows) {
    Moments moments(x, places, call);
    for (int64_t place : places)
      call.result().floats[place] = normalized(
          x.floats[place], moments.mean, moments.variance, eps,
          operandOrNull(call, 1), operandOrNull(call, 2), place % size);
  }
  return success();
}

LogicalResult rmsNorm(graph::RmsNormOp op, Call &call) {
  const Tensor &x = call.operand();
  int64_t size = lastElements(x, op.getNormalizedRank());
  double eps = op.getEps().convertToDouble();
  auto rows = groupBy(x, [&](ArrayRef<int64_t> index) {
    return linearIndex(x.shape(), index) / size;
  });
  for (auto &[row, places] : rows) {
    long double square = 0;
    for (int64_t place : places)
      square += static_cast<long double>(x.floats[place]) * x.floats[place];
    for (int64_t place : places)
      call.result().floats[place] =
          normalized(x.floats[place], 0, fit(square, call) / places.size(), eps,
                     operandOrNull(call, 1), nullptr, place % size);
  }
  return success();
}

LogicalResult groupNorm(graph::GroupNormOp op, Call &call) {
  const Tensor &x = call.operand();
  int64_t channels = x.shape()[1];
  int64_t groupCount = op.getGroups();
  int64_t channelsPerGroup = channels / groupCount;
  double eps = op.getEps().convertToDouble();
  auto groups = groupBy(x, [&](ArrayRef<int64_t> index) {
    return index[0] * groupCount + index[1] / channelsPerGroup;
  });
  int64_t channelSize = lastElements(x, x.rank() - 2);
  for (auto &[group, places] : groups) {
    Moments moments(x, places, call);
    for (int64_t place : places)
      call.result().floats[place] =
          normalized(x.floats[place], moments.mean, moments.variance, eps,
                     operandOrNull(call, 1), operandOrNull(call, 2),
                     place / channelSize % channels);
  }
  return success();
}

LogicalResult batchNorm(graph::BatchNormOp op, Call &call) {
  const Tensor &x = call.operand(0), &runningMean = call.operand(1),
               &runningVar = call.operand(2);
  double eps = op.getEps().convertToDouble();
  double momentum = op.getMomentum().convertToDouble();
  // A mode left open is that of a public function.
  bool isTraining = op.getMode() == graph::Mode::Train;
  call.result(1).floats = runningMean.floats;
  call.result(2).floats = runningVar.floats;
  auto perChannel =
      groupBy(x, [](ArrayRef<int64_t> index) { return index[1]; });
  for (auto &[channel, places] : perChannel) {
    long double mean = runningMean.floats[channel];
    long double variance = runningVar.floats[channel];
    if (isTraining) {
      Moments moments(x, places, call);
      auto count = static_cast<long double>(places.size());
      long double unbiased = moments.variance * count / (count - 1);
      call.result(1).floats[channel] =
          static_cast<double>((1 - momentum) * mean + momentum * moments.mean);
      call.result(2).floats[channel] =
          static_cast<double>((1 - momentum) * variance + momentum * unbiased);
      mean = moments.mean;
      variance = moments.variance;
    }
    for (int64_t place : places)
      call.result().floats[place] =
          normalized(x.floats[place], mean, variance, eps,
                     operandOrNull(call, 3), operandOrNull(call, 4), channel);
  }
  return success();
}

LogicalResult isTraining(graph::IsTrainingOp op, Call &call) {
  call.result().ints[0] = op.getMode() == graph::Mode::Train;
  return success();
}

} // namespace

void addNormalizations(OpTable &table) {
  table.add<graph::LayerNormOp>(layerNorm);
  table.add<graph::RmsNormOp>(rmsNorm);
  table.add<graph::GroupNormOp>(groupNorm);
  table.add<graph::BatchNormOp>(batchNorm);
  table.add<graph::IsTrainingOp>(isTraining);
}

} // namespace graphc::interpreter
