// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Type inference of matrix products.
#include "dialects/Graph/IR/GraphBuilders.h"
#include "dialects/Graph/IR/ProductTypes.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace graphc::graph;

bool graphc::graph::isProductResult(Type operand, Type result) {
  if (operand == result)
    return true;
  if (operand.isF16() || operand.isBF16())
    return result.isF32();
  return operand.isInteger(8) && result.isSignlessInteger(32);
}

bool graphc::graph::isCompatibleProduct(TypeRange inferred,
                                        TypeRange declared) {
  if (inferred.size() != 1 || declared.size() != 1)
    return false;
  auto want = dyn_cast<RankedTensorType>(inferred.front());
  auto have = dyn_cast<RankedTensorType>(declared.front());
  return want && have && want.getShape() == have.getShape() &&
         isProductResult(want.getElementType(), have.getElementType());
}

//===----------------------------------------------------------------------===//
// DotGeneralOp
//===----------------------------------------------------------------------===//

LogicalResult DotGeneralOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location> loc,
                                             DotGeneralOp::Adaptor adaptor,
                                             SmallVectorImpl<Type> &inferred) {
  auto lhs = tensorTypeOf(adaptor.getLhs()),
       rhs = tensorTypeOf(adaptor.getRhs());
  ArrayRef<int64_t> lhsBatch = adaptor.getLhsBatching(),
                    rhsBatch = adaptor.getRhsBatching(),
                    lhsContract = adaptor.getLhsContracting(),
                    rhsContract = adaptor.getRhsContracting();
  // C1
  if (lhsBatch.size() != rhsBatch.size() ||
      lhsContract.size() != rhsContract.size())
    return emitOptionalError(loc,
                             "'graph.dot_general' op expects dimension lists "
                             "that pair up, but got [",
                             lhsBatch, "] x [", rhsBatch, "] and [",
                             lhsContract, "] x [", rhsContract, "]");
  auto takeDims = [&](RankedTensorType type, ArrayRef<int64_t> batch,
                      ArrayRef<int64_t> contract,
                      llvm::SmallVector<bool> &used) -> LogicalResult {
    used.assign(type.getRank(), false);
    for (ArrayRef<int64_t> list : {batch, contract})
      for (int64_t dim : list) {
        if (dim < 0 || dim >= type.getRank() || used[dim])
          return emitOptionalError(
              loc, "'graph.dot_general' op expects distinct dimensions of ",
              type, ", but got batching [", batch, "] and contracting [",
              contract, "]");
        used[dim] = true;
      }
    return success();
  };
  llvm::SmallVector<bool> lhsUsed, rhsUsed;
  if (failed(takeDims(lhs, lhsBatch, lhsContract, lhsUsed)) ||
      failed(takeDims(rhs, rhsBatch, rhsContract, rhsUsed)))
    return failure();
  // C2
  auto checkPairs = [&](ArrayRef<int64_t> left,
                        ArrayRef<int64_t> right) -> LogicalResult {
    for (auto [l, r] : llvm::zip_equal(left, right))
      if (lhs.getDimSize(l) != rhs.getDimSize(r))
        return emitOptionalError(loc, "'graph.dot_general' op expects dim ", r,
                                 " of rhs to be ", lhs.getDimSize(l), " (dim ",
                                 l, " of lhs), but got ", rhs.getDimSize(r));
    return success();
  };
  if (failed(checkPairs(lhsBatch, rhsBatch)) ||
      failed(checkPairs(lhsContract, rhsContract)))
    return failure();
  // C3
  if (lhs.getElementType() != rhs.getElementType())
    return emitOptionalError(
        loc, "'graph.dot_general' op expects one element type, but got ", lhs,
        " and ", rhs);
  // C4
  llvm::SmallVector<int64_t> shape;
  for (int64_t dim : lhsBatch)
    shape.push_back(lhs.getDimSize(dim));
  for (int64_t dim = 0; dim < lhs.getRank(); ++dim)
    if (!lhsUsed[dim])
      shape.push_back(lhs.getDimSize(dim));
  for (int64_t dim = 0; dim < rhs.getRank(); ++dim)
    if (!rhsUsed[dim])
      shape.push_back(rhs.getDimSize(dim));
  inferred.push_back(lhs.clone(shape));
  return success();
}

