// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Autodiff/Activity.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace graphc {

bool isDifferentiable(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

/// What a loop carries from one iteration to the next, under its four names.
namespace {
struct Carried {
  Value init, argument, next, result;
};
} // namespace

static Carried carriedOf(graph::ForOp loop, unsigned k) {
  Block &body = loop.getBody().front();
  return {loop.getInits()[k], body.getArgument(k + 1),
          body.getTerminator()->getOperand(k), loop.getResult(k)};
}

/// Calls `visit` on the values that the results of `op` are made from, those
/// that its regions read from outside among them.
static void forEachInput(Operation *op, llvm::function_ref<void(Value)> visit) {
  if (op->getNumRegions() == 0) {
    for (Value operand : op->getOperands())
      visit(operand);
    return;
  }
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      visit(operand);
  });
}

/// The op that reads `use` as far as Activity tells ops apart: the outermost
/// one around it, inside `block`, with a region that is not looked into.
static Operation *readerOf(OpOperand &use, Block &block) {
  Operation *reader = use.getOwner();
  for (Operation *op = reader; op->getBlock() != &block;) {
    op = op->getParentOp();
    if (!op)
      return nullptr; // outside
    if (!isa<graph::ForOp>(op))
      reader = op;
  }
  return reader;
}

void Activity::findVarying(Block &block, ValueRange sources) {
  llvm::SmallVector<Value> work;
  auto reach = [&](Value value) {
    if (isDifferentiable(value) && varying.insert(value).second)
      work.push_back(value);
  };
  auto reachCarried = [&](graph::ForOp loop, unsigned k) {
    Carried carried = carriedOf(loop, k);
    reach(carried.argument);
    reach(carried.result);
  };
  llvm::for_each(sources, reach);
  while (!work.empty()) {
    Value value = work.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      Operation *reader = readerOf(use, block);
      if (!reader || isa<graph::StopGradientOp>(reader))
        continue;
      if (isa<graph::YieldOp>(reader) && reader->getBlock() != &block)
        reader = reader->getParentOp();
      if (auto loop = dyn_cast<graph::ForOp>(reader))
        reachCarried(loop, use.getOperandNumber());
      else
        llvm::for_each(reader->getResults(), reach);
    }
  }
}

void Activity::findUseful(ValueRange sources, ValueRange targets) {
  llvm::DenseSet<Value> ends(sources.begin(), sources.end());
  llvm::SmallVector<Value> work;
  auto reach = [&](Value value) {
    if (varying.contains(value) && useful.insert(value).second)
      work.push_back(value);
  };
  llvm::for_each(targets, reach);
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (ends.contains(value))
      continue;
    auto result = dyn_cast<OpResult>(value);
    Operation *op =
        result ? result.getOwner() : value.getParentBlock()->getParentOp();
    active.insert(op);
    auto loop = dyn_cast<graph::ForOp>(op);
    if (!loop) {
      forEachInput(op, reach);
      continue;
    }
    unsigned k = result ? result.getResultNumber()
                        : cast<BlockArgument>(value).getArgNumber() - 1;
    Carried carried = carriedOf(loop, k);
    for (Value name :
         {carried.init, carried.argument, carried.next, carried.result})
      reach(name);
  }
}

Activity::Activity(Block &block, ValueRange sources, ValueRange targets) {
  findVarying(block, sources);
  findUseful(sources, targets);
}

} // namespace graphc
