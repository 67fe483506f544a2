// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one table must keep by itself.
#include "dialects/Plan/IR/Plan.h"

using namespace mlir;
using namespace graphc::plan;

//===----------------------------------------------------------------------===//
// ConstantOp
//===----------------------------------------------------------------------===//

LogicalResult ConstantOp::verify() {
  // C1
  int64_t offset = getOffset();
  if (offset < 0 || offset % alignment != 0)
    return emitOpError("expects an offset of 0 or more and a multiple of ")
           << alignment << ", but got " << offset;
  return success();
}

//===----------------------------------------------------------------------===//
// EntryOp
//===----------------------------------------------------------------------===//

namespace {
/// What the entries of one kind have.
struct Shape {
  int minReads, maxReads, minWrites, maxWrites, argCount;
  bool hasCount, hasCarried;
};
} // namespace

static Shape shapeOf(EntryKind kind) {
  switch (kind) {
  case EntryKind::Launch:
    return {0, INT_MAX, 0, INT_MAX, -1, false, false};
  case EntryKind::Copy:
    return {1, 1, 1, 1, 0, false, false};
  case EntryKind::Memset:
    return {0, 0, 1, 1, 1, false, false};
  case EntryKind::LoopBegin:
    return {0, 0, 0, 1, 0, true, true};
  case EntryKind::LoopEnd:
  case EntryKind::Commit:
    return {0, 0, 0, 0, 0, false, false};
  }
  llvm_unreachable("unknown kind");
}

LogicalResult EntryOp::verify() {
  // C1
  Shape shape = shapeOf(getKind());
  StringRef kind = stringifyEntryKind(getKind());
  auto fail = [&](const char *what) {
    return emitOpError("expects another number of ") << what << " for " << kind;
  };
  int reads = getReads().size(), writes = getWrites().size();
  if (reads < shape.minReads || reads > shape.maxReads)
    return fail("buffers to read");
  if (writes < shape.minWrites || writes > shape.maxWrites)
    return fail("buffers to write");
  bool isLaunch = getKind() == EntryKind::Launch;
  if (!isLaunch && int(getArgs().size()) != shape.argCount)
    return fail("args");
  if (getKernel().has_value() != isLaunch)
    return emitOpError("expects a kernel for a launch, and for nothing else");
  if (!isLaunch && (getInplace() || getHasWorkspace() || getMayFail() ||
                    getParallel() || getGivesInf() || getBundle()))
    return emitOpError("expects inplace, has_workspace, may_fail, parallel, "
                       "gives_inf and bundle on a launch only");
  if (getCount().has_value() != shape.hasCount)
    return emitOpError("expects a count for loop_begin, and for nothing else");
  if (getCount() && int64_t(*getCount()) < 0)
    return emitOpError("expects a count of 0 or more, but got ")
           << int64_t(*getCount());
  if (!shape.hasCarried && !getCarried().empty())
    return emitOpError("expects carry on loop_begin only");
  if (getKind() == EntryKind::Copy) {
    auto from = cast<RefAttr>(getReads()[0]),
         to = cast<RefAttr>(getWrites()[0]);
    if (from.getBytes() != to.getBytes())
      return emitOpError("expects a copy's buffers to have the same size, but "
                         "got ")
             << from.getBytes() << " and " << to.getBytes() << " bytes";
    if (from.overlaps(to))
      return emitOpError("expects a copy's buffers not to overlap");
  }
  if (getKind() == EntryKind::LoopBegin && writes == 1) {
    auto slot = cast<RefAttr>(getWrites()[0]);
    if (!slot.getElementType().isSignlessInteger(64) || slot.getBytes() != 8 ||
        slot.getSpace() != Space::Arena)
      return emitOpError("expects a loop's slot to be an i64 of the arena");
  }
  if (getHasWorkspace() && writes == 0)
    return fail("buffers to write");

  // C3
  for (RefAttr ref : getWrittenRefs())
    if (ref.getSpace() == Space::Input || ref.getSpace() == Space::Constant)
      return emitOpError("expects to write neither an input nor a constant, "
                         "but got ")
             << ref;
  if (!isLaunch)
    return success();
  auto bytes = [](RefAttr ref) { return ref.getBytes(); };
  return verifyInPlace(*this, getInplaceAttr(),
                       llvm::map_to_vector(getReadRefs(), bytes),
                       llvm::map_to_vector(getOutputRefs(), bytes));
}

