// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dynamic loss scaling, as torch.amp.GradScaler: gradients of the scaled loss do
// not vanish in f16, and a step whose gradients overflow changes nothing but the
// scale.
#ifndef GRAPHC_PASSES_TRAINSTEP_LOSSSCALE_H
#define GRAPHC_PASSES_TRAINSTEP_LOSSSCALE_H

#include "dialects/Graph/IR/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace graphc {

/// What a step has of its scale: variables, and their values as it starts.
struct LossScale {
  mlir::FlatSymbolRefAttr scaleSymbol, goodStepsSymbol, attemptsSymbol;
  mlir::Value scale, goodSteps, attempts;
  /// i1: no gradient is inf or NaN. Null before they are known.
  mlir::Value isGood;
};

inline constexpr double kFirstLossScale = 65536.0;
/// So many good steps in a row double the scale.
inline constexpr int64_t kGrowthInterval = 2000;

/// A private function of the arguments of `loss` and a scale, which returns the
/// first result times the scale, then all results. It stands before `loss`.
mlir::func::FuncOp makeScaledLoss(mlir::func::FuncOp loss,
                                  mlir::StringRef name);

/// True if no element of `gradients` is inf or NaN.
mlir::Value areFinite(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::ValueRange gradients);

/// `gradients` over the scale.
llvm::SmallVector<mlir::Value> unscale(mlir::OpBuilder &builder,
                                       mlir::Location loc, mlir::Value scale,
                                       mlir::ValueRange gradients);

/// `value` after a good step, else `old`.
mlir::Value chooseIf(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value isGood, mlir::Value value, mlir::Value old);

/// Sets scale and counters for the next step.
void updateScale(mlir::OpBuilder &builder, mlir::Location loc,
                 const LossScale &scale);

/// The variables that `loss` sets, but for the random key: statistics, say.
llvm::SmallVector<graph::SetOp> findStatistics(mlir::func::FuncOp loss);

} // namespace graphc

#endif // GRAPHC_PASSES_TRAINSTEP_LOSSSCALE_H
