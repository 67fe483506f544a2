// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products: first the panels, then blocks of the result over threads.
// Inside a block, tiles of sums in registers; the code of each size of tile is
// there once, in loops over panels and rows of tiles.
#include "passes/LowerKernel/EmitProduct.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>

using namespace mlir;
namespace graphc::kernel {

void Emitter::range(Scope &scope, Value first, Value end, Body body) {
  Location loc = nest->loc;
  Value one = constantIndex(scope, 1);
  auto op = scope.builder.create<scf::ForOp>(loc, first, end, one);
  scope.builder.setInsertionPoint(op);
  OpBuilder builder(op.getBody()->getTerminator());
  Scope inner(scope, builder);
  body(inner, op.getInductionVar());
  scope.builder.setInsertionPointAfter(op);
}

void Emitter::when(Scope &scope, Value condition,
                   llvm::function_ref<void(Scope &)> body) {
  if (!condition)
    return body(scope);
  auto op = scope.builder.create<scf::IfOp>(nest->loc, condition,
                                            /*withElseRegion=*/false);
  scope.builder.setInsertionPoint(op);
  OpBuilder builder(op.thenBlock()->getTerminator());
  Scope inner(scope, builder);
  body(inner);
  scope.builder.setInsertionPointAfter(op);
}

/// Cuts the result into blocks of tiles: small enough that there are some for
/// each thread, and large enough to use what they have loaded.
static void chooseBlocks(Split &rows, Split &panels, double around,
                         const ProductPlan &plan, double terms) {
  const ProductTile &tile = plan.tile;
  int64_t mostColumns = plan.streams ? 4096 : kMostBlockColumns;
  constexpr double enough = 32, leastWork = 400000;
  rows.perBlock =
      std::clamp<int64_t>(kMostBlockRows / tile.rows, 1, rows.count);
  panels.perBlock =
      std::clamp<int64_t>(mostColumns / tile.columns(), 1, panels.count);
  // Fewer columns at a time than this are no lines of memory in order, and
  // these should come from memory once, for all rows.
  int64_t leastPanels = plan.streams ? 512 / tile.columns() : 1;
  leastPanels = std::clamp<int64_t>(leastPanels, 1, panels.perBlock);
  // What a block packs stays in the second-level cache.
  const ProductPlan::Packed &wide = plan.wide(), &tall = plan.tall();
  auto limit = [&](Split &split, const ProductPlan::Packed &packed) {
    constexpr int64_t mostElements = 65536;
    int64_t ofPanel = plan.depth * packed.layout.pitch;
    if (packed.isInBlock)
      split.perBlock =
          std::clamp<int64_t>(mostElements / ofPanel, 1, split.perBlock);
  };
  limit(panels, wide);
  limit(rows, tall);
  if (wide.isInBlock) {
    // It comes from runs of some lines.
    constexpr int64_t leastColumns = 64;
    leastPanels =
        std::clamp<int64_t>(leastColumns / tile.columns(), 1, panels.perBlock);
  }
  // Sums that wait for more terms are on the stack.
  constexpr int64_t mostSums = 1 << 16;
  auto sums = [&] {
    return rows.perBlock * tile.rows * panels.perBlock * tile.columns();
  };
  while (sums() > mostSums && panels.perBlock > leastPanels)
    panels.perBlock =
        std::max(llvm::divideCeil(panels.perBlock, 2), uint64_t(leastPanels));
  while (sums() > mostSums && rows.perBlock > 1)
    rows.perBlock = llvm::divideCeil(rows.perBlock, 2);
  auto work = [&] {
    return 2 * terms * double(rows.perBlock * tile.rows) *
           double(panels.perBlock * tile.columns());
  };
  while (around * double(rows.blocks() * panels.blocks()) < enough &&
         work() > leastWork) {
    bool mayHalveRows = rows.perBlock > 1 && !plan.streams && !wide.isInBlock;
    bool mayHalvePanels = panels.perBlock >= 2 * leastPanels &&
                          panels.perBlock > 1 && !tall.isInBlock;
    if (!mayHalveRows && !mayHalvePanels)
      break;
    bool halvesRows =
        rows.perBlock * tile.rows > panels.perBlock * tile.columns();
    int64_t &larger = mayHalveRows && (halvesRows || !mayHalvePanels)
                          ? rows.perBlock
                          : panels.perBlock;
    larger = llvm::divideCeil(larger, 2);
  }
}

/// Packs a factor, unless it lies ready.
void Emitter::emitPanelsOf(bool isLeft) {
  ProductPlan &plan = nest->product;
  ProductPlan::Packed &packed = isLeft ? plan.left : plan.right;
  lanes = plan.tile.lanes > 1 ? plan.tile.lanes : 0;
  if (packed.buffer && !std::exchange(packed.isThere, true))
    emitPanels(isLeft);
}

void Emitter::emitProduct() {
  const ProductPlan &plan = nest->product;
  const ProductTile &tile = plan.tile;
  emitPanelsOf(/*isLeft=*/true);
  emitPanelsOf(/*isLeft=*/false);
  lanes = tile.lanes > 1 ? tile.lanes : 0;

  SmallVector<unsigned> loops = nest->loopsOf(Outer);
  ProductBlocks blocks;
  auto take = [&](unsigned role, std::optional<unsigned> &last) -> int64_t {
    SmallVector<unsigned> own = nest->loopsOf(role);
    if (own.empty())
      return 1;
    last = own.pop_back_val();
    llvm::append_range(loops, own);
    return nest->variables[*last].size;
  };
  int64_t m = take(M, plan.lanesAlongM ? blocks.wide : blocks.tall);
  int64_t n = take(N, plan.lanesAlongM ? blocks.tall : blocks.wide);
  // The last rows are a whole tile too: it starts earlier, and computes some
  // again. So there is one size of tile along the rows.
  blocks.allRows = plan.lanesAlongM ? n : m;
  blocks.rows = Split::of(blocks.allRows, tile.rows);
  if (plan.overlaps || plan.shorterTiles)
    blocks.rows = Split::of(blocks.rows.count * tile.rows, tile.rows);
  else
    blocks.allRows = INT64_MAX;
  blocks.panels = Split::of(plan.lanesAlongM ? m : n, tile.columns());

  double around = 1, terms = double(nest->sizeOf(K));
  for (unsigned v : loops)
    around *= double(nest->variables[v].size);
  // A block of a block is of one thread already.
  chooseBlocks(blocks.rows, blocks.panels, rowLoops ? INFINITY : around, plan,
               terms);
  double products = around * terms * double(m) * double(n);
  bool isParallel = !rowLoops && 2 * products >= double(options.parallelFlops);

  // The blocks that share the larger factor follow each other.
  unsigned rowBlock = addLocalLoop(blocks.rows.blocks());
  unsigned panelBlock = addLocalLoop(blocks.panels.blocks());
  bool rowsFirst = blocks.rows.size > blocks.panels.size;
  loops.push_back(rowsFirst ? rowBlock : panelBlock);
  loops.push_back(rowsFirst ? panelBlock : rowBlock);
  nestLoops(*top, loops, 1, isParallel, [&](Scope &scope, Value) {
    blocks.rowBlock = scope.get(rowBlock);
    blocks.panelBlock = scope.get(panelBlock);
    emitBlock(scope, blocks);
  });
}

Value Emitter::firstRow(Scope &scope, Value tile, int64_t rows, int64_t all) {
  Value row = scaled(scope, tile, rows, 0);
  if (all % rows == 0 || all == INT64_MAX)
    return row;
  return scope.builder.createOrFold<arith::MinSIOp>(
      nest->loc, row, constantIndex(scope, all - rows));
}

/// `body` for the pieces of block `block`: those of full size in one loop, and
/// then the last, smaller one.
void Emitter::forPieces(
    Scope &scope, const Split &split, Value block,
    llvm::function_ref<void(Scope &, Value, int64_t)> body) {
  OpBuilder &b = scope.builder;
  Location loc = nest->loc;
  int64_t full = split.size / split.piece;
  if (split.blocks() == 1) {
    loop(scope, full, /*isParallel=*/false,
         [&](Scope &inner, Value piece) { body(inner, piece, split.piece); });
  } else if (full > 0) {
    Value first = scaled(scope, block, split.perBlock, 0);
    if (split.perBlock == 1 && full == split.count) {
      Scope inner(&scope);
      body(inner, first, split.piece);
    } else {
      Value end =
          b.create<arith::MinSIOp>(loc, offset(scope, first, split.perBlock),
                                   constantIndex(scope, full));
      range(scope, first, end, [&](Scope &inner, Value piece) {
        body(inner, piece, split.piece);
      });
    }
  }
  if (full == split.count)
    return;
  Value isLast;
  if (split.blocks() > 1)
    isLast = b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, block,
                                     constantIndex(scope, split.blocks() - 1));
  when(scope, isLast, [&](Scope &inner) {
    Scope last(&inner);
    body(last, constantIndex(last, full), split.size - full * split.piece);
  });
}

