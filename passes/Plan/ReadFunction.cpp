// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Plan/Schedule.h"

using namespace mlir;

namespace graphc::planning {

TensorId Schedule::addTensor(Type type) {
  Tensor tensor;
  tensor.type = cast<RankedTensorType>(type);
  tensor.bytes = plan::getByteSize(tensor.type);
  tensors.push_back(tensor);
  return tensors.size() - 1;
}

bool mayShare(const Step &step, TensorId output, TensorId input) {
  auto launch = dyn_cast<plan::LaunchOp>(step.op);
  if (!launch || step.kind != plan::EntryKind::Launch)
    return false;
  SmallVector<plan::InPlacePair> pairs = launch.getInPlacePairs();
  bool isRead = false;
  for (auto [number, read] : llvm::enumerate(step.reads)) {
    if (read != input)
      continue;
    isRead = true;
    if (llvm::none_of(pairs, [&, number = int64_t(number)](auto pair) {
          return pair.input == number && step.writes[pair.output] == output;
        }))
      return false;
  }
  return isRead;
}

namespace {

class FunctionReader {
public:
  FunctionReader(func::FuncOp function, const VariableNumbers &variables)
      : variables(variables) {
    schedule.function = function;
  }

  FailureOr<Schedule> read() {
    Block &body = schedule.function.front();
    for (BlockArgument argument : body.getArguments())
      bind(idOf(argument), plan::Space::Input, argument.getArgNumber());
    for (Operation &op : body) {
      if (auto set = dyn_cast<graph::SetOp>(op)) {
        if (failed(readSet(set)))
          return failure();
        continue;
      }
      if (auto end = dyn_cast<func::ReturnOp>(op)) {
        writeVariables();
        writeOutputs(end);
        continue;
      }
      Node node;
      if (failed(readOp(&op, node)))
        return failure();
      if (node.steps.empty())
        continue;
      for (TensorId tensor : node.steps.back().writes)
        producers[tensor] = schedule.nodes.size();
      schedule.nodes.push_back(std::move(node));
    }
    return std::move(schedule);
  }

private:
  TensorId idOf(Value value) {
    auto [it, isNew] = ids.try_emplace(value, 0);
    if (isNew)
      it->second = schedule.addTensor(value.getType());
    return it->second;
  }

  void bind(TensorId tensor, plan::Space space, unsigned index) {
    schedule.tensors[tensor].space = space;
    schedule.tensors[tensor].index = index;
  }

  LogicalResult readOp(Operation *op, Node &node) {
    if (auto get = dyn_cast<graph::GetOp>(op)) {
      unsigned variable = variables.lookup(get.getVariableAttr().getAttr());
      if (newValues.count(variable))
        return get.emitOpError("expects no graph.get after the graph.set of ")
               << get.getVariableAttr();
      auto [it, isNew] = schedule.oldValues.try_emplace(variable, 0);
      if (isNew) {
        it->second = schedule.addTensor(get.getType());
        bind(it->second, plan::Space::State, variable);
      }
      ids[get.getResult()] = it->second;
      return success();
    }
    if (auto constant = dyn_cast<graph::ConstantOp>(op)) {
      if (!plan::hasElementBytes(constant.getValue()))
        return constant.emitOpError("expects elements that are in memory");
      bind(idOf(constant.getResult()), plan::Space::Constant,
           schedule.constants.size());
      schedule.constants.push_back(constant.getValue());
      return success();
    }
    // Steps keep their order, so it is another name and no more.
    if (auto barrier = dyn_cast<graph::RecomputeBarrierOp>(op)) {
      TensorId saved = idOf(barrier.getSaved());
      ids[barrier.getResult()] = saved;
      return success();
    }
    if (auto launch = dyn_cast<plan::LaunchOp>(op)) {
      readLaunch(launch, node);
      return success();
    }
    if (auto loop = dyn_cast<graph::ForOp>(op))
      return readLoop(loop, node);
    return op->emitOpError("expects only graph.get, graph.set, graph.constant, "
                           "graph.for, graph.recompute_barrier, plan.launch "
                           "and func.return in a function to plan");
  }

  void readLaunch(plan::LaunchOp launch, Node &node) {
    Step step{plan::EntryKind::Launch, launch, {}, {}};
    for (Value input : launch.getInputs())
      step.reads.push_back(idOf(input));
    for (Value output : launch.getOutputs())
      step.writes.push_back(idOf(output));
    // A lookup goes through all the symbols of the module.
    func::FuncOp &kernel = kernels[launch.getKernelAttr()];
    if (!kernel)
      kernel = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
          launch, launch.getKernelAttr());
    if (std::optional<int64_t> bytes = plan::getWorkspaceBytes(
            kernel, step.reads.size(), step.writes.size())) {
      step.hasWorkspace = true;
      step.writes.push_back(schedule.addTensor(RankedTensorType::get(
          {*bytes}, IntegerType::get(launch.getContext(), 8))));
    }
    node.mayFail |= launch.getMayFail();
    node.isOrdered |= launch->hasAttr("ordered");
    node.steps.push_back(std::move(step));
  }

  void addCopy(Operation *op, TensorId from, TensorId to, Node &node) {
    node.steps.push_back({plan::EntryKind::Copy, op, {from}, {to}});
  }

