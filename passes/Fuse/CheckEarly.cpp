// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An embedding checks its indices at the start of a step, and its gradient the
// same ones at the end, where updates would have to wait for it: no variable is
// written while anything may fail. So the later op reads what was checked early.
#include "passes/Fuse/FuseProblem.h"

#include "dialects/Graph/IR/CheckedIndex.h"
#include "dialects/Graph/IR/GraphBuilders.h"

using namespace mlir;

namespace graphc::fuse {
namespace {

/// The argument of the block that `value` is, or is a view of; else null.
BlockArgument findInput(Value value, SmallVectorImpl<Operation *> &views) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<graph::ReshapeOp, graph::TransposeOp, graph::SliceOp,
             graph::CastOp>(op))
      return {};
    views.push_back(op);
    value = op->getOperand(0);
  }
  return cast<BlockArgument>(value);
}

class EarlyChecks {
public:
  explicit EarlyChecks(ContentsCache &contents) : contents(contents) {}

  void run(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (auto fused = dyn_cast<graph::FusedOp>(op)) {
        noteRegion(fused);
        continue;
      }
      if (!isCompute(&op) || !contents.get(&op).checksIndices)
        continue;
      if (auto gather = dyn_cast<graph::GatherOp>(op))
        readEarlier(gather);
      else if (auto scatter = dyn_cast<graph::ScatterAddOp>(op))
        readEarlier(scatter);
      SmallVector<Operation *> views;
      for (Value operand : op.getOperands())
        if (BlockArgument input = findInput(operand, views))
          first.try_emplace(input, &op);
    }
  }

private:
  /// What ops of a region check that was one before.
  void noteRegion(graph::FusedOp fused) {
    for (Operation &op : fused.getBody().front().without_terminator()) {
      if (!isCompute(&op) || !contents.get(&op).checksIndices)
        continue;
      SmallVector<Operation *> views;
      for (Value operand : op.getOperands())
        if (BlockArgument inner = findInput(operand, views))
          if (BlockArgument input =
                  findInput(fused.getInputs()[inner.getArgNumber()], views))
            first.try_emplace(input, fused);
    }
  }

  template <typename Op> void readEarlier(Op op) {
    SmallVector<Operation *> views;
    BlockArgument input = findInput(op.getIndices(), views);
    Operation *earlier = input ? first.lookup(input) : nullptr;
    if (!earlier || graph::hasHeldIndices(op))
      return;
    int64_t limit = graph::tensorTypeOf(op.getInput()).getDimSize(op.getAxis());
    Value &checked = known[{op.getIndices(), limit}];
    if (!checked)
      checked = check(op, input, views, limit, earlier);
    op.getIndicesMutable().assign(checked);
  }

  static Value check(Operation *op, Value index, ArrayRef<Operation *> views,
                     int64_t limit, Operation *earlier) {
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(earlier);
    for (Operation *view : llvm::reverse(views)) {
      Operation *copy = builder.clone(*view);
      copy->setOperand(0, index);
      index = copy->getResult(0);
    }
    return builder.create<graph::CheckIndexOp>(
        op->getLoc(), index.getType(), index, builder.getI64IntegerAttr(limit),
        IntegerAttr());
  }

  ContentsCache &contents;
  llvm::DenseMap<Value, Operation *> first; // that checks it, by input
  llvm::DenseMap<std::pair<Value, int64_t>, Value> known;
};

} // namespace

void checkEarly(Block &block, ContentsCache &contents) {
  EarlyChecks(contents).run(block);
}

} // namespace graphc::fuse
