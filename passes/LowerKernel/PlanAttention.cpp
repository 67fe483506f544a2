// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention in blocks of queries and keys, of which no more than one block of
// scores is in memory. Source: Dao et al., FlashAttention, 2022.
#include "passes/LowerKernel/PlanBlocks.h"
#include "passes/LowerKernel/PlanRegion.h"

#include <cmath>

using namespace mlir;
namespace graphc::kernel {

using graph::tensorTypeOf;
using Tile = BlockPlanner::Tile;
using Place = BlockPlanner::Place;

namespace {

/// Sizes of the blocks of an attention.
struct BlockSizes {
  int64_t queries, keys;
};

/// Scores are [keys, queries], so that what a query sums up is a column.
class Forward {
public:
  Forward(graph::AttentionOp op, Kernel &kernel, const Placement &placement,
          Buffer *result, BlockSizes sizes)
      : op(op), kernel(kernel), placement(placement), result(result),
        sizes(sizes), query(tensorTypeOf(op.getQuery())),
        key(tensorTypeOf(op.getKey())), value(tensorTypeOf(op.getValue())),
        wide(graph::getAccumulationType(query.getElementType())),
        rank(query.getRank()), queries(query.getDimSize(rank - 2)),
        keys(key.getDimSize(rank - 2)) {}

  /// Plans `count` blocks of `rows` queries each, from query `first` on.
  void plan(Nest &nest, int64_t first, int64_t rows, int64_t count);

private:
  void addRows(BlockPlanner &b, int64_t count);
  Tile tileOf(Value operand, int64_t items, const Place &head,
              const Place &item) const;
  Tile maskTile();
  Value maskBlock(graph::Emit &e, Value mask, ArrayRef<int64_t> shape) const;
  void addScores(BlockPlanner &b, unsigned loop);