/// `body` for the tiles of rows of a block: the number of each, its first row
/// and how many it has.
void Emitter::forRowTiles(
    Scope &scope, const ProductBlocks &blocks,
    llvm::function_ref<void(Scope &, Value, Value, int64_t)> body) {
  const ProductPlan &plan = nest->product;
  int64_t rows = plan.tile.rows, longer = blocks.rows.count - plan.shorterTiles;
  if (plan.shorterTiles == 0)
    return forPieces(scope, blocks.rows, blocks.rowBlock,
                     [&](Scope &s, Value tile, int64_t count) {
                       body(s, tile, firstRow(s, tile, rows, blocks.allRows),
                            count);
                     });
  auto shorter = [&](Scope &s, Value tile) {
    body(s, tile, scaled(s, tile, rows - 1, longer), rows - 1);
  };
  if (blocks.rows.blocks() == 1) {
    loop(scope, longer, /*isParallel=*/false, [&](Scope &s, Value tile) {
      body(s, tile, scaled(s, tile, rows, 0), rows);
    });
    loop(scope, plan.shorterTiles, /*isParallel=*/false,
         [&](Scope &s, Value tile) { shorter(s, offset(s, tile, longer)); });
    return;
  }
  OpBuilder &b = scope.builder;
  Location loc = nest->loc;
  Value first = scaled(scope, blocks.rowBlock, blocks.rows.perBlock, 0);
  Value border = constantIndex(scope, longer);
  Value end =
      b.create<arith::MinSIOp>(loc, offset(scope, first, blocks.rows.perBlock),
                               constantIndex(scope, blocks.rows.count));
  range(scope, first, b.create<arith::MinSIOp>(loc, end, border),
        [&](Scope &s, Value tile) {
          body(s, tile, scaled(s, tile, rows, 0), rows);
        });
  range(scope, b.create<arith::MaxSIOp>(loc, first, border), end, shorter);
}

