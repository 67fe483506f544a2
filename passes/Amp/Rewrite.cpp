// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Amp/Rewrite.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace graphc::amp {

static FloatType floatOf(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor ? dyn_cast<FloatType>(tensor.getElementType()) : FloatType();
}

void Rewriter::run(ModuleOp module) {
  module.walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      declared[&operand] = floatOf(operand.get());
  });
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      rewriteBlock(function.getBody().front());
}

void Rewriter::rewriteBlock(Block &block) {
  llvm::SmallVector<Operation *> ops;
  for (Operation &op : block)
    ops.push_back(&op);
  casts.startSection();
  for (Operation *op : ops) {
    for (Region &region : op->getRegions())
      for (Block &inner : region)
        rewriteBlock(inner);
    if (graph::getPrecisionClass(op) == graph::PrecisionClass::Low ||
        op->getNumRegions() != 0)
      casts.startSection();
    rewrite(op);
  }
}

/// Reads what its operand has become. One that has nothing left to do goes.
void Rewriter::rewriteCast(graph::CastOp op) {
  FloatType to = floatOf(op.getResult());
  if (to != decisions.getLow() && op.getInput().getType() != op.getType())
    return;
  // The one copy in the low type may be there already.
  Value same = to ? casts.get(op.getInput(), to, op) : op.getInput();
  if (same.getDefiningOp() == op)
    return;
  op.replaceAllUsesWith(same);
  regions.forget(op);
  op.erase();
}

void Rewriter::setOperands(Operation *op, const Decision *decision) {
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    FloatType type = floatOf(value);
    if (!type || type.isF64())
      continue;
    FloatType want = declared.lookup(&operand);
    if (decision && isData(op, operand.getOperandNumber()))
      want = decision->isLow ? decisions.getLow()
                             : FloatType::getF32(op->getContext());
    else if (decision && decision->isLow && !isa<graph::BatchNormOp>(op))
      continue; // A bias or a mask may have either type.
    operand.set(casts.get(value, want, op));
  }
}

/// Rounds `result`, which was computed in f32, for all its readers.
void Rewriter::roundTo(Value result, FloatType type) {
  Operation *op = result.getDefiningOp();
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  auto rounded = builder.create<graph::CastOp>(
      op->getLoc(), graph::tensorTypeOf(result).clone(type), result);
  if (std::optional<int> group = regions.groupOf(op))
    regions.join(rounded, *group);
  result.replaceAllUsesExcept(rounded, rounded);
}

void Rewriter::setResults(Operation *op, const Decision &decision) {
  for (auto [k, result] : llvm::enumerate(op->getResults())) {
    FloatType type = floatOf(result);
    if (!type || !isDataResult(op, k))
      continue;
    FloatType computed = decision.isLow && !decision.givesWide
                             ? decisions.getLow()
                             : FloatType::getF32(op->getContext());
    if (type != computed)
      result.setType(graph::tensorTypeOf(result).clone(computed));
    if (type.getWidth() < 32 && computed.isF32())
      roundTo(result, type); // as it was declared
    else if (decision.isRounded)
      roundTo(result, decisions.getLow());
  }
}

void Rewriter::rewrite(Operation *op) {
  if (auto cast = dyn_cast<graph::CastOp>(op))
    return rewriteCast(cast);
  const Decision *decision = decisions.lookup(op);
  setOperands(op, decision);
  if (decision)
    setResults(op, *decision);
}

} // namespace graphc::amp
