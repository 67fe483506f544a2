// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/LowerKernel/PlanBlocks.h"
#include "passes/LowerKernel/Groups.h"
#include "passes/LowerKernel/PlanRegion.h"

using namespace mlir;
namespace graphc::kernel {

unsigned BlockPlanner::addRows(int64_t count) {
  Variable variable{Variable::Loop, count};
  variable.role = Around;
  whole.variables.push_back(variable);
  loops.push_back({count, 1, count});
  return whole.loopCount++;
}

unsigned BlockPlanner::openLoop(int64_t total, int64_t size, const Place &from,
                                const Place &to) {
  unsigned number = whole.loopCount + open.size();
  int64_t count = llvm::divideCeil(total, size);
  loops.resize(number);
  loops.push_back({total, size, count});
  if (number == whole.variables.size())
    whole.variables.push_back({Variable::Loop, count});
  whole.variables[number].size = std::max(whole.variables[number].size, count);
  BlockStep step{nullptr,
                 number,
                 size,
                 count,
                 translate(from, whole),
                 translate(to, whole)};
  steps().push_back(std::move(step));
  open.push_back(&steps().back());
  return number;
}

/// `place` as an index of `nest`, whose first variables are the loops.
Index BlockPlanner::translate(const Place &place, Nest &nest) const {
  Index index = Index::ofConstant(place.constant);
  for (auto [k, coefficient] : llvm::enumerate(place.coefficients)) {
    unsigned v = k / 2;
    bool isStart = k % 2;
    if (coefficient == 0 || loops[v].count == 1)
      continue;
    Index value =
        Index().add(Index::ofVariable(v), isStart ? loops[v].size : 1);
    if (isStart && loops[v].total % loops[v].size) {
      Variable clamp{Variable::Clamp, loops[v].total - loops[v].size + 1, 1,
                     value};
      unsigned w = nest.loopCount;
      while (w < nest.variables.size() &&
             !(nest.variables[w].kind == clamp.kind &&
               nest.variables[w].size == clamp.size &&
               nest.variables[w].of == clamp.of))
        ++w;
      if (w == nest.variables.size())
        nest.variables.push_back(clamp);
      value = Index::ofVariable(w);
    }
    index.add(value, coefficient);
  }
  return index;
}

Buffer *BlockPlanner::addScratch(Type elementType, int64_t elements) {
  kernel.buffers.push_back({Buffer::Scratch, 0, 0, elementType, elements});
  whole.scratch.push_back(&kernel.buffers.back());
  return whole.scratch.back();
}

BlockPlanner::Tile BlockPlanner::scratch(ArrayRef<int64_t> shape,
                                         Type elementType) {
  return {addScratch(elementType, ShapedType::getNumElements(shape)),
          RankedTensorType::get(shape, elementType)};
}

BlockPlanner::Tile BlockPlanner::number(const Place &at, Type type) {
  return {nullptr, RankedTensorType::get({}, type), at};
}

/// Puts the open loops around `nest`, and its buffers where their tiles are.
void BlockPlanner::add(Nest planned,
                       llvm::function_ref<Tile(Buffer *)> tileOf) {
  whole.inner.push_back(std::make_unique<Nest>(std::move(planned)));
  Nest &nest = *whole.inner.back();
  nest.surround(llvm::map_to_vector(
      ArrayRef(loops).take_front(whole.loopCount + open.size()),
      [](const Loop &loop) { return loop.count; }));
  auto move = [&](Buffer *&buffer, Index &index) {
    Tile tile = tileOf(buffer);
    buffer = tile.buffer;
    index.add(translate(tile.at, nest));
  };
  for (Expr &expr : nest.exprs) {
    if (expr.kind != Expr::Load)
      continue;
    move(expr.buffer, expr.index);
    if (!expr.buffer)
      expr.kind = Expr::IndexOf;
  }
  for (SmallVectorImpl<Store> *stores :
       {static_cast<SmallVectorImpl<Store> *>(&nest.stores),
        static_cast<SmallVectorImpl<Store> *>(&nest.termStores)})
    for (Store &store : *stores)
      move(store.buffer, store.index);
  for (Buffer **buffer :
       {&nest.partials, &nest.product.left.buffer, &nest.product.right.buffer})
    if (*buffer)
      *buffer = tileOf(*buffer).buffer;
  steps().emplace_back();
  steps().back().nest = &nest;
}

static bool hasGaps(const BlockPlanner::Tile &tile) {
  return tile.pitch && tile.pitch != tile.type.getShape().back();
}

/// Copies `from`, a tile without gaps, to `to`.
static Nest copyOf(const BlockPlanner::Tile &from, const BlockPlanner::Tile &to,
                   Location loc) {
  Nest nest(Nest::Map, loc);
  Placement placement;
  NestBuilder builder(nest, placement);
  ArrayRef<int64_t> shape = from.type.getShape();
  SmallVector<Index> indices = builder.addLoops(shape, Outer);
  Expr load{Expr::Load, from.type.getElementType()};
  load.buffer = from.buffer;
  load.index = builder.linearize(indices, shape);
  nest.exprs.push_back(load);
  SmallVector<int64_t> spaced(shape);
  if (hasGaps(to))
    spaced.back() = to.pitch;
  nest.stores.push_back(
      {&nest.exprs.back(), to.buffer, builder.linearize(indices, spaced)});
  nest.finish();
  return nest;
}

void BlockPlanner::run(ArrayRef<Tile> arguments, ArrayRef<Tile> results,
                       Body body) {
  OpBuilder builder(whole.loc.getContext());
  auto fused =
      builder.create<graph::FusedOp>(whole.loc, TypeRange(), ValueRange());
  whole.made.push_back(fused.getOperation());
  Block &block = fused.getBody().emplaceBlock();
  builder.setInsertionPointToStart(&block);
  graph::Emit e{builder, whole.loc};
  SmallVector<Value> values;
  for (const Tile &tile : arguments) {
    if (!hasGaps(tile)) {
      values.push_back(block.addArgument(tile.type, whole.loc));
      continue;
    }
    ArrayRef<int64_t> shape = tile.type.getShape();
    Value spaced =
        block.addArgument(tile.type.clone({shape[0], tile.pitch}), whole.loc);
    values.push_back(e.op<graph::SliceOp>(spaced, ArrayRef<int64_t>{0, 0},
                                          shape, ArrayRef<int64_t>{1, 1}));
  }
  builder.create<graph::YieldOp>(whole.loc, body(e, values));

  Kernel part;
  part.vectorBits = kernel.vectorBits;
  [[maybe_unused]] LogicalResult planned = Planner(fused, part).run();
  assert(succeeded(planned) && "blocks are made of ops that have kernels");
  for (Nest &nest : part.nests)
    part.groups.push_back({{&nest}});
  auto inPlace = findInPlacePairs(part);

  llvm::DenseMap<Buffer *, Tile> tiles;
  for (auto [buffer, tile] : llvm::zip_equal(part.inputs, arguments))
    tiles[buffer] = tile;
  // What must not be stored while it is read, or where others lie between.
  SmallVector<std::pair<Tile, Tile>> later;
  for (auto [buffer, tile] : llvm::zip_equal(part.outputs, results)) {
    bool mustWait = hasGaps(tile);
    for (auto [input, argument] : llvm::zip_equal(part.inputs, arguments))
      mustWait |= argument.buffer == tile.buffer &&
                  !llvm::is_contained(inPlace, std::pair(buffer, input));
    tiles[buffer] = tile;
    if (!mustWait)
      continue;
    tiles[buffer] = scratch(tile.type.getShape(), tile.type.getElementType());
    later.push_back({tiles[buffer], tile});
  }
  for (Buffer &buffer : part.buffers)
    if (buffer.place == Buffer::Workspace)
      tiles[&buffer] = scratch(buffer.elements, buffer.elementType);
  for (Nest &nest : part.nests)
    add(std::move(nest), [&](Buffer *buffer) { return tiles.lookup(buffer); });
  for (auto &[from, to] : later)
    add(copyOf(from, to, whole.loc), [&from = from, &to = to](Buffer *buffer) {
      return buffer == from.buffer ? from : to;
    });
}

BlockPlanner::Tile BlockPlanner::withoutGaps(const Tile &tile) {
  if (!hasGaps(tile))
    return tile;
  Tile copy = scratch(tile.type.getShape(), tile.type.getElementType());
  run(tile, copy,
      [](graph::Emit &, ValueRange in) { return SmallVector<Value>(in); });
  return copy;
}

void BlockPlanner::finish() {
  llvm::SmallPtrSet<Buffer *, 16> written;
  forEachAccess(whole, [&](Buffer *buffer, Index &, bool isWrite) {
    if (isWrite)
      written.insert(buffer);
  });
  // Code that reads what the loops write stays in them.
  for (std::unique_ptr<Nest> &nest : whole.inner) {
    for (Expr &expr : nest->exprs)
      if (expr.kind == Expr::Load && written.contains(expr.buffer))
        expr.writtenIn = (uint64_t(1) << nest->around) - 1;
    nest->noteLoops();
  }
}

} // namespace graphc::kernel
