// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Type inference and verifiers of softmax, losses, random draws and dropout.
#include "dialects/Graph/IR/GraphBuilders.h"

#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace graphc::graph;

static LogicalResult verifyAxis(Operation *op, int64_t axis) {
  auto input = tensorTypeOf(op->getOperand(0));
  // C1
  if (axis < 0 || axis >= input.getRank())
    return op->emitOpError("expects axis to be a dimension of ")
           << input << ", but got " << axis;
  return success();
}

LogicalResult SoftmaxOp::verify() { return verifyAxis(*this, getAxis()); }
LogicalResult LogSoftmaxOp::verify() { return verifyAxis(*this, getAxis()); }

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

LogicalResult
CrossEntropyOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                 CrossEntropyOp::Adaptor adaptor,
                                 SmallVectorImpl<Type> &inferred) {
  auto logits = tensorTypeOf(adaptor.getLogits());
  auto target = tensorTypeOf(adaptor.getTarget());
  // C1
  if (logits.getRank() == 0)
    return emitOptionalError(
        loc,
        "'graph.cross_entropy' op expects logits of rank 1 or more, but got ",
        logits);
  // C2
  if (target.getShape() != logits.getShape().drop_back())
    return emitOptionalError(
        loc, "'graph.cross_entropy' op expects a target of type ",
        target.clone(logits.getShape().drop_back()), " for logits of type ",
        logits, ", but got ", target);
  // C3
  double smoothing = adaptor.getLabelSmoothing().convertToDouble();
  if (!(smoothing >= 0 && smoothing <= 1))
    return emitOptionalError(
        loc,
        "'graph.cross_entropy' op expects label_smoothing in [0, 1], but got ",
        smoothing);
  // C5
  auto ignore = static_cast<int64_t>(adaptor.getIgnoreIndex());
  if (!llvm::isIntN(target.getElementTypeBitWidth(), ignore))
    return emitOptionalError(loc,
                             "'graph.cross_entropy' op expects ignore_index to "
                             "be a value of ",
                             target.getElementType(), ", but got ", ignore);
  // C4
  llvm::SmallVector<int64_t> shape;
  if (adaptor.getReduction() == Reduction::None)
    shape.append(target.getShape().begin(), target.getShape().end());
  inferred.push_back(logits.clone(shape));
  return success();
}

static LogicalResult inferPairLoss(std::optional<Location> loc, StringRef op,
                                   Value first, Value second,
                                   Reduction reduction,
                                   SmallVectorImpl<Type> &inferred) {
  auto input = tensorTypeOf(first);
  // C1
  if (second.getType() != input)
    return emitOptionalError(loc, "'", op, "' op expects a target of type ",
                             input, ", but got ", second.getType());
  // C2
  inferred.push_back(reduction == Reduction::None
                         ? input
                         : RankedTensorType::get({}, input.getElementType()));
  return success();
}

#define PAIR_LOSS_METHODS(Op)                                                  \
  LogicalResult Op::inferReturnTypes(                                          \
      MLIRContext *, std::optional<Location> loc, Op::Adaptor adaptor,         \
      SmallVectorImpl<Type> &inferred) {                                       \
    return inferPairLoss(loc, getOperationName(), adaptor.getInput(),          \
                         adaptor.getTarget(), adaptor.getReduction(),          \
                         inferred);                                            \
  }
PAIR_LOSS_METHODS(MseLossOp)
PAIR_LOSS_METHODS(BceOp)
PAIR_LOSS_METHODS(BceWithLogitsOp)
#undef PAIR_LOSS_METHODS

//===----------------------------------------------------------------------===//
// Random draws
//===----------------------------------------------------------------------===//

/// The largest op id: ids are one 32-bit word of a Philox counter.
static constexpr int64_t kMaxOpId = 0xffffffff;

LogicalResult RandomUniformOp::verify() {
  int64_t id = getOpId();
  // C2; -1 stands for an id that import has yet to give.
  if (id < -1 || id > kMaxOpId)
    return emitOpError("expects op_id in [0, 4294967295], but got ") << id;
  return success();
}

LogicalResult DropoutOp::verify() {
  double p = getP().convertToDouble();
  // C1
  if (!(p >= 0 && p <= 1))
    return emitOpError("expects p in [0, 1], but got ")
           << llvm::to_string(F64(p));
  // C2
  if (getKey() && !getOpId())
    return emitOpError("expects an op_id with its key");
  if (std::optional<uint64_t> id = getOpId(); id && *id > kMaxOpId)
    return emitOpError("expects op_id in [0, 4294967295], but got ")
           << static_cast<int64_t>(*id);
  return success();
}