bool DotGeneralOp::isCompatibleReturnTypes(TypeRange inferred,
                                           TypeRange declared) {
  return isCompatibleProduct(inferred, declared);
}

//===----------------------------------------------------------------------===//
// LinearOp
//===----------------------------------------------------------------------===//

LogicalResult LinearOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         LinearOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  auto input = tensorTypeOf(adaptor.getInput());
  auto weight = tensorTypeOf(adaptor.getWeight());
  // C1
  if (weight.getRank() != 2)
    return emitOptionalError(
        loc, "'graph.linear' op expects a rank-2 weight, but got ", weight);
  if (input.getRank() == 0)
    return emitOptionalError(
        loc, "'graph.linear' op expects an input of rank 1 or more, but got ",
        input);
  // C2
  if (input.getShape().back() != weight.getDimSize(1))
    return emitOptionalError(
        loc, "'graph.linear' op expects the last input dim to be ",
        weight.getDimSize(1), " (dim 1 of weight), but got ",
        input.getShape().back());
  // C4
  if (Value bias = adaptor.getBias()) {
    auto type = tensorTypeOf(bias);
    if (type.getShape() != weight.getShape().take_front())
      return emitOptionalError(loc,
                               "'graph.linear' op expects a bias of shape [",
                               weight.getDimSize(0), "], but got ", type);
    if (!isProductResult(input.getElementType(), type.getElementType()))
      return emitOptionalError(
          loc, "'graph.linear' op expects a bias of the input's element type",
          " or a wider one, but got ", type);
  }
  // C5
  if (input.getElementType() != weight.getElementType())
    return emitOptionalError(
        loc, "'graph.linear' op expects one element type, but got ", input,
        " and ", weight);
  // C3
  llvm::SmallVector<int64_t> shape(input.getShape());
  shape.back() = weight.getDimSize(0);
  inferred.push_back(input.clone(shape));
  return success();
}

bool LinearOp::isCompatibleReturnTypes(TypeRange inferred, TypeRange declared) {
  return isCompatibleProduct(inferred, declared);
}

//===----------------------------------------------------------------------===//
// Transposed factors
//===----------------------------------------------------------------------===//

namespace {

/// dot_general(transpose(x), y) is dot_general(x, y) with other numbers for the
/// dimensions of x, if those that stay do so in their order. Exact: the terms
/// of each sum keep their order, which the list of contracting dimensions gives.
struct ReadTransposedFactor : OpRewritePattern<DotGeneralOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DotGeneralOp op,
                                PatternRewriter &rewriter) const override {
    for (bool isLeft : {true, false}) {
      OpOperand &factor = op->getOpOperand(isLeft ? 0 : 1);
      auto transpose = factor.get().getDefiningOp<TransposeOp>();
      if (!transpose)
        continue;
      ArrayRef<int64_t> batching =
          isLeft ? op.getLhsBatching() : op.getRhsBatching();
      ArrayRef<int64_t> contracting =
          isLeft ? op.getLhsContracting() : op.getRhsContracting();
      auto through = [&](ArrayRef<int64_t> dims) {
        return llvm::map_to_vector(
            dims, [&](int64_t dim) { return transpose.getPermutation()[dim]; });
      };
      SmallVector<int64_t> kept =
          through(freeDims(tensorTypeOf(factor.get()), batching, contracting));
      if (!llvm::is_sorted(kept))
        continue;
      SmallVector<int64_t> newBatching = through(batching),
                           newContracting = through(contracting);
      rewriter.modifyOpInPlace(op, [&] {
        factor.set(transpose.getInput());
        if (isLeft) {
          op.setLhsBatching(newBatching);
          op.setLhsContracting(newContracting);
        } else {
          op.setRhsBatching(newBatching);
          op.setRhsContracting(newContracting);
        }
      });
      return success();
    }
    return failure();
  }
};

} // namespace

void DotGeneralOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                               MLIRContext *context) {
  patterns.add<ReadTransposedFactor>(context);
}
