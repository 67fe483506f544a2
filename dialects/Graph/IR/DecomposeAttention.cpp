// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The decomposition of attention: the online softmax over blocks of keys.
#include "dialects/Graph/IR/Emit.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace graphc::graph;

namespace {
/// Queries are [batch..., group, T, D], keys [batch..., S, D] and values
/// [batch..., S, E], where a group is the query heads that share a key head.
/// So scores are [batch..., group, T, S].
class Blocks {
public:
  Blocks(AttentionOp op, OpBuilder &builder);
  Value run();

private:
  /// What the keys so far make of each row: the largest score, the sum of
  /// exponentials relative to it, and the values so weighted.
  struct State {
    Value max, sum, output;
  };

  Value slice(Value x, int64_t dim, int64_t start, int64_t limit);
  Value repeatRows(Value x, Value like);
  int64_t firstRowOf(int64_t key);
  Value scores(int64_t start, int64_t limit);
  Value maskBlock(ArrayRef<int64_t> shape, int64_t start, int64_t limit);
  Value causalBlock(ArrayRef<int64_t> shape, int64_t start);
  void addBlock(int64_t start, int64_t limit);
  void finishRowsBefore(int64_t limit);
  Value zeros(int64_t rowCount);
  void finish(Value output);

  AttentionOp op;
  Emit e;
  Value query, key, value;
  /// Rank of the scores.
  int64_t rank;
  int64_t rows, keys;
  /// The first row whose output is not finished, and those that are.
  int64_t row = 0;
  llvm::SmallVector<Value> finished;
  State state;
};
} // namespace

/// The least multiple of 64 that makes at most 16 blocks.
static int64_t blockSize(int64_t keys) {
  return std::max<int64_t>(64, 64 * llvm::divideCeil(keys, 64 * 16));
}

Blocks::Blocks(AttentionOp op, OpBuilder &builder)
    : op(op), e{builder, op.getLoc()}, query(op.getQuery()), key(op.getKey()),
      value(op.getValue()) {
  auto type = tensorTypeOf(query);
  rank = type.getRank() + 1;
  rows = type.getDimSize(rank - 3);
  keys = tensorTypeOf(key).getDimSize(rank - 3);
  llvm::SmallVector<int64_t> shape(tensorTypeOf(key).getShape().drop_back(2));
  int64_t heads = shape.empty() ? 1 : type.getDimSize(rank - 4);
  int64_t group = shape.empty() || shape.back() == 0 ? 1 : heads / shape.back();
  shape.append({group, rows, type.getShape().back()});
  query = reshapeTo(builder, e.loc, query, shape);
}

Value Blocks::slice(Value x, int64_t dim, int64_t start, int64_t limit) {
  auto type = tensorTypeOf(x);
  if (start == 0 && limit == type.getDimSize(dim))
    return x;
  llvm::SmallVector<int64_t> starts(type.getRank(), 0), limits(type.getShape()),
      strides(type.getRank(), 1);
  starts[dim] = start;
  limits[dim] = limit;
  return e.op<SliceOp>(x, starts, limits, strides);
}

/// `x`, one number for each row, repeated along the last dimension of `like`.
Value Blocks::repeatRows(Value x, Value like) {
  return e.repeat(x, rank - 1, like);
}

/// The first query that takes part with `key`.
int64_t Blocks::firstRowOf(int64_t key) {
  if (!op.getCausal())
    return 0;
  return std::clamp<int64_t>(key - (keys - rows), 0, rows);
}

/// The mask, for the rows left and these keys, repeated to `shape`.
Value Blocks::maskBlock(ArrayRef<int64_t> shape, int64_t start, int64_t limit) {
  Value mask = op.getMask();
  int64_t maskRank = tensorTypeOf(mask).getRank();
  auto cut = [&](int64_t fromRight, int64_t first, int64_t last) {
    int64_t dim = maskRank - fromRight;
    if (dim >= 0 && tensorTypeOf(mask).getDimSize(dim) != 1)
      mask = slice(mask, dim, first, last);
  };
  cut(1, start, limit);
  cut(2, row, rows);

  // Of the scores' dimensions, those that the mask has. Its heads are two of
  // them.
  ArrayRef<int64_t> sizes = tensorTypeOf(mask).getShape();
  llvm::SmallVector<int64_t> dims, kept;
  auto keep = [&](int64_t dim) {
    dims.push_back(dim);
    kept.push_back(shape[dim]);
  };
  for (auto [k, size] : llvm::enumerate(sizes)) {
    int64_t fromRight = maskRank - static_cast<int64_t>(k);
    if (fromRight >= 4) {
      if (size != 1)
        keep(rank - 1 - fromRight);
    } else if (fromRight == 3) {
      if (size != 1) {
        keep(rank - 4);
        keep(rank - 3);
      }
    } else if (size != 1) {
      keep(rank - fromRight);
    }
  }
  return broadcastTo(e.builder, e.loc, reshapeTo(e.builder, e.loc, mask, kept),
                     dims, shape);
}

/// Where the keys from `start` are not ahead of the rows left.
Value Blocks::causalBlock(ArrayRef<int64_t> shape, int64_t start) {
  auto type = RankedTensorType::get(shape.take_back(2), e.builder.getI64Type());
  Value ahead = e.op<IotaOp>(type, uint64_t(1));
  Value mine = e.op<AddOp>(
      e.op<IotaOp>(type, uint64_t(0)),
      splatInt(e.builder, e.loc, type, row + (keys - rows) - start));
  Value allowed = e.op<CompareOp>(ComparePredicate::LE, ahead, mine);
  return broadcastTo(e.builder, e.loc, allowed, {rank - 2, rank - 1}, shape);
}

