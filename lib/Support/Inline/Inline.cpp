// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Support/Inline/Inline.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace graphc {

/// The functions that `function` names, in the order of their first use.
static llvm::SmallVector<func::FuncOp>
functionsNamedIn(func::FuncOp function, const SymbolTable &symbols) {
  llvm::SetVector<Operation *> named;
  if (std::optional<SymbolTable::UseRange> uses =
          SymbolTable::getSymbolUses(function))
    for (SymbolTable::SymbolUse use : *uses)
      if (Operation *callee =
              symbols.lookup(use.getSymbolRef().getRootReference().getValue()))
        if (isa<func::FuncOp>(callee))
          named.insert(callee);
  return llvm::map_to_vector(
      named, [](Operation *op) { return cast<func::FuncOp>(op); });
}

namespace {
/// A function on the path of the search, and which of its callees comes next.
struct Frame {
  func::FuncOp function;
  llvm::SmallVector<func::FuncOp> callees;
  size_t next = 0;
};
} // namespace

static LogicalResult reportCircle(MutableArrayRef<Frame> path,
                                  func::FuncOp again) {
  auto start = llvm::find_if(
      path, [&](const Frame &frame) { return frame.function == again; });
  InFlightDiagnostic diag = again.emitError("function ")
                            << again.getSymNameAttr()
                            << " calls itself; expects no recursion";
  // A few steps of a long circle are enough to find it.
  for (Frame &frame :
       llvm::MutableArrayRef<Frame>(start, path.end()).take_front(8))
    diag.attachNote(frame.function.getLoc())
        << frame.function.getSymNameAttr() << " names "
        << frame.callees[frame.next - 1].getSymNameAttr();
  return diag;
}

FailureOr<llvm::SmallVector<func::FuncOp>> orderCalleesFirst(ModuleOp module) {
  SymbolTable symbols(module);
  llvm::SmallVector<func::FuncOp> order;
  llvm::DenseMap<Operation *, bool> finished; // false: on the path
  // A path kept by hand, because calls may nest deeper than our stack.
  llvm::SmallVector<Frame> path;
  auto enter = [&](func::FuncOp function) {
    finished[function] = false;
    path.push_back({function, functionsNamedIn(function, symbols)});
  };
  for (auto root : module.getOps<func::FuncOp>()) {
    if (finished.count(root))
      continue;
    enter(root);
    while (!path.empty()) {
      Frame &frame = path.back();
      if (frame.next == frame.callees.size()) {
        finished[frame.function] = true;
        order.push_back(frame.function);
        path.pop_back();
        continue;
      }
      func::FuncOp callee = frame.callees[frame.next++];
      auto known = finished.find(callee);
      if (known == finished.end())
        enter(callee);
      else if (!known->second)
        return reportCircle(path, callee);
    }
  }
  return order;
}

int64_t copySize(Operation *op) {
  return 1 + (int64_t(op->getNumOperands()) + op->getNumResults()) / 16;
}

void inlineCalls(func::FuncOp function, SymbolTable &symbols) {
  llvm::SmallVector<func::CallOp> calls;
  function.walk([&](func::CallOp call) { calls.push_back(call); });
  for (func::CallOp call : calls) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (!callee || callee.isExternal())
      continue;
    auto copy = cast<func::FuncOp>(callee->clone());
    copy.walk([&](Operation *op) {
      if (isa<UnknownLoc>(op->getLoc()))
        op->setLoc(call.getLoc());
      else
        op->setLoc(CallSiteLoc::get(op->getLoc(), call.getLoc()));
    });
    llvm::SmallVector<Value> results =
        spliceBody(copy.getBody().front(), call, call.getOperands());
    call.replaceAllUsesWith(results);
    call.erase();
    copy.erase();
  }
}

llvm::SmallVector<Value> spliceBody(Block &body, Operation *op,
                                    ValueRange operands) {
  Operation *terminator = body.getTerminator();
  for (auto [argument, operand] :
       llvm::zip_equal(body.getArguments(), operands))
    argument.replaceAllUsesWith(operand);
  llvm::SmallVector<Value> results(terminator->getOperands());
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         body.getOperations(), body.begin(),
                                         terminator->getIterator());
  terminator->erase();
  return results;
}

} // namespace graphc
