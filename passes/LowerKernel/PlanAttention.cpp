// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention and its gradient in blocks of queries and keys, of which no more
// than one block of scores is in memory. Source: Dao et al., FlashAttention,
// 2022.
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

/// Where the operands are; an attention has no last two.
struct Operands {
  Strided query, key, value;
  Buffer *mask = nullptr;
  Strided output = {}, grad = {};
};

/// What attention and its gradient have in common. A place is that of a nest
/// that is being planned.
class Heads {
protected:
  template <typename Op>
  Heads(Op op, Kernel &kernel, const Operands &operands, BlockSizes sizes)
      : kernel(kernel), operands(operands), sizes(sizes), mask(op.getMask()),
        causal(op.getCausal()), scale(op.getScaleOrDefault()),
        query(tensorTypeOf(op.getQuery())), key(tensorTypeOf(op.getKey())),
        value(tensorTypeOf(op.getValue())),
        wide(graph::getAccumulationType(query.getElementType())),
        rank(query.getRank()), queries(query.getDimSize(rank - 2)),
        keys(key.getDimSize(rank - 2)),
        group(rank > 2 && key.getDimSize(rank - 3) > 0
                  ? query.getDimSize(rank - 3) / key.getDimSize(rank - 3)
                  : 1) {}

  void addKeyHeads(BlockPlanner &b);
  /// Of the query heads that share a key head, that which `loop` counts.
  void addGroup(unsigned loop);
  Tile tileOf(const Strided &rows, RankedTensorType type, int64_t items,
              ArrayRef<Place> head, const Place &item) const;
  /// Rows of what is like the query, or like the result.
  Tile queryTile(const Strided &rows, int64_t items) const {
    return tileOf(rows, query, items, queryHead, row);
  }
  Tile resultTile(const Strided &rows, int64_t items) const {
    return tileOf(rows, resultType(), items, queryHead, row);
  }
  Tile keyTile(const Strided &rows) const {
    return tileOf(rows, key, sizes.keys, keyHead, column);
  }
  Tile valueTile(const Strided &rows) const {
    return tileOf(rows, value, sizes.keys, keyHead, column);
  }
  RankedTensorType resultType() const {
    SmallVector<int64_t> shape(query.getShape());
    shape.back() = value.getDimSize(rank - 1);
    return query.clone(shape);
  }
  /// One number for each query.
  Tile numbers(Buffer *buffer, int64_t items) const;
  /// What scores() needs; blocks leave out what was in one before: keys before
  /// number `doneKeys`, queries before `doneQueries`.
  SmallVector<Tile> scoreTiles(BlockPlanner &b, int64_t items,
                               const Place &doneQueries, const Place &doneKeys);
  /// Of tiles of scoreTiles(); [keys, queries] or the other way round.
  Value scores(graph::Emit &e, ValueRange in, bool keysFirst) const;

  Kernel &kernel;
  const Operands &operands;
  BlockSizes sizes;
  Value mask;
  bool causal;
  double scale;
  RankedTensorType query, key, value;
  Type wide;
  int64_t rank, queries, keys, group;
  SmallVector<Place> queryHead, keyHead; // of each leading dimension
  Place maskHead, row, column;

private:
  int64_t maskStride(int64_t fromRight) const;
  Tile maskTile() const;
  Value maskBlock(graph::Emit &e, Value mask, int64_t items,
                  bool keysFirst) const;
};

/// Scores are [keys, queries], so that what a query sums up is a column.
class Forward : Heads {
public:
  Forward(graph::AttentionOp op, Kernel &kernel, const Operands &operands,
          const Strided &result, BlockSizes sizes)
      : Heads(op, kernel, operands, sizes), result(result) {}
  /// What the gradient needs of each query: to which its weights are relative,
  /// by what they are multiplied, and the sum of dO * O.
  Forward(graph::AttentionGradOp op, Kernel &kernel, const Operands &operands,
          ArrayRef<Buffer *> statistics, BlockSizes sizes)
      : Heads(op, kernel, operands, sizes), statistics(statistics) {}

