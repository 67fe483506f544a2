// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/TrainStep/Reachable.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace graphc {

/// Calls `visit` on each op of `root` and of the functions that a
/// graph.value_and_grad or a call in it names, each function once.
static void walkWithCallees(func::FuncOp root, SymbolTable &symbols,
                            llvm::function_ref<void(Operation *)> visit) {
  llvm::SetVector<Operation *> functions;
  functions.insert(root);
  for (size_t next = 0; next < functions.size(); ++next)
    functions[next]->walk([&](Operation *op) {
      visit(op);
      Operation *callee = nullptr;
      if (auto grad = dyn_cast<graph::ValueAndGradOp>(op))
        callee = symbols.lookup(grad.getFunction());
      else if (auto call = dyn_cast<func::CallOp>(op))
        callee = symbols.lookup(call.getCallee());
      if (callee)
        functions.insert(callee);
    });
}

bool reads(func::FuncOp function, StringRef variable, SymbolTable &symbols) {
  bool found = false;
  walkWithCallees(function, symbols, [&](Operation *op) {
    if (auto get = dyn_cast<graph::GetOp>(op))
      found |= get.getVariable() == variable;
  });
  return found;
}

namespace {
/// Goes backwards through a function: which values and which variables the loss
/// depends on, seen from the place that has been reached. A variable that is
/// set hands its part to the value that it is set to.
class Liveness {
public:
  explicit Liveness(SymbolTable &symbols) : symbols(symbols) {}

  llvm::DenseSet<Value> values;
  llvm::DenseSet<StringAttr> variables;

  void visit(Block &block) {
    for (Operation &op : llvm::reverse(block))
      visit(&op);
  }

private:
  void visit(Operation *op);
  void visit(graph::ForOp loop);
  void visitCallee(Operation *op, StringRef callee);
  bool isUseful(Value value) {
    return values.contains(value) &&
           isa<FloatType>(getElementTypeOrSelf(value.getType()));
  }
  void addEach(ValueRange some, ValueRange ifUseful) {
    for (auto [value, useful] : llvm::zip_equal(some, ifUseful))
      if (isUseful(useful))
        values.insert(value);
  }

  SymbolTable &symbols;
};
} // namespace

/// Until nothing is new, since what an iteration leaves the next one reads. The
/// loop may also run no iteration, so no variable drops out.
void Liveness::visit(graph::ForOp loop) {
  Block &body = loop.getBody().front();
  ValueRange carried = body.getArguments().drop_front();
  ValueRange next = body.getTerminator()->getOperands();
  for (size_t before = 0, after = 1; before != after;) {
    before = values.size() + variables.size();
    addEach(next, loop.getResults());
    addEach(next, carried);
    llvm::DenseSet<StringAttr> around = variables;
    visit(body);
    variables.insert(around.begin(), around.end());
    after = values.size() + variables.size();
  }
  addEach(loop.getInits(), loop.getResults());
  addEach(loop.getInits(), carried);
}

/// An inner gradient, or a call, counts as reading all that is inside.
void Liveness::visitCallee(Operation *op, StringRef callee) {
  bool counts = llvm::any_of(op->getResults(),
                             [&](Value result) { return isUseful(result); });
  llvm::SmallVector<StringAttr> read;
  walkWithCallees(
      symbols.lookup<func::FuncOp>(callee), symbols, [&](Operation *inner) {
        if (auto get = dyn_cast<graph::GetOp>(inner))
          read.push_back(get.getVariableAttr().getAttr());
        else if (auto set = dyn_cast<graph::SetOp>(inner))
          counts |= variables.contains(set.getVariableAttr().getAttr());
      });
  if (!counts)
    return;
  values.insert(op->operand_begin(), op->operand_end());
  variables.insert(read.begin(), read.end());
}

void Liveness::visit(Operation *op) {
  if (auto set = dyn_cast<graph::SetOp>(op)) {
    if (variables.erase(set.getVariableAttr().getAttr()))
      values.insert(set.getValue());
    return;
  }
  if (auto loop = dyn_cast<graph::ForOp>(op))
    return visit(loop);
  if (isa<graph::CheckpointOp, graph::PrecisionOp>(op)) {
    Block &body = op->getRegion(0).front();
    addEach(body.getTerminator()->getOperands(), op->getResults());
    return visit(body);
  }
  if (auto grad = dyn_cast<graph::ValueAndGradOp>(op))
    return visitCallee(op, grad.getFunction());
  if (auto call = dyn_cast<func::CallOp>(op))
    return visitCallee(op, call.getCallee());
  if (isa<graph::StopGradientOp>(op) ||
      llvm::none_of(op->getResults(),
                    [&](Value result) { return isUseful(result); }))
    return;
  if (auto get = dyn_cast<graph::GetOp>(op))
    variables.insert(get.getVariableAttr().getAttr());
  else
    values.insert(op->operand_begin(), op->operand_end());
}

llvm::DenseSet<StringAttr> findReachable(func::FuncOp loss,
                                         SymbolTable &symbols) {
  Block &body = loss.getBody().front();
  Liveness liveness(symbols);
  liveness.values.insert(body.getTerminator()->getOperand(0));
  liveness.visit(body);
  return std::move(liveness.variables);
}

} // namespace graphc
