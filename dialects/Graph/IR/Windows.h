// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sliding windows: the lists that describe them, and how many positions they
// have.
#ifndef GRAPHC_DIALECTS_GRAPH_IR_WINDOWS_H
#define GRAPHC_DIALECTS_GRAPH_IR_WINDOWS_H

#include "dialects/Graph/IR/GraphBuilders.h"

namespace graphc::graph {

/// One entry for each dimension that slides. `low` and `high` may be left out.
struct Windows {
  llvm::ArrayRef<int64_t> kernel, strides, dilation, low = {}, high = {};

  size_t rank() const { return strides.size(); }

  /// Fails, with an error at `loc` that names `op`, unless all lists have
  /// `rank` entries (at least 1), strides, dilation and kernel are at least 1
  /// and low and high not negative.
  mlir::LogicalResult check(std::optional<mlir::Location> loc,
                            llvm::StringRef op, int64_t rank,
                            bool hasPadding = true) const;

  /// Positions along each dimension of `sizes`, or an error as above if the
  /// window does not fit.
  mlir::FailureOr<llvm::SmallVector<int64_t>>
  positions(std::optional<mlir::Location> loc, llvm::StringRef op,
            llvm::ArrayRef<int64_t> sizes) const;
};

/// The shape of `graph.unfold` of `shape`, whose last dimensions have
/// `positions`.
llvm::SmallVector<int64_t> unfoldedShape(llvm::ArrayRef<int64_t> shape,
                                         llvm::ArrayRef<int64_t> positions,
                                         llvm::ArrayRef<int64_t> kernel);

/// Zeros around the input that `op` reads, if it leaves out those between.
void getBorder(ConvTransposeOp op, llvm::SmallVectorImpl<int64_t> &before,
               llvm::SmallVectorImpl<int64_t> &after);

/// The numbers first, first + 1, ..., end - 1.
llvm::SmallVector<int64_t> dimsBetween(int64_t first, int64_t end);

} // namespace graphc::graph

#endif // GRAPHC_DIALECTS_GRAPH_IR_WINDOWS_H
