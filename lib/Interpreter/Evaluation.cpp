// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Interpreter/Evaluation.h"
#include "lib/Interpreter/Panels.h"

#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace graphc::interpreter {

Evaluation::Evaluation(Interpreter &interpreter)
    : interpreter(interpreter), options(interpreter.options),
      liveElements(std::make_shared<int64_t>(0)), deadline(options.maxSeconds) {
}

Evaluation::Shared Evaluation::hold(Tensor tensor) {
  std::shared_ptr<int64_t> live = liveElements;
  *live += tensor.size();
  return Shared(new Tensor(std::move(tensor)), [live](const Tensor *dead) {
    *live -= dead->size();
    delete dead;
  });
}

LogicalResult Evaluation::checkRoom(Operation *op, RankedTensorType type) {
  std::optional<int64_t> count = countElements(type);
  if (count && *count <= options.maxElements - *liveElements)
    return success();
  return op->emitOpError("would keep more than ")
         << options.maxElements << " elements in memory, with a result of type "
         << type;
}

LogicalResult Evaluation::checkBudget(Operation *op) {
  ++opCount;
  if (options.maxOps > 0 && opCount > options.maxOps)
    return op->emitOpError("is past the limit of ")
           << options.maxOps << " evaluated ops";
  return checkDeadline(op, options);
}

void Evaluation::commit() {
  for (auto &entry : written)
    interpreter.variables[entry.first()] = entry.second;
}

/// The op of `block` that is or holds the last use of `value`, or null.
static Operation *findLastUse(Value value, Block &block) {
  Operation *last = nullptr;
  for (Operation *user : value.getUsers()) {
    Operation *here = block.findAncestorOpInBlock(*user);
    if (here && (!last || last->isBeforeInBlock(here)))
      last = here;
  }
  return last;
}

ArrayRef<Value> Evaluation::getDeadAfter(Operation *op) {
  Block &block = *op->getBlock();
  if (analysedBlocks.insert(&block).second) {
    auto note = [&](Value value, Operation *definition) {
      Operation *last = findLastUse(value, block);
      deadAfter[last ? last : definition].push_back(value);
    };
    for (Value argument : block.getArguments())
      note(argument, &block.front());
    for (Operation &definition : block)
      for (Value result : definition.getResults())
        note(result, &definition);
  }
  auto it = deadAfter.find(op);
  return it == deadAfter.end() ? ArrayRef<Value>() : it->second;
}

FailureOr<Evaluation::Values> Evaluation::callFunction(Operation *caller,
                                                       func::FuncOp function,
                                                       Values arguments) {
  if (function.isExternal())
    return caller->emitError("expects ")
           << function.getSymName() << " to have a body";
  Block &body = function.getBody().front();
  Frame frame;
  for (auto [argument, value] : llvm::zip_equal(body.getArguments(), arguments))
    frame[argument] = value;
  arguments.clear();
  Values results;
  if (failed(runBlock(body, frame, results)))
    return failure();
  return results;
}

LogicalResult Evaluation::runBlock(Block &block, Frame &frame,
                                   Values &results) {
  auto leave = llvm::make_scope_exit([&] { --depth; });
  if (++depth > options.maxDepth)
    return block.getParentOp()->emitError("is nested deeper than ")
           << options.maxDepth << " calls, loops and regions";
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>()) {
      results.clear();
      for (Value value : op.getOperands())
        results.push_back(frame.lookup(value));
      // What this block defined and nothing reads is gone.
    } else if (failed(checkBudget(&op)) || failed(runOp(&op, frame))) {
      return failure();
    }
    for (Value dead : getDeadAfter(&op))
      frame.erase(dead);
  }
  return success();
}

/// Calls `function` with the operands of `op`, whose results it gives.
LogicalResult Evaluation::runCall(Operation *op, StringRef function,
                                  Frame &frame) {
  auto callee = interpreter.symbols->lookup<func::FuncOp>(function);
  Values arguments;
  for (Value operand : op->getOperands())
    arguments.push_back(frame.lookup(operand));
  FailureOr<Values> results = callFunction(op, callee, std::move(arguments));
  if (failed(results))
    return failure();
  for (auto [result, value] : llvm::zip_equal(op->getResults(), *results))
    frame[result] = value;
  return success();
}

