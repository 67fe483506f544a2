// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups compute ops into graph.fused regions.
#include "passes/Fuse/Fuse.h"
#include "lib/Support/OptBisect/OptBisect.h"
#include "passes/Fuse/FuseProblem.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace graphc {
#define GEN_PASS_DEF_FUSE
#include "passes/Fuse/Fuse.h.inc"

namespace {

using namespace fuse;

struct FusePass : impl::FuseBase<FusePass> {
  using FuseBase::FuseBase;

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    SmallVector<graph::ConstantOp> constants;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<graph::FusedOp>(op))
        return WalkResult::skip();
      if (auto constant = dyn_cast<graph::ConstantOp>(op))
        constants.push_back(constant);
      if (op != getOperation())
        for (Region &region : op->getRegions())
          for (Block &block : region)
            blocks.push_back(&block);
      return WalkResult::advance();
    });
    for (Block *block : blocks)
      if (failed(fuseBlock(*block)))
        return signalPassFailure();
    for (graph::ConstantOp constant : constants)
      if (constant.use_empty())
        constant.erase();
  }

private:
  algorithms::FusionLimits getLimits() const {
    algorithms::FusionLimits limits;
    limits.merges = off ? 0 : int64_t(maxGroups);
    limits.ops = int(maxOps);
    limits.buffers = int(maxBuffers);
    return limits;
  }

  LogicalResult fuseBlock(Block &block) {
    normalize(block);
    checkEarly(block, contents);
    BlockProblem plain = readBlock(block, contents, /*opens=*/false);
    algorithms::FusionLimits limits = getLimits();
    algorithms::FusionSolution none = algorithms::noGroups(plain.problem);
    int64_t traffic = algorithms::fusionTraffic(plain.problem, none);
    int64_t peak = algorithms::fusionPeak(plain.problem, none);
    if (limits.merges == 0) {
      writeBlock(block, plain, none);
      return success();
    }

    openLosses(block);
    auto clones = cloneViews(block);
    BlockProblem problem;
    algorithms::FusionSolution solution;
    auto solve = [&] {
      problem = readBlock(block, contents, /*opens=*/false);
      solution = algorithms::fuseWithinPeak(problem.problem, limits, peak);
    };
    solve();
    for (int round = 0; round < 3 && dropLoneClones(clones, problem, solution);
         ++round)
      solve();
    if (algorithms::fusionTraffic(problem.problem, solution) > traffic ||
        algorithms::fusionPeak(problem.problem, solution) > peak) {
      for (auto [clone, original] : clones)
        drop(clone, original);
      solve();
    }
    std::string fault =
        algorithms::verifyFusion(problem.problem, limits, solution);
    if (!fault.empty())
      return block.getParentOp()->emitError("internal error: fusion: ")
             << fault;
    bisect(problem, solution);
    writeBlock(block, problem, solution);
    return success();
  }

  static void drop(Operation *clone, Operation *original) {
    clone->replaceAllUsesWith(original);
    clone->erase();
  }

  /// What has joined no group is one op again with what it was cloned from.
  static bool dropLoneClones(llvm::MapVector<Operation *, Operation *> &clones,
                             const BlockProblem &problem,
                             const algorithms::FusionSolution &solution) {
    std::vector<int> sizes(solution.groupCount);
    for (int group : solution.groups)
      ++sizes[group];
    size_t before = clones.size();
    clones.remove_if([&](auto &pair) {
      int node = problem.nodes.lookup(pair.first);
      if (sizes[solution.groups[node]] != 1)
        return false;
      drop(pair.first, pair.second);
      return true;
    });
    return clones.size() != before;
  }

  /// Takes groups apart that are not wanted while faults are looked for.
  void bisect(const BlockProblem &problem,
              algorithms::FusionSolution &solution) {
    std::vector<SmallVector<int>> members(solution.groupCount);
    for (auto [n, group] : llvm::enumerate(solution.groups))
      members[group].push_back(int(n));
    int count = 0;
    for (ArrayRef<int> group : members) {
      StringRef name = problem.ops[group.back()]->getName().getStringRef();
      bool isOne =
          group.size() == 1 || takeOptionalStep(&getContext(), "fuse", name);
      for (int n : group)
        solution.groups[n] = isOne ? count : count++;
      count += isOne;
    }
    solution.groupCount = count;
  }

  ContentsCache contents;
};

} // namespace
} // namespace graphc
