// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules that a table keeps by itself; PlanSimulation has the others.
#include "lib/Analysis/PlanCheck.h"

#include "dialects/Graph/IR/Graph.h"
#include "lib/Analysis/PlanSimulation.h"

using namespace mlir;

namespace graphc::plan {
namespace {

/// One thing that lies in the state or among the constants.
struct Item {
  RefAttr ref;
  Operation *op;
};

LogicalResult checkApart(std::vector<Item> items) {
  llvm::sort(items, [](const Item &a, const Item &b) {
    return std::make_pair(a.ref.getOffset(), a.ref.getEnd()) <
           std::make_pair(b.ref.getOffset(), b.ref.getEnd());
  });
  const Item *last = nullptr;
  for (const Item &item : items) {
    if (item.ref.getBytes() == 0)
      continue;
    if (last && last->ref.overlaps(item.ref)) {
      InFlightDiagnostic diag =
          item.op->emitOpError("expects bytes of its own, "
                               "but got ")
          << item.ref;
      diag.attachNote(last->op->getLoc()) << "these hold " << last->ref;
      return diag;
    }
    last = &item;
  }
  return success();
}

/// The kernels that give a variable's elements another order, and take it back.
LogicalResult checkLayout(graph::VariableOp variable, SymbolTable &symbols) {
  RankedTensorType type = variable.getTensorType(),
                   stored = variable.getStoredType();
  auto check = [&](StringRef name, RankedTensorType from,
                   RankedTensorType to) -> LogicalResult {
    auto symbol = variable->getAttrOfType<FlatSymbolRefAttr>(name);
    if (bool(symbol) != bool(variable.getLayout()))
      return variable.emitOpError("expects '")
             << name << "' if it has a layout, and only then";
    if (!symbol)
      return success();
    auto kernel = symbols.lookup<func::FuncOp>(symbol.getValue());
    if (!kernel || !isKernel(kernel) || kernel.getNumArguments() != 2)
      return variable.emitOpError("expects '")
             << name << "' to name a kernel of two buffers, but got " << symbol;
    RankedTensorType expected[] = {from, to};
    for (auto [argument, tensor] :
         llvm::zip_equal(kernel.getArgumentTypes(), expected)) {
      auto memref = dyn_cast<MemRefType>(argument);
      if (!memref || memref.getNumElements() != tensor.getNumElements() ||
          memref.getElementTypeBitWidth() != tensor.getElementTypeBitWidth())
        return variable.emitOpError("expects ")
               << symbol << " to take " << tensor << ", but got " << argument;
    }
    return success();
  };
  return failure(failed(check(PlanDialect::getPackAttrName(), type, stored)) ||
                 failed(check(PlanDialect::getUnpackAttrName(), stored, type)));
}

FailureOr<Placement> readPlacement(ModuleOp module) {
  SymbolTable symbols(module);
  Placement placement;
  std::vector<Item> variables, constants;
  auto place = [](Space space, int64_t offset, ShapedType type) {
    return RefAttr::get(type.getContext(), type.getElementType(), space, 0,
                        offset, getByteSize(type), 0);
  };
  for (auto variable : module.getOps<graph::VariableOp>()) {
    auto offset =
        variable->getAttrOfType<IntegerAttr>(PlanDialect::getOffsetAttrName());
    if (!offset) {
      variable.emitOpError("expects a plan.offset in a planned module");
      return failure();
    }
    if (failed(checkLayout(variable, symbols)))
      return failure();
    RefAttr ref =
        place(Space::State, offset.getInt(), variable.getStoredType());
    placement.variables.push_back({variable.getSymNameAttr(), ref});
    variables.push_back({ref, variable});
    placement.stateBytes = std::max(placement.stateBytes, ref.getEnd());
  }
  for (auto constant : module.getOps<ConstantOp>()) {
    RefAttr ref = place(Space::Constant, constant.getOffset(),
                        constant.getValue().getShapedType());
    placement.constants.push_back({ref, constant.getValue()});
    constants.push_back({ref, constant});
    placement.constantBytes = std::max(placement.constantBytes, ref.getEnd());
  }
  if (failed(checkApart(std::move(variables))) ||
      failed(checkApart(std::move(constants))))
    return failure();
  return placement;
}

/// Places, alignment, and the size of the arena.
LogicalResult checkPlaces(ProgramOp program, const Placement &placement) {
  int64_t arenaEnd = 0;
  for (EntryOp entry : program.getEntries())
    for (ArrayAttr refs :
         {entry.getReads(), entry.getWrites(), entry.getCarried()})
      for (auto ref : refs.getAsRange<RefAttr>()) {
        int64_t limit = INT64_MAX; // Inputs and outputs: by the verifier.
        if (ref.getSpace() == Space::State)
          limit = placement.stateBytes;
        if (ref.getSpace() == Space::Constant)
          limit = placement.constantBytes;
        if (ref.getEnd() > limit)
          return entry.emitOpError("expects buffers inside the ")
                 << limit << " bytes of their space, but got " << ref;
        bool isOurs =
            ref.getSpace() != Space::Input && ref.getSpace() != Space::Output;
        if (isOurs && ref.getOffset() % alignment != 0)
          return entry.emitOpError("expects buffers at multiples of ")
                 << alignment << " bytes, but got " << ref;
        if (ref.getSpace() == Space::Arena && ref.getBytes() != 0)
          arenaEnd = std::max<int64_t>(arenaEnd,
                                       llvm::alignTo(ref.getEnd(), alignment));
      }
  if (int64_t(program.getArenaBytes()) != arenaEnd)
    return program.emitOpError("expects an arena of ")
           << arenaEnd << " bytes, which its buffers reach, but got "
           << program.getArenaBytes();
  return success();
}

LogicalResult checkCommit(ProgramOp program) {
  EntryOp commit;
  unsigned depth = 0;
  for (EntryOp entry : program.getEntries()) {
    depth += entry.getKind() == EntryKind::LoopBegin;
    depth -= entry.getKind() == EntryKind::LoopEnd;
    if (entry.getKind() == EntryKind::Commit) {
      if (commit)
        return entry.emitOpError("expects one commit in a program");
      if (depth != 0)
        return entry.emitOpError("expects a commit outside loops");
      commit = entry;
    }
    if (commit && entry.getMayFail())
      return entry.emitOpError(
          "expects nothing that may fail after the commit");
    for (RefAttr ref : entry.getWrittenRefs())
      if (!commit && ref.getSpace() == Space::State)
        return entry.emitOpError("expects a commit before state is written, "
                                 "but got ")
               << ref;
  }
  return success();
}

/// What a kernel does and what its launches say agrees.
LogicalResult checkFlags(ProgramOp program, SymbolTableCollection &symbols,
                         llvm::DenseMap<Attribute, bool> &kernelsMayFail) {
  for (EntryOp entry : program.getEntries()) {
    FlatSymbolRefAttr name = entry.getKernelAttr();
    if (!name)
      continue;
    auto [known, isNew] = kernelsMayFail.try_emplace(name, false);
    if (isNew)
      if (auto kernel = symbols.lookupNearestSymbolFrom<func::FuncOp>(
              program->getParentOp(), name))
        known->second =
            kernel.walk([](FailIndexOp) { return WalkResult::interrupt(); })
                .wasInterrupted();
    if (known->second && !entry.getMayFail())
      return entry.emitOpError("expects may_fail, since ")
             << name << " has a plan.fail_index";
  }
  return success();
}

} // namespace

/// Nothing is left of earlier phases, but for functions to compare with.
static LogicalResult checkWhatIsLeft(ModuleOp module) {
  llvm::DenseSet<StringAttr> compared;
  for (auto program : module.getOps<ProgramOp>())
    if (program.getOfAttr())
      compared.insert(program.getOfAttr().getAttr());
  for (Operation &op : *module.getBody()) {
    if (isa<graph::VariableOp, ConstantOp, ProgramOp>(op))
      continue;
    auto function = dyn_cast<func::FuncOp>(op);
    if (function &&
        (isKernel(function) || compared.contains(function.getSymNameAttr())))
      continue;
    InFlightDiagnostic diag =
        op.emitError("'") << op.getName() << "' must not survive phase 'plan'";
    diag.attachNote() << "allowed here: graph.variable, plan.constant, "
                         "plan.program and kernels";
    return diag;
  }
  return success();
}

LogicalResult checkPlans(ModuleOp module) {
  if (failed(checkWhatIsLeft(module)))
    return failure();
  FailureOr<Placement> placement = readPlacement(module);
  if (failed(placement))
    return failure();
  SymbolTableCollection symbols;
  llvm::DenseMap<Attribute, bool> kernelsMayFail;
  for (auto program : module.getOps<ProgramOp>()) {
    if (failed(checkPlaces(program, *placement)) ||
        failed(checkCommit(program)) ||
        failed(checkFlags(program, symbols, kernelsMayFail)))
      return failure();
    Terms terms;
    FailureOr<PlanValues> values = failure();
    if (program.getOfAttr()) {
      auto function = symbols.lookupNearestSymbolFrom<func::FuncOp>(
          module, program.getOfAttr());
      values = evaluate(function, terms);
      if (failed(values))
        return failure();
    }
    if (failed(simulate(program, *placement, terms,
                        succeeded(values) ? &*values : nullptr)))
      return failure();
  }
  return success();
}

} // namespace graphc::plan