LogicalResult Evaluation::runOp(Operation *op, Frame &frame) {
  if (auto loop = dyn_cast<graph::ForOp>(op))
    return runFor(loop, frame);
  if (isa<graph::FusedOp, graph::CheckpointOp, graph::PrecisionOp>(op))
    return runRegion(op, frame);
  if (auto get = dyn_cast<graph::GetOp>(op))
    return runGet(get, frame);
  if (auto set = dyn_cast<graph::SetOp>(op)) {
    runSet(set, frame);
    return success();
  }
  if (auto call = dyn_cast<func::CallOp>(op))
    return runCall(op, call.getCallee(), frame);
  if (auto custom = dyn_cast<graph::CustomVjpOp>(op))
    return runCall(op, custom.getFunction(), frame);
  if (auto host = dyn_cast<graph::CustomOp>(op)) {
    if (!host.getReference())
      return op->emitOpError("expects a reference function to be interpreted: "
                             "the interpreter knows no host function");
    return runCall(op, *host.getReference(), frame);
  }
  return runPlain(op, frame);
}

LogicalResult Evaluation::runFor(graph::ForOp op, Frame &frame) {
  Block &body = op.getBody().front();
  Values carried;
  for (Value init : op.getInits())
    carried.push_back(frame.lookup(init));
  int64_t count = static_cast<int64_t>(op.getCount());
  for (int64_t i = 0; i < count; ++i) {
    // An empty body would never come to the check in runBlock.
    if (failed(checkBudget(op)))
      return failure();
    Tensor index(cast<RankedTensorType>(body.getArgument(0).getType()));
    index.ints[0] = i;
    frame[body.getArgument(0)] = hold(std::move(index));
    for (auto [argument, value] :
         llvm::zip_equal(body.getArguments().drop_front(), carried))
      frame[argument] = value;
    carried.clear();
    if (failed(runBlock(body, frame, carried)))
      return failure();
  }
  for (auto [result, value] : llvm::zip_equal(op.getResults(), carried))
    frame[result] = value;
  return success();
}

/// Runs the one region of `op` once, on its operands.
LogicalResult Evaluation::runRegion(Operation *op, Frame &frame) {
  Block &body = op->getRegion(0).front();
  for (auto [argument, input] :
       llvm::zip_equal(body.getArguments(), op->getOperands()))
    frame[argument] = frame.lookup(input);
  Values results;
  if (failed(runBlock(body, frame, results)))
    return failure();
  for (auto [result, value] : llvm::zip_equal(op->getResults(), results))
    frame[result] = value;
  return success();
}

LogicalResult Evaluation::runGet(graph::GetOp op, Frame &frame) {
  Shared value = written.lookup(op.getVariable());
  if (!value)
    value = interpreter.variables.lookup(op.getVariable());
  if (!value)
    return op.emitOpError("reads a variable that has no value: its initializer "
                          "needs a generator or a file, or set it");
  auto variable =
      interpreter.symbols->lookup<graph::VariableOp>(op.getVariable());
  if (std::optional<graph::PanelsAttr> layout = variable.getLayout()) {
    if (failed(checkRoom(op, variable.getStoredType())))
      return failure();
    value = hold(packPanels(*layout, *value));
  }
  frame[op.getResult()] = value;
  return success();
}

void Evaluation::runSet(graph::SetOp op, Frame &frame) {
  auto variable =
      interpreter.symbols->lookup<graph::VariableOp>(op.getVariable());
  Shared value = frame.lookup(op.getValue());
  if (std::optional<graph::PanelsAttr> layout = variable.getLayout())
    value = hold(unpackPanels(*layout, variable.getTensorType(), *value));
  written[op.getVariable()] = value;
}

LogicalResult Evaluation::runPlain(Operation *op, Frame &frame) {
  llvm::SmallVector<Shared> alive;
  llvm::SmallVector<const Tensor *> operands;
  for (Value operand : op->getOperands()) {
    alive.push_back(frame.lookup(operand));
    operands.push_back(alive.back().get());
  }
  if (OpTable::get().find(op->getName().getStringRef()))
    for (Type type : op->getResultTypes())
      if (failed(checkRoom(op, cast<RankedTensorType>(type))))
        return failure();
  llvm::SmallVector<Tensor, 1> results;
  if (failed(evaluate(op, operands, results, options)))
    return failure();
  if (options.observer)
    options.observer(op, operands, results);
  for (auto [value, tensor] : llvm::zip_equal(op->getResults(), results))
    frame[value] = hold(std::move(tensor));
  return success();
}

} // namespace graphc::interpreter
