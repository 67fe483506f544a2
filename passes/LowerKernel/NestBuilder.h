// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds a nest's expressions from the values of a region.
#ifndef GRAPHC_PASSES_LOWERKERNEL_NESTBUILDER_H
#define GRAPHC_PASSES_LOWERKERNEL_NESTBUILDER_H

#include "passes/LowerKernel/Nest.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

#include <map>

namespace graphc::kernel {

/// Where the values of a region live, as far as they do.
struct Placement {
  llvm::DenseMap<mlir::Value, Buffer *> buffers;
  /// Number of the kernel argument that holds a random op's id.
  llvm::DenseMap<mlir::Operation *, unsigned> opIds;
};

class NestBuilder {
public:
  NestBuilder(Nest &nest, const Placement &placement)
      : nest(nest), placement(placement) {}

  /// Adds a loop; all loops come before the first expression.
  Index addLoop(int64_t size, unsigned role);
  /// Adds one loop per dimension of `shape`.
  llvm::SmallVector<Index> addLoops(llvm::ArrayRef<int64_t> shape,
                                    unsigned role);

  /// The element of `value` at `indices`.
  Expr *element(mlir::Value value, llvm::ArrayRef<Index> indices);
  /// `value`, an integer that lies in [0, size) when the nest runs, as an index.
  Index data(Expr *value, int64_t size);
  /// The term that element `indices` of `fold`, preceded by the indices inside
  /// a window, gets from there.
  Expr *foldTerm(mlir::Operation *fold, llvm::ArrayRef<Index> indices);
  /// `indices` into slices of a tensor along `axis`, taken at the indices
  /// `which`, as indices into the tensor.
  llvm::SmallVector<Index> gather(llvm::ArrayRef<Index> indices,
                                  mlir::Value which, int64_t axis,
                                  int64_t batchDims, int64_t size);
  /// `indices` into a slice of `sizes` that starts at `starts`, as indices into
  /// the whole of `shape`.
  llvm::SmallVector<Index> shift(llvm::ArrayRef<Index> indices,
                                 mlir::ValueRange starts,
                                 llvm::ArrayRef<int64_t> sizes,
                                 llvm::ArrayRef<int64_t> shape);
  /// From now on `value`, which the nest computes itself, is at hand.
  void setAccumulated(mlir::Value value) { accumulated = value; }

  /// The values that `index` can take, bounds included.
  std::pair<int64_t, int64_t> rangeOf(const Index &index) const {
    return nest.rangeOf(index);
  }
  /// Row-major position of `indices` in a tensor of `shape`.
  Index linearize(llvm::ArrayRef<Index> indices, llvm::ArrayRef<int64_t> shape);
  /// The indices of element `position`.
  llvm::SmallVector<Index> delinearize(const Index &position,
                                       llvm::ArrayRef<int64_t> shape);

private:
  Expr *compute(mlir::Value value, llvm::ArrayRef<Index> indices);
  Expr *computePad(mlir::Operation *op, llvm::ArrayRef<Index> indices);
  /// The i with i * step == place, i < size, and what must hold for that.
  Index unstride(const Index &place, int64_t size, int64_t step,
                 llvm::SmallVectorImpl<Condition> &conditions);
  Expr *computeConcat(mlir::Operation *op, llvm::ArrayRef<Index> indices);
  Expr *add(Expr expr);
  Expr *load(Buffer *buffer, mlir::Value value, llvm::ArrayRef<Index> indices);
  Index derived(const Variable &variable);
  /// `index` split by a positive divisor.
  std::pair<Index, Index> divide(const Index &index, int64_t by);
  Index clamp(const Index &index, int64_t size);

  Nest &nest;
  const Placement &placement;
  mlir::Value accumulated;
  std::map<std::pair<void *, std::vector<Index>>, Expr *> memo;
};

} // namespace graphc::kernel

#endif // GRAPHC_PASSES_LOWERKERNEL_NESTBUILDER_H
