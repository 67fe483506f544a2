// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values have their channels last. Values that an op needs alike are one
// set, and a set is decided by bytes: what convolutions would read and write
// with whole vectors of channels, against what would have to be transposed
// where it enters and leaves the set.
#include "dialects/Graph/IR/GraphBuilders.h"
#include "passes/ChannelsLast/Layout.h"

#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace graphc::layout {
namespace {

/// Fewer channels fill no vector.
constexpr int64_t kLeastChannels = 16;

bool hasChannels(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() >= 3;
}

bool isReduction(Operation *op) {
  return isa<graph::ReduceSumOp, graph::ReduceMeanOp, graph::ReduceMaxOp,
             graph::ReduceMinOp, graph::ReduceProdOp>(op);
}

bool isAlike(Operation *op) {
  return op->hasTrait<graph::ElementwiseOp>() ||
         isa<graph::PadOp, graph::SliceOp, graph::ReverseOp, graph::ConcatOp>(
             op);
}

class Chooser {
public:
  explicit Chooser(Block &block) : block(block) {
    for (Operation &op : block) {
      for (OpOperand &operand : op.getOpOperands())
        add(operand.get());
      for (Value result : op.getResults())
        add(result);
    }
  }

  llvm::DenseSet<Value> choose() {
    join();
    count();
    llvm::DenseSet<Value> chosen;
    for (auto [value, number] : numbers)
      if (gains[sets[number]] > costs[sets[number]])
        chosen.insert(value);
    return chosen;
  }

private:
  void add(Value value) {
    if (hasChannels(value.getType()))
      numbers.try_emplace(value, unsigned(numbers.size()));
  }

  void join() {
    sets.grow(numbers.size());
    for (Operation &op : block) {
      if (portOfResult(&op) != Port::Alike || !numbers.count(op.getResult(0)))
        continue;
      for (OpOperand &operand : op.getOpOperands())
        if (portOf(&op, operand.getOperandNumber()) == Port::Alike &&
            numbers.count(operand.get()))
          sets.join(numbers[operand.get()], numbers[op.getResult(0)]);
    }
    sets.compress();
  }

  void count() {
    gains.resize(sets.getNumClasses());
    costs.resize(sets.getNumClasses());
    for (const auto &entry : numbers) {
      // C++17 lambdas do not capture structured bindings.
      Value value = entry.first;
      auto number = entry.second;
      double bytes = double(graph::tensorTypeOf(value).getNumElements()) *
                     graph::elementTypeOf(value).getIntOrFloatBitWidth() / 8;
      bool isTransposed = false;
      auto see = [&](Port port, Operation *op) {
        isTransposed |= port == Port::First;
        if (port == Port::Window &&
            graph::tensorTypeOf(value).getDimSize(1) >= kLeastChannels)
          gains[sets[number]] += bytes;
      };
      Operation *producer = value.getDefiningOp();
      see(producer && producer->getBlock() == &block ? portOfResult(producer)
                                                     : Port::First,
          producer);
      for (OpOperand &use : value.getUses())
        see(use.getOwner()->getBlock() == &block
                ? portOf(use.getOwner(), use.getOperandNumber())
                : Port::First,
            use.getOwner());
      if (isTransposed)
        costs[sets[number]] += bytes;
    }
  }

  Block &block;
  llvm::MapVector<Value, unsigned> numbers;
  llvm::IntEqClasses sets;
  SmallVector<double> gains, costs;
};

template <typename Op> bool hasGroups(Operation *op) {
  auto conv = dyn_cast<Op>(op);
  return conv && conv.getGroups() != 1;
}

bool isConvolution(Operation *op) {
  return isa<graph::ConvOp, graph::ConvTransposeOp, graph::ConvWeightGradOp>(
             op) &&
         !hasGroups<graph::ConvOp>(op) &&
         !hasGroups<graph::ConvTransposeOp>(op) &&
         !hasGroups<graph::ConvWeightGradOp>(op);
}

} // namespace

Port portOf(Operation *op, unsigned number) {
  if (isAlike(op))
    return Port::Alike;
  if (isReduction(op))
    return Port::Any;
  // The weight keeps its layout.
  bool isWeight = number > 0 && !isa<graph::ConvWeightGradOp>(op);
  return isConvolution(op) && !isWeight ? Port::Window : Port::First;
}

Port portOfResult(Operation *op) {
  if (isAlike(op))
    return Port::Alike;
  auto constant = dyn_cast<graph::ConstantOp>(op);
  if (isa<graph::BroadcastOp>(op) ||
      (constant && isa<SplatElementsAttr>(constant.getValue())))
    return Port::Any;
  return isConvolution(op) && !isa<graph::ConvWeightGradOp>(op) ? Port::Window
                                                                : Port::First;
}

bool hasConvolution(Block &block) {
  return llvm::any_of(block, [](Operation &op) { return isConvolution(&op); });
}

llvm::DenseSet<Value> chooseChannelsLast(Block &block) {
  return Chooser(block).choose();
}

} // namespace graphc::layout
