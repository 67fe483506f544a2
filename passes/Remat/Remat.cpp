// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Remat/Remat.h"
#include "passes/Remat/JointBlock.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace graphc {
#define GEN_PASS_DEF_REMAT
#include "passes/Remat/Remat.h.inc"

namespace {

struct RematPass : impl::RematBase<RematPass> {
  using RematBase::RematBase;

  void runOnOperation() override {
    if (rung < 0 || rung >= remat::kRungs) {
      getOperation().emitError("expects a rung from 0 to ")
          << remat::kRungs - 1 << ", but got " << int64_t(rung);
      return signalPassFailure();
    }
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Operation *op) {
      if (isa<func::FuncOp, graph::ForOp>(op) && !op->getRegion(0).empty())
        blocks.push_back(&op->getRegion(0).front());
    });
    for (Block *block : blocks)
      if (failed(run(*block)))
        return signalPassFailure();
  }

private:
  LogicalResult run(Block &block) {
    std::optional<remat::JointBlock> joint = remat::readBlock(block);
    if (!joint || joint->nodes.empty())
      return success();
    if (report)
      for (int number = 0; number < remat::kRungs; ++number)
        print(*joint, number);
    remat::Rung chosen = remat::makeRung(*joint, int(rung));
    std::string fault =
        algorithms::verifySaved(joint->problem, chosen.solution);
    if (!fault.empty())
      return block.getParentOp()->emitError("internal error: remat: ") << fault;
    remat::writeBlock(*joint, chosen);
    return success();
  }

  static void print(const remat::JointBlock &joint, int number) {
    remat::Rung rung = remat::makeRung(joint, number);
    Operation *parent = joint.block->getParentOp();
    auto name =
        parent->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    int64_t cost = 0;
    for (const remat::Node &node : joint.nodes)
      cost += node.cost;
    int segments =
        *std::max_element(rung.segments.begin(), rung.segments.end()) + 1;
    llvm::errs() << (name ? "@" + name.getValue() : Twine("loop")) << " rung "
                 << number << ": keeps " << remat::keptBytes(joint, rung)
                 << " bytes, repeats "
                 << int64_t(100 * double(remat::repeatedCost(joint, rung)) /
                            double(std::max<int64_t>(cost, 1)))
                 << "% of the forward pass in " << segments
                 << (segments == 1 ? " segment\n" : " segments\n");
  }
};

} // namespace
} // namespace graphc
