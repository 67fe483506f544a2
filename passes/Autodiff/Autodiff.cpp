// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Autodiff/Autodiff.h"
#include "dialects/Graph/IR/Graph.h"
#include "lib/Support/Inline/Inline.h"
#include "passes/Autodiff/Expand.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace graphc {
#define GEN_PASS_DEF_AUTODIFF
#include "passes/Autodiff/Autodiff.h.inc"

/// The functions whose body ends up in the place of a graph.value_and_grad.
static llvm::DenseSet<Operation *>
differentiatedFunctions(ArrayRef<func::FuncOp> calleesFirst,
                        SymbolTable &symbols) {
  llvm::DenseSet<Operation *> found;
  for (func::FuncOp function : llvm::reverse(calleesFirst))
    function.walk([&](Operation *op) {
      if (auto grad = dyn_cast<graph::ValueAndGradOp>(op))
        found.insert(symbols.lookup(grad.getFunction()));
      else if (auto call = dyn_cast<func::CallOp>(op);
               call && found.contains(function))
        found.insert(symbols.lookup(call.getCallee()));
    });
  return found;
}

/// Expands the calls in `function`, whose callees hold none.
static LogicalResult expandCalls(func::FuncOp function, SymbolTable &symbols,
                                 OpBudget &budget) {
  WalkResult result = function.walk([&](func::CallOp call) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    return !callee.isExternal() &&
                   failed(
                       budget.spend(call, copySize(callee.getBody().front())))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  inlineCalls(function, symbols);
  return success();
}

/// Puts the bodies of custom functions in the places of their ops, whose
/// gradients are there by now. Adds the functions to `unused`.
static LogicalResult expandCustom(func::FuncOp function, SymbolTable &symbols,
                                  OpBudget &budget,
                                  llvm::DenseSet<Operation *> &unused) {
  llvm::SmallVector<graph::CustomVjpOp> ops;
  function.walk([&](Operation *op) {
    if (auto custom = dyn_cast<graph::CustomVjpOp>(op)) {
      ops.push_back(custom);
      unused.insert(symbols.lookup(custom.getFunction()));
      unused.insert(symbols.lookup(custom.getVjp()));
    } else if (auto host = dyn_cast<graph::CustomOp>(op)) {
      for (FlatSymbolRefAttr name :
           {host.getVjpAttr(), host.getReferenceAttr()})
        if (name)
          unused.insert(symbols.lookup(name.getValue()));
      host.removeVjpAttr();
    }
  });
  for (graph::CustomVjpOp op : ops) {
    OpBuilder builder(op);
    auto call = builder.create<func::CallOp>(
        op.getLoc(), op.getFunctionAttr(), op.getResultTypes(), op.getInputs());
    op.replaceAllUsesWith(call.getResults());
    op.erase();
  }
  return ops.empty() ? success() : expandCalls(function, symbols, budget);
}

/// Erases those of the `candidates` that are private and no longer named.
static void eraseUnused(ModuleOp module, ArrayRef<func::FuncOp> calleesFirst,
                        const llvm::DenseSet<Operation *> &candidates) {
  llvm::DenseMap<StringAttr, int64_t> uses;
  auto count = [&](std::optional<SymbolTable::UseRange> range, int64_t step) {
    if (range)
      for (SymbolTable::SymbolUse use : *range)
        uses[use.getSymbolRef().getRootReference()] += step;
  };
  // Of its region: a symbol table itself counts as opaque.
  count(SymbolTable::getSymbolUses(&module.getBodyRegion()), 1);
  for (func::FuncOp function : llvm::reverse(calleesFirst)) {
    if (!candidates.contains(function) || !function.isPrivate() ||
        uses.lookup(function.getSymNameAttr()) != 0)
      continue;
    count(SymbolTable::getSymbolUses(function), -1);
    function.erase();
  }
}

namespace {
struct AutodiffPass : impl::AutodiffBase<AutodiffPass> {
  using AutodiffBase::AutodiffBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<llvm::SmallVector<func::FuncOp>> order =
        orderCalleesFirst(module);
    if (failed(order))
      return signalPassFailure();
    SymbolTable symbols(module);
    llvm::DenseSet<Operation *> differentiated =
        differentiatedFunctions(*order, symbols);

    bool hasUserVjps = module
                           .walk([](Operation *op) {
                             return isa<graph::CustomVjpOp, graph::CustomOp>(op)
                                        ? WalkResult::interrupt()
                                        : WalkResult::advance();
                           })
                           .wasInterrupted();
    OpBudget budget(maxOps);
    MissingRules missing;
    for (func::FuncOp function : *order) {
      if (differentiated.contains(function) &&
          failed(expandCalls(function, symbols, budget)))
        return signalPassFailure();
      llvm::SmallVector<graph::ValueAndGradOp> grads;
      function.walk([&](graph::ValueAndGradOp op) { grads.push_back(op); });
      for (graph::ValueAndGradOp op : grads) {
        auto callee = symbols.lookup<func::FuncOp>(op.getFunction());
        if (failed(expand(op, callee, maxUnrolledOps, budget, missing)))
          return signalPassFailure();
      }
      // Those of the vjps that users wrote.
      if (hasUserVjps && !grads.empty() &&
          failed(expandCalls(function, symbols, budget)))
        return signalPassFailure();
    }
    if (failed(missing.report(module)))
      return signalPassFailure();
    for (func::FuncOp function : *order)
      if (failed(expandCustom(function, symbols, budget, differentiated)))
        return signalPassFailure();
    eraseUnused(module, *order, differentiated);
  }
};
} // namespace

} // namespace graphc
