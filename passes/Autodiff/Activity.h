// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops of a block must be differentiated.
#ifndef GRAPHC_PASSES_AUTODIFF_ACTIVITY_H
#define GRAPHC_PASSES_AUTODIFF_ACTIVITY_H

#include "dialects/Graph/IR/Graph.h"

namespace graphc {

/// Looks both ways: an op is active if one of its results depends on a source
/// *and* reaches the loss, through floats and not through graph.stop_gradient.
/// A loop counts as one op that passes everything on.
class Activity {
public:
  /// `sources` are arguments of `block` and results of its graph.get ops.
  Activity(mlir::Block &block, mlir::ValueRange sources, mlir::Value loss);

  bool isActive(mlir::Operation *op) const { return active.contains(op); }
  /// Whether a gradient with respect to `value` is of use to a source.
  bool varies(mlir::Value value) const { return varying.contains(value); }

private:
  llvm::DenseSet<mlir::Value> varying;
  llvm::DenseSet<mlir::Operation *> active;
};

/// Whether values of this type have gradients: tensors of floats do.
bool isDifferentiable(mlir::Value value);

} // namespace graphc

#endif // GRAPHC_PASSES_AUTODIFF_ACTIVITY_H
