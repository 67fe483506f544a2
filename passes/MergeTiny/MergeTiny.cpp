// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/MergeTiny/MergeTiny.h"

#include "dialects/Plan/IR/Plan.h"
#include "lib/Support/OptBisect/OptBisect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace graphc {
#define GEN_PASS_DEF_MERGETINY
#include "passes/MergeTiny/MergeTiny.h.inc"

namespace {

constexpr int64_t kUnknown = std::numeric_limits<int64_t>::max();

/// What the code of an entry takes: ops there are, and ops that run.
struct Size {
  int64_t ops = 0, work = 0;

  Size &add(Size other, int64_t times = 1) {
    ops += other.ops;
    work = llvm::SaturatingAdd<uint64_t>(
        work, llvm::SaturatingMultiply<uint64_t>(other.work, times));
    work = std::min<uint64_t>(work, kUnknown);
    return *this;
  }
};

/// Iterations of a loop whose bounds are constants.
std::optional<int64_t> tripCount(scf::ForOp loop) {
  APInt lower, upper, step;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)) ||
      !step.isStrictlyPositive())
    return std::nullopt;
  int64_t length = upper.getSExtValue() - lower.getSExtValue();
  return length <= 0 ? 0 : llvm::divideCeil(length, step.getSExtValue());
}

Size sizeOf(Region &region) {
  Size size;
  for (Operation &op : region.getOps()) {
    size.add({1, 1});
    int64_t times = 1;
    if (auto loop = dyn_cast<scf::ForOp>(op))
      times = tripCount(loop).value_or(kUnknown);
    else if (op.getNumRegions() && !isa<scf::IfOp>(op))
      times = kUnknown;
    for (Region &inner : op.getRegions())
      size.add(sizeOf(inner), times);
  }
  return size;
}

/// Entries that become a bundle, from `first` on.
struct Run {
  SmallVector<plan::EntryOp> entries;
  int64_t ops = 0;
};

struct MergeTinyPass : impl::MergeTinyBase<MergeTinyPass> {
  using MergeTinyBase::MergeTinyBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (plan::isKernel(kernel) && !kernel.isExternal())
        sizes[kernel.getSymNameAttr()] = sizeOf(kernel.getBody());
    for (auto program : getOperation().getOps<plan::ProgramOp>())
      for (Run &run : findRuns(program))
        if (takeOptionalStep(&getContext(), "merge tiny launches",
                             program.getSymName()))
          merge(run, program, symbols);
  }

