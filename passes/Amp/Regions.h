// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels that ops have been grouped into, taken apart and put together
// again, so that the rest of the pass need not know of them.
#ifndef GRAPHC_PASSES_AMP_REGIONS_H
#define GRAPHC_PASSES_AMP_REGIONS_H

#include "dialects/Graph/IR/Graph.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <vector>

namespace graphc::amp {

class Regions {
public:
  /// Moves what is in each graph.fused of `module` out of it.
  explicit Regions(mlir::ModuleOp module);

  /// False if nothing was grouped, and so nothing is to be.
  bool areUsed() const { return !groups.empty(); }
  /// The group of `op`, if it is in one.
  std::optional<int> groupOf(mlir::Operation *op) const;
  /// Puts `op`, next to an op of `group`, into that.
  void join(mlir::Operation *op, int group);
  /// Makes a group of `op`, which none has; it stands between groups.
  void makeGroup(mlir::Operation *op);
  /// The last op of `group`; what is after it may read its results.
  mlir::Operation *lastOf(int group) const { return groups[group].back(); }
  /// True if a cast of a result of `group` may be computed in it.
  bool takesCasts(int group) const;
  void forget(mlir::Operation *op);

  /// Makes a graph.fused of each group again.
  void close();

private:
  std::vector<llvm::SmallVector<mlir::Operation *>> groups;
  std::vector<mlir::Location> locations;
  llvm::DenseMap<mlir::Operation *, int> numbers;
};

} // namespace graphc::amp

#endif // GRAPHC_PASSES_AMP_REGIONS_H
