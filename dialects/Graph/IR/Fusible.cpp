// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements of its operands an element of an op's results depends on.
#include "dialects/Graph/IR/GraphBuilders.h"

using namespace mlir;
using namespace graphc::graph;

IndexRelation graphc::graph::getIndexRelation(Operation *op, unsigned number) {
  if (op->hasTrait<ElementwiseOp>())
    return IndexRelation::Same;
  if (auto fusible = dyn_cast<FusibleOpInterface>(op))
    return fusible.getIndexRelation(number);
  return IndexRelation::Opaque;
}

llvm::SmallVector<int64_t> graphc::graph::getReducedAxes(Operation *op) {
  auto fusible = dyn_cast<FusibleOpInterface>(op);
  return fusible ? fusible.getReducedAxes() : llvm::SmallVector<int64_t>();
}

bool graphc::graph::isComputedByElement(Operation *op) {
  if (!op->hasTrait<ElementwiseOp>() && !isa<FusibleOpInterface>(op))
    return false;
  for (unsigned number = 0; number < op->getNumOperands(); ++number) {
    IndexRelation relation = getIndexRelation(op, number);
    if (relation == IndexRelation::Row ||
        relation == IndexRelation::Reduction ||
        relation == IndexRelation::Product)
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Movement of data, and what makes it
//===----------------------------------------------------------------------===//

IndexRelation BroadcastOp::getIndexRelation(unsigned) {
  return IndexRelation::Broadcast;
}
IndexRelation ReshapeOp::getIndexRelation(unsigned) {
  return IndexRelation::Movement;
}
IndexRelation TransposeOp::getIndexRelation(unsigned) {
  return IndexRelation::Movement;
}
IndexRelation SliceOp::getIndexRelation(unsigned) {
  return IndexRelation::Movement;
}
IndexRelation ReverseOp::getIndexRelation(unsigned) {
  return IndexRelation::Movement;
}
IndexRelation ConcatOp::getIndexRelation(unsigned) {
  return IndexRelation::Movement;
}
IndexRelation PadOp::getIndexRelation(unsigned number) {
  return number == 0 ? IndexRelation::Movement : IndexRelation::Broadcast;
}
// Windows overlap.
IndexRelation UnfoldOp::getIndexRelation(unsigned) {
  return IndexRelation::Broadcast;
}

// What is read depends on data.
IndexRelation GatherOp::getIndexRelation(unsigned) {
  return IndexRelation::Opaque;
}
IndexRelation EmbeddingOp::getIndexRelation(unsigned) {
  return IndexRelation::Opaque;
}
IndexRelation OneHotOp::getIndexRelation(unsigned) {
  return IndexRelation::Broadcast;
}

IndexRelation IotaOp::getIndexRelation(unsigned) {
  return IndexRelation::Opaque; // It has no operand.
}
IndexRelation RandomUniformOp::getIndexRelation(unsigned) {
  return IndexRelation::Opaque;
}
IndexRelation DropoutOp::getIndexRelation(unsigned number) {
  return number == 0 ? IndexRelation::Same : IndexRelation::Opaque;
}
IndexRelation TrilOp::getIndexRelation(unsigned) { return IndexRelation::Same; }
IndexRelation TriuOp::getIndexRelation(unsigned) { return IndexRelation::Same; }

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

#define GRAPHC_REDUCTION(Op)                                                   \
  IndexRelation Op::getIndexRelation(unsigned) {                               \
    return IndexRelation::Reduction;                                           \
  }                                                                            \
  llvm::SmallVector<int64_t> Op::getReducedAxes() {                            \
    return llvm::to_vector(getAxes());                                         \
  }
GRAPHC_REDUCTION(ReduceSumOp)
GRAPHC_REDUCTION(ReduceMeanOp)
GRAPHC_REDUCTION(ReduceMaxOp)
GRAPHC_REDUCTION(ReduceMinOp)
GRAPHC_REDUCTION(ReduceProdOp)
#undef GRAPHC_REDUCTION

#define GRAPHC_ALONG_AXIS(Op, relation)                                        \
  IndexRelation Op::getIndexRelation(unsigned) {                               \
    return IndexRelation::relation;                                            \
  }                                                                            \
  llvm::SmallVector<int64_t> Op::getReducedAxes() {                            \
    return {static_cast<int64_t>(getAxis())};                                  \
  }
GRAPHC_ALONG_AXIS(ArgmaxOp, Reduction)
GRAPHC_ALONG_AXIS(ArgminOp, Reduction)
GRAPHC_ALONG_AXIS(SoftmaxOp, Row)
GRAPHC_ALONG_AXIS(LogSoftmaxOp, Row)
#undef GRAPHC_ALONG_AXIS

#define GRAPHC_NORM(Op)                                                        \
  IndexRelation Op::getIndexRelation(unsigned number) {                        \
    return number == 0 ? IndexRelation::Row : IndexRelation::Broadcast;        \
  }                                                                            \
  llvm::SmallVector<int64_t> Op::getReducedAxes() {                            \
    llvm::SmallVector<int64_t> axes = allAxes(getInput());                     \
    axes.erase(axes.begin(), axes.end() - getNormalizedRank());                \
    return axes;                                                               \
  }
GRAPHC_NORM(LayerNormOp)
GRAPHC_NORM(RmsNormOp)
#undef GRAPHC_NORM

// The class numbers choose what is read.
IndexRelation CrossEntropyOp::getIndexRelation(unsigned number) {
  return number == 0 ? IndexRelation::Reduction : IndexRelation::Opaque;
}
llvm::SmallVector<int64_t> CrossEntropyOp::getReducedAxes() {
  llvm::SmallVector<int64_t> axes = allAxes(getLogits());
  if (getReduction() == Reduction::None)
    axes.erase(axes.begin(), axes.end() - 1);
  return axes;
}

#define GRAPHC_PAIR_LOSS(Op)                                                   \
  IndexRelation Op::getIndexRelation(unsigned) {                               \
    return getReduction() == Reduction::None ? IndexRelation::Same             \
                                             : IndexRelation::Reduction;       \
  }                                                                            \
  llvm::SmallVector<int64_t> Op::getReducedAxes() {                            \
    return getReduction() == Reduction::None ? llvm::SmallVector<int64_t>()    \
                                             : allAxes(getInput());            \
  }
GRAPHC_PAIR_LOSS(MseLossOp)
GRAPHC_PAIR_LOSS(BceOp)
GRAPHC_PAIR_LOSS(BceWithLogitsOp)
#undef GRAPHC_PAIR_LOSS

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

#define GRAPHC_PRODUCT(Op)                                                     \
  IndexRelation Op::getIndexRelation(unsigned number) {                        \
    return number < 2 ? IndexRelation::Product : IndexRelation::Broadcast;     \
  }
GRAPHC_PRODUCT(DotGeneralOp)
GRAPHC_PRODUCT(LinearOp)
GRAPHC_PRODUCT(ConvOp)
GRAPHC_PRODUCT(ConvTransposeOp)
GRAPHC_PRODUCT(ConvWeightGradOp)
#undef GRAPHC_PRODUCT
