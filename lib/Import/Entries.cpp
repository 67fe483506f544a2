// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Import/Entries.h"
#include "lib/Import/CustomFunctions.h"
#include "lib/Support/Inline/Inline.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace graphc {

/// Holds the number of ops that functions have once their calls are expanded to
/// the limit, before any is: ten functions that call the next one ten times
/// make ten billion ops. So do nested gradients, each of which makes a copy of
/// its function and at least as many ops again.
static LogicalResult checkExpandedSize(ModuleOp module,
                                       ArrayRef<func::FuncOp> calleesFirst,
                                       SymbolTable &symbols,
                                       const ImportLimits &limits) {
  llvm::DenseMap<Operation *, uint64_t> sizes;
  auto sizeOf = [&](StringRef function) {
    return sizes.lookup(symbols.lookup(function));
  };
  uint64_t total = 0;
  auto add = [&](Operation *op, uint64_t size) -> LogicalResult {
    total = llvm::SaturatingAdd(total, size);
    if (total <= static_cast<uint64_t>(limits.maxOps))
      return success();
    return op->emitError("expects at most ")
           << limits.maxOps << " ops once all calls and gradients are expanded";
  };
  for (func::FuncOp function : calleesFirst) {
    uint64_t size = 0;
    function.walk([&](Operation *op) {
      uint64_t ops = copySize(op);
      if (isa<func::FuncOp, func::ReturnOp>(op))
        ops = 0;
      else if (auto call = dyn_cast<func::CallOp>(op))
        ops = sizeOf(call.getCallee());
      else if (auto grad = dyn_cast<graph::ValueAndGradOp>(op))
        ops = llvm::SaturatingMultiply(sizeOf(grad.getFunction()), uint64_t(2));
      else if (auto custom = dyn_cast<graph::CustomVjpOp>(op))
        ops = llvm::SaturatingAdd(sizeOf(custom.getFunction()),
                                  sizeOf(custom.getVjp()));
      else if (auto host = dyn_cast<graph::CustomOp>(op); host && host.getVjp())
        ops = llvm::SaturatingAdd(ops, sizeOf(*host.getVjp()));
      size = llvm::SaturatingAdd(size, ops);
    });
    sizes[function] = size;
    if (failed(add(function, size)))
      return failure();
  }
  for (Operation &op : *module.getBody()) {
    uint64_t size = 0;
    if (auto train = dyn_cast<graph::TrainOp>(op))
      size = sizeOf(train.getLoss());
    else if (auto grad = dyn_cast<graph::GradOp>(op))
      size = sizeOf(grad.getFunction());
    if (failed(add(&op, llvm::SaturatingMultiply(size, uint64_t(2)))))
      return failure();
  }
  return success();
}

namespace {
class EntryMaker {
public:
  explicit EntryMaker(ModuleOp module) : symbols(module), module(module) {}

  FailureOr<llvm::SmallVector<Entry>> run();

private:
  func::FuncOp copy(StringRef function, StringRef name, Operation *before,
                    graph::Mode mode);
  func::FuncOp copyFor(StringRef function, graph::Mode mode, Operation *before);
  void redirect(Entry entry);
  LogicalResult keepCustomFunctions(Entry entry);

  SymbolTable symbols;
  ModuleOp module;
  llvm::SmallVector<Entry> entries;
  llvm::DenseSet<Operation *> kept;
  llvm::DenseMap<std::pair<Operation *, graph::Mode>, func::FuncOp> copies;
  /// Public functions before their own mode was written into them.
  llvm::DenseMap<Operation *, OwningOpRef<func::FuncOp>> asWritten;
};
} // namespace

/// A private copy of `function`, named `name` or, if that is taken, like it.
func::FuncOp EntryMaker::copy(StringRef function, StringRef name,
                              Operation *before, graph::Mode mode) {
  Operation *original = symbols.lookup(function);
  auto known = asWritten.find(original);
  if (known != asWritten.end())
    original = *known->second;
  auto copy = cast<func::FuncOp>(original->clone());
  copy.setSymName(name);
  copy.setPrivate();
  copy->removeAttr("graph.specializes");
  symbols.insert(copy, before->getIterator());
  kept.insert(copy);
  entries.push_back({copy, mode});
  return copy;
}

/// The copy of `function` in `mode` that all inner gradients share, so that
/// several gradients of one function can share their forward ops.
func::FuncOp EntryMaker::copyFor(StringRef function, graph::Mode mode,
                                 Operation *before) {
  func::FuncOp &known = copies[{symbols.lookup(function), mode}];
  if (!known)
    known = copy(function, (function + "." + graph::stringifyMode(mode)).str(),
                 before, mode);
  return known;
}

/// Makes the gradients inside `entry` name copies. Those of open mode have that
/// of the function they stand in.
void EntryMaker::redirect(Entry entry) {
  llvm::SmallVector<graph::ValueAndGradOp> grads;
  entry.function.walk(
      [&](graph::ValueAndGradOp grad) { grads.push_back(grad); });
  if (!grads.empty() && !entry.function.isPrivate())
    asWritten[entry.function] = entry.function.clone();
  for (graph::ValueAndGradOp grad : grads) {
    graph::Mode mode = grad.getMode().value_or(entry.mode);
    grad.setModeAttr(graph::ModeAttr::get(grad.getContext(), mode));
    grad.setFunction(
        copyFor(grad.getFunction(), mode, entry.function).getSymName());
  }
}

/// What custom ops name stays a function of its own until Autodiff.
LogicalResult EntryMaker::keepCustomFunctions(Entry entry) {
  for (func::FuncOp function : customFunctions(entry.function, symbols)) {
    if (failed(checkIsPlain(function)))
      return failure();
    if (kept.insert(function).second)
      entries.push_back({function, entry.mode});
  }
  return success();
}

FailureOr<llvm::SmallVector<Entry>> EntryMaker::run() {
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isPrivate()) {
      entries.push_back({function, graph::Mode::Eval});
      kept.insert(function);
    }
  for (auto train : llvm::to_vector(module.getOps<graph::TrainOp>()))
    train.setLoss(copy(train.getLoss(), (train.getSymName() + ".loss").str(),
                       train, graph::Mode::Train)
                      .getSymName());
  for (auto grad : llvm::to_vector(module.getOps<graph::GradOp>())) {
    graph::Mode mode = grad.getMode().value_or(graph::Mode::Eval);
    grad.setModeAttr(graph::ModeAttr::get(grad.getContext(), mode));
    grad.setFunction(copyFor(grad.getFunction(), mode, grad).getSymName());
  }
  // The list grows: a copy may hold gradients too.
  for (size_t next = 0; next < entries.size(); ++next) {
    redirect(entries[next]);
    if (failed(keepCustomFunctions(entries[next])))
      return failure();
  }
  for (auto function : llvm::to_vector(module.getOps<func::FuncOp>()))
    if (!kept.contains(function))
      function.erase();
  return std::move(entries);
}

FailureOr<llvm::SmallVector<Entry>> makeEntries(ModuleOp module,
                                                const ImportLimits &limits) {
  FailureOr<llvm::SmallVector<func::FuncOp>> order = orderCalleesFirst(module);
  if (failed(order))
    return failure();
  SymbolTable symbols(module);
  if (failed(checkExpandedSize(module, *order, symbols, limits)))
    return failure();
  for (func::FuncOp function : *order)
    inlineCalls(function, symbols);
  return EntryMaker(module).run();
}

} // namespace graphc
