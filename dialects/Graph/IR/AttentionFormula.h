// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention and its derivatives as products of whole matrices of scores.
#ifndef GRAPHC_DIALECTS_GRAPH_IR_ATTENTIONFORMULA_H
#define GRAPHC_DIALECTS_GRAPH_IR_ATTENTIONFORMULA_H

#include "dialects/Graph/IR/Emit.h"

namespace graphc::graph {

/// Queries and results are [batch..., group, T, depth], keys and values
/// [batch..., S, depth], where a group is the query heads that share a key
/// head; scores are [batch..., group, T, S]. All are in the accumulation type.
class AttentionFormula {
public:
  template <typename Op>
  AttentionFormula(Op op, mlir::OpBuilder &builder)
      : e{builder, op.getLoc()}, key(e.widen(op.getKey())),
        value(e.widen(op.getValue())), mask(op.getMask()),
        causal(op.getCausal()), scale(op.getScaleOrDefault()) {
    query = grouped(op.getQuery());
    setShapes();
  }

  /// `x`, like queries or results, in groups.
  mlir::Value grouped(mlir::Value x);
  /// softmax of the scores, 0 for a row that no key takes part with.
  mlir::Value weights(bool ofPrimitives = false);
  /// For each score, the product of a row of `rows`, like queries, with one of
  /// `columns`, like keys.
  mlir::Value scoresOf(mlir::Value rows, mlir::Value columns);
  /// Sums over keys, for each query: `scores` times `columns`.
  mlir::Value overKeys(mlir::Value scores, mlir::Value columns);
  /// Sums over the queries of a group, for each key: `scores` times `rows`.
  mlir::Value overQueries(mlir::Value scores, mlir::Value rows);
  /// The sum of each row.
  mlir::Value rowSum(mlir::Value x) { return e.sum(x, rank - 1); }
  /// A number for each query, repeated for all keys.
  mlir::Value forKeys(mlir::Value x) {
    return broadcastReduced(e.builder, e.loc, x, rank - 1, scoreShape);
  }
  /// A number for each query, repeated to the rows of `like`.
  mlir::Value forRow(mlir::Value x, mlir::Value like) {
    return e.repeat(x, rank - 1, like);
  }
  mlir::Value maskGradient(mlir::Value ds);
  mlir::Value add(mlir::Value a, mlir::Value b) { return e.op<AddOp>(a, b); }
  mlir::Value sub(mlir::Value a, mlir::Value b) { return e.op<SubOp>(a, b); }
  mlir::Value mul(mlir::Value a, mlir::Value b) { return e.op<MulOp>(a, b); }
  mlir::Value scaled(mlir::Value x) { return mul(x, e.like(x, scale)); }

  Emit e;
  mlir::Value query, key, value;

private:
  void setShapes();
  mlir::Value dot(mlir::Value lhs, mlir::Value rhs,
                  llvm::ArrayRef<int64_t> lhsContracting,
                  llvm::ArrayRef<int64_t> rhsContracting,
                  llvm::ArrayRef<int64_t> shape);
  mlir::Value scores();
  void maskDims(llvm::SmallVector<int64_t> &dims,
                llvm::SmallVector<int64_t> &sizes);

  mlir::Value mask;
  bool causal;
  double scale;
  int64_t rank = 0; // of the scores
  llvm::SmallVector<int64_t> batch, scoreShape;
};

} // namespace graphc::graph

#endif // GRAPHC_DIALECTS_GRAPH_IR_ATTENTIONFORMULA_H
