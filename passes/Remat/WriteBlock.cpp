// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each value that is not kept is computed again just before the op of the
// backward pass that needs it first.
#include "passes/Remat/JointBlock.h"

#include "dialects/Graph/IR/GradientLoc.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace graphc::remat {
namespace {

class Writer {
public:
  Writer(JointBlock &joint, const Rung &rung)
      : joint(joint), rung(rung), builder(joint.block->getParentOp()) {}

  void run() {
    findTokens();
    for (auto [k, op] : llvm::enumerate(joint.backward)) {
      token = tokens[k];
      builder.setInsertionPoint(op);
      Operation *before = op->getPrevNode();
      for (OpOperand &operand : op->getOpOperands())
        if (auto it = joint.numbers.find(operand.get());
            it != joint.numbers.end() && isDropped(it->second) &&
            isDropped(joint.rootOf(it->second)))
          operand.set(repeat(it->second));
      if (op->getPrevNode() != before)
        repeats.push_back({before, op});
    }
  }

  /// Where clones are: between two ops each.
  llvm::SmallVector<std::pair<Operation *, Operation *>> repeats;

private:
  int nodeOf(int value) const { return joint.problem.values[value].node; }
  /// It is not there in the backward pass any more.
  bool isDropped(int value) const {
    return nodeOf(value) >= 0 && !rung.solution.isSaved[value];
  }
  bool isView(int value) const {
    return nodeOf(value) >= 0 && joint.nodes[nodeOf(value)].isView;
  }

  /// For each op of the backward pass, the last cotangent before it: something
  /// that depends on its first op; before there is one, the loss.
  void findTokens() {
    Value last;
    for (const Node &node : joint.nodes)
      last = node.op->getResult(0);
    llvm::DenseSet<Value> cotangents;
    for (Operation *op : joint.backward) {
      tokens.push_back(last);
      if (op->hasTrait<OpTrait::ConstantLike>() || op->getNumResults() == 0)
        continue;
      bool depends = cotangents.empty();
      for (Value operand : op->getOperands())
        depends |= cotangents.contains(operand);
      if (!depends)
        continue;
      cotangents.insert(op->result_begin(), op->result_end());
      last = op->getResult(0);
    }
  }

  /// What has to be computed for `value`, in order.
  llvm::SmallVector<int> findMissing(int value) {
    llvm::SetVector<int> missing;
    missing.insert(nodeOf(value));
    for (size_t k = 0; k < missing.size(); ++k)
      for (int read : joint.problem.nodes[missing[k]].reads)
        if (isDropped(read) && !clones.contains(joint.values[read]))
          missing.insert(nodeOf(read));
    llvm::SmallVector<int> nodes(missing.begin(), missing.end());
    llvm::sort(nodes);
    return nodes;
  }

  Value repeat(int value) {
    Value original = joint.values[value];
    if (Value known = clones.lookup(original))
      return known;
    for (int node : findMissing(value)) {
      Operation *op = joint.nodes[node].op;
      Operation *clone = cloneOp(op, node);
      for (auto [from, to] :
           llvm::zip_equal(op->getResults(), clone->getResults()))
        clones[from] = to;
    }
    return clones.lookup(original);
  }

  /// A clone that reads nothing through a barrier would be the same op as the
  /// first one.
  Operation *cloneOp(Operation *op, int node) {
    IRMapping map;
    bool isApart = false;
    auto reads =
        llvm::zip_equal(op->getOperands(), joint.problem.nodes[node].reads);
    for (auto [operand, read] : reads)
      if (nodeOf(read) >= 0) {
        map.map(operand, readAgain(read, node));
        isApart = true;
      }
    if (!isApart)
      map.map(op->getOperand(0), barrier(op->getOperand(0), node));
    Operation *clone = builder.clone(*op, map);
    clone->removeAttr("graph.checkpoint");
    graph::markGradient(clone, op);
    return clone;
  }

  Value readAgain(int value, int node) {
    Value original = joint.values[value];
    if (Value known = clones.lookup(original))
      return known;
    if (!isView(value))
      return barrier(original, node);
    // A view of a value is not in memory, so the value is read and the view
    // made again.
    auto key = std::make_pair(original, groupOf(node));
    if (Value known = views.lookup(key))
      return known;
    Value clone =
        cloneOp(original.getDefiningOp(), nodeOf(value))->getResult(0);
    return views[key] = clone;
  }

  /// Nodes that wait for the same cotangent: those of a segment or a region.
  int groupOf(int node) const {
    int region = joint.nodes[node].region;
    return region >= 0 ? -1 - region : rung.segments[node];
  }

  Value barrier(Value value, int node) {
    int group = groupOf(node);
    Value &known = barriers[{value, group}];
    if (known)
      return known;
    Value &after = afters[group];
    if (!after)
      after = token;
    return known = builder.create<graph::RecomputeBarrierOp>(
               graph::gradientLoc(value.getLoc(), "graph.recompute_barrier"),
               value.getType(), value, after);
  }

  JointBlock &joint;
  const Rung &rung;
  OpBuilder builder;
  llvm::SmallVector<Value> tokens; // by op of the backward pass
  Value token;
  llvm::DenseMap<Value, Value> clones;
  llvm::DenseMap<std::pair<Value, int>, Value> barriers, views;
  llvm::DenseMap<int, Value> afters; // by group
};

} // namespace

void writeBlock(JointBlock &joint, const Rung &rung) {
  Writer writer(joint, rung);
  writer.run();
  if (!rung.isNested)
    return;
  // What is repeated is a forward pass as well. It is cut into segments in turn.
  for (auto [before, after] : writer.repeats) {
    // A few ops have no layers.
    constexpr ptrdiff_t few = 16;
    if (std::distance(before->getIterator(), after->getIterator()) <= few)
      continue;
    std::optional<JointBlock> inner =
        readBlock(*joint.block, before->getNextNode(), after);
    if (inner && !inner->nodes.empty())
      writeBlock(*inner, makeRung(*inner, kSegments));
  }
}

} // namespace graphc::remat
