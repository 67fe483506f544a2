// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an op costs, composites taken apart.
#ifndef GRAPHC_LIB_ANALYSIS_COST_H
#define GRAPHC_LIB_ANALYSIS_COST_H

#include "dialects/Graph/IR/Graph.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace graphc {

/// What `op` decomposes to, in a module of its own: arguments of its block stand
/// for the operands, one for equal ones.
mlir::OwningOpRef<mlir::ModuleOp> partsOf(graph::DecomposableOpInterface op);

struct OpWork {
  int64_t flops = 0; // by CostOpInterface
  /// An index out of range would be an error.
  bool checksIndices = false;
};

/// By CostOpInterface; for a composite without one, that of what it is made of.
/// Sums stop at 2^63 - 1.
OpWork workOf(mlir::Operation *op);

/// Of the elements, a bit in a byte; 0 for what is no tensor.
int64_t bytesOf(mlir::Type type);

} // namespace graphc

#endif // GRAPHC_LIB_ANALYSIS_COST_H
