// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Type inference and verifiers of convolutions and pooling.
#include "dialects/Graph/IR/ProductTypes.h"
#include "dialects/Graph/IR/Sizes.h"
#include "dialects/Graph/IR/Windows.h"

using namespace mlir;
using namespace graphc::graph;

namespace {

using Shape = SmallVector<int64_t>;

/// What the convolutions have in common to check.
struct ConvCheck {
  std::optional<Location> loc;
  StringRef op;

  template <typename... Args> LogicalResult error(Args &&...args) const {
    return emitOptionalError(loc, "'", op, "' op ",
                             std::forward<Args>(args)...);
  }

  LogicalResult checkTypes(RankedTensorType input, RankedTensorType weight,
                           StringRef other) const {
    // C3
    if (input.getRank() < 3 || weight.getRank() != input.getRank())
      return error("expects an input and a ", other,
                   " of one rank, 3 or more, but got ", input, " and ", weight);
    // C6
    if (input.getElementType() != weight.getElementType())
      return error("expects one element type, but got ", input, " and ",
                   weight);
    return success();
  }

  LogicalResult checkGroups(int64_t groups, int64_t channels,
                            StringRef what) const {
    // C2
    if (groups < 1 || channels % groups != 0)
      return error("expects groups of at least 1 that divide the ", channels,
                   " ", what, " channels, but got ", groups);
    return success();
  }

  LogicalResult checkBias(Value bias, Type inputElement,
                          int64_t channels) const {
    if (!bias)
      return success();
    auto type = tensorTypeOf(bias);
    // C5
    if (type.getShape() != ArrayRef<int64_t>(channels))
      return error("expects a bias of shape [", channels, "], but got ", type);
    // C6
    if (!isProductResult(inputElement, type.getElementType()))
      return error("expects a bias of the input's element type or a wider "
                   "one, but got ",
                   type);
    return success();
  }

  /// The shape of a convolution's result.
  FailureOr<Shape> inferConv(RankedTensorType input, ArrayRef<int64_t> weight,
                             Windows windows, int64_t groups) const {
    windows.kernel = weight.drop_front(2);
    // C1
    if (failed(windows.check(loc, op, input.getRank() - 2)))
      return failure();
    if (failed(checkGroups(groups, input.getDimSize(1), "input")) ||
        failed(checkGroups(groups, weight[0], "output")))
      return failure();
    // C3
    if (weight[1] != input.getDimSize(1) / groups)
      return error("expects a weight of ", input.getDimSize(1) / groups,
                   " input channels (", input.getDimSize(1), " in ", groups,
                   " groups), but got ", weight[1]);
    // C4
    auto counts = windows.positions(loc, op, input.getShape().drop_front(2));
    if (failed(counts))
      return failure();
    Shape shape = {input.getDimSize(0), weight[0]};
    llvm::append_range(shape, *counts);
    return shape;
  }
};

} // namespace

/// The last constraint of each op here: the input of `op`, padded to `padded`,
/// and its windows at `positions`.
static LogicalResult verifyInside(Operation *op, ArrayRef<int64_t> padded,
                                  ArrayRef<int64_t> positions,
                                  ArrayRef<int64_t> kernel) {
  if (failed(checkInnerShape(op, "a padded input", padded)))
    return failure();
  return checkInnerShape(op, "windows",
                         unfoldedShape(padded, positions, kernel));
}

/// The same where padding is `low` and `high`, which inference has added up.
static LogicalResult verifyInside(Operation *op, RankedTensorType input,
                                  ArrayRef<int64_t> low, ArrayRef<int64_t> high,
                                  ArrayRef<int64_t> positions,
                                  ArrayRef<int64_t> kernel) {
  Shape padded(input.getShape());
  for (size_t k = 0; k < low.size(); ++k)
    padded[padded.size() - low.size() + k] += low[k] + high[k];
  return verifyInside(op, padded, positions, kernel);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

LogicalResult ConvOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> loc,
                                       ConvOp::Adaptor adaptor,
                                       SmallVectorImpl<Type> &inferred) {
  ConvCheck check{loc, getOperationName()};
  auto input = tensorTypeOf(adaptor.getInput()),
       weight = tensorTypeOf(adaptor.getWeight());
  if (failed(check.checkTypes(input, weight, "weight")))
    return failure();
  auto shape = check.inferConv(input, weight.getShape(),
                               {{},
                                adaptor.getStrides(),
                                adaptor.getDilation(),
                                adaptor.getLow(),
                                adaptor.getHigh()},
                               static_cast<int64_t>(adaptor.getGroups()));
  if (failed(shape) ||
      failed(check.checkBias(adaptor.getBias(), input.getElementType(),
                             weight.getDimSize(0))))
    return failure();
  inferred.push_back(input.clone(*shape));
  return success();
}

