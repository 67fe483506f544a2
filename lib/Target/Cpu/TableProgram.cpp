// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Target/Cpu/TableProgram.h"

#include "dialects/Graph/IR/GradientLoc.h"
#include "graphc/abi/model_abi.h"
#include "lib/Support/Dtype/Dtype.h"

using namespace mlir;

namespace graphc::cpu {

/// "graph.mul", or "graph.mul (gradient of graph.log)"; the ops of a kernel that
/// has several.
static std::string opNameOf(plan::EntryOp entry) {
  std::string name;
  if (entry.getOpNameAttr())
    name = entry.getOpName()->str();
  else if (entry.getKernelAttr())
    name = entry.getKernel()->str();
  else
    return plan::stringifyEntryKind(entry.getKind()).str();
  StringRef forward = graph::gradientOf(entry.getLoc());
  // The names of a group say it of each op.
  bool isGroup = StringRef(name).contains(' ');
  return forward.empty() || isGroup
             ? name
             : name + " (gradient of " + forward.str() + ")";
}

void addStrings(plan::ProgramOp program, StringPool &strings) {
  for (plan::EntryOp entry : program.getEntries()) {
    strings.add(opNameOf(entry));
    strings.add(graph::placeOf(entry.getLoc()));
  }
}

namespace {

class PlanMaker {
public:
  PlanMaker(plan::ProgramOp program, const KernelNumbers &kernels,
            TableData &data)
      : program(program), kernels(kernels), data(data) {}

  llvm::Constant *make() {
    auto list = llvm::to_vector(program.getEntries());
    pairLoops(list);
    for (plan::EntryOp entry : list)
      collect(entry);
    llvm::Constant *allRefs = data.array(refs);
    llvm::Constant *allArgs = data.array(args);
    llvm::Constant *allDtypes = data.array(dtypes);
    SmallVector<llvm::Constant *> entries;
    for (auto [number, entry] : llvm::enumerate(list))
      entries.push_back(makeEntry(entry, number, allRefs, allArgs));
    return data.structOf({data.i64(program.getArenaBytes()),
                          data.i32(list.size()), data.i32(0),
                          data.array(entries), allDtypes});
  }

private:
  void pairLoops(ArrayRef<plan::EntryOp> list) {
    SmallVector<unsigned> open;
    for (unsigned number = 0; number < list.size(); ++number) {
      plan::EntryOp entry = list[number];
      if (entry.getKind() == plan::EntryKind::LoopBegin)
        open.push_back(number);
      if (entry.getKind() == plan::EntryKind::LoopEnd) {
        unsigned begin = open.pop_back_val();
        partners[number] = begin;
        partners[begin] = number;
      }
    }
  }

  void collect(plan::EntryOp entry) {
    for (ArrayAttr list : {entry.getReads(), entry.getWrites()})
      for (auto ref : list.getAsRange<plan::RefAttr>()) {
        // plan.space has the numbers of graphc_abi_space.
        refs.push_back(data.structOf(
            {data.i32(uint32_t(ref.getSpace())), data.i32(ref.getIndex()),
             data.i64(ref.getOffset()), data.i64(ref.getBytes()),
             data.i64(ref.getIterationStride())}));
        dtypes.push_back(toDtype(ref.getElementType()));
      }
    for (int64_t arg : entry.getArgs())
      args.push_back(arg);
  }

  llvm::Constant *makeEntry(plan::EntryOp entry, unsigned number,
                            llvm::Constant *allRefs, llvm::Constant *allArgs) {
    uint64_t flags = 0, partner = partners.lookup(number);
    if (entry.getMayFail())
      flags |= GRAPHC_ABI_ENTRY_MAY_FAIL;
    if (entry.getParallel())
      flags |= GRAPHC_ABI_ENTRY_PARALLEL;
    if (entry.getGivesInf())
      flags |= GRAPHC_ABI_ENTRY_GIVES_INF;
    for (plan::RefAttr ref : entry.getWrittenRefs())
      if (ref.getSpace() == plan::Space::State)
        flags |= GRAPHC_ABI_ENTRY_WRITES_STATE;
    size_t refCount = entry.getReads().size() + entry.getWrites().size();
    size_t argCount = entry.getArgs().size();
    unsigned kernel = 0;
    if (entry.getKernelAttr())
      kernel = kernels.lookup(entry.getKernelAttr().getAttr());
    int64_t count = entry.getCount().value_or(0);
    if (std::optional<plan::BundleAttr> bundle = entry.getBundle()) {
      partner = number + bundle->getEntries();
      count = kernels.lookup(bundle->getKernel().getAttr());
    }
    llvm::Constant *result = data.structOf(
        {data.i16(uint16_t(entry.getKind())), data.i16(flags), data.i32(kernel),
         data.i32(refCount), data.i32(entry.getWrites().size()),
         refCount ? data.element(allRefs, refsDone, sizeof(graphc_abi_ref))
                  : data.null(),
         argCount ? data.element(allArgs, argsDone, sizeof(int64_t))
                  : data.null(),
         data.i32(argCount), data.i32(partner), data.i64(count),
         data.strings.get(opNameOf(entry)),
         data.strings.get(graph::placeOf(entry.getLoc()))});
    refsDone += refCount;
    argsDone += argCount;
    return result;
  }

  plan::ProgramOp program;
  const KernelNumbers &kernels;
  TableData &data;
  llvm::DenseMap<unsigned, unsigned> partners;
  SmallVector<llvm::Constant *> refs;
  SmallVector<uint64_t> args;
  SmallVector<uint8_t> dtypes;
  size_t refsDone = 0, argsDone = 0;
};

} // namespace

llvm::Constant *makePlan(plan::ProgramOp program, const KernelNumbers &kernels,
                         TableData &data) {
  return PlanMaker(program, kernels, data).make();
}

} // namespace graphc::cpu
