// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/Transforms/PromoteState.h"
#include "dialects/Graph/IR/Graph.h"

using namespace mlir;

namespace graphc::graph {
namespace {

class Promotion {
public:
  explicit Promotion(func::FuncOp function)
      : entry(function.getBody().front()) {}

  void run();

private:
  /// A variable as the walk goes through the function.
  struct Variable {
    FlatSymbolRefAttr symbol;
    GetOp entryValue; // made when the variable is first read unset
    Value current;    // null: not read or set so far
    Location setLoc;
    bool isSet = false;
  };

  Variable &lookup(FlatSymbolRefAttr symbol, Location loc);
  Value read(Variable &variable, Type type, Location loc);
  void promote(Block &block);
  void carry(ForOp loop);

  Block &entry;
  llvm::MapVector<Attribute, Variable> variables;
};

Promotion::Variable &Promotion::lookup(FlatSymbolRefAttr symbol, Location loc) {
  return variables.insert({symbol, {symbol, {}, {}, loc}}).first->second;
}

Value Promotion::read(Variable &variable, Type type, Location loc) {
  if (!variable.current) {
    OpBuilder builder(entry.getParent());
    builder.setInsertionPointToStart(&entry);
    variable.entryValue = builder.create<GetOp>(loc, type, variable.symbol);
    variable.current = variable.entryValue;
  }
  return variable.current;
}

/// Gives `loop` a carried value for each variable set inside it.
void Promotion::carry(ForOp loop) {
  llvm::MapVector<Attribute, SetOp> sets;
  loop.walk([&](SetOp set) { sets.insert({set.getVariableAttr(), set}); });
  if (sets.empty())
    return promote(loop.getBody().front());

  llvm::SmallVector<Value> inits(loop.getInits());
  for (auto &[symbol, set] : sets)
    inits.push_back(read(lookup(set.getVariableAttr(), set.getLoc()),
                         set.getValue().getType(), set.getLoc()));
  OpBuilder builder(loop);
  auto carried = builder.create<ForOp>(
      loop.getLoc(), TypeRange(ValueRange(inits)), loop.getCountAttr(), inits);
  for (NamedAttribute attribute : loop->getDiscardableAttrs())
    carried->setAttr(attribute.getName(), attribute.getValue());
  carried.getBody().takeBody(loop.getBody());
  Block &body = carried.getBody().front();
  for (auto &[symbol, set] : sets) {
    Variable &variable = variables.find(symbol)->second;
    variable.current = body.addArgument(set.getValue().getType(), set.getLoc());
    variable.isSet = true;
  }

  promote(body);
  Operation *yield = body.getTerminator();
  llvm::SmallVector<Value> yielded(yield->getOperands());
  for (auto &[symbol, set] : sets)
    yielded.push_back(variables.find(symbol)->second.current);
  yield->setOperands(yielded);

  unsigned first = loop.getNumResults();
  loop.replaceAllUsesWith(carried.getResults().take_front(first));
  for (auto [k, pair] : llvm::enumerate(sets))
    variables.find(pair.first)->second.current = carried.getResult(first + k);
  loop.erase();
}

void Promotion::promote(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto get = dyn_cast<GetOp>(op)) {
      Variable &variable = lookup(get.getVariableAttr(), get.getLoc());
      Value value = read(variable, get.getType(), get.getLoc());
      get.replaceAllUsesWith(value);
      get.erase();
    } else if (auto set = dyn_cast<SetOp>(op)) {
      Variable &variable = lookup(set.getVariableAttr(), set.getLoc());
      variable.current = set.getValue();
      variable.setLoc = set.getLoc();
      variable.isSet = true;
      set.erase();
    } else if (auto loop = dyn_cast<ForOp>(op)) {
      carry(loop);
    }
  }
}

void Promotion::run() {
  promote(entry);
  OpBuilder builder = OpBuilder::atBlockTerminator(&entry);
  for (auto &[symbol, variable] : variables) {
    // Setting what was read changes nothing.
    GetOp get = variable.entryValue;
    bool changed = !get || variable.current != get.getResult();
    if (variable.isSet && changed)
      builder.create<SetOp>(variable.setLoc, variable.symbol, variable.current);
  }
  // Reads in the order of first use, which does not depend on names. After the
  // sets, since one variable may be set to what another held.
  Operation *last = nullptr;
  for (auto &[symbol, variable] : variables) {
    GetOp get = variable.entryValue;
    if (!get)
      continue;
    if (get.use_empty()) {
      get.erase();
      continue;
    }
    if (last)
      get->moveAfter(last);
    else
      get->moveBefore(&entry, entry.begin());
    last = get;
  }
}

} // namespace

void promoteState(func::FuncOp function) { Promotion(function).run(); }

} // namespace graphc::graph
