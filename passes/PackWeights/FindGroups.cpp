// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which variables belong together, and whether all that reads and sets them can
// do so in another layout.
#include "passes/PackWeights/Groups.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace graphc::packing {

std::optional<int64_t> getSummedDim(OpOperand &operand) {
  if (isa<graph::LinearOp>(operand.getOwner()))
    return 1;
  auto dot = dyn_cast<graph::DotGeneralOp>(operand.getOwner());
  if (!dot)
    return std::nullopt;
  return operand.getOperandNumber() == 0 ? dot.getLhsContracting()[0]
                                         : dot.getRhsContracting()[0];
}

graph::DotGeneralOp getMatrixProduct(Value value) {
  if (auto transpose = value.getDefiningOp<graph::TransposeOp>();
      transpose && transpose.getPermutation() == ArrayRef<int64_t>{1, 0} &&
      transpose.getInput().hasOneUse())
    value = transpose.getInput();
  auto dot = value.getDefiningOp<graph::DotGeneralOp>();
  bool isPlain =
      dot && dot.getLhsBatching().empty() &&
      graph::elementTypeOf(dot) == graph::elementTypeOf(dot.getLhs());
  for (Value side :
       {dot ? dot.getLhs() : Value(), dot ? dot.getRhs() : Value()})
    // One that reads a variable is for that one to replace.
    isPlain = isPlain && !side.getDefiningOp<graph::GetOp>() &&
              graph::tensorTypeOf(side).getRank() ==
                  int64_t(dot.getLhsContracting().size()) + 1;
  return isPlain ? dot : graph::DotGeneralOp();
}

namespace {

bool isMatrix(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 2;
}

bool isScalarEverywhere(Value value) {
  if (auto constant = value.getDefiningOp<graph::ConstantOp>())
    return isa<SplatElementsAttr>(constant.getValue());
  auto broadcast = value.getDefiningOp<graph::BroadcastOp>();
  return broadcast && graph::tensorTypeOf(broadcast.getInput()).getRank() == 0;
}

/// True if `use` is a product's of a variable's element type, or graph.embedding.
bool canReadPanels(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<graph::EmbeddingOp>(op))
    return use.getOperandNumber() == 0;
  Type type = graph::elementTypeOf(use.get());
  auto isOther = [&](Value other) {
    return graph::elementTypeOf(other) == type &&
           !other.getDefiningOp<graph::GetOp>();
  };
  if (auto linear = dyn_cast<graph::LinearOp>(op))
    return use.getOperandNumber() == 1 && isOther(linear.getInput()) &&
           graph::elementTypeOf(linear) == type;
  auto dot = dyn_cast<graph::DotGeneralOp>(op);
  return dot && dot.getLhsBatching().empty() &&
         dot.getLhsContracting().size() == 1 &&
         isOther(use.getOperandNumber() == 0 ? dot.getRhs() : dot.getLhs()) &&
         graph::elementTypeOf(dot) == type;
}

class Finder {
public:
  explicit Finder(ModuleOp module) : module(module), symbols(module) {}

  std::vector<Group> find() {
    for (auto variable : module.getOps<graph::VariableOp>()) {
      numbers[variable] = int(ends.size());
      ends.push_back(variable);
      classes.insert(numbers[variable]);
    }
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal())
        findUpdates(function.getBody().front());
    module.walk([&](Operation *op) {
      if (auto get = dyn_cast<graph::GetOp>(op))
        join(numberOf(get.getResult()), numberOf(get.getVariable()));
      if (auto set = dyn_cast<graph::SetOp>(op))
        if (isMatrix(set.getValue()))
          join(numberOf(set.getValue()), numberOf(set.getVariable()));
    });
    collect();
    for (auto &[leader, group] : groups)
      check(group);
    std::vector<Group> all;
    for (auto &[leader, group] : groups)
      all.push_back(std::move(group));
    return all;
  }

