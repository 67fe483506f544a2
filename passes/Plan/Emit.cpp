// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Plan/Emit.h"

#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace graphc::planning {

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

int64_t ConstantPool::getOffset(ElementsAttr value) {
  auto [known, isNew] = offsets.try_emplace(value, 0);
  if (!isNew)
    return known->second;
  plan::ElementBytes bytes =
      plan::getElementBytes(value).value_or(plan::ElementBytes());
  auto &candidates = itemsOfHash[llvm::xxh3_64bits(bytes.pattern)];
  for (unsigned number : candidates)
    if (plan::getElementBytes(items[number].value) == bytes)
      return offsets[value] = items[number].offset;
  if (bytes.size > plan::maxConstantBytes - end) {
    excess = value;
    return 0;
  }
  candidates.push_back(items.size());
  items.push_back({end, value});
  offsets[value] = end;
  int64_t offset = end;
  end += llvm::alignTo(bytes.size, plan::alignment);
  return offset;
}

void ConstantPool::emit(OpBuilder &builder, Location loc) const {
  for (const Item &item : items)
    builder.create<plan::ConstantOp>(loc, item.offset, item.value);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

namespace {

class Emitter {
public:
  Emitter(const Schedule &schedule, ArrayRef<int64_t> stateOffsets,
          ConstantPool &constants, OpBuilder &builder)
      : schedule(schedule), stateOffsets(stateOffsets), constants(constants),
        builder(builder) {}

  plan::ProgramOp emit() {
    func::FuncOp function = schedule.function;
    auto program = builder.create<plan::ProgramOp>(
        function.getLoc(), function.getSymName(), kindOf(function),
        familyOf(function).getValue(),
        valuesOf(function.getArgumentTypes(), function.getAllArgAttrs()),
        valuesOf(function.getResultTypes(), function.getAllResultAttrs()),
        schedule.arenaBytes, FlatSymbolRefAttr());
    builder.createBlock(&program.getBody());
    for (const Step &step : schedule.steps)
      if (!step.isIdle)
        emitStep(step);
    builder.setInsertionPointAfter(program);
    return program;
  }

private:
  static plan::ProgramKind kindOf(func::FuncOp function) {
    auto kind = function->getAttrOfType<StringAttr>("graph.kind");
    if (kind && kind == "train")
      return plan::ProgramKind::Train;
    if (kind && kind == "grad")
      return plan::ProgramKind::Grad;
    return plan::ProgramKind::Plain;
  }

  static StringAttr familyOf(func::FuncOp function) {
    if (auto family = function->getAttrOfType<StringAttr>("graph.family"))
      return family;
    return function.getSymNameAttr();
  }

  ArrayAttr valuesOf(TypeRange types, ArrayAttr attributes) {
    SmallVector<Attribute> values;
    for (auto [number, type] : llvm::enumerate(types)) {
      StringAttr name;
      if (attributes)
        name = cast<DictionaryAttr>(attributes[number])
                   .getAs<StringAttr>("graph.name");
      values.push_back(plan::ValueAttr::get(builder.getContext(),
                                            name ? name.getValue() : "",
                                            cast<RankedTensorType>(type)));
    }
    return builder.getArrayAttr(values);
  }

  plan::RefAttr refOf(TensorId id) {
    const Tensor &tensor = schedule.tensors[id];
    int64_t offset = tensor.offset;
    unsigned index = 0;
    if (tensor.space == plan::Space::State)
      offset = stateOffsets[tensor.index];
    else if (tensor.space == plan::Space::Constant)
      offset = constants.getOffset(schedule.constants[tensor.index]);
    else
      index = tensor.isArena() ? 0 : tensor.index;
    // Nothing is read or written there, so it needs no place.
    if (tensor.bytes == 0 && tensor.isArena())
      offset = 0;
    return plan::RefAttr::get(builder.getContext(),
                              tensor.type.getElementType(), tensor.space, index,
                              offset, tensor.bytes, 0);
  }

  ArrayAttr refsOf(ArrayRef<TensorId> ids) {
    return builder.getArrayAttr(llvm::map_to_vector(
        ids, [&](TensorId id) -> Attribute { return refOf(id); }));
  }

  /// The byte that fills a constant which is only copied, if it is one byte.
  std::optional<uint8_t> uniformByte(TensorId id) {
    const Tensor &tensor = schedule.tensors[id];
    if (tensor.space != plan::Space::Constant)
      return std::nullopt;
    return plan::getUniformByte(schedule.constants[tensor.index]);
  }

  plan::EntryOp create(const Step &step, plan::EntryKind kind, ArrayAttr reads,
                       ArrayAttr writes) {
    OperationState state(step.op->getLoc(), plan::EntryOp::getOperationName());
    auto &properties = state.getOrAddProperties<plan::EntryOp::Properties>();
    properties.kind = plan::EntryKindAttr::get(builder.getContext(), kind);
    properties.reads = reads;
    properties.writes = writes;
    properties.carried = builder.getArrayAttr({});
    properties.args = builder.getDenseI64ArrayAttr({});
    return cast<plan::EntryOp>(builder.create(state));
  }

  void emitStep(const Step &step) {
    switch (step.kind) {
    case plan::EntryKind::Launch:
      return emitLaunch(step, cast<plan::LaunchOp>(step.op));
    case plan::EntryKind::LoopBegin:
      return emitLoopBegin(step);
    case plan::EntryKind::Copy:
    case plan::EntryKind::Memset:
      return emitCopy(step);
    case plan::EntryKind::LoopEnd:
    case plan::EntryKind::Commit:
      create(step, step.kind, refsOf({}), refsOf({}));
      return;
    }
  }

  void emitLaunch(const Step &step, plan::LaunchOp launch) {
    // A kernel has its workspace before its outputs.
    SmallVector<TensorId, 2> writes(step.writes);
    if (step.hasWorkspace)
      std::rotate(writes.begin(), std::prev(writes.end()), writes.end());
    plan::EntryOp entry =
        create(step, step.kind, refsOf(step.reads), refsOf(writes));
    entry.setKernelAttr(launch.getKernelAttr());
    entry.setArgs(launch.getArgs());
    entry.setInplaceAttr(launch.getInplaceAttr());
    entry.setOpNameAttr(launch.getOpNameAttr());
    entry.setHasWorkspace(step.hasWorkspace);
    entry.setMayFail(launch.getMayFail());
    entry.setParallel(launch.getParallel());
    entry.setGivesInf(launch.getGivesInf());
  }

  void emitCopy(const Step &step) {
    plan::EntryOp entry;
    if (std::optional<uint8_t> byte = uniformByte(step.reads[0])) {
      entry = create(step, plan::EntryKind::Memset, refsOf({}),
                     refsOf(step.writes));
      entry.setArgs({int64_t(*byte)});
    } else {
      entry = create(step, step.kind, refsOf(step.reads), refsOf(step.writes));
    }
    entry.setOpName(step.op->getName().getStringRef());
  }

  void emitLoopBegin(const Step &step) {
    const Loop &loop = schedule.loops[step.loop];
    SmallVector<TensorId> slot, carried;
    if (loop.slot)
      slot.push_back(*loop.slot);
    for (const Loop::Carried &value : loop.carried)
      carried.push_back(value.argument);
    plan::EntryOp entry = create(step, step.kind, refsOf({}), refsOf(slot));
    entry.setCount(loop.count);
    entry.setCarriedAttr(refsOf(carried));
    entry.setOpName(step.op->getName().getStringRef());
  }

  const Schedule &schedule;
  ArrayRef<int64_t> stateOffsets;
  ConstantPool &constants;
  OpBuilder &builder;
};

} // namespace

plan::ProgramOp emitProgram(const Schedule &schedule,
                            ArrayRef<int64_t> stateOffsets,
                            ConstantPool &constants, OpBuilder &builder) {
  return Emitter(schedule, stateOffsets, constants, builder).emit();
}

} // namespace graphc::planning
