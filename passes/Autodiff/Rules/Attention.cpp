// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The derivative of attention. With P the weights, computed again from the
// scores, dP = dO V^T and D the sum of each row of dO * O:
//   dS = P (dP - D)   dQ = scale dS K   dK = scale dS^T Q   dV = P^T dO
// Source: Dao et al., FlashAttention, 2022.
#include "passes/Autodiff/Rules/Rule.h"

#include <cmath>

using namespace mlir;
using namespace graphc;
using namespace graphc::graph;

namespace {
/// Queries and results are [batch..., group, T, depth], keys and values
/// [batch..., S, depth], where a group is the query heads that share a key
/// head; scores are [batch..., group, T, S].
class Backward {
public:
  Backward(AttentionOp op, Rule &r);
  void run();

private:
  Value dot(Value lhs, Value rhs, ArrayRef<int64_t> lhsContracting,
            ArrayRef<int64_t> rhsContracting, ArrayRef<int64_t> shape);
  Value repeatRows(Value x) { return r.repeat(x, rank - 1, scoreShape); }
  /// The dimensions of the scores that the mask has, and their sizes.
  void maskDims(llvm::SmallVector<int64_t> &dims,
                llvm::SmallVector<int64_t> &sizes);
  Value scores();
  Value weights();
  Value maskGradient(Value ds);

  AttentionOp op;
  Rule &r;
  Value query, key, value, output, g;
  int64_t rank; // of the scores
  llvm::SmallVector<int64_t> batch, scoreShape;
};
} // namespace

Backward::Backward(AttentionOp op, Rule &r)
    : op(op), r(r), key(r.operand(1)), value(r.operand(2)) {
  auto grouped = [&](Value x) {
    ArrayRef<int64_t> shape = tensorTypeOf(x).getShape();
    llvm::SmallVector<int64_t> split(tensorTypeOf(key).getShape().drop_back(2));
    int64_t heads = split.empty() ? 1 : shape[shape.size() - 3];
    split.push_back(split.empty() || split.back() == 0 ? 1
                                                       : heads / split.back());
    split.append(shape.end() - 2, shape.end());
    return r.reshape(x, split);
  };
  query = grouped(r.operand(0));
  output = grouped(r.result());
  g = grouped(r.cotangent());
  rank = tensorTypeOf(query).getRank();
  batch = llvm::to_vector(llvm::seq<int64_t>(0, rank - 3));
  scoreShape.assign(tensorTypeOf(query).getShape().begin(),
                    tensorTypeOf(query).getShape().end());
  scoreShape.back() = tensorTypeOf(key).getDimSize(rank - 3);
}

Value Backward::dot(Value lhs, Value rhs, ArrayRef<int64_t> lhsContracting,
                    ArrayRef<int64_t> rhsContracting, ArrayRef<int64_t> shape) {
  return r.op<DotGeneralOp>(RankedTensorType::get(shape, elementTypeOf(lhs)),
                            lhs, rhs, batch, batch, lhsContracting,
                            rhsContracting);
}

void Backward::maskDims(llvm::SmallVector<int64_t> &dims,
                        llvm::SmallVector<int64_t> &sizes) {
  ArrayRef<int64_t> shape = tensorTypeOf(op.getMask()).getShape();
  for (auto [k, size] : llvm::enumerate(shape)) {
    if (size == 1)
      continue;
    int64_t fromRight = shape.size() - k;
    // Heads are two dimensions; what lies before them is one further left.
    if (fromRight == 3)
      dims.append({rank - 4, rank - 3});
    else
      dims.push_back(rank - fromRight - (fromRight > 3));
  }
  for (int64_t dim : dims)
    sizes.push_back(scoreShape[dim]);
}

Value Backward::scores() {
  Value s = dot(query, key, rank - 1, rank - 2, scoreShape);
  s = r.times(s, op.getScaleOrDefault());
  Value masked = r.like(s, -INFINITY);
  if (Value mask = op.getMask()) {
    llvm::SmallVector<int64_t> dims, sizes;
    maskDims(dims, sizes);
    mask = r.broadcast(r.reshape(mask, sizes), dims, scoreShape);
    s = elementTypeOf(mask).isInteger(1)
            ? r.select(mask, s, masked)
            : r.add(s, r.cast(mask, elementTypeOf(s)));
  }
  if (op.getCausal()) {
    int64_t rows = scoreShape[rank - 2], keys = scoreShape[rank - 1];
    auto type = RankedTensorType::get({rows, keys}, r.builder.getI64Type());
    Value mine = r.op<IotaOp>(type, uint64_t(0));
    if (keys != rows)
      mine = r.add(mine, splatInt(r.builder, r.loc, type, keys - rows));
    Value allowed =
        r.compare(ComparePredicate::LE, r.op<IotaOp>(type, uint64_t(1)), mine);
    s = r.select(r.broadcast(allowed, {rank - 2, rank - 1}, scoreShape), s,
                 masked);
  }
  return s;
}

/// softmax of the scores, 0 for a row that no key takes part with.
Value Backward::weights() {
  Value s = scores();
  Value max = r.op<ReduceMaxOp>(s, ArrayRef<int64_t>(rank - 1));
  Value none = r.compare(ComparePredicate::EQ, max, r.like(max, -INFINITY));
  Value p = r.op<SoftmaxOp>(s, static_cast<uint64_t>(rank - 1));
  return r.select(repeatRows(none), r.like(p, 0.0), p);
}

Value Backward::maskGradient(Value ds) {
  llvm::SmallVector<int64_t> dims, sizes, others;
  maskDims(dims, sizes);
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(dims, dim))
      others.push_back(dim);
  return r.reshape(r.sum(ds, others), tensorTypeOf(op.getMask()).getShape());
}

void Backward::run() {
  auto shapeOf = [](Value x) { return tensorTypeOf(x).getShape(); };
  Value p = weights();
  if (r.wants(2))
    r.give(2, dot(p, g, {rank - 3, rank - 2}, {rank - 3, rank - 2},
                  shapeOf(value)));
  bool wantsMask = op.getMask() && r.wants(3);
  if (!r.wants(0) && !r.wants(1) && !wantsMask)
    return;
  Value dp = dot(g, value, rank - 1, rank - 2, scoreShape);
  Value d = r.sum(r.mul(g, output), rank - 1);
  Value ds = r.mul(p, r.sub(dp, repeatRows(d)));
  if (wantsMask)
    r.give(3, maskGradient(ds));
  Value scaled = r.times(ds, op.getScaleOrDefault());
  if (r.wants(0))
    r.give(0, r.reshape(dot(scaled, key, rank - 1, rank - 3, shapeOf(query)),
                        shapeOf(op.getQuery())));
  if (r.wants(1))
    r.give(1, dot(scaled, query, {rank - 3, rank - 2}, {rank - 3, rank - 2},
                  shapeOf(key)));
}

static LogicalResult attentionRule(AttentionOp op, Rule &r) {
  // Of no keys the result is 0.
  if (tensorTypeOf(op.getKey()).getNumElements() == 0)
    return success();
  Backward(op, r).run();
  return success();
}

void graphc::attachAttentionRules(MLIRContext *context) {
  attachRule<AttentionOp, attentionRule>(context);
}