void Emitter::emitBlock(Scope &scope, const ProductBlocks &blocks) {
  const ProductPlan &plan = nest->product;
  SmallVector<unsigned> terms = nest->loopsOf(K);
  int64_t outermost = terms.empty() ? 1 : nest->variables[terms[0]].size;
  int64_t next = plan.innerDepth ? nest->variables[terms[1]].size : 1;
  int64_t cuts = plan.innerDepth ? llvm::divideCeil(next, plan.innerDepth) : 1;
  int64_t parts =
      cuts *
      std::max<int64_t>(
          1, llvm::divideCeil(outermost, std::max<int64_t>(plan.depth, 1)));
  Value partial;
  int64_t tileElements = plan.tile.rows * plan.tile.columns();
  if (parts > 1)
    partial =
        scratch(getComputeType(nest->accumulationType),
                blocks.rows.perBlock * blocks.panels.perBlock * tileElements);

  BlockPanels wide, tall;
  auto take = [&](const ProductPlan::Packed &packed, const Split &split,
                  BlockPanels &panels) {
    if (packed.isInBlock)
      panels.memory =
          scratch(getStorageType(nest->accumulationType),
                  split.perBlock * plan.depth * packed.layout.pitch);
  };
  take(plan.wide(), blocks.panels, wide);
  take(plan.tall(), blocks.rows, tall);

  loop(scope, parts, /*isParallel=*/false, [&](Scope &inner, Value part) {
    Tile tile;
    OpBuilder &b = inner.builder;
    Value outer = part;
    if (cuts > 1) {
      Value count = constantIndex(inner, cuts);
      outer = b.createOrFold<arith::DivUIOp>(nest->loc, part, count);
      tile.firstInner =
          scaled(inner, b.createOrFold<arith::RemUIOp>(nest->loc, part, count),
                 plan.innerDepth, 0);
      tile.endInner = offset(inner, tile.firstInner, plan.innerDepth);
      if (next % plan.innerDepth)
        tile.endInner = b.create<arith::MinSIOp>(nest->loc, tile.endInner,
                                                 constantIndex(inner, next));
    }
    tile.firstTerm = scaled(inner, outer, plan.depth, 0);
    tile.endTerm = constantIndex(inner, outermost);
    if (parts > 1) {
      auto is = [&](int64_t which) -> Value {
        return b.create<arith::CmpIOp>(nest->loc, arith::CmpIPredicate::eq,
                                       part, constantIndex(inner, which));
      };
      tile.endTerm = b.create<arith::MinSIOp>(
          nest->loc, offset(inner, tile.firstTerm, plan.depth), tile.endTerm);
      tile.isFirst = is(0);
      tile.isLast = is(parts - 1);
      tile.partial = partial;
    }
    auto pack = [&](BlockPanels &panels, bool isLeft, Value block,
                    const Split &split) {
      if (!panels.memory)
        return;
      panels.firstPanel = scaled(inner, block, split.perBlock, 0);
      panels.firstTerm = tile.firstTerm;
      blockPanels[!isLeft] = &panels;
      emitBlockPanels(inner, isLeft, blocks, outer);
    };
    pack(wide, plan.lanesAlongM, blocks.panelBlock, blocks.panels);
    pack(tall, !plan.lanesAlongM, blocks.rowBlock, blocks.rows);
    tile.wideLoop = blocks.wide;
    tile.tallLoop = blocks.tall;
    Value panelInBlock, rowInBlock;
    auto overPanels = [&](Scope &outer, llvm::function_ref<void(Scope &)> f) {
      forPieces(outer, blocks.panels, blocks.panelBlock,
                [&](Scope &s, Value panel, int64_t columns) {
                  tile.columns = columns;
                  tile.start = scaled(s, panel, plan.tile.columns(), 0);
                  tile.wide = operandOf(s, plan.lanesAlongM, tile.start, panel);
                  panelInBlock = s.builder.createOrFold<arith::SubIOp>(
                      nest->loc, panel,
                      scaled(s, blocks.panelBlock, blocks.panels.perBlock, 0));
                  f(s);
                });
    };
    auto overRows = [&](Scope &outer, llvm::function_ref<void(Scope &)> f) {
      forRowTiles(outer, blocks,
                  [&](Scope &s, Value row, Value first, int64_t rows) {
                    tile.rows = rows;
                    tile.row = first;
                    tile.tall = operandOf(s, !plan.lanesAlongM, tile.row, row);
                    rowInBlock = s.builder.createOrFold<arith::SubIOp>(
                        nest->loc, row,
                        scaled(s, blocks.rowBlock, blocks.rows.perBlock, 0));
                    f(s);
                  });
    };
    auto emit = [&](Scope &s) {
      if (parts > 1) {
        Value number = s.builder.createOrFold<arith::AddIOp>(
            nest->loc, rowInBlock,
            scaled(s, panelInBlock, blocks.rows.perBlock, 0));
        tile.partialAt = scaled(s, number, tileElements, 0);
      }
      emitTile(s, tile);
    };
    // The inner loop reads all of its side for each item of the outer one: the
    // side that stays in the second-level cache.
    constexpr int64_t nearElements = 98304;
    int64_t ofRows = blocks.rows.perBlock * plan.tile.rows * plan.depth;
    int64_t ofPanels =
        blocks.panels.perBlock * plan.tile.columns() * plan.depth;
    if (ofRows > nearElements && ofPanels < ofRows)
      overRows(inner, [&](Scope &s) { overPanels(s, emit); });
    else
      overPanels(inner, [&](Scope &s) { overRows(s, emit); });
  });
  blockPanels[0] = blockPanels[1] = nullptr;
}

} // namespace graphc::kernel
