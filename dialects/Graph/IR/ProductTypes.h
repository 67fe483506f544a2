// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which result types a product may have.
#ifndef GRAPHC_DIALECTS_GRAPH_IR_PRODUCTTYPES_H
#define GRAPHC_DIALECTS_GRAPH_IR_PRODUCTTYPES_H

#include "mlir/IR/TypeRange.h"

namespace graphc::graph {

/// A product may keep its operands' element type or give its wider kin.
bool isProductResult(mlir::Type operand, mlir::Type result);

/// Compares shapes and element kinds; `inferred` carries the operands' type.
bool isCompatibleProduct(mlir::TypeRange inferred, mlir::TypeRange declared);

} // namespace graphc::graph

#endif // GRAPHC_DIALECTS_GRAPH_IR_PRODUCTTYPES_H