/// The scores of the rows left and these keys.
Value Blocks::scores(int64_t start, int64_t limit) {
  Type wide = getAccumulationType(elementTypeOf(query));
  Value mine = slice(query, rank - 2, row, rows);
  Value theirs = slice(key, rank - 3, start, limit);
  llvm::SmallVector<int64_t> shape(tensorTypeOf(mine).getShape());
  shape.back() = limit - start;
  auto batch = llvm::to_vector(llvm::seq<int64_t>(0, rank - 3));
  Value s = e.op<DotGeneralOp>(RankedTensorType::get(shape, wide), mine, theirs,
                               batch, batch, ArrayRef<int64_t>(rank - 1),
                               ArrayRef<int64_t>(rank - 2));
  s = e.op<MulOp>(s, e.like(s, op.getScaleOrDefault()));

  Value masked = e.like(s, -INFINITY);
  if (op.getMask()) {
    Value mask = maskBlock(shape, start, limit);
    s = elementTypeOf(mask).isInteger(1) ? e.op<SelectOp>(mask, s, masked)
                                         : e.op<AddOp>(s, e.cast(mask, wide));
  }
  // The first row left sees the fewest keys.
  if (op.getCausal() && limit - 1 > row + (keys - rows))
    s = e.op<SelectOp>(causalBlock(shape, start), s, masked);
  return s;
}

void Blocks::addBlock(int64_t start, int64_t limit) {
  Value s = scores(start, limit);
  Value max = e.op<ReduceMaxOp>(s, ArrayRef<int64_t>(rank - 1));
  if (state.max)
    max = e.op<MaximumOp>(state.max, max);
  // A row that no key takes part with: its exponentials are relative to 0, so
  // that they are 0 and not NaN.
  Value none =
      e.op<CompareOp>(ComparePredicate::EQ, max, e.like(max, -INFINITY));
  Value base = e.op<SelectOp>(none, e.like(max, 0.0), max);
  Value p = e.op<ExpOp>(e.op<SubOp>(s, repeatRows(base, s)));
  Value sum = e.sum(p, rank - 1);

  auto batch = llvm::to_vector(llvm::seq<int64_t>(0, rank - 3));
  Value theirs = e.widen(slice(value, rank - 3, start, limit));
  llvm::SmallVector<int64_t> shape(tensorTypeOf(p).getShape());
  shape.back() = tensorTypeOf(theirs).getShape().back();
  Value output = e.op<DotGeneralOp>(
      RankedTensorType::get(shape, elementTypeOf(p)), p, theirs, batch, batch,
      ArrayRef<int64_t>(rank - 1), ArrayRef<int64_t>(rank - 3));
  if (state.max) {
    Value shrink = e.op<ExpOp>(e.op<SubOp>(state.max, base));
    sum = e.op<AddOp>(e.op<MulOp>(state.sum, shrink), sum);
    output = e.op<AddOp>(e.op<MulOp>(state.output, repeatRows(shrink, output)),
                         output);
  }
  state = {max, sum, output};
}

Value Blocks::zeros(int64_t rowCount) {
  llvm::SmallVector<int64_t> shape(tensorTypeOf(query).getShape());
  shape[rank - 2] = rowCount;
  shape[rank - 1] = tensorTypeOf(value).getShape().back();
  Type wide = getAccumulationType(elementTypeOf(query));
  return splat(e.builder, e.loc, RankedTensorType::get(shape, wide), 0.0);
}

/// Appends some rows of the result, with the heads in one dimension again.
void Blocks::finish(Value output) {
  auto type = tensorTypeOf(op.getResult());
  llvm::SmallVector<int64_t> shape(type.getShape());
  shape[rank - 3] = tensorTypeOf(output).getDimSize(rank - 2);
  finished.push_back(reshapeTo(e.builder, e.loc,
                               e.cast(output, type.getElementType()), shape));
}

/// Divides by the sums the rows that no further key takes part with.
void Blocks::finishRowsBefore(int64_t limit) {
  int64_t count = limit - row, left = rows - row;
  if (count == 0)
    return;
  if (!state.max) {
    finish(zeros(count));
  } else {
    Value sum = slice(state.sum, rank - 2, 0, count);
    Value output = slice(state.output, rank - 2, 0, count);
    Value empty = e.op<CompareOp>(ComparePredicate::EQ, sum, e.like(sum, 0.0));
    Value mean = e.op<DivOp>(output, repeatRows(sum, output));
    finish(e.op<SelectOp>(repeatRows(empty, output), e.like(mean, 0.0), mean));
    if (count < left)
      state = {slice(state.max, rank - 2, count, left),
               slice(state.sum, rank - 2, count, left),
               slice(state.output, rank - 2, count, left)};
  }
  row = limit;
}

Value Blocks::run() {
  int64_t size = blockSize(keys);
  for (int64_t start = 0; start < keys; start += size) {
    finishRowsBefore(firstRowOf(start));
    addBlock(start, std::min(start + size, keys));
  }
  finishRowsBefore(rows);
  if (finished.empty())
    finish(zeros(0));
  if (finished.size() == 1)
    return finished.front();
  return e.op<ConcatOp>(ValueRange(finished), static_cast<uint64_t>(rank - 3));
}

llvm::SmallVector<Value> AttentionOp::decompose(OpBuilder &builder) {
  return {Blocks(*this, builder).run()};
}