/// C2 for the buffers of one kernel.
static LogicalResult verifyBuffers(EntryOp entry, FlatSymbolRefAttr name,
                                   func::FuncOp kernel,
                                   ArrayRef<RefAttr> refs) {
  if (!kernel || !isKernel(kernel))
    return entry.emitOpError("expects ")
           << name << " to name a function marked plan.kernel";
  unsigned bufferCount = getBufferCount(kernel);
  if (bufferCount != refs.size())
    return entry.emitOpError("expects ") << bufferCount << " buffers for "
                                         << name << ", but got " << refs.size();
  for (auto [number, ref] : llvm::enumerate(refs)) {
    auto memref = cast<MemRefType>(kernel.getArgumentTypes()[number]);
    if (getByteSize(memref) != ref.getBytes())
      return entry.emitOpError("expects ")
             << getByteSize(memref) << " bytes for argument " << number
             << " of " << name << ", but got " << ref.getBytes();
  }
  return success();
}

/// C4
static LogicalResult verifyBundle(EntryOp first, BundleAttr bundle,
                                  func::FuncOp kernel) {
  SmallVector<RefAttr> refs;
  Operation *op = first;
  for (int64_t k = 0; k < bundle.getEntries(); ++k, op = op->getNextNode()) {
    auto entry = dyn_cast_or_null<EntryOp>(op);
    if (!entry)
      return first.emitOpError("expects ")
             << bundle.getEntries() << " entries for " << bundle.getKernel()
             << ", but got " << k;
    if (entry.getKind() == EntryKind::LoopBegin ||
        entry.getKind() == EntryKind::LoopEnd || entry.getMayFail() ||
        entry.getParallel()) {
      InFlightDiagnostic diag =
          first.emitOpError("expects a bundle of launches, copies, memsets and "
                            "commits that neither may fail nor are parallel");
      diag.attachNote(entry.getLoc())
          << "in the bundle: " << stringifyEntryKind(entry.getKind());
      return diag;
    }
    llvm::append_range(refs, entry.getRefs());
  }
  if (failed(verifyBuffers(first, bundle.getKernel(), kernel, refs)))
    return failure();
  if (kernel.getNumArguments() != refs.size())
    return first.emitOpError("expects no i64 arguments of ")
           << bundle.getKernel() << ", but got "
           << kernel.getNumArguments() - refs.size();
  return success();
}

LogicalResult EntryOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto find = [&](FlatSymbolRefAttr name) {
    return symbols.lookupNearestSymbolFrom<func::FuncOp>(
        getOperation()->getParentOp(), name);
  };
  // C2
  if (!getKernelAttr())
    return success();
  func::FuncOp kernel = find(getKernelAttr());
  if (failed(verifyBuffers(*this, getKernelAttr(), kernel, getRefs())))
    return failure();
  unsigned argCount = kernel.getNumArguments() - getBufferCount(kernel);
  if (argCount != getArgs().size())
    return emitOpError("expects ")
           << argCount << " args for " << getKernelAttr() << ", but got "
           << getArgs().size();
  if (std::optional<BundleAttr> bundle = getBundle())
    return verifyBundle(*this, *bundle, find(bundle->getKernel()));
  return success();
}

SmallVector<RefAttr> EntryOp::getRefs() {
  auto refs = llvm::to_vector(getReadRefs());
  llvm::append_range(refs, getWrittenRefs());
  return refs;
}

