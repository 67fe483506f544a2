// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Interpreter/Deadline.h"
#include "lib/Interpreter/Ops.h"

using namespace mlir;

namespace graphc::interpreter {

OpTable::OpTable() {
  addElementwise(*this);
  addMath(*this);
  addCompare(*this);
  addActivations(*this);
  addAttention(*this);
  addShape(*this);
  addReductions(*this);
  addProducts(*this);
  addSoftmax(*this);
  addLosses(*this);
  addRandom(*this);
  addIndexing(*this);
  addConvolutions(*this);
  addNormalizations(*this);
}

const OpTable &OpTable::get() {
  static const OpTable table;
  return table;
}

LogicalResult checkDeadline(Operation *op, const Options &options) {
  if (Deadline::isPastNow())
    return op->emitOpError("is past the limit of ")
           << options.maxSeconds << " seconds";
  return success();
}

LogicalResult evaluate(Operation *op, ArrayRef<const Tensor *> operands,
                       SmallVectorImpl<Tensor> &results,
                       const Options &options) {
  const Handler *handler = OpTable::get().find(op->getName().getStringRef());
  if (!handler) {
    if (isa<graph::ValueAndGradOp>(op))
      return op->emitOpError("must be expanded first: run --autodiff");
    return op->emitOpError("is not an op that the interpreter knows");
  }
  results.clear();
  for (Type type : op->getResultTypes())
    results.emplace_back(cast<RankedTensorType>(type));
  Call call{op, operands, results, options};
  if (failed((*handler)(call)))
    return failure();
  for (auto [result, type] : llvm::zip_equal(results, op->getResultTypes())) {
    result.type = cast<RankedTensorType>(type);
    if (options.mode == Mode::Declared)
      result.roundToType();
  }
  // Loops that saw the deadline pass have left the results incomplete.
  return checkDeadline(op, options);
}

LogicalResult evaluateOp(Operation *op, ArrayRef<const Tensor *> operands,
                         Tensor &result, const Options &options) {
  llvm::SmallVector<Tensor, 1> results;
  if (failed(evaluate(op, operands, results, options)))
    return failure();
  result = std::move(results.front());
  return success();
}

} // namespace graphc::interpreter