private:
  /// What `entry` adds to a bundle, or nothing if it must be alone.
  std::optional<int64_t> opsOf(plan::EntryOp entry) const {
    // A copy or memset of so much is worth its own call.
    constexpr int64_t mostBytes = 4096;
    switch (entry.getKind()) {
    case plan::EntryKind::Launch: {
      Size size = sizes.lookup(entry.getKernelAttr().getAttr());
      if (entry.getMayFail() || entry.getParallel() || size.work > maxWork)
        return std::nullopt;
      return size.ops;
    }
    case plan::EntryKind::Copy:
    case plan::EntryKind::Memset:
      if (entry.getRefs().back().getBytes() > mostBytes)
        return std::nullopt;
      return 1;
    case plan::EntryKind::Commit:
      return 0;
    case plan::EntryKind::LoopBegin:
    case plan::EntryKind::LoopEnd:
      return std::nullopt;
    }
    llvm_unreachable("all kinds are above");
  }

  SmallVector<Run> findRuns(plan::ProgramOp program) {
    SmallVector<Run> runs;
    Run run;
    auto finish = [&] {
      while (!run.entries.empty() &&
             run.entries.back().getKind() == plan::EntryKind::Commit)
        run.entries.pop_back();
      if (run.entries.size() > 1 && total + run.ops <= maxTotal) {
        total += run.ops;
        runs.push_back(std::move(run));
      }
      run = {};
    };
    for (plan::EntryOp entry : program.getEntries()) {
      std::optional<int64_t> ops = opsOf(entry);
      if (!ops || run.ops + *ops > maxOps)
        finish();
      bool mayStart = entry.getKind() == plan::EntryKind::Launch;
      if (!ops || *ops > maxOps || (run.entries.empty() && !mayStart))
        continue;
      run.entries.push_back(entry);
      run.ops += *ops;
    }
    finish();
    return runs;
  }

  void merge(const Run &run, plan::ProgramOp program, SymbolTable &symbols) {
    OpBuilder builder(&getContext());
    SmallVector<plan::RefAttr> refs;
    SmallVector<Type> types;
    for (plan::EntryOp entry : run.entries) {
      llvm::append_range(refs, entry.getRefs());
      llvm::append_range(types, typesOf(entry, symbols));
    }
    auto bundle = func::FuncOp::create(program.getLoc(),
                                       (program.getSymName() + "_tiny").str(),
                                       builder.getFunctionType(types, {}));
    bundle.setPrivate();
    bundle->setAttr(plan::PlanDialect::getKernelAttrName(),
                    builder.getUnitAttr());
    bundle->setAttr(plan::PlanDialect::getPlacesAttrName(),
                    builder.getDenseI64ArrayAttr(placesOf(refs)));
    builder.setInsertionPointToStart(bundle.addEntryBlock());
    ArrayRef<BlockArgument> arguments = bundle.getArguments();
    for (plan::EntryOp entry : run.entries) {
      size_t count = entry.getRefs().size();
      emit(entry, arguments.take_front(count), symbols, builder);
      arguments = arguments.drop_front(count);
    }
    builder.create<func::ReturnOp>(program.getLoc());
    symbols.insert(bundle, program->getIterator());
    plan::EntryOp first = run.entries.front();
    first.setBundleAttr(plan::BundleAttr::get(
        &getContext(), FlatSymbolRefAttr::get(bundle.getSymNameAttr()),
        run.entries.size()));
  }

  static func::FuncOp kernelOf(plan::EntryOp entry, SymbolTable &symbols) {
    return symbols.lookup<func::FuncOp>(*entry.getKernel());
  }

  static SmallVector<Type> typesOf(plan::EntryOp entry, SymbolTable &symbols) {
    SmallVector<plan::RefAttr> refs = entry.getRefs();
    if (entry.getKind() == plan::EntryKind::Launch)
      return llvm::to_vector(
          kernelOf(entry, symbols).getArgumentTypes().take_front(refs.size()));
    return llvm::map_to_vector(refs, [&](plan::RefAttr ref) -> Type {
      return MemRefType::get({ref.getBytes()},
                             IntegerType::get(entry.getContext(), 8));
    });
  }

  /// plan.places: what moves alike in one space keeps its distance.
  static SmallVector<int64_t> placesOf(ArrayRef<plan::RefAttr> refs) {
    SmallVector<int64_t> places;
    for (auto [number, ref] : llvm::enumerate(refs)) {
      size_t anchor = 0;
      while (refs[anchor].getSpace() != ref.getSpace() ||
             refs[anchor].getIndex() != ref.getIndex() ||
             refs[anchor].getIterationStride() != ref.getIterationStride())
        ++anchor;
      places.push_back(anchor);
      places.push_back(ref.getOffset() - refs[anchor].getOffset());
    }
    return places;
  }

  static void emit(plan::EntryOp entry, ArrayRef<BlockArgument> buffers,
                   SymbolTable &symbols, OpBuilder &builder) {
    Location loc = entry.getLoc();
    if (entry.getKind() == plan::EntryKind::Copy) {
      builder.create<memref::CopyOp>(loc, buffers[0], buffers[1]);
      return;
    }
    if (entry.getKind() == plan::EntryKind::Memset)
      return emitMemset(loc, entry.getArgs()[0], buffers[0], builder);
    if (entry.getKind() != plan::EntryKind::Launch)
      return;
    func::FuncOp kernel = kernelOf(entry, symbols);
    IRMapping mapping;
    mapping.map(kernel.getArguments().take_front(buffers.size()), buffers);
    for (auto [argument, value] : llvm::zip_equal(
             kernel.getArguments().drop_front(buffers.size()), entry.getArgs()))
      mapping.map(argument,
                  builder.create<arith::ConstantIntOp>(loc, value, 64));
    for (Operation &op : kernel.front().without_terminator()) {
      Operation *clone = builder.clone(op, mapping);
      // Memory of the stack, once for each call: LLVM looks for that at the
      // start.
      if (isa<memref::AllocaOp>(clone))
        clone->moveBefore(builder.getInsertionBlock(),
                          builder.getInsertionBlock()->begin());
    }
  }

  static void emitMemset(Location loc, int64_t byte, Value buffer,
                         OpBuilder &builder) {
    auto index = [&](int64_t value) -> Value {
      return builder.create<arith::ConstantIndexOp>(loc, value);
    };
    Value value = builder.create<arith::ConstantIntOp>(loc, byte, 8);
    int64_t bytes = cast<MemRefType>(buffer.getType()).getNumElements();
    auto loop =
        builder.create<scf::ForOp>(loc, index(0), index(bytes), index(1));
    auto inside = OpBuilder::atBlockBegin(loop.getBody());
    inside.create<memref::StoreOp>(loc, value, buffer, loop.getInductionVar());
  }

  llvm::DenseMap<StringAttr, Size> sizes;
  int64_t total = 0; // ops of all bundles
};

} // namespace
} // namespace graphc
