// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Autodiff/Sweep.h"
#include "dialects/Graph/IR/GradientLoc.h"
#include "dialects/Graph/IR/GraphBuilders.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace graphc {

static bool isZeros(Value value) {
  DenseElementsAttr elements;
  return matchPattern(value, m_Constant(&elements)) && elements.isSplat() &&
         isa<FloatType>(elements.getElementType()) &&
         elements.getSplatValue<APFloat>().isZero();
}

/// A pad with zeros around, and nothing between.
static graph::PadOp asPart(Value value) {
  auto pad = value.getDefiningOp<graph::PadOp>();
  auto isWithin = [&](int64_t size) { return size >= 0; };
  bool isPart =
      pad && isZeros(pad.getValue()) && llvm::all_of(pad.getLow(), isWithin) &&
      llvm::all_of(pad.getHigh(), isWithin) &&
      llvm::all_of(pad.getInterior(), [](int64_t s) { return s == 0; });
  return isPart ? pad : graph::PadOp();
}

/// The sum of `a` and `b` if these are, of slices that follow each other along
/// one dimension, the parts of a tensor that is zeros elsewhere.
static Value joinParts(OpBuilder &builder, Location loc, graph::PadOp a,
                       graph::PadOp b) {
  std::optional<int64_t> axis;
  for (int64_t k = 0; k < int64_t(a.getLow().size()); ++k) {
    if (a.getLow()[k] == b.getLow()[k] && a.getHigh()[k] == b.getHigh()[k])
      continue;
    if (axis)
      return {};
    axis = k;
  }
  if (!axis)
    return {};
  auto end = [&](graph::PadOp pad) {
    return pad.getLow()[*axis] +
           graph::tensorTypeOf(pad.getInput()).getDimSize(*axis);
  };
  if (end(b) == a.getLow()[*axis])
    std::swap(a, b);
  if (end(a) != b.getLow()[*axis])
    return {};
  SmallVector<Value> parts;
  for (graph::PadOp pad : {a, b}) {
    auto joined = pad.getInput().getDefiningOp<graph::ConcatOp>();
    if (joined && int64_t(joined.getAxis()) == *axis)
      llvm::append_range(parts, joined.getInputs());
    else
      parts.push_back(pad.getInput());
  }
  constexpr size_t most = 48; // each join makes a new op of all the parts
  if (parts.size() > most)
    return {};
  Value all = builder.create<graph::ConcatOp>(loc, parts, uint64_t(*axis));
  SmallVector<int64_t> high(a.getHigh());
  high[*axis] = b.getHigh()[*axis];
  if (all.getType() == a.getType())
    return all;
  return builder.create<graph::PadOp>(loc, all, a.getValue(), a.getLow(), high,
                                      a.getInterior());
}

Value addCotangents(OpBuilder &builder, Location loc, Value a, Value b) {
  if (auto part = asPart(a), other = asPart(b); part && other)
    if (Value joined = joinParts(builder, loc, part, other))
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

void eraseDeadSlices(Block &block) {
  for (auto slice :
       llvm::make_early_inc_range(block.getOps<graph::DynamicUpdateSliceOp>()))
    if (slice->use_empty() && isZeros(slice.getInput()))
      slice.erase();
}

} // namespace graphc
