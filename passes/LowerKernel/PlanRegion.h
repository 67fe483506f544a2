// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The planner's inside: one file for each kind of nest.
#ifndef GRAPHC_PASSES_LOWERKERNEL_PLANREGION_H
#define GRAPHC_PASSES_LOWERKERNEL_PLANREGION_H

#include "dialects/Graph/IR/GraphBuilders.h"
#include "passes/LowerKernel/NestBuilder.h"

#include "llvm/ADT/MapVector.h"

namespace graphc::kernel {

/// From here on indices of gathers and scatters are checked, and starts of
/// dynamic slices are where the slice fits.
void makeIndicesSafe(mlir::Block &body);

/// True if `op` is planned as blocks: it is not replaced by primitives.
bool runsInBlocks(mlir::Operation *op);

/// Where a tensor lies: the elements from one index to the next in `buffer`, of
/// each dimension. Those of the last one are next to each other.
struct Strided {
  Buffer *buffer = nullptr;
  int64_t first = 0;
  llvm::SmallVector<int64_t> strides;

  static Strided dense(Buffer *buffer, llvm::ArrayRef<int64_t> shape);
  bool isDense(llvm::ArrayRef<int64_t> shape) const {
    return first == 0 && strides == dense(buffer, shape).strides;
  }
};

/// Starts and sizes of the loops over the dimensions of a product's result, in
/// the result's order.
struct ProductPart {
  llvm::SmallVector<int64_t> starts, sizes;
};

/// Plans the nests of one region.
class Planner {
public:
  Planner(graph::FusedOp fused, Kernel &kernel)
      : body(fused.getBody().front()), kernel(kernel) {}

  mlir::LogicalResult run();

private:
  Nest &addNest(Nest::Kind kind, mlir::Location loc) {
    return kernel.nests.emplace_back(kind, loc);
  }
  bool isReady(mlir::Value value) const;
  /// Values that a nest can compute, and at which of its indices.
  using AtHand = llvm::MapVector<mlir::Value, llvm::SmallVector<Index>>;
  bool canFollow(mlir::Operation *user, mlir::Value value, NestBuilder &builder,
                 llvm::SmallVectorImpl<Index> &indices,
                 const AtHand &atHand) const;
  mlir::Value findEpilogue(mlir::Value result, NestBuilder &builder,
                           llvm::SmallVectorImpl<Index> &indices,
                           bool &isPiece) const;
  bool leadsToResult(mlir::Value value);
  AtHand findFollowers(mlir::Value end, NestBuilder &builder,
                       llvm::ArrayRef<Index> indices);
  bool isNeeded(mlir::Value value, const AtHand &followers) const;
  void materialize(mlir::Value value);
  Buffer *place(mlir::Value value);
  Strided findRows(mlir::Value value);
  Strided placeRows(mlir::Value value);
  /// Returns what it stores. Without `places`, only notes what would be stored,
  /// and where in its tensor.
  llvm::SmallVector<mlir::Value> storeResult(Nest &nest, NestBuilder &builder,
                                             mlir::Value result,
                                             llvm::ArrayRef<Index> kept,
                                             bool places = true);

  llvm::SmallVector<mlir::Value> storeTerms(Nest &nest, NestBuilder &builder,
                                            mlir::Value value,
                                            llvm::ArrayRef<Index> indices);
  void planReduction(mlir::Operation *op);
  void planArg(mlir::Operation *op);
  void planCheck(graph::CheckIndexOp op);
  void planCopy(mlir::Value value, Buffer *to, mlir::Type type,
                mlir::Location loc);
  void planScatter(graph::ScatterAddOp op);
  void planUpdate(graph::DynamicUpdateSliceOp op);
  void planScan(graph::CumsumOp op);
  void planSort(graph::SortOp op);
  void planAttention(graph::AttentionOp op);
  void planAttentionGrad(graph::AttentionGradOp op);
  void planProduct(graph::DotGeneralOp op);
  llvm::SmallVector<ProductPart, 2> partsOf(graph::DotGeneralOp op) const;
  /// Decides how `nest` is computed; returns a rough cost.
  double chooseProduct(Nest &nest) const;
  void addPanels(Nest &nest);
  void materializeWindowSource(mlir::Value factor);
  Buffer *pack(mlir::Value factor, llvm::ArrayRef<int64_t> dims,
               mlir::Type type, mlir::Location loc);
  void planResults();
  void planConcat(graph::ConcatOp op, Buffer *buffer);
  void planPadding(graph::PadOp op, Buffer *buffer,
                   llvm::ArrayRef<int64_t> starts,
                   llvm::ArrayRef<int64_t> sizes);
  void planPad(graph::PadOp op, Buffer *buffer);

  mlir::Block &body;
  Kernel &kernel;
  Placement placement;
  llvm::DenseMap<mlir::Value, Buffer *> results; // not yet stored
  llvm::DenseMap<mlir::Value, bool> leads;       // memo of leadsToResult()
  // What follows a nest may be in another order of dimensions: not where its
  // vectors would then meet memory element by element.
  bool followsTransposes = true;
};

} // namespace graphc::kernel

#endif // GRAPHC_PASSES_LOWERKERNEL_PLANREGION_H