//===----------------------------------------------------------------------===//
// ProgramOp
//===----------------------------------------------------------------------===//

bool ProgramOp::writesState() {
  return llvm::any_of(getEntries(), [](EntryOp entry) {
    return llvm::any_of(entry.getWrittenRefs(), [](RefAttr ref) {
      return ref.getSpace() == Space::State;
    });
  });
}

/// C3 for one buffer inside a loop of `count` iterations (nothing: no loop).
static LogicalResult verifyBounds(ProgramOp program, EntryOp entry, RefAttr ref,
                                  std::optional<int64_t> count) {
  int64_t end = ref.getEnd(), begin = ref.getOffset();
  if (!count && ref.getIterationStride() != 0)
    return entry.emitOpError("expects no stride outside loops, but got ")
           << ref;
  if (count && *count > 0) {
    int64_t travel;
    bool overflow =
        llvm::MulOverflow(ref.getIterationStride(), *count - 1, travel);
    int64_t &moved = travel < 0 ? begin : end;
    if (overflow || llvm::AddOverflow(moved, travel, moved))
      return entry.emitOpError("expects a smaller stride, but got ") << ref;
  }
  int64_t limit = INT64_MAX;
  auto limitOf = [&](ArrayAttr values) {
    return ref.getIndex() < int64_t(values.size())
               ? getByteSize(cast<ValueAttr>(values[ref.getIndex()]).getType())
               : -1;
  };
  if (ref.getSpace() == Space::Arena)
    limit = program.getArenaBytes();
  else if (ref.getSpace() == Space::Input)
    limit = limitOf(program.getInputs());
  else if (ref.getSpace() == Space::Output)
    limit = limitOf(program.getOutputs());
  if (limit < 0)
    return entry.emitOpError("expects no such number: ") << ref;
  if (begin < 0 || end > limit)
    return entry.emitOpError("expects buffers inside the ")
           << limit << " bytes of their space, but got " << ref;
  return success();
}

LogicalResult ProgramOp::verifyRegions() {
  SmallVector<EntryOp> loops;
  for (Operation &op : getBody().front()) {
    // C1
    auto entry = dyn_cast<EntryOp>(op);
    if (!entry)
      return op.emitOpError("expects only plan.entry in a plan.program");
    // C2
    if (entry.getKind() == EntryKind::LoopEnd) {
      if (loops.empty())
        return entry.emitOpError("expects a loop_begin before it");
      loops.pop_back();
    }
    // C3. The slot and what is carried move with the loop around them.
    std::optional<int64_t> count;
    if (!loops.empty())
      count = loops.back().getCount();
    for (ArrayAttr refs :
         {entry.getReads(), entry.getWrites(), entry.getCarried()})
      for (auto ref : refs.getAsRange<RefAttr>())
        if (failed(verifyBounds(*this, entry, ref, count)))
          return failure();
    if (entry.getKind() == EntryKind::LoopBegin)
      loops.push_back(entry);
  }
  if (!loops.empty())
    return loops.back().emitOpError("expects a loop_end after it");
  return success();
}

LogicalResult ProgramOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // C4
  if (!getOfAttr())
    return success();
  auto function = symbols.lookupNearestSymbolFrom<func::FuncOp>(
      getOperation()->getParentOp(), getOfAttr());
  if (!function)
    return emitOpError("expects ") << getOfAttr() << " to name a function";
  auto typeOf = [](ValueAttr value) -> Type { return value.getType(); };
  auto type = FunctionType::get(
      getContext(),
      llvm::map_to_vector(getInputs().getAsRange<ValueAttr>(), typeOf),
      llvm::map_to_vector(getOutputs().getAsRange<ValueAttr>(), typeOf));
  if (function.getFunctionType() != type)
    return emitOpError("expects ")
           << getOfAttr() << " of type " << type << ", but got "
           << function.getFunctionType();
  return success();
}
