// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Type inference and verifiers of normalisations.
#include "dialects/Graph/IR/GraphBuilders.h"
#include "dialects/Graph/IR/Sizes.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/ScopedPrinter.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace graphc::graph;

/// C2 and C3: `operand`, one of weight, bias and the running statistics.
static LogicalResult verifyParameter(Operation *op, StringRef name,
                                     Value operand, RankedTensorType input,
                                     ArrayRef<int64_t> shape) {
  if (!operand)
    return success();
  auto type = tensorTypeOf(operand);
  if (type.getShape() != shape)
    return op->emitOpError("expects a ")
           << name << " of shape [" << shape << "], but got " << type;
  Type element = input.getElementType();
  if (type.getElementType() != element &&
      type.getElementType() != getAccumulationType(element))
    return op->emitOpError("expects a ")
           << name << " of the input's element type or its accumulation type, "
           << "but got " << type << " for " << input;
  return success();
}

static LogicalResult verifyAffine(Operation *op, Value weight, Value bias,
                                  RankedTensorType input,
                                  ArrayRef<int64_t> shape) {
  if (bias && !weight)
    return op->emitOpError("expects a weight with its bias");
  if (failed(verifyParameter(op, "weight", weight, input, shape)))
    return failure();
  return verifyParameter(op, "bias", bias, input, shape);
}

static LogicalResult verifyEps(Operation *op, double eps) {
  // C4
  if (!(eps >= 0) || std::isinf(eps))
    return op->emitOpError("expects eps to be finite and 0 or more, but got ")
           << llvm::to_string(F64(eps));
  return success();
}

/// C1, then the shape of the last dimensions.
static FailureOr<ArrayRef<int64_t>>
normalizedShape(Operation *op, RankedTensorType input, int64_t rank) {
  if (rank < 1 || rank > input.getRank())
    return op->emitOpError("expects normalized_rank in [1, ")
           << input.getRank() << "] for " << input << ", but got " << rank;
  return input.getShape().take_back(rank);
}

LogicalResult LayerNormOp::verify() {
  auto input = tensorTypeOf(getInput());
  auto shape = normalizedShape(*this, input, getNormalizedRank());
  if (failed(shape) ||
      failed(verifyAffine(*this, getWeight(), getBias(), input, *shape)))
    return failure();
  return verifyEps(*this, getEps().convertToDouble());
}

LogicalResult RmsNormOp::verify() {
  auto input = tensorTypeOf(getInput());
  auto shape = normalizedShape(*this, input, getNormalizedRank());
  if (failed(shape) ||
      failed(verifyParameter(*this, "weight", getWeight(), input, *shape)))
    return failure();
  return verifyEps(*this, getEps().convertToDouble());
}

/// C1 of the norms over channels.
static LogicalResult verifyChannels(Operation *op, RankedTensorType input) {
  if (input.getRank() < 2)
    return op->emitOpError("expects an input of rank 2 or more, but got ")
           << input;
  return success();
}

LogicalResult GroupNormOp::verify() {
  auto input = tensorTypeOf(getInput());
  if (failed(verifyChannels(*this, input)))
    return failure();
  int64_t channels = input.getDimSize(1), groups = getGroups();
  if (groups < 1 || channels % groups != 0)
    return emitOpError("expects groups to divide the ")
           << channels << " channels of " << input << ", but got " << groups;
  // C5
  llvm::SmallVector<int64_t> grouped(input.getShape());
  grouped[1] /= groups;
  grouped.insert(grouped.begin() + 1, groups);
  if (failed(checkInnerShape(*this, "an input in groups", grouped)))
    return failure();
  if (failed(verifyAffine(*this, getWeight(), getBias(), input, channels)))
    return failure();
  return verifyEps(*this, getEps().convertToDouble());
}

LogicalResult BatchNormOp::verify() {
  auto input = tensorTypeOf(getInput());
  if (failed(verifyChannels(*this, input)))
    return failure();
  int64_t channels = input.getDimSize(1);
  if (failed(verifyParameter(*this, "running_mean", getRunningMean(), input,
                             channels)) ||
      failed(verifyParameter(*this, "running_var", getRunningVar(), input,
                             channels)) ||
      failed(verifyAffine(*this, getWeight(), getBias(), input, channels)) ||
      failed(verifyEps(*this, getEps().convertToDouble())))
    return failure();
  double momentum = getMomentum().convertToDouble();
  if (!(momentum >= 0 && momentum <= 1))
    return emitOpError("expects momentum in [0, 1], but got ")
           << llvm::to_string(F64(momentum));
  // C5
  if (getMode() == Mode::Train && getCount() < 2)
    return emitOpError("expects two or more values per channel in training, "
                       "but got ")
           << input;
  return success();
}

int64_t BatchNormOp::getCount() {
  auto type = tensorTypeOf(getInput());
  uint64_t count = 1;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (dim != 1)
      count = llvm::SaturatingMultiply(
          count, static_cast<uint64_t>(type.getDimSize(dim)));
  return static_cast<int64_t>(
      std::min<uint64_t>(count, std::numeric_limits<int64_t>::max()));
}

LogicalResult IsTrainingOp::inferReturnTypes(MLIRContext *context,
                                             std::optional<Location>,
                                             IsTrainingOp::Adaptor,
                                             SmallVectorImpl<Type> &inferred) {
  inferred.push_back(RankedTensorType::get({}, IntegerType::get(context, 1)));
  return success();
}
