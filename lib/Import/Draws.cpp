// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Import/Draws.h"

using namespace mlir;

namespace graphc {
namespace {

constexpr llvm::StringLiteral kKeyName = "graphc.rng_key";

class Draws {
public:
  explicit Draws(ModuleOp module)
      : module(module), symbols(module), builder(module.getContext()),
        keyType(RankedTensorType::get({3}, builder.getI64Type())) {}

  LogicalResult run(ArrayRef<Entry> entries);

private:
  LogicalResult resolveModes(const Entry &entry);
  LogicalResult collectIds(func::FuncOp function);
  LogicalResult number(func::FuncOp function);
  LogicalResult declareKey(Location loc);
  void countStep(func::FuncOp function);
  bool drawsInside(func::FuncOp function);
  int64_t nextId();

  ModuleOp module;
  SymbolTable symbols;
  OpBuilder builder;
  RankedTensorType keyType;
  /// Ids that the user gave, in any function.
  llvm::DenseSet<int64_t> taken;
  int64_t next = 0;
};

/// Marks the batch norms, whose running statistics evaluation leaves as they
/// are.
LogicalResult resolve(graph::BatchNormOp op, graph::Mode mode) {
  op.setModeAttr(graph::ModeAttr::get(op.getContext(), mode));
  if (mode == graph::Mode::Eval) {
    op.getNewMean().replaceAllUsesWith(op.getRunningMean());
    op.getNewVar().replaceAllUsesWith(op.getRunningVar());
  }
  // The number of values per channel matters in training only.
  return op.verify();
}

/// A select by it goes too, so that evaluation sets no state that only training
/// changes.
void resolve(graph::IsTrainingOp op, graph::Mode mode) {
  for (Operation *user : llvm::to_vector(op.getResult().getUsers()))
    if (auto select = dyn_cast<graph::SelectOp>(user);
        select && select.getCondition() == op.getResult())
      select.replaceAllUsesWith(mode == graph::Mode::Train
                                    ? select.getOnTrue()
                                    : select.getOnFalse());
  OpBuilder builder(op);
  op.setModeAttr(graph::ModeAttr::get(op.getContext(), mode));
  op.getResult().replaceAllUsesWith(op.decompose(builder).front());
  op.erase();
}

/// Drops the dropouts of evaluation mode, marks the others.
LogicalResult Draws::resolveModes(const Entry &entry) {
  WalkResult norms = entry.function->walk([&](Operation *op) {
    if (auto norm = dyn_cast<graph::BatchNormOp>(op))
      return WalkResult(resolve(norm, norm.getMode().value_or(entry.mode)));
    if (auto training = dyn_cast<graph::IsTrainingOp>(op))
      resolve(training, training.getMode().value_or(entry.mode));
    return WalkResult::advance();
  });
  if (norms.wasInterrupted())
    return failure();
  WalkResult result = entry.function->walk([&](graph::DropoutOp op) {
    graph::Mode mode = op.getMode().value_or(entry.mode);
    if (mode == graph::Mode::Eval) {
      op.replaceAllUsesWith(op.getInput());
      op.erase();
      return WalkResult::advance();
    }
    op.setModeAttr(graph::ModeAttr::get(op.getContext(), mode));
    if (!op.getKey() && op->getParentOfType<graph::ForOp>()) {
      op.emitOpError("expects not to stand in a graph.for without a key: each "
                     "iteration would draw the same numbers");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// The id that an op draws with; nothing if it does not draw, -1 if it has
/// none.
std::optional<int64_t> idOf(Operation *op) {
  if (auto dropout = dyn_cast<graph::DropoutOp>(op))
    return static_cast<int64_t>(dropout.getOpId().value_or(uint64_t(-1)));
  if (auto uniform = dyn_cast<graph::RandomUniformOp>(op))
    return static_cast<int64_t>(uniform.getOpId());
  return std::nullopt;
}

LogicalResult Draws::collectIds(func::FuncOp function) {
  llvm::DenseMap<int64_t, Operation *> here;
  WalkResult result = function.walk([&](Operation *op) {
    std::optional<int64_t> id = idOf(op);
    if (!id || *id < 0)
      return WalkResult::advance();
    taken.insert(*id);
    auto [first, isNew] = here.insert({*id, op});
    if (isNew)
      return WalkResult::advance();
    op->emitOpError("expects an op_id of its own, but got ")
            .append(*id, " again")
            .attachNote(first->second->getLoc())
        << "first here";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

int64_t Draws::nextId() {
  while (taken.contains(next))
    ++next;
  return next++;
}

LogicalResult Draws::declareKey(Location loc) {
  if (Operation *known = symbols.lookup(kKeyName)) {
    auto variable = dyn_cast<graph::VariableOp>(known);
    if (variable && variable.getType() == keyType &&
        isa<graph::SeedAttr>(variable.getInitialValue()))
      return success();
    return known->emitError("expects the name \"")
           << kKeyName << "\" to be left to the random state";
  }
  builder.setInsertionPointToStart(module.getBody());
  for (auto variable : module.getOps<graph::VariableOp>())
    builder.setInsertionPointAfter(variable);
  symbols.insert(builder.create<graph::VariableOp>(
      loc, kKeyName, keyType, graph::SeedAttr::get(module.getContext()),
      /*trainable=*/false, /*optimizer_state=*/false, /*internal=*/true,
      /*layout=*/graph::PanelsAttr()));
  return success();
}

/// Gives the random ops of `function` what they lack.
LogicalResult Draws::number(func::FuncOp function) {
  Value key;
  WalkResult result = function.walk([&](Operation *op) {
    std::optional<int64_t> id = idOf(op);
    if (!id)
      return WalkResult::advance();
    auto dropout = dyn_cast<graph::DropoutOp>(op);
    if (*id < 0) {
      int64_t fresh = nextId();
      if (dropout)
        dropout.setOpId(fresh);
      else
        cast<graph::RandomUniformOp>(op).setOpId(fresh);
    }
    if (!dropout || dropout.getKey())
      return WalkResult::advance();
    if (!key) {
      if (failed(declareKey(op->getLoc())))
        return WalkResult::interrupt();
      builder.setInsertionPointToStart(&function.getBody().front());
      key = builder.create<graph::GetOp>(op->getLoc(), keyType, kKeyName);
    }
    dropout.getKeyMutable().assign(key);
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Whether `function` reads the random state, in a gradient inside it too.
bool Draws::drawsInside(func::FuncOp function) {
  llvm::SetVector<Operation *> functions;
  functions.insert(function);
  for (size_t at = 0; at < functions.size(); ++at) {
    WalkResult result = functions[at]->walk([&](Operation *op) {
      if (auto grad = dyn_cast<graph::ValueAndGradOp>(op))
        functions.insert(symbols.lookup(grad.getFunction()));
      auto get = dyn_cast<graph::GetOp>(op);
      return get && get.getVariable() == kKeyName ? WalkResult::interrupt()
                                                  : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return true;
  }
  return false;
}

/// Adds 1 to the step in the key at the end of a public function that draws, so
/// that its next call draws other numbers.
void Draws::countStep(func::FuncOp function) {
  if (function.isPrivate() || !drawsInside(function))
    return;
  WalkResult counts = function.walk([&](graph::SetOp set) {
    return set.getVariable() == kKeyName ? WalkResult::interrupt()
                                         : WalkResult::advance();
  });
  if (counts.wasInterrupted())
    return;
  Operation *terminator = function.getBody().front().getTerminator();
  Location loc = function.getLoc();
  builder.setInsertionPoint(terminator);
  Value key = builder.create<graph::GetOp>(loc, keyType, kKeyName);
  Value one = builder.create<graph::ConstantOp>(
      loc, DenseElementsAttr::get(keyType, ArrayRef<int64_t>{0, 1, 0}));
  builder.create<graph::SetOp>(loc, kKeyName,
                               builder.create<graph::AddOp>(loc, key, one));
}

LogicalResult Draws::run(ArrayRef<Entry> entries) {
  for (const Entry &entry : entries)
    if (failed(resolveModes(entry)))
      return failure();
  // In the order of the text, whatever the order in which copies were made.
  auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
  for (func::FuncOp function : functions)
    if (failed(collectIds(function)))
      return failure();
  for (func::FuncOp function : functions)
    if (failed(number(function)))
      return failure();
  for (func::FuncOp function : functions)
    countStep(function);
  return success();
}

} // namespace

LogicalResult resolveDraws(ModuleOp module, ArrayRef<Entry> entries) {
  return Draws(module).run(entries);
}

} // namespace graphc