  /// Plans `count` blocks of `rows` queries each, from query `first` on.
  void plan(Nest &nest, int64_t first, int64_t rows, int64_t count);

private:
  void addScores(BlockPlanner &b, unsigned loop);
  void addValues(BlockPlanner &b);
  void finishRows(BlockPlanner &b);
  void finishStatistics(BlockPlanner &b);

  std::optional<Strided> result;
  SmallVector<Buffer *> statistics;
  int64_t rows = 0;
  Tile max, sum, total, weights, shrink;
};

/// Blocks of keys, and for each those of queries: of one head, one thread adds
/// up everything in order. Scores are [queries, keys].
class Backward : Heads {
public:
  Backward(graph::AttentionGradOp op, Kernel &kernel, const Operands &operands,
           ArrayRef<Buffer *> statistics, ArrayRef<Strided> results,
           BlockSizes sizes)
      : Heads(op, kernel, operands, sizes), statistics(statistics),
        results(results) {}

  /// `sums` holds the gradient of the query in the accumulation type.
  void plan(Nest &nest, const Strided &sums);

private:
  void addBlock(BlockPlanner &b, unsigned keyLoop, unsigned queryLoop,
                const Tile &ownKeys, const Strided &sums);

  ArrayRef<Buffer *> statistics;
  ArrayRef<Strided> results;
  Tile keySum, valueSum, weights, ofScores, ofOwnScores;
};

} // namespace

//===----------------------------------------------------------------------===//
// Heads
//===----------------------------------------------------------------------===//

/// Elements of the mask from one index to the next, that many dimensions from
/// the right.
int64_t Heads::maskStride(int64_t fromRight) const {
  if (!mask || tensorTypeOf(mask).getRank() < fromRight)
    return 0;
  ArrayRef<int64_t> tail = tensorTypeOf(mask).getShape().take_back(fromRight);
  return tail.front() == 1 ? 0 : ShapedType::getNumElements(tail.drop_front());
}

void Heads::addKeyHeads(BlockPlanner &b) {
  queryHead.clear();
  keyHead.clear();
  maskHead = Place();
  for (int64_t k = 0; k + 3 < rank; ++k) {
    Place block = BlockPlanner::block(b.addRows(query.getDimSize(k)));
    queryHead.push_back(block);
    keyHead.push_back(block);
    maskHead.add(block, maskStride(rank - k));
  }
  if (rank == 2)
    return;
  Place block = BlockPlanner::block(b.addRows(key.getDimSize(rank - 3)));
  queryHead.push_back(Place().add(block, group));
  keyHead.push_back(block);
  maskHead.add(block, group * maskStride(3));
}

void Heads::addGroup(unsigned loop) {
  if (rank == 2)
    return;
  queryHead.back().add(BlockPlanner::block(loop));
  maskHead.add(BlockPlanner::block(loop), maskStride(3));
}

/// `items` rows of a matrix of `type`, from `item` on.
Tile Heads::tileOf(const Strided &rows, RankedTensorType type, int64_t items,
                   ArrayRef<Place> head, const Place &item) const {
  Place at = Place::ofConstant(rows.first);
  for (auto [place, stride] :
       llvm::zip_equal(head, ArrayRef(rows.strides).drop_back(2)))
    at.add(place, stride);
  at.add(item, rows.strides[rank - 2]);
  int64_t width = type.getDimSize(rank - 1);
  return {rows.buffer,
          RankedTensorType::get({items, width}, type.getElementType()), at,
          items > 1 ? rows.strides[rank - 2] : 0};
}

Tile Heads::numbers(Buffer *buffer, int64_t items) const {
  ArrayRef<int64_t> shape = query.getShape().drop_back();
  Place at = row;
  int64_t stride = queries;
  for (int64_t k = rank - 3; k >= 0; stride *= shape[k--])
    at.add(queryHead[k], stride);
  return {buffer, RankedTensorType::get(items, wide), at};
}

/// All of a matrix of the mask, counted from where the block starts.
Tile Heads::maskTile() const {
  RankedTensorType type = tensorTypeOf(mask);
  SmallVector<int64_t> shape(2, 1);
  for (int64_t k = 0; k < std::min<int64_t>(type.getRank(), 2); ++k)
    shape[1 - k] = type.getShape()[type.getRank() - 1 - k];
  Place at = maskHead;
  if (shape[0] != 1)
    at.add(row, shape[1]);
  if (shape[1] != 1)
    at.add(column);
  return {operands.mask, RankedTensorType::get(shape, type.getElementType()),
          at};
}

