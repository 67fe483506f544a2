// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Remat/JointBlock.h"

#include "dialects/Graph/IR/GradientLoc.h"
#include "dialects/Graph/IR/GraphBuilders.h"
#include "lib/Analysis/Cost.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace graphc::remat {
namespace {

constexpr llvm::StringLiteral kRegion = "graph.checkpoint";

/// A byte that is moved costs about as much as this many operations of a matrix
/// product, and any other operation as much as that many.
constexpr int64_t kFlopsOfByte = 4, kFlopsOfElement = 4;

bool isComputed(Operation *op) {
  bool isOurs = isa_and_nonnull<graph::GraphDialect>(op->getDialect()) ||
                isa<graph::DecomposableOpInterface>(op); // of a plugin
  return isOurs && op->getNumRegions() == 0 && op->getNumResults() > 0 &&
         isPure(op) && !op->hasTrait<OpTrait::ConstantLike>() &&
         !isa<graph::RecomputeBarrierOp, graph::CustomOp>(op);
}

bool isView(Operation *op) {
  if (isa<graph::BroadcastOp, graph::ReshapeOp, graph::TransposeOp,
          graph::SliceOp, graph::ReverseOp>(op))
    return true;
  auto cast = dyn_cast<graph::CastOp>(op);
  return cast && bytesOf(cast.getInput().getType()) <= bytesOf(cast.getType());
}

bool isProduct(Operation *op) {
  for (unsigned k = 0; k < op->getNumOperands(); ++k)
    if (graph::getIndexRelation(op, k) == graph::IndexRelation::Product)
      return true;
  return isa<graph::AttentionOp>(op);
}

/// The loss of a step or a gradient function, whose gradient follows it.
Operation *findLoss(Block &block) {
  auto function = dyn_cast<func::FuncOp>(block.getParentOp());
  if (!function || !function->hasAttr("graph.kind") ||
      block.getTerminator()->getNumOperands() == 0)
    return nullptr;
  return block.getTerminator()->getOperand(0).getDefiningOp();
}

/// Where the backward pass begins: at the first op that is in a gradient. Text
/// that was printed has forgotten which those are; then after the loss.
Block::iterator findBackward(Block &block) {
  for (Operation &op : block)
    if (!op.hasTrait<OpTrait::ConstantLike>() &&
        !graph::gradientOf(op.getLoc()).empty())
      return op.getIterator();
  Operation *loss = findLoss(block);
  return loss && loss->getBlock() == &block ? std::next(loss->getIterator())
                                            : block.end();
}

class Reader {
public:
  explicit Reader(Block &block) { joint.block = &block; }

  std::optional<JointBlock> read(Block::iterator first, Block::iterator begin) {
    if (begin == joint.block->end())
      return std::nullopt;
    for (Operation &op : llvm::make_range(first, begin))
      readForward(&op);
    for (Operation &op : llvm::make_range(begin, joint.block->end()))
      joint.backward.push_back(&op);
    for (Operation *op : joint.backward)
      readBackward(op);
    readRegions();
    return std::move(joint);
  }

private:
  algorithms::SaveProblem &problem() { return joint.problem; }

  int numberOf(Value value) {
    auto [it, isNew] = joint.numbers.try_emplace(value, joint.values.size());
    if (isNew) {
      joint.values.push_back(value);
      problem().values.emplace_back();
    }
    return it->second;
  }
  bool isSource(int value) { return problem().values[value].node < 0; }

  /// What is there from the start, or follows from that without memory, is no
  /// node.
  void readForward(Operation *op) {
    if (op->hasTrait<OpTrait::ConstantLike>() ||
        isa<graph::GetOp, graph::RecomputeBarrierOp>(op) ||
        op->getNumResults() == 0)
      return;
    algorithms::SaveNode node;
    bool fromSources = true;
    for (Value operand : op->getOperands()) {
      node.reads.push_back(numberOf(operand));
      fromSources &= isSource(node.reads.back());
    }
    if (isComputed(op) && fromSources &&
        (isView(op) || op->getNumOperands() == 0))
      return;
    int number = int(joint.nodes.size());
    joint.nodes.push_back(describe(op, node.mayRepeat));
    problem().nodes.push_back(std::move(node));
    for (Value result : op->getResults()) {
      algorithms::SaveValue &value = problem().values[numberOf(result)];
      value.node = number;
      value.bytes = llvm::alignTo(bytesOf(result.getType()), 64);
      value.isAvoided = joint.nodes.back().isView;
    }
  }

  Node describe(Operation *op, bool &mayRepeat) {
    Node node{op};
    if (!isComputed(op))
      return node;
    OpWork work = workOf(op);
    mayRepeat = !work.checksIndices;
    node.isView = isView(op);
    node.isCheap = (node.isView || graph::isComputedByElement(op)) &&
                   !isa<graph::RandomUniformOp>(op);
    int64_t bytes = 0;
    for (Type type : op->getOperandTypes())
      bytes += bytesOf(type);
    for (Type type : op->getResultTypes())
      bytes += bytesOf(type);
    constexpr int64_t most = int64_t(1) << 50;
    int64_t flops = std::min(work.flops, most);
    node.cost = (isProduct(op) ? flops : flops * kFlopsOfElement) +
                std::min(bytes, most) * kFlopsOfByte;
    if (node.isView)
      node.cost = 0;
    if (auto region = op->getAttrOfType<IntegerAttr>(kRegion))
      node.region = int(region.getInt());
    return node;
  }

  /// What is not plainly computed keeps all it reads.
  void readBackward(Operation *op) {
    bool isPlain = isComputed(op);
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        auto it = joint.numbers.find(operand);
        if (it == joint.numbers.end() || isSource(it->second))
          continue;
        problem().values[it->second].isNeeded = true;
        if (!isPlain)
          problem().values[it->second].isKept = true;
      }
    });
  }

  /// What goes into a graph.checkpoint region or comes out of it is kept, if the
  /// backward pass reads it, and what only its ops read is not.
  void readRegions() {
    for (auto [v, value] : llvm::enumerate(problem().values)) {
      if (value.node < 0)
        continue;
      int region = joint.nodes[value.node].region;
      bool isInside = region >= 0, goesOver = false;
      for (Operation *user : joint.values[v].getUsers()) {
        auto number = user->getNumResults()
                          ? joint.numbers.find(user->getResult(0))
                          : joint.numbers.end();
        if (number == joint.numbers.end() || isSource(number->second))
          continue;
        int other = joint.nodes[problem().values[number->second].node].region;
        isInside &= other == region;
        goesOver |= other != region && (other >= 0 || region >= 0);
      }
      value.isAvoided |= isInside;
      if (goesOver)
        if (int root = joint.rootOf(int(v)); !isSource(root))
          problem().values[root].isKept = true;
    }
  }

  JointBlock joint;
};

} // namespace

int JointBlock::rootOf(int value) const {
  while (problem.values[value].node >= 0 &&
         nodes[problem.values[value].node].isView)
    value = problem.nodes[problem.values[value].node].reads[0];
  return value;
}

std::optional<JointBlock> readBlock(Block &block) {
  return Reader(block).read(block.begin(), findBackward(block));
}

std::optional<JointBlock> readBlock(Block &block, Operation *first,
                                    Operation *end) {
  return Reader(block).read(first->getIterator(), end->getIterator());
}

} // namespace graphc::remat
