// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests that run row by row in one loop. A column reduction among them adds
// each row, as soon as it is there, to the partials of its chunk.
#include "passes/LowerKernel/Emitter.h"
#include "passes/LowerKernel/Groups.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
namespace graphc::kernel {

void Emitter::emitGroup(Group &group) {
  nest = group.nests.front();
  if (!group.rowLoops)
    return emitNest();
  bool isParallel = llvm::any_of(group.nests, [&](Nest *member) {
    nest = member;
    return isWorthThreads(nest->iterations(), nest->roots());
  });
  nest = group.nests.front();
  // Longer vectors are of a target that hides the time to memory itself.
  if (options.vectorBits <= 512)
    for (const RowAhead &row : rowsAhead(group))
      ahead[row.buffer] = {row.nest, row.stride};
  if (group.addsRows())
    return emitChunksOfRows(group, isParallel);
  auto rows = llvm::to_vector(llvm::seq<unsigned>(0, group.rowLoops));
  nestLoops(*top, rows, 1, isParallel,
            [&](Scope &row, Value) { emitRow(group, row, {}); });
}

/// All nests of `group` for one row, number `inChunk` of its chunk.
void Emitter::emitRow(Group &group, Scope &row, Value inChunk) {
  rowLoops = group.rowLoops;
  for (Buffer *buffer : group.scratch)
    memory[buffer] =
        scratch(getStorageType(buffer->elementType), buffer->elements);
  Scope *outside = top;
  for (Nest *member : group.nests) {
    nest = member;
    Scope scope(&row);
    top = &scope;
    if (nest->sums)
      addRow(scope, inChunk);
    else
      emitNest();
  }
  top = outside;
  nest = group.nests.front();
  rowLoops = 0;
}

/// The one loop inside of a row of `nest`, or nothing if there are others.
static std::optional<unsigned> laneOfRow(const Nest &nest) {
  std::optional<unsigned> lane;
  for (unsigned v = 1; v < nest.loopCount; ++v) {
    if (nest.variables[v].size == 1)
      continue;
    if (lane)
      return std::nullopt;
    lane = v;
  }
  return lane;
}

/// True if rows are short, and nests meet in the same element of a row only:
/// then one vector after the other can be taken along all rows of a chunk, and
/// what depends on the place in a row alone is there once.
static bool runsByLanes(Kernel &kernel, const Group &group) {
  constexpr int64_t longest = 128;
  int64_t length = 0;
  llvm::DenseMap<Buffer *, std::pair<bool, Index>> touched;
  // An output and all inputs that it may lie in place of are one memory.
  llvm::EquivalenceClasses<Buffer *> memories;
  for (auto [output, input] : findInPlacePairs(kernel))
    memories.unionSets(output, input);
  for (Nest *nest : group.nests) {
    std::optional<unsigned> lane = laneOfRow(*nest);
    if (!lane || (nest->kind != Nest::Map && !nest->sums))
      return false;
    int64_t size = nest->variables[*lane].size;
    if (size > longest || (length && size != length))
      return false;
    length = size;
  }
  // Of the row and the lane, and whether some nest writes there.
  bool isApart = true;
  for (Nest *nest : group.nests)
    forEachAccess(*nest, [&](Buffer *buffer, Index &index, bool isWrite) {
      Index own = Index::ofConstant(index.constant);
      unsigned lane = *laneOfRow(*nest);
      own.add(Index::ofVariable(0), index.coefficient(0));
      own.add(Index::ofVariable(1), index.coefficient(lane));
      Index rest = index;
      rest.add(Index::ofVariable(0), -index.coefficient(0));
      rest.add(Index::ofVariable(lane), -index.coefficient(lane));
      rest.constant = 0;
      bool isPlain = rest.isConstant();
      if (auto leader = memories.findLeader(buffer);
          leader != memories.member_end())
        buffer = *leader;
      auto [entry, isNew] =
          touched.try_emplace(buffer, std::make_pair(isWrite, own));
      auto &[isWritten, known] = entry->second;
      isWritten |= isWrite;
      // What is written is so, and read, at one place an element.
      if (!isPlain || !(known == own))
        known.constant = INT64_MIN;
      isApart &= !isWritten || known.constant != INT64_MIN;
    });
  return isApart;
}

/// The same as for each row emitRow(), for one vector of all rows of a chunk
/// after the other.
void Emitter::emitRowsByLanes(Group &group, Scope &chunk, Value start,
                              int64_t length) {
  constexpr unsigned rowLoop = 0;
  rowLoops = group.rowLoops;
  int64_t size =
      group.nests.front()->variables[*laneOfRow(*group.nests.front())].size;
  for (Buffer *buffer : group.scratch)
    memory[buffer] =
        scratch(getStorageType(buffer->elementType), buffer->elements);
  SmallVector<Expr *> all;
  for (Nest *member : group.nests)
    llvm::append_range(all, member->roots());
  int64_t width = lanesFor(all, size), step = std::max<int64_t>(width, 1);
  auto run = [&](int64_t first, int64_t blocks, int64_t active) {
    loop(chunk, blocks, /*isParallel=*/false, [&](Scope &block, Value item) {
      std::deque<Scope> places;
      for (Nest *member : group.nests) {
        Scope &place = places.emplace_back(&block);
        unsigned lane = *laneOfRow(*member);
        place.bind(lane, scaled(block, item, step, first));
        place.setLanes(lane, width, active);
        if (member->sums)
          place.bind(member->loopsOf(OuterReduced).front(),
                     constantIndex(block, 0));
      }
      loop(block, length, /*isParallel=*/false, [&](Scope &row, Value inChunk) {
        Value number =
            row.builder.createOrFold<arith::AddIOp>(nest->loc, start, inChunk);
        for (auto [member, place] : llvm::zip_equal(group.nests, places)) {
          nest = member;
          Scope scope(place, row.builder);
          scope.bind(rowLoop, number);
          nest->sums ? addTerms(scope, inChunk) : emitStores(scope);
        }
        nest = group.nests.front();
      });
    });
  };
  run(0, size / step, width);
  if (size % step)
    run(size / step * step, 1, size % step);
  rowLoops = 0;
}

void Emitter::emitChunksOfRows(Group &group, bool isParallel) {
  constexpr unsigned rowLoop = 0;
  int64_t rows = nest->variables[rowLoop].size;
  ReductionShape shape = ReductionShape::ofColumn(rows);
  bool byLanes = runsByLanes(kernel, group);
  auto forEachSum = [&](llvm::function_ref<void(unsigned)> body) {
    for (auto [k, member] : llvm::enumerate(group.nests)) {
      nest = member;
      if (nest->sums)
        body(k);
    }
    nest = group.nests.front();
  };
  auto emitChunks = [&](int64_t first, int64_t count, int64_t length) {
    if (count == 0)
      return;
    SmallVector<unsigned> chunkLoops(group.nests.size());
    forEachSum([&](unsigned k) { chunkLoops[k] = addLocalLoop(count); });
    loop(*top, count, isParallel, [&](Scope &scope, Value chunk) {
      Scope *outside = top;
      top = &scope;
      forEachSum([&](unsigned) { clearSums(); });
      Value start = scaled(scope, chunk, shape.chunk, first * shape.chunk);
      if (byLanes)
        emitRowsByLanes(group, scope, start, length);
      else
        loop(scope, length, false, [&](Scope &row, Value item) {
          row.bind(rowLoop, row.builder.createOrFold<arith::AddIOp>(
                                nest->loc, start, item));
          emitRow(group, row, item);
        });
      forEachSum([&](unsigned k) {
        Scope own(&scope);
        own.bind(chunkLoops[k], chunk);
        finishSums(own, first, chunkLoops[k]);
      });
      top = outside;
    });
  };
  emitChunks(0, rows / shape.chunk, shape.chunk);
  emitChunks(rows / shape.chunk, rows % shape.chunk != 0, rows % shape.chunk);
  forEachSum([&](unsigned) {
    unsigned lane = nest->loopsOf(Inner).back();
    lanes = lanesFor(nest->termRoots(), nest->variables[lane].size, lane);
    if (nest->partials)
      emitPartialTree();
  });
}

/// Gives the nest's sums, [partial][inner], memory and their first values.
void Emitter::clearSums() {
  Type type = getStorageType(nest->accumulationType);
  Value sums = memory[nest->sums] = scratch(type, nest->sums->elements);
  Type element = nest->element->elementType;
  int64_t step =
      std::max<int64_t>(1, options.vectorBits / type.getIntOrFloatBitWidth());
  auto run = [&](int64_t first, int64_t items, int64_t lanes) {
    loop(*top, items, false, [&](Scope &scope, Value item) {
      ElementBuilder b{scope.builder, nest->loc, lanes};
      Value value = b.identity(nest->op, element, nest->accumulationType,
                               /*neutral=*/false);
      Value at = scaled(scope, item, std::max<int64_t>(lanes, 1), first);
      if (lanes)
        scope.builder.create<vector::StoreOp>(nest->loc, value, sums, at);
      else
        scope.builder.create<memref::StoreOp>(nest->loc, value, sums, at);
    });
  };
  int64_t vectors = step > 1 ? nest->sums->elements / step : 0;
  run(0, vectors, step);
  run(vectors * step, nest->sums->elements - vectors * step, 0);
}

/// Loops over the kept dimensions, with lanes along the last.
void Emitter::overInner(Scope &scope, Body body) {
  SmallVector<unsigned> inner = nest->loopsOf(Inner);
  unsigned lane = inner.pop_back_val();
  int64_t size = nest->variables[lane].size;
  int64_t width = lanesFor(nest->termRoots(), size, lane);
  int64_t step = std::max<int64_t>(width, 1);
  auto run = [&](int64_t start, int64_t blocks, int64_t active) {
    nestLoops(scope, inner, blocks, false, [&](Scope &here, Value block) {
      here.bind(lane, scaled(here, block, step, start));
      here.setLanes(lane, width, active);
      body(here, block);
    });
  };
  run(0, size / step, width);
  if (size % step)
    run(size / step * step, 1, size % step);
}

/// Where the nest's sums of partial `partial` are.
static Expr sumExpr(const Nest &nest, unsigned partialLoop) {
  Expr sum{Expr::Load, nest.accumulationType};
  sum.buffer = nest.sums;
  int64_t stride = 1;
  SmallVector<unsigned> innerLoops = nest.loopsOf(Inner);
  for (unsigned v : llvm::reverse(innerLoops)) {
    sum.index.add(Index::ofVariable(v), stride);
    stride *= nest.variables[v].size;
    sum.loops |= uint64_t(1) << v;
  }
  sum.index.add(Index::ofVariable(partialLoop), stride);
  return sum;
}

void Emitter::addRow(Scope &row, Value inChunk) {
  row.bind(nest->loopsOf(OuterReduced).front(), constantIndex(row, 0));
  overInner(row, [&](Scope &scope, Value) { addTerms(scope, inChunk); });
}

/// Adds the terms at `scope`, of a row, to their partials.
void Emitter::addTerms(Scope &scope, Value inChunk) {
  int64_t partials = ReductionShape::ofColumn(nest->sizeOf(Reduced)).partials;
  unsigned partialLoop = addLocalLoop(partials);
  scope.bind(partialLoop,
             scope.builder.createOrFold<arith::RemUIOp>(
                 nest->loc, inChunk, constantIndex(scope, partials)));
  Expr sum = sumExpr(*nest, partialLoop);
  Value term = termOf(scope);
  Value old = evaluateLoad(&sum, scope, /*stored=*/false);
  ElementBuilder b = elements(scope, scope.lane >= 0);
  Value next = b.combine(nest->op, nest->element->elementType, old, term);
  store(nest->sums, sum.index, next, scope);
}

void Emitter::finishSums(Scope &scope, int64_t first, unsigned chunkLoop) {
  int64_t partials = ReductionShape::ofColumn(nest->sizeOf(Reduced)).partials;
  scope.bind(nest->loopsOf(OuterReduced).front(), constantIndex(scope, 0));
  overInner(scope, [&](Scope &here, Value) {
    SmallVector<Value> values;
    for (int64_t k = 0; k < partials; ++k) {
      Scope one(&here);
      unsigned partialLoop = addLocalLoop(partials);
      one.bind(partialLoop, constantIndex(one, k));
      Expr sum = sumExpr(*nest, partialLoop);
      values.push_back(evaluateLoad(&sum, one, /*stored=*/false));
    }
    finishChunk(here, fold(here, values), first, chunkLoop,
                nest->sizeOf(Inner));
  });
}

} // namespace graphc::kernel