  graph::AttentionOp op;
  Kernel &kernel;
  const Placement &placement;
  Buffer *result;
  BlockSizes sizes;
  RankedTensorType query, key, value;
  Type wide;
  int64_t rank, queries, keys;
  // Of the nest being planned: rows, and where they and their keys are.
  int64_t rows = 0;
  Place queryHead, keyHead, maskHead, row, column;
  Tile max, sum, output, weights, shrink;
};

} // namespace

/// The loops over heads and blocks of queries.
void Forward::addRows(BlockPlanner &b, int64_t count) {
  auto maskType =
      op.getMask() ? tensorTypeOf(op.getMask()) : RankedTensorType();
  auto maskStride = [&](int64_t fromRight) -> int64_t {
    if (!maskType || maskType.getRank() < fromRight)
      return 0;
    ArrayRef<int64_t> tail = maskType.getShape().take_back(fromRight);
    return tail.front() == 1 ? 0
                             : ShapedType::getNumElements(tail.drop_front());
  };
  auto addHead = [&](int64_t size, int64_t queryStep, int64_t keyStep,
                     int64_t maskStep) {
    Place block = BlockPlanner::block(b.addRows(size));
    queryHead.add(block, queryStep);
    keyHead.add(block, keyStep);
    maskHead.add(block, maskStep);
  };
  queryHead = keyHead = maskHead = Place();
  int64_t queryHeads = rank > 2 ? query.getDimSize(rank - 3) : 1;
  int64_t keyHeads = rank > 2 ? key.getDimSize(rank - 3) : 1;
  for (int64_t k = 0; k + 3 < rank; ++k) {
    auto after = query.getShape().slice(k + 1, rank - 4 - k);
    int64_t inner = ShapedType::getNumElements(after);
    addHead(query.getDimSize(k), inner * queryHeads, inner * keyHeads,
            maskStride(rank - k));
  }
  int64_t group = queryHeads / keyHeads;
  addHead(keyHeads, group, 1, group * maskStride(3));
  addHead(group, 1, 0, maskStride(3));
  row.add(BlockPlanner::block(b.addRows(count)), rows);
}

/// `items` rows of a matrix of `operand`, from `item` on.
Tile Forward::tileOf(Value operand, int64_t items, const Place &head,
                     const Place &item) const {
  RankedTensorType type = tensorTypeOf(operand);
  int64_t width = type.getDimSize(rank - 1);
  Place at;
  at.add(head, type.getDimSize(rank - 2) * width).add(item, width);
  return {placement.buffers.lookup(operand),
          RankedTensorType::get({items, width}, type.getElementType()), at};
}

/// All of a matrix of the mask, counted from where the block starts.
Tile Forward::maskTile() {
  RankedTensorType type = tensorTypeOf(op.getMask());
  SmallVector<int64_t> shape(2, 1);
  for (int64_t k = 0; k < std::min<int64_t>(type.getRank(), 2); ++k)
    shape[1 - k] = type.getShape()[type.getRank() - 1 - k];
  Place at = maskHead;
  if (shape[0] != 1)
    at.add(row, shape[1]);
  if (shape[1] != 1)
    at.add(column);
  return {placement.buffers.lookup(op.getMask()),
          RankedTensorType::get(shape, type.getElementType()), at};
}

/// The mask as scores are: [keys, queries].
Value Forward::maskBlock(graph::Emit &e, Value mask,
                         ArrayRef<int64_t> shape) const {
  RankedTensorType type = tensorTypeOf(mask);
  SmallVector<int64_t> limits, dims, kept;
  for (int64_t k : {0, 1}) {
    bool repeats = type.getDimSize(k) == 1;
    limits.push_back(repeats ? 1 : shape[1 - k]);
    if (!repeats) {
      dims.insert(dims.begin(), 1 - k);
      kept.insert(kept.begin(), shape[1 - k]);
    }
  }
  mask = e.op<graph::SliceOp>(mask, ArrayRef<int64_t>{0, 0}, limits,
                              ArrayRef<int64_t>{1, 1});
  mask = e.op<graph::TransposeOp>(mask, ArrayRef<int64_t>{1, 0});
  return graph::broadcastTo(e.builder, e.loc,
                            graph::reshapeTo(e.builder, e.loc, mask, kept),
                            dims, shape);
}

/// The weights of a block, relative to the largest score so far, and by how much
/// that makes earlier ones smaller.
void Forward::addScores(BlockPlanner &b, unsigned loop) {
  SmallVector<Tile> arguments = {
      tileOf(op.getQuery(), rows, queryHead, row),
      tileOf(op.getKey(), sizes.keys, keyHead, column), max};
  if (op.getMask())
    arguments.push_back(maskTile());
  // Key c is not ahead of query r where c - r is at most this.
  Type integer = IntegerType::get(
      op.getContext(), std::max(queries, keys) < (1 << 30) ? 32 : 64);
  Place ahead = Place::ofConstant(keys - queries);
  ahead.add(row).add(column, -1);
  // Keys before this one were in an earlier block.
  Place done;
  done.add(BlockPlanner::block(loop), sizes.keys).add(column, -1);
  arguments.push_back(b.number(ahead, integer));
  arguments.push_back(b.number(done, integer));
  b.run(arguments, {weights, max, shrink}, [&](graph::Emit &e, ValueRange in) {
    SmallVector<int64_t> shape = {sizes.keys, rows};
    SmallVector<int64_t, 1> none, depth = {1};
    Value s = e.op<graph::DotGeneralOp>(RankedTensorType::get(shape, wide),
                                        in[1], in[0], none, none, depth, depth);
    s = e.op<graph::MulOp>(s, e.like(s, op.getScaleOrDefault()));
    Value masked = e.like(s, -INFINITY);
    if (op.getMask()) {
      Value mask = maskBlock(e, in[3], shape);
      s = graph::elementTypeOf(mask).isInteger(1)
              ? e.op<graph::SelectOp>(mask, s, masked)
              : e.op<graph::AddOp>(s, e.cast(mask, wide));
    }
    auto repeat = [&](Value number) {
      return graph::broadcastScalar(e.builder, e.loc, number, shape);
    };
    auto type = RankedTensorType::get(shape, integer);
    Value mine = e.op<graph::IotaOp>(type, uint64_t(0));
    if (op.getCausal()) {
      Value last = e.op<graph::AddOp>(e.op<graph::IotaOp>(type, uint64_t(1)),
                                      repeat(in[in.size() - 2]));
      s = e.op<graph::SelectOp>(
          e.op<graph::CompareOp>(graph::ComparePredicate::LE, mine, last), s,
          masked);
    }
    if (keys % sizes.keys != 0)
      s = e.op<graph::SelectOp>(
          e.op<graph::CompareOp>(graph::ComparePredicate::GE, mine,
                                 repeat(in.back())),
          s, masked);
    Value next = e.op<graph::MaximumOp>(
        in[2], e.op<graph::ReduceMaxOp>(s, ArrayRef<int64_t>(0)));
    // A query that no key takes part with: relative to 0, so that weights are 0
    // and not NaN.
    Value isNone = e.op<graph::CompareOp>(graph::ComparePredicate::EQ, next,
                                          e.like(next, -INFINITY));
    Value base = e.op<graph::SelectOp>(isNone, e.like(next, 0.0), next);
    Value p = e.op<graph::ExpOp>(e.op<graph::SubOp>(s, e.repeat(base, 0, s)));
    Value less = e.op<graph::ExpOp>(e.op<graph::SubOp>(in[2], base));
    return SmallVector<Value>{p, next, less};
  });
}

void Forward::plan(Nest &nest, int64_t first, int64_t blockRows,
                   int64_t count) {
  BlockPlanner b(kernel, nest);
  rows = blockRows;
  row = Place::ofConstant(first);
  addRows(b, count);
  int64_t width = value.getDimSize(rank - 1);
  max = b.scratch(rows, wide);
  sum = b.scratch(rows, wide);
  output = b.scratch({rows, width}, wide);
  b.run({}, {max, sum, output}, [&](graph::Emit &e, ValueRange) {
    auto splat = [&](const Tile &tile, double value) {
      return graph::splat(e.builder, e.loc, tile.type, value);
    };
    return SmallVector<Value>{splat(max, -INFINITY), splat(sum, 0),
                              splat(output, 0)};
  });
  if (keys > 0) {
    Place end = Place::ofConstant(keys);
    if (op.getCausal()) {
      end = row;
      end.constant += rows + keys - queries;
    }
    weights = b.scratch({sizes.keys, rows}, wide);
    shrink = b.scratch(rows, wide);
    unsigned loop = b.openLoop(keys, sizes.keys, Place(), end);
    column = BlockPlanner::start(loop);
    addScores(b, loop);
    b.run({weights, tileOf(op.getValue(), sizes.keys, keyHead, column), sum,
           output, shrink},
          {sum, output}, [&](graph::Emit &e, ValueRange in) {
            SmallVector<int64_t, 1> none, ofKeys = {0};
            Value added = e.op<graph::DotGeneralOp>(
                output.type, in[0], e.widen(in[1]), none, none, ofKeys, ofKeys);
            Value before = e.op<graph::MulOp>(in[2], in[4]);
            Value outputBefore =
                e.op<graph::MulOp>(in[3], e.repeat(in[4], 1, in[3]));
            return SmallVector<Value>{
                e.op<graph::AddOp>(before, e.sum(in[0], 0)),
                e.op<graph::AddOp>(outputBefore, added)};
          });
    b.closeLoop();
  }
  Tile target = tileOf(op.getResult(), rows, queryHead, row);
  target.buffer = result;
  b.run({sum, output}, target, [&](graph::Emit &e, ValueRange in) {
    Value total = e.repeat(in[0], 1, in[1]), zero = e.like(in[1], 0.0);
    Value isEmpty =
        e.op<graph::CompareOp>(graph::ComparePredicate::EQ, total, zero);
    Value mean = e.op<graph::DivOp>(in[1], total);
    return SmallVector<Value>{e.cast(e.op<graph::SelectOp>(isEmpty, zero, mean),
                                     target.type.getElementType())};
  });
  b.finish();
}

/// Blocks of which all that a thread needs stays in its nearest caches.
static std::optional<BlockSizes> chooseSizes(graph::AttentionOp op) {
  constexpr int64_t most = 64, least = 8, mostBytes = 196608;
  RankedTensorType query = tensorTypeOf(op.getQuery());
  int64_t rank = query.getRank(), depth = query.getDimSize(rank - 1);
  int64_t width = tensorTypeOf(op.getValue()).getDimSize(rank - 1);
  int64_t keys = tensorTypeOf(op.getKey()).getDimSize(rank - 2);
  Type wide = graph::getAccumulationType(query.getElementType());
  int64_t bytes = wide.getIntOrFloatBitWidth() / 8;
  for (int64_t size = most; size >= least; size /= 2) {
    // Scores, weights, and whatever is packed.
    int64_t elements = size * (2 * size + 2 * depth + 2 * width);
    if (elements > mostBytes / bytes)
      continue;
    int64_t count = llvm::divideCeil(keys, size);
    int64_t perBlock =
        count == 0 ? 0 : llvm::alignTo(llvm::divideCeil(keys, count), 16);
    return BlockSizes{std::min(size, query.getDimSize(rank - 2)),
                      std::min({perBlock, size, keys})};
  }
  return std::nullopt;
}

bool runsInBlocks(Operation *op) {
  auto attention = dyn_cast<graph::AttentionOp>(op);
  return attention && chooseSizes(attention);
}

void Planner::planAttention(graph::AttentionOp op) {
  for (Value operand : op->getOperands())
    materialize(operand);
  Buffer *result = place(op.getResult());
  if (result->elements == 0)
    return;
  BlockSizes sizes = *chooseSizes(op);
  Forward forward(op, kernel, placement, result, sizes);
  RankedTensorType query = tensorTypeOf(op.getQuery());
  int64_t rows = query.getDimSize(query.getRank() - 2);
  int64_t count = rows / sizes.queries, rest = rows % sizes.queries;
  if (count > 0)
    forward.plan(addNest(Nest::Blocks, op.getLoc()), 0, sizes.queries, count);
  if (rest > 0)
    forward.plan(addNest(Nest::Blocks, op.getLoc()), rows - rest, rest, 1);
}

} // namespace graphc::kernel
