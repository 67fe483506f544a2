// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of reductions.
#include "passes/Autodiff/Rules/Rule.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace graphc;
using namespace graphc::graph;

static ArrayRef<int64_t> shapeOf(Value value) {
  return tensorTypeOf(value).getShape();
}

static LogicalResult sumRule(ReduceSumOp op, Rule &r) {
  r.give(0, r.repeat(r.rawCotangent(), op.getAxes(), shapeOf(op.getInput())));
  return success();
}

static LogicalResult meanRule(ReduceMeanOp op, Rule &r) {
  int64_t count = reducedCount(tensorTypeOf(op.getInput()), op.getAxes());
  Value g = r.cotangent();
  Value share = r.div(g, r.like(g, static_cast<double>(count)));
  r.give(0, r.repeat(share, op.getAxes(), shapeOf(op.getInput())));
  return success();
}

/// The elements that reach the extremum share its gradient equally. A NaN, which
/// nothing equals, makes all of them NaN, as in PyTorch; but not where no
/// cotangent comes.
template <typename Op> static LogicalResult extremumRule(Op op, Rule &r) {
  ArrayRef<int64_t> axes = op.getAxes(), shape = shapeOf(op.getInput());
  Value g = r.cotangent();
  Value reaches = r.compare(ComparePredicate::EQ, op.getInput(),
                            r.repeat(op.getResult(), axes, shape));
  // Counted in integers: exact, and not differentiated.
  Value count = r.sum(r.cast(reaches, r.builder.getI64Type()), axes);
  Value share =
      r.repeat(r.div(g, r.cast(count, elementTypeOf(g))), axes, shape);
  Value isNan = r.compare(ComparePredicate::NE, op.getResult(), op.getResult());
  Value others = r.select(
      isNan, r.mulNoNan(g, r.like(g, std::numeric_limits<double>::quiet_NaN())),
      r.like(g, 0.0));
  r.give(0, r.select(reaches, share, r.repeat(others, axes, shape)));
  return success();
}

// The gradient of element i is g times the product of all the others. No
// division: a tree of pairwise products goes up, then the cotangent comes down
// it, at each pair times the sibling's product. Linear work, 2 log2(n) levels.
static LogicalResult prodRule(ReduceProdOp op, Rule &r) {
  auto type = tensorTypeOf(op.getInput());
  ArrayRef<int64_t> axes = op.getAxes();

  // As a matrix: what is kept x what is multiplied.
  llvm::SmallVector<int64_t> order;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!llvm::is_contained(axes, dim))
      order.push_back(dim);
  order.append(axes.begin(), axes.end());
  int64_t count = reducedCount(type, axes);
  if (type.getNumElements() == 0)
    return success();
  int64_t rows = type.getNumElements() / count;
  Value moved = r.transpose(r.operand(0), order);
  Value level = r.reshape(moved, {rows, count});

  // An odd level gets a factor of 1 at its end.
  auto half = [&](Value x, int64_t which) {
    auto [m, n] = std::pair(shapeOf(x)[0], shapeOf(x)[1]);
    return r.op<SliceOp>(x, ArrayRef<int64_t>{0, which},
                         ArrayRef<int64_t>{m, n}, ArrayRef<int64_t>{1, 2});
  };
  llvm::SmallVector<std::pair<Value, Value>> pairs;
  llvm::SmallVector<int64_t> sizes;
  for (int64_t n = count; n > 1; n = llvm::divideCeil(n, 2)) {
    sizes.push_back(n);
    if (n % 2) {
      Type column = RankedTensorType::get({rows, 1}, elementTypeOf(level));
      Value one = splat(r.builder, r.loc, column, 1.0);
      level = r.op<ConcatOp>(ValueRange{level, one}, uint64_t(1));
    }
    pairs.emplace_back(half(level, 0), half(level, 1));
    level = r.mul(pairs.back().first, pairs.back().second);
  }

  Value g = r.reshape(r.cotangent(), {rows, 1});
  for (auto [pair, n] : llvm::reverse(llvm::zip_equal(pairs, sizes))) {
    int64_t m = llvm::divideCeil(n, 2);
    Value left = r.reshape(r.mulNoNan(g, pair.second), {rows, m, 1});
    Value right = r.reshape(r.mulNoNan(g, pair.first), {rows, m, 1});
    g = r.op<ConcatOp>(ValueRange{left, right}, uint64_t(2));
    g = r.reshape(g, {rows, 2 * m});
    if (n % 2)
      g = r.op<SliceOp>(g, ArrayRef<int64_t>{0, 0}, ArrayRef<int64_t>{rows, n},
                        ArrayRef<int64_t>{1, 1});
  }

  llvm::SmallVector<int64_t> inverse(order.size());
  for (auto [to, from] : llvm::enumerate(order))
    inverse[from] = to;
  r.give(0, r.transpose(r.reshape(g, shapeOf(moved)), inverse));
  return success();
}

void graphc::attachReduceRules(MLIRContext *context) {
  attachRule<ReduceSumOp, sumRule>(context);
  attachRule<ReduceMeanOp, meanRule>(context);
  attachRule<ReduceMaxOp, extremumRule<ReduceMaxOp>>(context);
  attachRule<ReduceMinOp, extremumRule<ReduceMinOp>>(context);
  attachRule<ReduceProdOp, prodRule>(context);
}
