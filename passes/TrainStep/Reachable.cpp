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

llvm::DenseSet<StringAttr> findReachable(func::FuncOp loss,
                                         SymbolTable &symbols) {
  Block &body = loss.getBody().front();
  llvm::DenseSet<StringAttr> variables;
  llvm::DenseSet<Value> useful = {body.getTerminator()->getOperand(0)};
  auto isUseful = [&](Value result) {
    return useful.contains(result) &&
           isa<FloatType>(getElementTypeOrSelf(result.getType()));
  };
  for (Operation &op : llvm::reverse(body)) {
    if (llvm::none_of(op.getResults(), isUseful) ||
        isa<graph::StopGradientOp>(op))
      continue;
    if (auto get = dyn_cast<graph::GetOp>(op)) {
      variables.insert(get.getVariableAttr().getAttr());
      continue;
    }
    // A loop or an inner gradient counts as reading all that is inside.
    op.walk([&](Operation *inner) {
      useful.insert(inner->operand_begin(), inner->operand_end());
      if (auto get = dyn_cast<graph::GetOp>(inner))
        variables.insert(get.getVariableAttr().getAttr());
    });
    if (auto grad = dyn_cast<graph::ValueAndGradOp>(op))
      walkWithCallees(symbols.lookup<func::FuncOp>(grad.getFunction()), symbols,
                      [&](Operation *inner) {
                        if (auto get = dyn_cast<graph::GetOp>(inner))
                          variables.insert(get.getVariableAttr().getAttr());
                      });
  }
  return variables;
}

} // namespace graphc
