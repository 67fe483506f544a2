// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How large a tensor may be, and what an op makes inside.
#ifndef GRAPHC_DIALECTS_GRAPH_IR_SIZES_H
#define GRAPHC_DIALECTS_GRAPH_IR_SIZES_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace graphc::graph {

/// Of one tensor, sizes of 0 left out: a large size next to one is no better.
/// Below it no product of sizes, strides and element sizes overflows.
inline constexpr int64_t maxElements = int64_t{1} << 40;
inline constexpr int64_t maxTensorBytes = int64_t{1} << 40;

/// The product of `sizes`, none of them negative, those of 0 left out; none
/// above maxElements.
std::optional<int64_t> countWithoutZeros(llvm::ArrayRef<int64_t> sizes);

/// Fails, with an error that names `what`, if `op` makes it in a shape of more
/// than maxElements.
mlir::LogicalResult checkInnerShape(mlir::Operation *op, llvm::StringRef what,
                                    llvm::ArrayRef<int64_t> shape);

} // namespace graphc::graph

#endif // GRAPHC_DIALECTS_GRAPH_IR_SIZES_H
