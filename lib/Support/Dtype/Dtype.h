// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element types by MLIR's name and by the number of the public headers.
#ifndef GRAPHC_LIB_SUPPORT_DTYPE_DTYPE_H
#define GRAPHC_LIB_SUPPORT_DTYPE_DTYPE_H

#include "graphc/dtype.h"

#include "mlir/IR/Types.h"

namespace graphc {

/// The number of an element type; GRAPHC_DTYPE_INVALID if the dialect lacks it.
graphc_dtype toDtype(mlir::Type element);

/// The element type of a number; null if there is none.
mlir::Type toElementType(mlir::MLIRContext *context, graphc_dtype dtype);

} // namespace graphc

#endif // GRAPHC_LIB_SUPPORT_DTYPE_DTYPE_H