  LogicalResult readLoop(graph::ForOp op, Node &node) {
    unsigned number = schedule.loops.size();
    schedule.loops.emplace_back();
    Loop loop;
    loop.count = op.getCount();
    Block &body = op.getBody().front();
    Operation *yield = body.getTerminator();

    Step begin{plan::EntryKind::LoopBegin, op, {}, {}};
    Step end{plan::EntryKind::LoopEnd, op, {}, {}};
    begin.loop = end.loop = number;
    if (!body.getArgument(0).use_empty()) {
      loop.slot = idOf(body.getArgument(0));
      begin.writes.push_back(*loop.slot);
    }
    for (auto [k, init] : llvm::enumerate(op.getInits())) {
      Loop::Carried carried;
      carried.init = schedule.addTensor(init.getType());
      carried.argument = idOf(body.getArgument(k + 1));
      carried.next = schedule.addTensor(init.getType());
      carried.result = idOf(op.getResult(k));
      loop.carried.push_back(carried);
      addCopy(op, idOf(init), carried.init, node);
      begin.reads.push_back(carried.init);
      begin.writes.push_back(carried.argument);
      end.reads.push_back(carried.next);
      end.writes.push_back(carried.result);
    }
    node.steps.push_back(std::move(begin));
    for (Operation &inner : body.without_terminator())
      if (failed(readOp(&inner, node)))
        return failure();

    // All next values are taken at once: a value that another carried value
    // becomes is saved before the first of them is overwritten.
    SmallVector<TensorId> nexts;
    for (auto [k, value] : llvm::enumerate(yield->getOperands())) {
      auto argument = dyn_cast<BlockArgument>(value);
      TensorId next = idOf(value);
      if (argument && argument.getOwner() == &body &&
          argument.getArgNumber() != k + 1) {
        next = schedule.addTensor(value.getType());
        addCopy(yield, idOf(value), next, node);
      }
      nexts.push_back(next);
    }
    for (auto [carried, next] : llvm::zip_equal(loop.carried, nexts))
      addCopy(yield, next, carried.next, node);
    node.steps.push_back(std::move(end));
    schedule.loops[number] = std::move(loop);
    return success();
  }

  LogicalResult readSet(graph::SetOp set) {
    unsigned variable = variables.lookup(set.getVariableAttr().getAttr());
    if (!newValues.try_emplace(variable, idOf(set.getValue())).second)
      return set.emitOpError("expects one graph.set of ")
             << set.getVariableAttr() << " in a function";
    TensorId value = idOf(set.getValue());
    auto old = schedule.oldValues.find(variable);
    bool isSame = old != schedule.oldValues.end() && old->second == value;
    if (!isSame && schedule.tensors[value].bytes != 0)
      sets.push_back({set, variable, value});
    return success();
  }

  /// True if the launch that makes `value` may write it into `variable`.
  bool mayWriteVariable(TensorId value, unsigned variable) {
    auto producer = producers.find(value);
    if (!schedule.tensors[value].isArena() || producer == producers.end())
      return false;
    Node &node = schedule.nodes[producer->second];
    Step &step = node.steps.back();
    if (step.kind != plan::EntryKind::Launch || node.mayFail)
      return false;
    auto old = schedule.oldValues.find(variable);
    return old == schedule.oldValues.end() ||
           !llvm::is_contained(step.reads, old->second) ||
           mayShare(step, value, old->second);
  }

  void writeVariables() {
    llvm::DenseSet<unsigned> updated;
    for (auto &set : sets)
      updated.insert(set.variable);
    for (auto &[op, variable, value] : sets) {
      if (mayWriteVariable(value, variable)) {
        bind(value, plan::Space::State, variable);
        schedule.nodes[producers.lookup(value)].variables.push_back(variable);
        continue;
      }
      TensorId source = value;
      const Tensor &tensor = schedule.tensors[value];
      // The old value of a variable that changes too: kept aside before that.
      if (isOldValue(value) && updated.count(tensor.index)) {
        source = schedule.addTensor(tensor.type);
        Node save;
        addCopy(op, value, source, save);
        schedule.nodes.push_back(std::move(save));
      }
      TensorId target = schedule.addTensor(schedule.tensors[value].type);
      bind(target, plan::Space::State, variable);
      Node node;
      addCopy(op, source, target, node);
      node.variables.push_back(variable);
      schedule.nodes.push_back(std::move(node));
    }
  }

  bool isOldValue(TensorId tensor) {
    if (schedule.tensors[tensor].space != plan::Space::State)
      return false;
    auto old = schedule.oldValues.find(schedule.tensors[tensor].index);
    return old != schedule.oldValues.end() && old->second == tensor;
  }

  void writeOutputs(func::ReturnOp op) {
    for (auto [number, operand] : llvm::enumerate(op.getOperands())) {
      TensorId value = idOf(operand);
      if (schedule.tensors[value].isArena()) {
        bind(value, plan::Space::Output, number);
        continue;
      }
      TensorId target = schedule.addTensor(operand.getType());
      bind(target, plan::Space::Output, number);
      Node node;
      addCopy(op, value, target, node);
      schedule.nodes.push_back(std::move(node));
    }
  }

  struct Set {
    graph::SetOp op;
    unsigned variable;
    TensorId value;
  };

  const VariableNumbers &variables;
  Schedule schedule;
  llvm::DenseMap<Value, TensorId> ids;
  llvm::DenseMap<Attribute, func::FuncOp> kernels;
  llvm::DenseMap<TensorId, unsigned>
      producers; // nodes, by what they write last
  llvm::DenseMap<unsigned, TensorId> newValues; // by variable
  SmallVector<Set> sets;
};

} // namespace

FailureOr<Schedule> readFunction(func::FuncOp function,
                                 const VariableNumbers &variables) {
  return FunctionReader(function, variables).read();
}

} // namespace graphc::planning
