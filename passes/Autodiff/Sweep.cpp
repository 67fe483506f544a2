// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Autodiff/Sweep.h"
#include "dialects/Graph/IR/GradientLoc.h"
#include "dialects/Graph/IR/GraphBuilders.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace graphc {

bool isZeros(Value value) {
  DenseElementsAttr elements;
  return matchPattern(value, m_Constant(&elements)) && elements.isSplat() &&
         isa<FloatType>(elements.getElementType()) &&
         elements.getSplatValue<APFloat>().isZero();
}

Value addCotangents(OpBuilder &builder, Location loc, Value a, Value b) {
  if (Value joined = joinPads(builder, loc, a, b))
    return joined;
  auto slice = b.getDefiningOp<graph::DynamicUpdateSliceOp>();
  if (!slice || !isZeros(slice.getInput()))
    return builder.create<graph::AddOp>(loc, a, b);
  Value update = slice.getUpdate();
  Value part = builder.create<graph::DynamicSliceOp>(
      loc, a, slice.getStarts(), graph::tensorTypeOf(update).getShape());
  Value sum = builder.create<graph::AddOp>(loc, part, update);
  Value all = builder.create<graph::DynamicUpdateSliceOp>(loc, a, sum,
                                                          slice.getStarts());
  return all;
}

void Sweep::add(Value value, Value cotangent, Location loc) {
  Value &sum = cotangents[value];
  sum = sum ? addCotangents(builder, loc, sum, cotangent) : cotangent;
}

/// The cotangents of the results of `op`: what they contribute is complete, for
/// later ops come before it.
llvm::SmallVector<Value> Sweep::takeCotangents(Operation *op) {
  llvm::SmallVector<Value> given;
  for (Value result : op->getResults()) {
    given.push_back(cotangents.lookup(result));
    cotangents.erase(result);
  }
  return given;
}

/// Runs the rule of `op` on the cotangents of its results.
LogicalResult Sweep::differentiate(Operation *op, const Activity &activity) {
  llvm::SmallVector<Value> given = takeCotangents(op);
  if (llvm::none_of(given, [](Value value) { return bool(value); }))
    return success();
  llvm::SmallVector<bool> wanted =
      llvm::map_to_vector(op->getOperands(), [&](Value operand) {
        return activity.varies(operand);
      });
  llvm::SmallVector<Value> gradients(op->getNumOperands());
  if (failed(cast<graph::DifferentiableOpInterface>(op).vjp(builder, given,
                                                            wanted, gradients)))
    return failure();
  for (auto [k, operand] : llvm::enumerate(op->getOperands())) {
    if (!wanted[k] || !gradients[k])
      continue;
    if (gradients[k].getType() != operand.getType())
      return op->emitOpError("expects its derivative rule to give type ")
             << operand.getType() << " for operand " << k << ", but got "
             << gradients[k].getType();
    add(operand, gradients[k], op->getLoc());
  }
  return success();
}

LogicalResult Sweep::run(ArrayRef<Operation *> forward,
                         const Activity &activity) {
  for (Operation *op : llvm::reverse(forward)) {
    if (auto loop = dyn_cast<graph::ForOp>(op)) {
      if (failed(differentiateLoop(loop, activity)))
        return failure();
      continue;
    }
    Block::iterator end = builder.getInsertionPoint();
    Block::iterator last = std::prev(end); // `op` or something after it
    if (failed(differentiate(op, activity)))
      return failure();
    int64_t built = 0;
    for (Operation &next : llvm::make_range(std::next(last), end)) {
      built += copySize(&next);
      graph::markGradient(&next, op);
    }
    if (failed(budget.spend(owner, built)))
      return failure();
  }
  return success();
}

static bool isAmongZeros(Operation *op) {
  if (auto slice = dyn_cast<graph::DynamicUpdateSliceOp>(op))
    return isZeros(slice.getInput());
  auto pad = dyn_cast<graph::PadOp>(op);
  return pad && isZeros(pad.getValue());
}

void eraseDeadSlices(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (op.use_empty() && (isAmongZeros(&op) || isa<graph::ConcatOp>(op)))
      op.erase();
}

} // namespace graphc
