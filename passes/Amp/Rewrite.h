// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GRAPHC_PASSES_AMP_REWRITE_H
#define GRAPHC_PASSES_AMP_REWRITE_H

#include "passes/Amp/Casts.h"
#include "passes/Amp/Decisions.h"

namespace graphc::amp {

/// Gives each op the types that were decided, and its readers what they want.
class Rewriter {
public:
  Rewriter(const Decisions &decisions, Regions &regions)
      : decisions(decisions), regions(regions), casts(regions) {}

  void run(mlir::ModuleOp module);

private:
  void rewriteBlock(mlir::Block &block);
  void rewrite(mlir::Operation *op);
  void rewriteCast(graph::CastOp cast);
  void setOperands(mlir::Operation *op, const Decision *decision);
  void setResults(mlir::Operation *op, const Decision &decision);
  void roundTo(mlir::Value result, mlir::FloatType type);

  const Decisions &decisions;
  Regions &regions;
  Casts casts;
  /// What each op read before anything was changed.
  llvm::DenseMap<mlir::OpOperand *, mlir::FloatType> declared;
};

} // namespace graphc::amp

#endif // GRAPHC_PASSES_AMP_REWRITE_H
