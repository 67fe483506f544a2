// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that is there once per lane, as code for any lane.

#ifndef GRAPHC_LIB_TARGET_CUDA_ROLL_H
#define GRAPHC_LIB_TARGET_CUDA_ROLL_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace graphc::cuda {

/// The scalars that a vector.from_elements is made of, if they are the same code
/// for all lanes but for integer constants, each of them first + lane * step,
/// and for the lanes that are extracted. Lanes from `active` on may all repeat
/// lane `otherwise`.
class Roll {
public:
  /// True if `elements` are such code.
  bool match(mlir::vector::FromElementsOp elements);

  struct Number {
    int64_t first, step;
  };
  /// The code of lane 1. Its constants that differ from lane to lane are here.
  mlir::Value lane1;
  llvm::DenseMap<mlir::Value, Number> numbers;
  int64_t active = 0, otherwise = 0;

private:
  bool matchLane(mlir::Value value, mlir::Value pattern);
  bool matchOps(mlir::Operation *op, mlir::Operation *pattern);
  bool matchRegions(mlir::Operation *op, mlir::Operation *pattern);
  bool findSteps();

  mlir::Block *block = nullptr;
  mlir::Operation *end = nullptr;
  int64_t lane = 0, lanes = 0;
  llvm::DenseMap<mlir::Value, mlir::Value> matched; // of this lane
  llvm::DenseMap<mlir::Value, llvm::SmallVector<int64_t>> seen;
};

} // namespace graphc::cuda

#endif // GRAPHC_LIB_TARGET_CUDA_ROLL_H
