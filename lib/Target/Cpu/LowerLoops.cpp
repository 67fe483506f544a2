// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Target/Cpu/Kernels.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace graphc::cpu {
namespace {

/// As upstream's, but the branch that closes the loop keeps the loop's
/// llvm.loop_annotation: "do not unroll" decides the speed of a matrix product.
struct LowerFor : OpRewritePattern<scf::ForOp> {
  LowerFor(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(scf::ForOp loop,
                                PatternRewriter &rewriter) const override {
    Location loc = loop.getLoc();
    Block *before = rewriter.getInsertionBlock();
    Block *after = rewriter.splitBlock(before, rewriter.getInsertionPoint());
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
    Value goesOn = rewriter.create<arith::CmpIOp>(
        loc, arith::CmpIPredicate::slt, index, loop.getUpperBound());
    rewriter.create<cf::CondBranchOp>(loc, goesOn, firstOfBody, ValueRange(),
                                      after, ValueRange());
    rewriter.replaceOp(loop, header->getArguments().drop_front());
    return success();
  }
};

struct LowerLoops : PassWrapper<LowerLoops, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerLoops)

  StringRef getName() const override { return "LowerLoops"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect>();
  }

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateSCFToControlFlowConversionPatterns(patterns);
    patterns.add<LowerFor>(&getContext());
    ConversionTarget target(getContext());
    // Not the whole dialect: terminators go with their loop.
    target.addIllegalOp<scf::ForOp, scf::IfOp, scf::IndexSwitchOp,
                        scf::ParallelOp, scf::WhileOp, scf::ExecuteRegionOp>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> createLowerLoops() {
  return std::make_unique<LowerLoops>();
}

} // namespace graphc::cpu
