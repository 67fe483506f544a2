// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/IR/AttentionFormula.h"

#include <cmath>

using namespace mlir;
using namespace graphc::graph;

Value AttentionFormula::grouped(Value x) {
  ArrayRef<int64_t> shape = tensorTypeOf(x).getShape();
  llvm::SmallVector<int64_t> split(tensorTypeOf(key).getShape().drop_back(2));
  int64_t heads = split.empty() ? 1 : shape[shape.size() - 3];
  split.push_back(split.empty() || split.back() == 0 ? 1
                                                     : heads / split.back());
  split.append(shape.end() - 2, shape.end());
  return reshapeTo(e.builder, e.loc, e.widen(x), split);
}

void AttentionFormula::setShapes() {
  rank = tensorTypeOf(query).getRank();
  batch = llvm::to_vector(llvm::seq<int64_t>(0, rank - 3));
  scoreShape.assign(tensorTypeOf(query).getShape().begin(),
                    tensorTypeOf(query).getShape().end());
  scoreShape.back() = tensorTypeOf(key).getDimSize(rank - 3);
}

Value AttentionFormula::dot(Value lhs, Value rhs,
                            ArrayRef<int64_t> lhsContracting,
                            ArrayRef<int64_t> rhsContracting,
                            ArrayRef<int64_t> shape) {
  return e.op<DotGeneralOp>(RankedTensorType::get(shape, elementTypeOf(lhs)),
                            lhs, rhs, batch, batch, lhsContracting,
                            rhsContracting);
}

Value AttentionFormula::scoresOf(Value rows, Value columns) {
  return dot(rows, columns, rank - 1, rank - 2, scoreShape);
}

Value AttentionFormula::overKeys(Value scores, Value columns) {
  llvm::SmallVector<int64_t> shape(scoreShape);
  shape.back() = tensorTypeOf(columns).getShape().back();
  return dot(scores, columns, rank - 1, rank - 3, shape);
}

Value AttentionFormula::overQueries(Value scores, Value rows) {
  llvm::SmallVector<int64_t> shape(tensorTypeOf(key).getShape());
  shape.back() = tensorTypeOf(rows).getShape().back();
  return dot(scores, rows, {rank - 3, rank - 2}, {rank - 3, rank - 2}, shape);
}

/// The dimensions of the scores that the mask has, and their sizes.
void AttentionFormula::maskDims(llvm::SmallVector<int64_t> &dims,
                                llvm::SmallVector<int64_t> &sizes) {
  ArrayRef<int64_t> shape = tensorTypeOf(mask).getShape();
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

Value AttentionFormula::scores() {
  OpBuilder &builder = e.builder;
  Value s = scaled(scoresOf(query, key));
  Value masked = e.like(s, -INFINITY);
  if (mask) {
    llvm::SmallVector<int64_t> dims, sizes;
    maskDims(dims, sizes);
    Value all =
        broadcastTo(builder, e.loc, reshapeTo(builder, e.loc, mask, sizes),
                    dims, scoreShape);
    s = elementTypeOf(mask).isInteger(1)
            ? e.op<SelectOp>(all, s, masked)
            : add(s, e.cast(all, elementTypeOf(s)));
  }
  if (causal) {
    int64_t rows = scoreShape[rank - 2], keys = scoreShape[rank - 1];
    auto type = RankedTensorType::get({rows, keys}, builder.getI64Type());
    Value mine = e.op<IotaOp>(type, uint64_t(0));
    if (keys != rows)
      mine = add(mine, splatInt(builder, e.loc, type, keys - rows));
    Value allowed = e.op<CompareOp>(ComparePredicate::LE,
                                    e.op<IotaOp>(type, uint64_t(1)), mine);
    s = e.op<SelectOp>(
        broadcastTo(builder, e.loc, allowed, {rank - 2, rank - 1}, scoreShape),
        s, masked);
  }
  return s;
}

Value AttentionFormula::weights(bool ofPrimitives) {
  Value s = scores();
  Value max = e.op<ReduceMaxOp>(s, ArrayRef<int64_t>(rank - 1));
  Value none =
      e.op<CompareOp>(ComparePredicate::EQ, max, e.like(max, -INFINITY));
  Value p;
  if (ofPrimitives) {
    p = e.op<ExpOp>(sub(s, forKeys(max)));
    p = e.op<DivOp>(p, forKeys(rowSum(p)));
  } else {
    p = e.op<SoftmaxOp>(s, static_cast<uint64_t>(rank - 1));
  }
  return e.op<SelectOp>(forKeys(none), e.like(p, 0.0), p);
}

Value AttentionFormula::maskGradient(Value ds) {
  llvm::SmallVector<int64_t> dims, sizes, others;
  maskDims(dims, sizes);
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(dims, dim))
      others.push_back(dim);
  Value sum = others.empty() ? ds : e.sum(ds, others);
  return reshapeTo(e.builder, e.loc, sum, tensorTypeOf(mask).getShape());
}

llvm::SmallVector<Value> AttentionGradOp::decompose(OpBuilder &builder) {
  AttentionFormula f(*this, builder);
  auto like = [&](Value x, Value operand) {
    auto type = tensorTypeOf(operand);
    return reshapeTo(builder, getLoc(), f.e.cast(x, type.getElementType()),
                     type.getShape());
  };
  // Of no keys the result is 0.
  if (tensorTypeOf(getKey()).getNumElements() == 0 ||
      tensorTypeOf(getQuery()).getNumElements() == 0) {
    llvm::SmallVector<Value> zeros;
    for (Value x : {getQuery(), getKey(), getValue()})
      zeros.push_back(f.e.like(x, 0.0));
    return zeros;
  }
  Value g = f.grouped(getGrad()), output = f.grouped(getOutput());
  Value p = f.weights(/*ofPrimitives=*/true);
  Value d = f.rowSum(f.mul(g, output));
  Value ds = f.mul(p, f.sub(f.scoresOf(g, f.value), f.forKeys(d)));
  Value scaled = f.scaled(ds);
  return {like(f.overKeys(scaled, f.key), getQuery()),
          like(f.overQueries(scaled, f.query), getKey()),
          like(f.overQueries(p, g), getValue())};
}