private:
  int numberOf(StringRef variable) {
    return numbers.lookup(symbols.lookup(variable));
  }
  int numberOf(Value value) {
    auto [it, isNew] = values.try_emplace(value, int(ends.size()));
    if (isNew) {
      ends.push_back(nullptr);
      classes.insert(it->second);
    }
    return it->second;
  }
  void join(int a, int b) { classes.unionSets(a, b); }

  /// From the end: elementwise ops all of whose results go into variables.
  void findUpdates(Block &block) {
    for (Operation &op : llvm::reverse(block)) {
      if (!op.hasTrait<graph::ElementwiseOp>() || op.getNumResults() != 1 ||
          !isMatrix(op.getResult(0)) || op.use_empty() ||
          !llvm::all_of(op.getUsers(), [&](Operation *user) {
            return isa<graph::SetOp>(user) || updates.contains(user);
          }))
        continue;
      updates.insert(&op);
      for (Value operand : op.getOperands())
        if (!isScalarEverywhere(operand))
          join(numberOf(operand), numberOf(op.getResult(0)));
    }
  }

  Group &groupOf(int number) { return groups[classes.getLeaderValue(number)]; }

  void collect() {
    for (auto variable : module.getOps<graph::VariableOp>())
      groupOf(numbers[variable]).variables.push_back(variable);
    module.walk([&](Operation *op) {
      if (auto get = dyn_cast<graph::GetOp>(op))
        groupOf(numberOf(get.getVariable())).gets.push_back(get);
      else if (auto set = dyn_cast<graph::SetOp>(op))
        groupOf(numberOf(set.getVariable())).sets.push_back(set);
      else if (updates.contains(op))
        groupOf(numberOf(op->getResult(0))).updates.push_back(op);
      // In the order of the program, which that of a value's uses need not be.
      if (!isa<graph::SetOp>(op) && !updates.contains(op))
        for (OpOperand &operand : op->getOpOperands())
          if (operand.get().getDefiningOp<graph::GetOp>())
            groupOf(numberOf(operand.get())).reads.push_back(&operand);
    });
  }

  void check(Group &group) {
    auto refuse = [&](const llvm::Twine &why) {
      if (group.fault.empty())
        group.fault = why.str();
    };
    RankedTensorType type;
    for (graph::VariableOp variable : group.variables) {
      RankedTensorType own = variable.getTensorType();
      if (type && own != type)
        refuse("it is computed together with one of another type");
      type = own;
      if (own.getRank() != 2 ||
          !(own.getElementType().isF32() || own.getElementType().isF64()))
        refuse("it is no matrix of f32 or f64");
    }
    for (OpOperand *read : group.reads)
      if (!canReadPanels(*read))
        refuse("'" + read->getOwner()->getName().getStringRef() +
               "' reads it as it is");
    auto note = [&](Value value) {
      Operation *op = value.getDefiningOp();
      if (isScalarEverywhere(value) || isa_and_nonnull<graph::GetOp>(op) ||
          (op && updates.contains(op)))
        return;
      bool isOnlyUpdate = llvm::all_of(value.getUsers(), [&](Operation *user) {
        return updates.contains(user) || isa<graph::SetOp>(user);
      });
      if (!isOnlyUpdate || !getMatrixProduct(value))
        group.inRows.insert(value);
    };
    for (Operation *op : group.updates)
      for (Value operand : op->getOperands())
        note(operand);
    for (graph::SetOp set : group.sets)
      note(set.getValue());
    if (group.reads.empty())
      refuse("no product reads it");
  }

  ModuleOp module;
  SymbolTable symbols;
  llvm::EquivalenceClasses<int> classes;
  llvm::SmallVector<Operation *> ends; // variables; null for values
  llvm::DenseMap<Operation *, int> numbers;
  llvm::DenseMap<Value, int> values;
  llvm::DenseSet<Operation *> updates;
  llvm::MapVector<int, Group> groups;
};

} // namespace

std::vector<Group> findGroups(ModuleOp module) { return Finder(module).find(); }

} // namespace graphc::packing
