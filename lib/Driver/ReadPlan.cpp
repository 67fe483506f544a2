// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory and the kernels of a compile, from its tables.
#include "lib/Driver/CompileLog.h"

#include "dialects/Graph/IR/GradientLoc.h"
#include "dialects/Graph/IR/Graph.h"
#include "dialects/Plan/IR/Plan.h"
#include "lib/Analysis/PeakModel.h"

#include <map>

using namespace mlir;

namespace graphc {

/// Bytes of the arena that the backward pass writes and the rest of a step
/// reads, or the other way round, each value once, of one iteration inside a
/// loop.
static int64_t findPassedBytes(plan::ProgramOp program, bool fromBackward) {
  llvm::DenseMap<Attribute, bool> isRead; // Of each value, by where it lies.
  int64_t bytes = 0;
  for (plan::EntryOp entry : program.getEntries()) {
    bool isWriter = graph::gradientOf(entry.getLoc()).empty() != fromBackward;
    if (!isWriter)
      for (plan::RefAttr ref : entry.getReadRefs()) {
        auto found = isRead.find(ref);
        if (found == isRead.end() || found->second)
          continue;
        found->second = true;
        bytes += ref.getBytes();
      }
    for (plan::RefAttr ref : entry.getOutputRefs()) {
      if (ref.getSpace() != plan::Space::Arena)
        continue;
      isRead.erase(ref);
      if (isWriter)
        isRead[ref] = false;
    }
  }
  return bytes;
}

/// The largest workspace that a kernel has.
static int64_t findWorkspaceBytes(plan::ProgramOp program) {
  int64_t most = 0;
  for (plan::EntryOp entry : program.getEntries())
    if (entry.getHasWorkspace())
      most =
          std::max<int64_t>(most, (*entry.getWrittenRefs().begin()).getBytes());
  return most;
}

static int64_t sumBytes(ArrayAttr values) {
  int64_t bytes = 0;
  for (auto value : values.getAsRange<plan::ValueAttr>())
    bytes += plan::getByteSize(value.getType());
  return bytes;
}

void CompileLog::readPlan(ModuleOp module) {
  isPlanned = true;
  for (auto variable : module.getOps<graph::VariableOp>()) {
    (variable.getTrainable() ? parameterBytes : otherStateBytes) +=
        plan::getByteSize(variable.getStoredType());
    if (std::optional<graph::PanelsAttr> layout = variable.getLayout())
      layouts.push_back(
          {variable.getSymName().str(), layout->getDim(), layout->getWidth()});
  }
  for (auto constant : module.getOps<plan::ConstantOp>())
    constantBytes += plan::getByteSize(constant.getValue().getShapedType());
  std::map<std::string, size_t> numbers; // of kernels
  for (auto program : module.getOps<plan::ProgramOp>()) {
    Function function;
    function.name = program.getSymName().str();
    function.kind = plan::stringifyProgramKind(program.getKind()).str();
    function.arenaBytes = program.getArenaBytes();
    function.liveBytes = plan::findPeak(program).liveBytes;
    function.activationBytes = findPassedBytes(program, /*fromBackward=*/false);
    function.gradientBytes = findPassedBytes(program, /*fromBackward=*/true);
    function.workspaceBytes = findWorkspaceBytes(program);
    function.inputBytes = sumBytes(program.getInputs());
    function.outputBytes = sumBytes(program.getOutputs());
    SmallVector<int64_t> times = {1};
    for (plan::EntryOp entry : program.getEntries()) {
      ++function.entries;
      if (entry.getKind() == plan::EntryKind::LoopBegin)
        times.push_back(llvm::SaturatingMultiply(
            uint64_t(times.back()), uint64_t(entry.getCount().value_or(1))));
      else if (entry.getKind() == plan::EntryKind::LoopEnd)
        times.pop_back();
      if (entry.getKind() != plan::EntryKind::Launch)
        continue;
      function.launches += times.back();
      function.bundles += entry.getBundle().has_value();
      std::string name = entry.getKernel()->str();
      auto [it, isNew] = numbers.try_emplace(name, kernels.size());
      if (isNew)
        kernels.push_back({name, entry.getOpName().value_or("").str(), 0, {}});
      Kernel &kernel = kernels[it->second];
      ++kernel.entries;
      if (kernel.launches.empty() ||
          kernel.launches.back().first != function.name)
        kernel.launches.push_back({function.name, 0});
      kernel.launches.back().second += times.back();
    }
    functions.push_back(std::move(function));
  }
}

} // namespace graphc
