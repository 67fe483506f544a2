// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Amp/Regions.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace graphc::amp {

Regions::Regions(ModuleOp module) {
  llvm::SmallVector<graph::FusedOp> all;
  module.walk([&](graph::FusedOp fused) { all.push_back(fused); });
  for (graph::FusedOp fused : all) {
    Block &body = fused.getBody().front();
    for (auto [argument, input] :
         llvm::zip_equal(body.getArguments(), fused.getInputs()))
      argument.replaceAllUsesWith(input);
    Operation *yield = body.getTerminator();
    fused.replaceAllUsesWith(yield->getOperands());
    yield->erase();
    int number = int(groups.size());
    groups.emplace_back();
    locations.push_back(fused.getLoc());
    for (Operation &op : llvm::make_early_inc_range(body)) {
      op.moveBefore(fused);
      join(&op, number);
    }
    fused.erase();
  }
}

std::optional<int> Regions::groupOf(Operation *op) const {
  auto found = numbers.find(op);
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

void Regions::join(Operation *op, int group) {
  auto &members = groups[group];
  auto place = llvm::find_if(
      members, [&](Operation *other) { return op->isBeforeInBlock(other); });
  members.insert(place, op);
  numbers[op] = group;
}

void Regions::makeGroup(Operation *op) {
  groups.emplace_back();
  locations.push_back(op->getLoc());
  join(op, int(groups.size()) - 1);
}

void Regions::forget(Operation *op) {
  auto found = numbers.find(op);
  if (found == numbers.end())
    return;
  llvm::erase(groups[found->second], op);
  numbers.erase(found);
}

bool Regions::takesCasts(int group) const {
  // A kernel with fewer buffers than an op of several may have.
  constexpr size_t kMostOps = 250;
  const auto &members = groups[group];
  return members.size() < kMostOps &&
         llvm::all_of(
             members,
             [](Operation *op) {
               if (op->hasTrait<OpTrait::ConstantLike>() ||
                   graph::isComputedByElement(op))
                 return true;
               graph::IndexRelation relation = graph::getIndexRelation(op, 0);
               return relation == graph::IndexRelation::Row ||
                      relation == graph::IndexRelation::Product;
             });
}

void Regions::close() {
  for (auto [members, loc] : llvm::zip_equal(groups, locations)) {
    // From the last one on, so that readers go first.
    for (Operation *op : llvm::to_vector(llvm::reverse(members)))
      if (isOpTriviallyDead(op)) {
        llvm::erase(members, op);
        op->erase();
      }
    if (members.empty())
      continue;
    llvm::DenseSet<Operation *> inside(members.begin(), members.end());
    llvm::SetVector<Value> inputs, outputs;
    for (Operation *op : members) {
      for (Value operand : op->getOperands())
        if (!operand.getDefiningOp() ||
            !inside.contains(operand.getDefiningOp()))
          inputs.insert(operand);
      for (Value result : op->getResults())
        if (llvm::any_of(result.getUsers(), [&](Operation *user) {
              return !inside.contains(user);
            }))
          outputs.insert(result);
    }
    OpBuilder builder(members.back()->getContext());
    builder.setInsertionPointAfter(members.back());
    auto fused = builder.create<graph::FusedOp>(
        loc, TypeRange(outputs.getArrayRef()), inputs.getArrayRef());
    Block &body = fused.getBody().emplaceBlock();
    for (Value input : inputs) {
      Value argument = body.addArgument(input.getType(), input.getLoc());
      Value(input).replaceUsesWithIf(argument, [&](OpOperand &use) {
        return inside.contains(use.getOwner());
      });
    }
    for (auto [k, output] : llvm::enumerate(outputs))
      Value(output).replaceUsesWithIf(fused.getResult(k), [&](OpOperand &use) {
        return !inside.contains(use.getOwner());
      });
    for (Operation *op : members)
      op->moveBefore(&body, body.end());
    builder.setInsertionPointToEnd(&body);
    builder.create<graph::YieldOp>(loc, outputs.getArrayRef());
  }
}

} // namespace graphc::amp
