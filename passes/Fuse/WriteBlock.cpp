// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/FuseProblem.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace graphc::fuse {
namespace {

/// The op that a group is called after: its product or reduction, else its last
/// one.
Operation *chooseNamed(const BlockProblem &read, ArrayRef<int> members) {
  using algorithms::FusionKind;
  for (FusionKind kind :
       {FusionKind::Product, FusionKind::Columns, FusionKind::Rows})
    for (int n : llvm::reverse(members))
      if (read.problem.nodes[n].kind == kind)
        return read.ops[n];
  return read.ops[members.back()];
}

/// True if a barrier waits for the value and does not read it.
bool isWait(OpOperand &use) {
  auto barrier = dyn_cast<graph::RecomputeBarrierOp>(use.getOwner());
  return barrier && &use == &barrier.getAfterMutable();
}

/// Moves `ops`, which follow one another in the program, into a region.
void wrap(OpBuilder &builder, ArrayRef<Operation *> ops, Operation *named) {
  llvm::SetVector<Value> inputs, outputs;
  llvm::SmallPtrSet<Operation *, 8> inside(ops.begin(), ops.end());
  llvm::SetVector<Operation *> constants;
  for (Operation *op : ops) {
    for (Value operand : op->getOperands()) {
      if (graph::ConstantOp constant = getSplatConstant(operand))
        constants.insert(constant);
      else if (!operand.getDefiningOp() ||
               !inside.contains(operand.getDefiningOp()))
        inputs.insert(operand);
    }
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUses(), [&](OpOperand &use) {
            return !inside.contains(use.getOwner()) && !isWait(use);
          }))
        outputs.insert(result);
  }
  // A kernel writes something, used or not.
  if (outputs.empty())
    outputs.insert(ops.back()->getResult(0));

  auto fused = builder.create<graph::FusedOp>(
      named->getLoc(), TypeRange(outputs.getArrayRef()), inputs.getArrayRef());
  OpBuilder inner(builder.getContext());
  Block *body = inner.createBlock(&fused.getBody());
  IRMapping map;
  for (Value input : inputs)
    map.map(input, body->addArgument(input.getType(), input.getLoc()));
  for (Operation *constant : constants)
    inner.clone(*constant, map);
  for (Operation *op : ops)
    inner.clone(*op, map);
  SmallVector<Value> yielded;
  for (Value output : outputs)
    yielded.push_back(map.lookup(output));
  inner.create<graph::YieldOp>(named->getLoc(), yielded);
  for (auto [k, result] : llvm::enumerate(fused.getResults()))
    Value(outputs[k]).replaceAllUsesWith(result);
  // To wait for one value is to wait for the kernel.
  for (Operation *op : ops)
    for (Value result : op->getResults())
      for (OpOperand &use : llvm::make_early_inc_range(result.getUses()))
        if (isWait(use))
          use.set(fused.getResult(0));
  for (Operation *op : llvm::reverse(ops))
    op->erase();
}

} // namespace

void writeBlock(Block &block, const BlockProblem &read,
                const algorithms::FusionSolution &solution) {
  std::vector<SmallVector<int, 1>> members(solution.groupCount);
  for (auto [n, group] : llvm::enumerate(solution.groups))
    members[group].push_back(int(n));

  // Everything goes to the end of the block in its new order, but for what is
  // constant, which is there from the start.
  Operation *end =
      block.mightHaveTerminator() ? block.getTerminator() : nullptr;
  OpBuilder builder = end ? OpBuilder(end) : OpBuilder::atBlockEnd(&block);
  SmallVector<Operation *> constants;
  for (Operation &op : block)
    if (op.hasTrait<OpTrait::ConstantLike>())
      constants.push_back(&op);
  for (Operation *constant : llvm::reverse(constants))
    constant->moveBefore(&block, block.begin());
  for (ArrayRef<int> group : members) {
    if (group.empty())
      continue;
    Operation *first = read.ops[group.front()];
    if (group.size() == 1 && !isCompute(first)) {
      if (!first->hasTrait<OpTrait::ConstantLike>())
        first->moveBefore(&block, builder.getInsertionPoint());
      continue;
    }
    SmallVector<Operation *> ops;
    for (int n : group)
      ops.push_back(read.ops[n]);
    wrap(builder, ops, chooseNamed(read, group));
  }
}

} // namespace graphc::fuse
