// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Amp/Amp.h"
#include "passes/Amp/Report.h"
#include "passes/Amp/Rewrite.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;

namespace graphc {
#define GEN_PASS_DEF_AMP
#define GEN_PASS_DEF_AMPREPORT
#include "passes/Amp/Amp.h.inc"

namespace {

using namespace amp;

/// bf16 or f16; null after an error.
FloatType parseType(ModuleOp module, StringRef name) {
  if (name == "bf16")
    return FloatType::getBF16(module.getContext());
  if (name == "f16")
    return FloatType::getF16(module.getContext());
  module.emitError("amp: expects dtype bf16 or f16, but got '") << name << "'";
  return {};
}

/// What was cast and is not read any more.
void eraseUnread(ModuleOp module) {
  llvm::SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<graph::CastOp, graph::ConstantOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty())
      op->erase();
}

struct AmpPass : impl::AmpBase<AmpPass> {
  using AmpBase::AmpBase;

  void runOnOperation() override {
    FloatType low = parseType(getOperation(), dtype);
    if (!low)
      return signalPassFailure();
    Regions regions(getOperation());
    Decisions decisions(getOperation(), low);
    Rewriter(decisions, regions).run(getOperation());
    regions.close();
    eraseUnread(getOperation());
  }
};

struct AmpReportPass : impl::AmpReportBase<AmpReportPass> {
  using AmpReportBase::AmpReportBase;

  void runOnOperation() override {
    FloatType low = parseType(getOperation(), dtype);
    if (!low)
      return signalPassFailure();
    markAllAnalysesPreserved();
    OwningOpRef<ModuleOp> copy = getOperation().clone();
    Regions regions(*copy);
    Decisions decisions(*copy, low);
    Report report(*copy, decisions);
    Rewriter(decisions, regions).run(*copy);
    report.print(*copy, llvm::errs());
  }
};

} // namespace
} // namespace graphc
