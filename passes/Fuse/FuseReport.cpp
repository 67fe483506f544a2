// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which regions a module has, and why they are not larger.
#include "dialects/Graph/IR/GradientLoc.h"
#include "passes/Fuse/Fuse.h"
#include "passes/Fuse/FuseProblem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <set>

using namespace mlir;

namespace graphc {
#define GEN_PASS_DEF_FUSEREPORT
#include "passes/Fuse/Fuse.h.inc"

namespace {

using namespace fuse;
using algorithms::FusionFault;

std::string nameOf(Operation *op) {
  std::string name = op->getName().getStringRef().str();
  if (StringRef forward = graph::gradientOf(op->getLoc()); !forward.empty())
    name += " (gradient of " + forward.str() + ")";
  return name;
}

std::string placed(Operation *op) {
  std::string place = graph::placeOf(op->getLoc());
  return place.empty() ? nameOf(op) : nameOf(op) + " at " + place;
}

class BlockReport {
public:
  BlockReport(Block &block, ContentsCache &contents,
              const algorithms::FusionLimits &limits, raw_ostream &os)
      : block(block), limits(limits), os(os),
        read(readBlock(block, contents, /*opens=*/true)),
        members(read.regions.groupCount) {
    for (auto [n, group] : llvm::enumerate(read.regions.groups))
      members[group].push_back(int(n));
  }

  void print() {
    int64_t regions = 0, ops = 0;
    for (ArrayRef<int> group : members)
      if (isRegion(group))
        ++regions, ops += int64_t(group.size());
    if (ops == 0)
      return;
    Operation *parent = block.getParentOp();
    auto function = dyn_cast<func::FuncOp>(parent);
    os << (function ? "@" + function.getSymName().str() : placed(parent))
       << ": " << ops << " ops in " << regions << " kernels, "
       << algorithms::fusionTraffic(read.problem, read.regions)
       << " bytes read and written, "
       << algorithms::fusionTraffic(read.problem,
                                    algorithms::noGroups(read.problem))
       << " with one op a kernel\n";
    for (auto [number, group] : llvm::enumerate(members))
      if (isRegion(group))
        printRegion(int(number), group);
    printEdges();
  }

private:
  bool isRegion(ArrayRef<int> group) const {
    return !group.empty() && isCompute(read.ops[group.front()]);
  }

  int64_t bytesOf(ArrayRef<int> group) {
    // One kernel of these and no other.
    std::set<int> inside(group.begin(), group.end());
    std::map<int, int64_t> values;
    for (int n : group)
      for (int u : usesOf(n)) {
        const algorithms::FusionUse &use = read.problem.uses[u];
        const algorithms::FusionValue &value = read.problem.values[use.value];
        if (inside.count(value.producer))
          continue;
        int64_t &known = values[use.value];
        known = std::min(value.bytes,
                         known + (use.bytes < 0 ? value.bytes : use.bytes));
      }
    int64_t bytes = 0;
    for (const auto &value : values)
      bytes += value.second;
    for (int v : written(inside))
      bytes += read.problem.values[v].bytes;
    return bytes;
  }

  ArrayRef<int> usesOf(int node) {
    if (uses.empty()) {
      uses.resize(read.ops.size());
      outputs.resize(read.ops.size());
      for (auto [u, use] : llvm::enumerate(read.problem.uses))
        uses[use.node].push_back(int(u));
      readers.resize(read.problem.values.size());
      for (auto &use : read.problem.uses)
        readers[use.value].push_back(use.node);
      for (auto [v, value] : llvm::enumerate(read.problem.values))
        if (value.producer >= 0)
          outputs[value.producer].push_back(int(v));
    }
    return uses[node];
  }

  std::vector<int> written(const std::set<int> &inside) {
    std::vector<int> result;
    for (int n : inside)
      for (int v : outputs[n]) {
        bool leaves = read.problem.values[v].leaves;
        for (int reader : readers[v])
          leaves |= !inside.count(reader);
        if (leaves)
          result.push_back(v);
      }
    return result;
  }

  void printRegion(int number, ArrayRef<int> group) {
    int64_t apart = 0;
    for (int n : group)
      apart += bytesOf(n);
    os << "  kernel " << number << ": " << bytesOf(group) << " bytes";
    if (group.size() > 1)
      os << ", " << apart << " before";
    os << ":";
    const char *separator = " ";
    for (int n : group) {
      os << separator << placed(read.ops[n]);
      separator = ", ";
    }
    os << "\n";
  }

  void printEdges() {
    std::vector<std::pair<int, int>> pairs;
    std::vector<int> values;
    std::set<std::tuple<int, int, int>> seen;
    for (const algorithms::FusionUse &use : read.problem.uses) {
      int producer = read.problem.values[use.value].producer;
      if (producer < 0 || !isCompute(read.ops[producer]) ||
          !isCompute(read.ops[use.node]))
        continue;
      int from = read.regions.groups[producer],
          to = read.regions.groups[use.node];
      if (from == to || !seen.insert({from, to, use.value}).second)
        continue;
      pairs.push_back({producer, use.node});
      values.push_back(use.value);
    }
    std::vector<FusionFault> faults =
        algorithms::whyNotFused(read.problem, limits, read.regions, pairs);
    for (auto [pair, value, fault] : llvm::zip_equal(pairs, values, faults))
      os << "  not fused: kernel " << read.regions.groups[pair.first] << " and "
         << read.regions.groups[pair.second] << ", "
         << placed(read.ops[pair.first]) << " read by "
         << placed(read.ops[pair.second]) << ", "
         << read.problem.values[value].bytes
         << " bytes: " << algorithms::describe(fault) << "\n";
  }

  Block &block;
  const algorithms::FusionLimits &limits;
  raw_ostream &os;
  BlockProblem read;
  std::vector<SmallVector<int>> members;
  std::vector<std::vector<int>> uses, outputs, readers;
};

struct FuseReportPass : impl::FuseReportBase<FuseReportPass> {
  using FuseReportBase::FuseReportBase;

  void runOnOperation() override {
    algorithms::FusionLimits limits;
    limits.merges = maxGroups;
    limits.ops = int(maxOps);
    limits.buffers = int(maxBuffers);
    std::string text;
    llvm::raw_string_ostream os(text);
    ContentsCache contents;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<graph::FusedOp>(op))
        return WalkResult::skip();
      if (op != getOperation())
        for (Region &region : op->getRegions())
          for (Block &block : region)
            BlockReport(block, contents, limits, os).print();
      return WalkResult::advance();
    });
    llvm::errs() << text;
    markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace graphc
