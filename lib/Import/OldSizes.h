// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that follow from no argument.
#ifndef GRAPHC_LIB_IMPORT_OLDSIZES_H
#define GRAPHC_LIB_IMPORT_OLDSIZES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallBitVector.h"

namespace graphc {

/// While a function is copied for another batch size: which dimensions of which
/// values have the old one because an op says so (a splat constant, an iota, a
/// broadcast, random numbers), and may mean the batch or not. Where such a
/// dimension meets one that follows from an argument, elementwise, the types
/// tell. Where an op takes it in without that, as a sum does, nobody knows.
class OldSizes {
public:
  /// Whether `op` would also verify with operand `number` of type `type`.
  using Fits = llvm::function_ref<bool(unsigned number, mlir::Type type)>;

  OldSizes(int64_t oldSize, int64_t newSize)
      : oldSize(oldSize), newSize(newSize) {}

  /// Notes the results of `op`, whose types are known. Fails, with an error at
  /// the op that states the size, if `op` takes one in that may mean the batch.
  mlir::LogicalResult visit(mlir::Operation *op, Fits fits);

  /// Says that `to` has the size that `from` has.
  void copy(mlir::Value from, mlir::Value to);
  /// Notes all old sizes of `value` as stated by `op`.
  void state(mlir::Value value, mlir::Operation *op,
             const llvm::SmallBitVector &dims);
  /// Which dimensions may or may not mean the batch; all false if none.
  llvm::SmallBitVector of(mlir::Value value) const;
  bool isKnown(mlir::Value value) const { return of(value).none(); }
  /// Fails, with an error, unless the sizes of all `values` are known.
  mlir::LogicalResult checkKnown(mlir::ValueRange values,
                                 mlir::Operation *reader) const;

private:
  struct Entry {
    llvm::SmallBitVector dims;
    mlir::Operation *statedBy;
  };

  mlir::LogicalResult refuse(mlir::Value value, mlir::Operation *reader) const;
  llvm::SmallBitVector oldDims(mlir::Value value) const;
  bool fitsBoth(mlir::OpOperand &operand, Fits fits) const;

  int64_t oldSize, newSize;
  llvm::DenseMap<mlir::Value, Entry> entries;
};

} // namespace graphc

#endif // GRAPHC_LIB_IMPORT_OLDSIZES_H