LogicalResult ConvOp::verify() {
  // C7
  return verifyInside(*this, tensorTypeOf(getInput()), getLow(), getHigh(),
                      tensorTypeOf(getResult()).getShape().drop_front(2),
                      tensorTypeOf(getWeight()).getShape().drop_front(2));
}

bool ConvOp::isCompatibleReturnTypes(TypeRange inferred, TypeRange declared) {
  return isCompatibleProduct(inferred, declared);
}

LogicalResult
ConvTransposeOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                  ConvTransposeOp::Adaptor adaptor,
                                  SmallVectorImpl<Type> &inferred) {
  ConvCheck check{loc, getOperationName()};
  auto input = tensorTypeOf(adaptor.getInput()),
       weight = tensorTypeOf(adaptor.getWeight());
  auto groups = static_cast<int64_t>(adaptor.getGroups());
  if (failed(check.checkTypes(input, weight, "weight")))
    return failure();
  size_t rank = input.getRank() - 2;
  Windows windows{weight.getShape().drop_front(2), adaptor.getStrides(),
                  adaptor.getDilation(), adaptor.getLow(), adaptor.getHigh()};
  // C1
  if (failed(windows.check(loc, check.op, rank)) ||
      failed(check.checkGroups(groups, input.getDimSize(1), "input")))
    return failure();
  // C3
  if (weight.getDimSize(0) != input.getDimSize(1))
    return check.error("expects a weight of ", input.getDimSize(1),
                       " input channels, but got ", weight.getDimSize(0));
  ArrayRef<int64_t> outputPadding = adaptor.getOutputPadding();
  // C4
  if (outputPadding.size() != rank)
    return check.error("expects ", rank,
                       " entries of output_padding, one for each dimension "
                       "that slides, but got ",
                       outputPadding.size());
  int64_t channels = 0;
  if (llvm::MulOverflow(weight.getDimSize(1), groups, channels))
    return check.error("result size overflows");
  Shape shape = {input.getDimSize(0), channels};
  for (size_t k = 0; k < rank; ++k) {
    int64_t size = input.getDimSize(k + 2), extra = outputPadding[k];
    // C3
    if (size == 0)
      return check.error("expects no spatial size of 0, but got ", input);
    // C4
    int64_t below = std::max(windows.strides[k], windows.dilation[k]);
    if (extra < 0 || extra >= below)
      return check.error("expects output_padding in [0, ", below,
                         "), less than the stride or the dilation, but got ",
                         extra);
    int64_t reach = 0, total = 0;
    if (llvm::MulOverflow(size - 1, windows.strides[k], total) ||
        llvm::MulOverflow(windows.kernel[k] - 1, windows.dilation[k], reach) ||
        llvm::AddOverflow(total, reach, total) ||
        llvm::AddOverflow(total, extra + 1, total) ||
        llvm::SubOverflow(total, windows.low[k], total) ||
        llvm::SubOverflow(total, windows.high[k], total))
      return check.error("result size overflows");
    if (total < 0)
      return check.error("expects low and high to leave a size, but got ",
                         total, " elements of dimension ", k,
                         " of those that slide");
    shape.push_back(total);
  }
  if (failed(
          check.checkBias(adaptor.getBias(), input.getElementType(), channels)))
    return failure();
  inferred.push_back(input.clone(shape));
  return success();
}

