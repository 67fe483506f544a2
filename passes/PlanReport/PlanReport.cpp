// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/PlanReport/PlanReport.h"

#include "dialects/Graph/IR/Graph.h"
#include "lib/Analysis/PeakModel.h"

using namespace mlir;

namespace graphc {
#define GEN_PASS_DEF_PLANREPORT
#include "passes/PlanReport/PlanReport.h.inc"

namespace {

void report(plan::ProgramOp program, raw_ostream &os) {
  unsigned counts[plan::getMaxEnumValForEntryKind() + 1] = {};
  unsigned total = 0, inPlace = 0;
  for (plan::EntryOp entry : program.getEntries()) {
    ++counts[unsigned(entry.getKind())];
    ++total;
    if (entry.getKind() == plan::EntryKind::Launch)
      inPlace += llvm::any_of(entry.getReads(), [&](Attribute ref) {
        return cast<plan::RefAttr>(ref).getBytes() != 0 &&
               llvm::is_contained(entry.getWrites(), ref);
      });
  }
  auto count = [&](plan::EntryKind kind) { return counts[unsigned(kind)]; };
  os << "@" << program.getSymName() << ": " << total << " entries ("
     << count(plan::EntryKind::Launch) << " launches, "
     << count(plan::EntryKind::Copy) << " copies, "
     << count(plan::EntryKind::Memset) << " memsets, "
     << count(plan::EntryKind::LoopBegin) << " loops), " << inPlace
     << " in place, arena " << program.getArenaBytes() << " bytes";
  plan::Peak peak = plan::findPeak(program);
  if (peak.entry) {
    os << ", " << peak.liveBytes << " live at ";
    peak.entry->print(os);
  }
  os << "\n";
}

struct PlanReportPass : impl::PlanReportBase<PlanReportPass> {
  using PlanReportBase::PlanReportBase;

  void runOnOperation() override {
    int64_t stateBytes = 0, constantBytes = 0;
    unsigned variableCount = 0;
    for (auto variable : getOperation().getOps<graph::VariableOp>()) {
      ++variableCount;
      stateBytes += plan::getByteSize(variable.getStoredType());
    }
    for (auto constant : getOperation().getOps<plan::ConstantOp>())
      constantBytes += plan::getByteSize(constant.getValue().getShapedType());
    llvm::errs() << variableCount << " variables of " << stateBytes
                 << " bytes, constants of " << constantBytes << " bytes\n";
    for (auto program : getOperation().getOps<plan::ProgramOp>())
      report(program, llvm::errs());
    markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace graphc
