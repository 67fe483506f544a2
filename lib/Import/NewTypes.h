// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one op without calls or regions is for another batch size.
#ifndef GRAPHC_LIB_IMPORT_NEWTYPES_H
#define GRAPHC_LIB_IMPORT_NEWTYPES_H

#include "lib/Import/OldSizes.h"

#include "mlir/IR/Operation.h"

namespace graphc {

struct BatchSizes {
  int64_t before, now;
};

/// Gives `op`, a copy of `before` with operands of the new size, the results
/// that follow. Fails if it cannot be meant for that size; what its verifier
/// sees is left to it.
mlir::LogicalResult inferTypes(mlir::Operation *before, mlir::Operation *op,
                               BatchSizes batch);

/// Gives splats, iotas and broadcasts that `op` reads beside a value of the
/// new size that size, where they state the old one.
void followOthers(mlir::Operation *op, const OldSizes &sizes);

/// Fails if there are not as many.
mlir::LogicalResult setTypes(mlir::Operation *op, mlir::TypeRange types);

} // namespace graphc

#endif // GRAPHC_LIB_IMPORT_NEWTYPES_H
