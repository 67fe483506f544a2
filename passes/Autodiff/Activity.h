// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which ops of a block must be differentiated.
#ifndef GRAPHC_PASSES_AUTODIFF_ACTIVITY_H
#define GRAPHC_PASSES_AUTODIFF_ACTIVITY_H

#include "dialects/Graph/IR/Graph.h"

namespace graphc {

/// Looks both ways: a value is active if it depends on a source *and* reaches a
/// target, through floats and not through graph.stop_gradient; an op is, if one
/// of its results is. A loop is looked into, and passes on each of its carried
/// values by itself; any other op with a region passes on everything.
class Activity {
public:
  /// `sources` are values that ops of `block` read; what they are made from is
  /// of no interest.
  Activity(mlir::Block &block, mlir::ValueRange sources,
           mlir::ValueRange targets);

  bool isActive(mlir::Operation *op) const { return active.contains(op); }
  /// Whether a gradient with respect to `value` is of use to a source.
  bool varies(mlir::Value value) const { return varying.contains(value); }
  bool isActive(mlir::Value value) const {
    return varying.contains(value) && useful.contains(value);
  }

private:
  void findVarying(mlir::Block &block, mlir::ValueRange sources);
  void findUseful(mlir::ValueRange sources, mlir::ValueRange targets);

  llvm::DenseSet<mlir::Value> varying, useful;
  llvm::DenseSet<mlir::Operation *> active;
};

/// Whether values of this type have gradients: tensors of floats do.
bool isDifferentiable(mlir::Value value);

} // namespace graphc

#endif // GRAPHC_PASSES_AUTODIFF_ACTIVITY_H