/// The mask as scores are.
Value Heads::maskBlock(graph::Emit &e, Value all, int64_t items,
                       bool keysFirst) const {
  SmallVector<int64_t> block = {items, sizes.keys}, limits, dims, kept, shape;
  for (int64_t k : {0, 1})
    limits.push_back(tensorTypeOf(all).getDimSize(k) == 1 ? 1 : block[k]);
  for (int64_t dim : {0, 1}) {
    int64_t k = keysFirst ? 1 - dim : dim;
    shape.push_back(block[k]);
    if (tensorTypeOf(all).getDimSize(k) == 1)
      continue;
    dims.push_back(dim);
    kept.push_back(block[k]);
  }
  Value part = e.op<graph::SliceOp>(all, ArrayRef<int64_t>{0, 0}, limits,
                                    ArrayRef<int64_t>{1, 1});
  if (keysFirst)
    part = e.op<graph::TransposeOp>(part, ArrayRef<int64_t>{1, 0});
  return graph::broadcastTo(e.builder, e.loc,
                            graph::reshapeTo(e.builder, e.loc, part, kept),
                            dims, shape);
}

SmallVector<Tile> Heads::scoreTiles(BlockPlanner &b, int64_t items,
                                    const Place &doneQueries,
                                    const Place &doneKeys) {
  Type integer = IntegerType::get(
      wide.getContext(), std::max(queries, keys) < (1 << 30) ? 32 : 64);
  // Key c is not ahead of query r where c - r is at most this.
  Place ahead = Place::ofConstant(keys - queries);
  ahead.add(row).add(column, -1);
  SmallVector<Tile> tiles = {queryTile(operands.query, items),
                             keyTile(operands.key), b.number(ahead, integer),
                             b.number(doneQueries, integer),
                             b.number(doneKeys, integer)};
  if (mask)
    tiles.push_back(maskTile());
  return tiles;
}