LogicalResult ConvTransposeOp::verify() {
  // C7
  auto kernel = tensorTypeOf(getWeight()).getShape().drop_front(2);
  Shape padded(tensorTypeOf(getInput()).getShape());
  for (size_t k = 0; k < kernel.size(); ++k) {
    // Inference has found that this much does not overflow.
    int64_t reach = (kernel[k] - 1) * getDilation()[k];
    int64_t spread = (padded[k + 2] - 1) * getStrides()[k] + 1;
    int64_t low = std::max<int64_t>(reach - getLow()[k], 0);
    int64_t high =
        std::max<int64_t>(reach - getHigh()[k] + getOutputPadding()[k], 0);
    if (llvm::AddOverflow(spread, low, padded[k + 2]) ||
        llvm::AddOverflow(padded[k + 2], high, padded[k + 2]))
      padded[k + 2] = std::numeric_limits<int64_t>::max();
  }
  return verifyInside(*this, padded,
                      tensorTypeOf(getResult()).getShape().drop_front(2),
                      kernel);
}

bool ConvTransposeOp::isCompatibleReturnTypes(TypeRange inferred,
                                              TypeRange declared) {
  return isCompatibleProduct(inferred, declared);
}

LogicalResult ConvWeightGradOp::verify() {
  ConvCheck check{getLoc(), getOperationName()};
  auto input = tensorTypeOf(getInput()), grad = tensorTypeOf(getGrad()),
       result = tensorTypeOf(getResult());
  // C4
  if (failed(check.checkTypes(input, grad, "gradient")) ||
      failed(check.checkTypes(input, result, "result")))
    return failure();
  auto shape =
      check.inferConv(input, result.getShape(),
                      {{}, getStrides(), getDilation(), getLow(), getHigh()},
                      static_cast<int64_t>(getGroups()));
  if (failed(shape))
    return failure();
  // C3
  if (grad.getShape() != ArrayRef<int64_t>(*shape))
    return check.error("expects a gradient of type ", grad.clone(*shape),
                       " for an input of type ", input, ", but got ", grad);
  // C5
  return verifyInside(*this, input, getLow(), getHigh(),
                      grad.getShape().drop_front(2),
                      result.getShape().drop_front(2));
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

template <typename Adaptor>
static LogicalResult inferPool(std::optional<Location> loc, StringRef op,
                               Adaptor adaptor,
                               SmallVectorImpl<Type> &inferred) {
  auto input = tensorTypeOf(adaptor.getInput());
  Windows windows{adaptor.getKernel(), adaptor.getStrides(),
                  adaptor.getDilation(), adaptor.getLow(), adaptor.getHigh()};
  int64_t slides = windows.kernel.size();
  // C1
  if (slides > input.getRank())
    return emitOptionalError(
        loc, "'", op, "' op expects at most ", input.getRank(),
        " dimensions that slide, as many as ", input, " has, but got ", slides);
  if (failed(windows.check(loc, op, slides)))
    return failure();
  // C2
  auto counts = windows.positions(loc, op, input.getShape().take_back(slides));
  if (failed(counts))
    return failure();
  for (int64_t k = 0; k < slides; ++k) {
    int64_t half = (windows.dilation[k] * (windows.kernel[k] - 1) + 1) / 2;
    // C3
    if (windows.low[k] > half || windows.high[k] > half)
      return emitOptionalError(loc, "'", op, "' op expects padding of at most ",
                               half, ", half of the window, but got low ",
                               windows.low[k], ", high ", windows.high[k]);
  }
  Shape shape(input.getShape().drop_back(slides));
  llvm::append_range(shape, *counts);
  inferred.push_back(input.clone(shape));
  return success();
}

LogicalResult MaxPoolOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> loc,
                                          MaxPoolOp::Adaptor adaptor,
                                          SmallVectorImpl<Type> &inferred) {
  return inferPool(loc, getOperationName(), adaptor, inferred);
}

LogicalResult AvgPoolOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> loc,
                                          AvgPoolOp::Adaptor adaptor,
                                          SmallVectorImpl<Type> &inferred) {
  return inferPool(loc, getOperationName(), adaptor, inferred);
}

template <typename Pool> static LogicalResult verifyPool(Pool pool) {
  // C4
  ArrayRef<int64_t> kernel = pool.getKernel();
  return verifyInside(
      pool, tensorTypeOf(pool.getInput()), pool.getLow(), pool.getHigh(),
      tensorTypeOf(pool.getResult()).getShape().take_back(kernel.size()),
      kernel);
}

LogicalResult MaxPoolOp::verify() { return verifyPool(*this); }
LogicalResult AvgPoolOp::verify() { return verifyPool(*this); }
