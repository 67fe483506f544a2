// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Target/Cpu/Kernels.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace graphc::cpu {
namespace {

/// As upstream's pattern, but the branch that closes the loop keeps the loop's
/// llvm.loop_annotation: "do not unroll" decides the speed of a matrix product.
void lowerFor(scf::ForOp loop, IRRewriter &rewriter) {
  Location loc = loop.getLoc();
  Block *before = loop->getBlock();
  Block *after = rewriter.splitBlock(before, Block::iterator(loop));
  Block *header = &loop.getRegion().front();
  Block *firstOfBody = rewriter.splitBlock(header, header->begin());
  Block *lastOfBody = &loop.getRegion().back();
  rewriter.inlineRegionBefore(loop.getRegion(), after);

  Value index = header->getArgument(0);
  Operation *yield = lastOfBody->getTerminator();
  rewriter.setInsertionPointToEnd(lastOfBody);
  SmallVector<Value> next = {rewriter.create<arith::AddIOp>(
      loc, index, loop.getStep(), arith::IntegerOverflowFlags::nsw)};
  llvm::append_range(next, yield->getOperands());
  auto latch = rewriter.create<cf::BranchOp>(loc, header, next);
  if (Attribute annotation = loop->getAttr("llvm.loop_annotation"))
    latch->setAttr("loop_annotation", annotation);
  rewriter.eraseOp(yield);

  rewriter.setInsertionPointToEnd(before);
  SmallVector<Value> first = {loop.getLowerBound()};
  llvm::append_range(first, loop.getInitArgs());
  rewriter.create<cf::BranchOp>(loc, header, first);

  rewriter.setInsertionPointToEnd(header);
  Value goesOn = rewriter.create<arith::CmpIOp>(loc, arith::CmpIPredicate::slt,
                                                index, loop.getUpperBound());
  rewriter.create<cf::CondBranchOp>(loc, goesOn, firstOfBody, ValueRange(),
                                    after, ValueRange());
  rewriter.replaceOp(loop, header->getArguments().drop_front());
}

/// Applies upstream's patterns to `Ops`.
template <typename... Ops> LogicalResult convert(ModuleOp module) {
  MLIRContext *context = module.getContext();
  RewritePatternSet patterns(context);
  populateSCFToControlFlowConversionPatterns(patterns);
  ConversionTarget target(*context);
  target.addIllegalOp<Ops...>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(module, target, std::move(patterns));
}

struct LowerLoops : PassWrapper<LowerLoops, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerLoops)

  StringRef getName() const override { return "LowerLoops"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(convert<scf::ParallelOp>(module)))
      return signalPassFailure();
    // From the end, so that what is split off a block is short: a kernel of
    // 10,000 loops takes linear time, which the conversion above would not.
    SmallVector<scf::ForOp> loops;
    module.walk<WalkOrder::PostOrder, ReverseIterator>(
        [&](scf::ForOp loop) { loops.push_back(loop); });
    IRRewriter rewriter(&getContext());
    for (scf::ForOp loop : loops)
      lowerFor(loop, rewriter);
    if (failed(convert<scf::IfOp, scf::IndexSwitchOp, scf::WhileOp,
                       scf::ExecuteRegionOp>(module)))
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> createLowerLoops() {
  return std::make_unique<LowerLoops>();
}

} // namespace graphc::cpu