Value Heads::scores(graph::Emit &e, ValueRange in, bool keysFirst) const {
  int64_t items = tensorTypeOf(in[0]).getDimSize(0);
  SmallVector<int64_t> shape = {items, sizes.keys};
  SmallVector<int64_t, 1> none, depth = {1};
  if (keysFirst)
    std::swap(shape[0], shape[1]);
  Value s = e.op<graph::DotGeneralOp>(RankedTensorType::get(shape, wide),
                                      in[keysFirst], in[!keysFirst], none, none,
                                      depth, depth);
  s = e.op<graph::MulOp>(s, e.like(s, scale));
  Value masked = e.like(s, -INFINITY);
  if (mask) {
    Value part = maskBlock(e, in[5], items, keysFirst);
    s = graph::elementTypeOf(part).isInteger(1)
            ? e.op<graph::SelectOp>(part, s, masked)
            : e.op<graph::AddOp>(s, e.cast(part, wide));
  }
  auto repeat = [&](Value number) {
    return graph::broadcastScalar(e.builder, e.loc, number, shape);
  };
  auto type = RankedTensorType::get(shape, graph::elementTypeOf(in[2]));
  Value ofQuery = e.op<graph::IotaOp>(type, uint64_t(keysFirst));
  Value ofKey = e.op<graph::IotaOp>(type, uint64_t(!keysFirst));
  auto keepWhere = [&](graph::ComparePredicate predicate, Value a, Value b) {
    s = e.op<graph::SelectOp>(e.op<graph::CompareOp>(predicate, a, b), s,
                              masked);
  };
  if (causal)
    keepWhere(graph::ComparePredicate::LE, ofKey,
              e.op<graph::AddOp>(ofQuery, repeat(in[2])));
  if (!keysFirst && queries % items != 0)
    keepWhere(graph::ComparePredicate::GE, ofQuery, repeat(in[3]));
  if (keysFirst && keys % sizes.keys != 0)
    keepWhere(graph::ComparePredicate::GE, ofKey, repeat(in[4]));
  return s;
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

/// The weights of a block, relative to the largest score so far, and by how much
/// that makes earlier ones smaller.
void Forward::addScores(BlockPlanner &b, unsigned loop) {
  Place doneKeys;
  doneKeys.add(BlockPlanner::block(loop), sizes.keys).add(column, -1);
  SmallVector<Tile> arguments = {max};
  llvm::append_range(arguments, scoreTiles(b, rows, Place(), doneKeys));
  b.run(arguments, {weights, max, shrink}, [&](graph::Emit &e, ValueRange in) {
    Value s = scores(e, in.drop_front(), /*keysFirst=*/true);
    Value next = e.op<graph::MaximumOp>(
        in[0], e.op<graph::ReduceMaxOp>(s, ArrayRef<int64_t>(0)));
    // A query that no key takes part with: relative to 0, so that weights are 0
    // and not NaN.
    Value isNone = e.op<graph::CompareOp>(graph::ComparePredicate::EQ, next,
                                          e.like(next, -INFINITY));
    Value base = e.op<graph::SelectOp>(isNone, e.like(next, 0.0), next);
    Value p = e.op<graph::ExpOp>(e.op<graph::SubOp>(s, e.repeat(base, 0, s)));
    Value less = e.op<graph::ExpOp>(e.op<graph::SubOp>(in[0], base));
    return SmallVector<Value>{p, next, less};
  });
  b.run({weights, sum, shrink}, sum, [&](graph::Emit &e, ValueRange in) {
    Value before = e.op<graph::MulOp>(in[1], in[2]);
    return SmallVector<Value>{e.op<graph::AddOp>(before, e.sum(in[0], 0))};
  });
}

void Forward::addValues(BlockPlanner &b) {
  b.run({weights, b.withoutGaps(valueTile(operands.value)), total, shrink},
        total, [&](graph::Emit &e, ValueRange in) {
          SmallVector<int64_t, 1> none, ofKeys = {0};
          Value added = e.op<graph::DotGeneralOp>(
              total.type, in[0], e.widen(in[1]), none, none, ofKeys, ofKeys);
          Value before = e.op<graph::MulOp>(in[2], e.repeat(in[3], 1, in[2]));
          return SmallVector<Value>{e.op<graph::AddOp>(before, added)};
        });
}

void Forward::finishRows(BlockPlanner &b) {
  Tile target = resultTile(*result, rows);
  b.run({sum, total}, target, [&](graph::Emit &e, ValueRange in) {
    Value sums = e.repeat(in[0], 1, in[1]), zero = e.like(in[1], 0.0);
    Value isEmpty =
        e.op<graph::CompareOp>(graph::ComparePredicate::EQ, sums, zero);
    Value mean = e.op<graph::DivOp>(in[1], sums);
    return SmallVector<Value>{e.cast(e.op<graph::SelectOp>(isEmpty, zero, mean),
                                     target.type.getElementType())};
  });
}

void Forward::finishStatistics(BlockPlanner &b) {
  SmallVector<Tile> targets;
  for (Buffer *buffer : statistics)
    targets.push_back(numbers(buffer, rows));
  b.run({max, sum, resultTile(operands.output, rows),
         resultTile(operands.grad, rows)},
        targets, [&](graph::Emit &e, ValueRange in) {
          Value zero = e.like(in[1], 0.0);
          Value isEmpty =
              e.op<graph::CompareOp>(graph::ComparePredicate::EQ, in[1], zero);
          Value factor = e.op<graph::DivOp>(e.like(in[1], 1.0), in[1]);
          Value products = e.op<graph::MulOp>(e.widen(in[2]), e.widen(in[3]));
          return SmallVector<Value>{
              e.op<graph::SelectOp>(isEmpty, zero, in[0]),
              e.op<graph::SelectOp>(isEmpty, zero, factor), e.sum(products, 1)};
        });
}

void Forward::plan(Nest &nest, int64_t first, int64_t blockRows,
                   int64_t count) {
  BlockPlanner b(kernel, nest);
  rows = blockRows;
  addKeyHeads(b);
  addGroup(b.addRows(group));
  row = Place::ofConstant(first);
  row.add(BlockPlanner::block(b.addRows(count)), rows);
  max = b.scratch(rows, wide);
  sum = b.scratch(rows, wide);
  SmallVector<Tile> started = {max, sum};
  if (result) {
    total = b.scratch({rows, value.getDimSize(rank - 1)}, wide);
    started.push_back(total);
  }
  b.run({}, started, [&](graph::Emit &e, ValueRange) {
    SmallVector<Value> values;
    for (const Tile &tile : started)
      values.push_back(graph::splat(e.builder, e.loc, tile.type,
                                    values.empty() ? -INFINITY : 0.0));
    return values;
  });
  if (keys > 0) {
    Place end = Place::ofConstant(keys);
    if (causal) {
      end = row;
      end.constant += rows + keys - queries;
    }
    weights = b.scratch({sizes.keys, rows}, wide);
    shrink = b.scratch(rows, wide);
    unsigned loop = b.openLoop(keys, sizes.keys, Place(), end);
    column = BlockPlanner::start(loop);
    addScores(b, loop);
    if (result)
      addValues(b);
    b.closeLoop();
  }
  if (result)
    finishRows(b);
  else
    finishStatistics(b);
  b.finish();
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

void Backward::addBlock(BlockPlanner &b, unsigned keyLoop, unsigned queryLoop,
                        const Tile &ownKeys, const Strided &sums) {
  int64_t rows = sizes.queries;
  bool overlaps = keys % sizes.keys != 0;
  Place doneQueries, doneKeys;
  doneQueries.add(BlockPlanner::block(queryLoop), rows).add(row, -1);
  doneKeys.add(BlockPlanner::block(keyLoop), sizes.keys).add(column, -1);
  SmallVector<Tile> arguments = {resultTile(operands.grad, rows),
                                 valueTile(operands.value)};
  for (Buffer *buffer : statistics)
    arguments.push_back(numbers(buffer, rows));
  llvm::append_range(arguments, scoreTiles(b, rows, doneQueries, doneKeys));
  SmallVector<Tile> made = {weights, ofScores};
  if (overlaps)
    made.push_back(ofOwnScores);
  b.run(arguments, made, [&](graph::Emit &e, ValueRange in) {
    SmallVector<int64_t, 1> none, width = {1};
    Value s = scores(e, in.drop_front(5), /*keysFirst=*/false);
    auto repeat = [&](Value x) { return e.repeat(x, 1, s); };
    Value p = e.op<graph::MulOp>(
        e.op<graph::ExpOp>(e.op<graph::SubOp>(s, repeat(in[2]))),
        repeat(in[3]));
    Value ofWeights = e.op<graph::DotGeneralOp>(s.getType(), in[0], in[1], none,
                                                none, width, width);
    Value ds =
        e.op<graph::MulOp>(p, e.op<graph::SubOp>(ofWeights, repeat(in[4])));
    ds = e.op<graph::MulOp>(ds, e.like(ds, scale));
    SmallVector<Value> values = {p, ds};
    // Keys of an earlier block have given the queries their part already.
    if (overlaps) {
      ArrayRef<int64_t> shape = tensorTypeOf(ds).getShape();
      auto type = RankedTensorType::get(shape, graph::elementTypeOf(in[9]));
      Value isOwn = e.op<graph::CompareOp>(
          graph::ComparePredicate::GE, e.op<graph::IotaOp>(type, uint64_t(1)),
          graph::broadcastScalar(e.builder, e.loc, in[9], shape));
      values.push_back(e.op<graph::SelectOp>(isOwn, ds, e.like(ds, 0.0)));
    }
    return values;
  });

  auto addProduct = [&](const Tile &scores, int64_t over, const Tile &factor,
                        const Tile &sum) {
    b.run({scores, b.withoutGaps(factor), sum}, sum,
          [&](graph::Emit &e, ValueRange in) {
            SmallVector<int64_t, 1> none, summed = {over}, first = {0};
            Value added = e.op<graph::DotGeneralOp>(
                sum.type, in[0], e.widen(in[1]), none, none, summed, first);
            return SmallVector<Value>{e.op<graph::AddOp>(in[2], added)};
          });
  };
  Tile querySum = queryTile(sums, rows);
  querySum.type = querySum.type.clone(wide);
  addProduct(weights, 0, resultTile(operands.grad, rows), valueSum);
  addProduct(ofScores, 0, queryTile(operands.query, rows), keySum);
  addProduct(overlaps ? ofOwnScores : ofScores, 1, ownKeys, querySum);
}

void Backward::plan(Nest &nest, const Strided &sums) {
  BlockPlanner b(kernel, nest);
  addKeyHeads(b);
  auto clear = [&](ArrayRef<Tile> tiles) {
    b.run({}, tiles, [&](graph::Emit &e, ValueRange) {
      return llvm::map_to_vector(tiles, [&](const Tile &tile) {
        return graph::splat(e.builder, e.loc, tile.type, 0.0);
      });
    });
  };
  auto round = [&](const Tile &from, const Tile &to) {
    b.run(from, to, [&](graph::Emit &e, ValueRange in) {
      return SmallVector<Value>{e.cast(in[0], to.type.getElementType())};
    });
  };
  int64_t depth = query.getDimSize(rank - 1);
  int64_t width = value.getDimSize(rank - 1);
  // All queries that share the key head follow each other.
  row = Place();
  Tile querySums = queryTile(sums, group * queries);
  querySums.type = querySums.type.clone(wide);
  clear(querySums);
  keySum = b.scratch({sizes.keys, depth}, wide);
  valueSum = b.scratch({sizes.keys, width}, wide);
  weights = b.scratch({sizes.queries, sizes.keys}, wide);
  ofScores = b.scratch({sizes.queries, sizes.keys}, wide);
  if (keys % sizes.keys != 0)
    ofOwnScores = b.scratch({sizes.queries, sizes.keys}, wide);

  unsigned keyLoop =
      b.openLoop(keys, sizes.keys, Place(), Place::ofConstant(keys));
  column = BlockPlanner::start(keyLoop);
  clear({keySum, valueSum});
  Tile ownKeys = b.withoutGaps(keyTile(operands.key));
  auto head = queryHead;
  unsigned groupLoop = b.openLoop(group, 1, Place(), Place::ofConstant(group));
  addGroup(groupLoop);
  Place from;
  if (causal) {
    // The last block may start earlier than its number says.
    int64_t early = llvm::alignTo(keys, sizes.keys) - keys;
    from = Place::ofConstant(queries - keys - early);
    from.add(BlockPlanner::block(keyLoop), sizes.keys);
  }
  unsigned queryLoop =
      b.openLoop(queries, sizes.queries, from, Place::ofConstant(queries));
  row = BlockPlanner::start(queryLoop);
  addBlock(b, keyLoop, queryLoop, ownKeys, sums);
  b.closeLoop();
  b.closeLoop();
  round(keySum, keyTile(results[1]));
  round(valueSum, valueTile(results[2]));
  b.closeLoop();
  if (sums.buffer != results[0].buffer) {
    queryHead = head;
    addGroup(b.openLoop(group, 1, Place(), Place::ofConstant(group)));
    row = Place();
    Tile sum = queryTile(sums, queries);
    sum.type = sum.type.clone(wide);
    round(sum, queryTile(results[0], queries));
    b.closeLoop();
  }
  b.finish();
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// `total` in blocks of at most `most`, of about one size, whole vectors.
static int64_t balance(int64_t total, int64_t most) {
  int64_t count = std::max<int64_t>(llvm::divideCeil(total, most), 1);
  return std::min<int64_t>(
      {int64_t(llvm::alignTo(llvm::divideCeil(total, count), 16)), most,
       total});
}

/// Blocks of which all that a thread needs stays in its nearest caches: that
/// many squares of scores, and copies of the rows of all operands.
template <typename Op>
static std::optional<BlockSizes> chooseSizes(Op op, int64_t squares,
                                             int64_t copies) {
  constexpr int64_t most = 64, least = 8, mostBytes = 196608;
  RankedTensorType query = tensorTypeOf(op.getQuery());
  int64_t rank = query.getRank(), depth = query.getDimSize(rank - 1);
  int64_t width = tensorTypeOf(op.getValue()).getDimSize(rank - 1);
  int64_t keys = tensorTypeOf(op.getKey()).getDimSize(rank - 2);
  Type wide = graph::getAccumulationType(query.getElementType());
  int64_t bytes = wide.getIntOrFloatBitWidth() / 8;
  for (int64_t size = most; size >= least; size /= 2)
    if (size * (squares * size + copies * (depth + width)) <= mostBytes / bytes)
      return BlockSizes{size, balance(keys, size)};
  return std::nullopt;
}

static std::optional<BlockSizes> sizesOf(graph::AttentionOp op) {
  return chooseSizes(op, 2, 2);
}
static std::optional<BlockSizes> sizesOf(graph::AttentionGradOp op) {
  auto isEmpty = [](Value x) { return tensorTypeOf(x).getNumElements() == 0; };
  if (llvm::any_of(op->getOperands().take_front(5), isEmpty))
    return std::nullopt;
  return chooseSizes(op, 3, 3);
}

bool runsInBlocks(Operation *op) {
  if (auto attention = dyn_cast<graph::AttentionOp>(op))
    return sizesOf(attention).has_value();
  auto grad = dyn_cast<graph::AttentionGradOp>(op);
  return grad && sizesOf(grad);
}

/// Nests of whole blocks of `size` queries, and of the rest.
static void planRows(
    int64_t queries, int64_t size,
    llvm::function_ref<void(int64_t first, int64_t rows, int64_t count)> f) {
  size = std::min(size, queries);
  f(0, size, queries / size);
  if (int64_t rest = queries % size)
    f(queries - rest, rest, 1);
}

void Planner::planAttention(graph::AttentionOp op) {
  Operands operands{findRows(op.getQuery()), findRows(op.getKey()),
                    findRows(op.getValue())};
  if (op.getMask()) {
    materialize(op.getMask());
    operands.mask = placement.buffers.lookup(op.getMask());
  }
  Strided result = placeRows(op.getResult());
  if (result.buffer->elements == 0)
    return;
  BlockSizes sizes = *sizesOf(op);
  Forward forward(op, kernel, operands, result, sizes);
  planRows(tensorTypeOf(op.getQuery()).getShape().drop_back().back(),
           sizes.queries, [&](int64_t first, int64_t rows, int64_t count) {
             forward.plan(addNest(Nest::Blocks, op.getLoc()), first, rows,
                          count);
           });
}

void Planner::planAttentionGrad(graph::AttentionGradOp op) {
  Operands operands{findRows(op.getQuery()), findRows(op.getKey()),
                    findRows(op.getValue())};
  operands.output = findRows(op.getOutput());
  operands.grad = findRows(op.getGrad());
  if (op.getMask()) {
    materialize(op.getMask());
    operands.mask = placement.buffers.lookup(op.getMask());
  }
  SmallVector<Strided> results;
  for (Value result : op->getResults())
    results.push_back(placeRows(result));
  RankedTensorType query = tensorTypeOf(op.getQuery());
  Type wide = graph::getAccumulationType(query.getElementType());
  int64_t rows = ShapedType::getNumElements(query.getShape().drop_back());
  SmallVector<Buffer *> statistics;
  for (int64_t k = 0; k < 3; ++k)
    statistics.push_back(kernel.addWorkspace(wide, rows));
  Strided sums = results[0];
  if (query.getElementType() != wide || !sums.isDense(query.getShape()))
    sums = Strided::dense(kernel.addWorkspace(wide, query.getNumElements()),
                          query.getShape());
  BlockSizes sizes = *sizesOf(op);
  int64_t queries = query.getShape().drop_back().back();
  Forward forward(op, kernel, operands, statistics, sizes);
  planRows(queries, sizes.queries,
           [&](int64_t first, int64_t count, int64_t blocks) {
             forward.plan(addNest(Nest::Blocks, op.getLoc()), first, count,
                          blocks);
           });
  sizes.queries = balance(queries, sizes.queries);
  Backward(op, kernel, operands, statistics, results, sizes)
      .plan(addNest(Nest::Blocks, op.getLoc()), sums);
}

} // namespace graphc::kernel
