// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One tile of a product: its sums are in registers while k runs, in order. The
// loop over k is never unrolled: the sums, the vectors and one broadcast element
// fill the registers, and LLVM would spill some.
#include "passes/LowerKernel/EmitProduct.h"

#include "mlir/Dialect/LLVMIR/LLVMAttrs.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
namespace graphc::kernel {

/// Position among all panels of a factor of the first one of the current values
/// of the loops around them, in panels' elements.
Value Emitter::aroundPanels(Scope &scope, Expr *factor, unsigned role) {
  Index index;
  int64_t stride = 1;
  SmallVector<unsigned> loops = nest->panelLoops(factor, role);
  for (unsigned v : llvm::reverse(loops)) {
    index.add(Index::ofVariable(v), stride);
    stride *= nest->variables[v].size;
  }
  return position(index, scope);
}

Emitter::Operand Emitter::operandOf(Scope &scope, bool isLeft, Value start,
                                    Value panel) {
  OpBuilder &b = scope.builder;
  Location loc = nest->loc;
  const ProductPlan::Packed &packed =
      isLeft ? nest->product.left : nest->product.right;
  Expr *expr = isLeft ? nest->element : nest->other;
  SmallVector<unsigned> terms = nest->loopsOf(K),
                        own = nest->loopsOf(isLeft ? M : N);
  Operand operand;
  if (packed.isInBlock) {
    int64_t pitch = packed.layout.pitch;
    const BlockPanels &ofBlock = *blockPanels[!isLeft];
    operand.memory = ofBlock.memory;
    operand.step = 1;
    operand.isPadded = true;
    operand.terms.push_back(pitch);
    Value number =
        b.createOrFold<arith::SubIOp>(loc, panel, ofBlock.firstPanel);
    operand.base = b.createOrFold<arith::SubIOp>(
        loc, scaled(scope, number, nest->product.depth * pitch, 0),
        scaled(scope, ofBlock.firstTerm, pitch, 0));
    return operand;
  }
  if (packed.buffer) {
    const PanelLayout &layout = packed.layout;
    operand.memory = memoryOf(packed.buffer);
    operand.step = 1;
    operand.isPadded = true;
    int64_t stride = layout.pitch;
    for (unsigned v : llvm::reverse(terms)) {
      operand.terms.insert(operand.terms.begin(), stride);
      stride *= nest->variables[v].size;
    }
    Value around = aroundPanels(scope, expr, isLeft ? M : N);
    operand.base = b.createOrFold<arith::AddIOp>(
        loc, scaled(scope, around, layout.elements(), 0),
        scaled(scope, panel, layout.panelElements(), 0));
    return operand;
  }
  if (expr->kind != Expr::Load) // turned vectors evaluate it
    return operand;
  operand.memory = memoryOf(expr->buffer);
  Scope first(&scope);
  if (!own.empty()) {
    first.bind(own.back(), start);
    operand.step = expr->index.coefficient(own.back());
  }
  for (unsigned v : terms) {
    first.bind(v, constantIndex(first, 0));
    operand.terms.push_back(expr->index.coefficient(v));
  }
  operand.base = position(expr->index, first);
  return operand;
}

static Value plus(OpBuilder &b, Location loc, Value base, Value item,
                  int64_t by) {
  if (by == 0)
    return base;
  Value scaled = item;
  if (by != 1)
    scaled = b.createOrFold<arith::MulIOp>(
        loc, item, b.create<arith::ConstantIndexOp>(loc, by));
  return b.createOrFold<arith::AddIOp>(loc, base, scaled);
}

/// One term: the element of each row from `left` on, times vectors.
SmallVector<Value> Emitter::addTerm(Scope &scope, const Tile &tile, Value left,
                                    ArrayRef<Value> right, ValueRange sums) {
  OpBuilder &b = scope.builder;
  Location loc = nest->loc;
  Type type = getComputeType(nest->accumulationType);
  ElementBuilder e{b, loc, lanes};
  SmallVector<Value> next;
  for (int64_t r = 0; r < tile.rows; ++r) {
    Value element = b.create<memref::LoadOp>(
        loc, tile.tall.memory, offset(scope, left, r * tile.tall.step));
    if (lanes)
      element =
          e.make<vector::BroadcastOp>(VectorType::get({lanes}, type), element);
    for (auto [v, vector] : llvm::enumerate(right)) {
      Value sum = sums[r * right.size() + v];
      next.push_back(isa<FloatType>(type)
                         ? e.make<math::FmaOp>(element, vector, sum)
                         : e.make<arith::AddIOp>(
                               sum, e.make<arith::MulIOp>(element, vector)));
    }
  }
  return next;
}

/// The terms of the loops over k from `depth` on, one after the other.
SmallVector<Value> Emitter::unrollTerms(Scope &scope, const Tile &tile,
                                        size_t depth, Value left, Value right,
                                        ValueRange sums) {
  unsigned loop = nest->loopsOf(K)[depth];
  SmallVector<Value> next(sums);
  for (int64_t k = 0; k < nest->variables[loop].size; ++k) {
    Scope inner(&scope);
    Value item = constantIndex(inner, k);
    inner.bind(loop, item);
    next = sumTerms(
        inner, tile, depth + 1, offset(inner, left, k * tile.tall.terms[depth]),
        right ? offset(inner, right, k * tile.wide.terms[depth]) : right, next);
  }
  return next;
}

/// The loops over k from `depth` on, around one term.
SmallVector<Value> Emitter::sumTerms(Scope &scope, const Tile &tile,
                                     size_t depth, Value left, Value right,
                                     ValueRange sums) {
  OpBuilder &b = scope.builder;
  Location loc = nest->loc;
  SmallVector<unsigned> terms = nest->loopsOf(K);
  Type type = getComputeType(nest->accumulationType);
  if (nest->product.turnsVectors && depth + 1 == terms.size())
    return sumTurned(scope, tile, left, sums);
  if (depth == terms.size()) {
    int64_t step = std::max<int64_t>(lanes, 1);
    SmallVector<Value> vectors;
    int64_t count = llvm::divideCeil(tile.columns, step);
    for (int64_t v = 0; v < count; ++v) {
      int64_t first = tile.firstColumn(v, step);
      int64_t active = std::min(step, tile.columns - first);
      Value at = offset(scope, right, first);
      if (!lanes) {
        vectors.push_back(b.create<memref::LoadOp>(loc, tile.wide.memory, at));
        continue;
      }
      auto vectorType = VectorType::get({lanes}, type);
      if (active == lanes || tile.wide.isPadded) {
        vectors.push_back(
            b.create<vector::LoadOp>(loc, vectorType, tile.wide.memory, at));
        continue;
      }
      Scope masked(&scope);
      masked.setLanes(*tile.wideLoop, lanes, active);
      vectors.push_back(b.create<vector::MaskedLoadOp>(
          loc, vectorType, tile.wide.memory, at, mask(masked),
          b.create<arith::ConstantOp>(loc, b.getZeroAttr(vectorType))));
    }
    return addTerm(scope, tile, left, vectors, sums);
  }

  bool isOnly = nest->sizeOf(Outer) * nest->sizeOf(M) * nest->sizeOf(N) ==
                tile.rows * tile.columns;
  if (!tile.partial && isTileUnrolled(nest->sizeOf(K), sums.size(), isOnly))
    return unrollTerms(scope, tile, depth, left, right, sums);
  Value first = depth == 0                      ? tile.firstTerm
                : depth == 1 && tile.firstInner ? tile.firstInner
                                                : constantIndex(scope, 0);
  Value end = depth == 0 ? tile.endTerm
              : depth == 1 && tile.endInner
                  ? tile.endInner
                  : constantIndex(scope, nest->variables[terms[depth]].size);
  auto op =
      b.create<scf::ForOp>(loc, first, end, constantIndex(scope, 1), sums);
  if (depth + 1 == terms.size()) {
    MLIRContext *context = b.getContext();
    auto disabled = b.getBoolAttr(true);
    auto unroll =
        LLVM::LoopUnrollAttr::get(context, disabled, {}, {}, {}, {}, {}, {});
    op->setAttr("llvm.loop_annotation",
                LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {},
                                              {}, {}, {}, {}, {}, {}, {}, {},
                                              {}, {}));
  }
  b.setInsertionPoint(op);
  auto builder = OpBuilder::atBlockEnd(op.getBody());
  Scope inner(scope, builder);
  Value item = op.getInductionVar();
  inner.bind(terms[depth], item);
  Value nextRight =
      right ? plus(builder, loc, right, item, tile.wide.terms[depth]) : right;
  SmallVector<Value> next =
      sumTerms(inner, tile, depth + 1,
               plus(builder, loc, left, item, tile.tall.terms[depth]),
               nextRight, op.getRegionIterArgs());
  builder.create<scf::YieldOp>(loc, next);
  b.setInsertionPointAfter(op);
  return llvm::to_vector(ValueRange(op.getResults()));
}

/// Vectors along `lanes` columns from `first` on, of the terms from `term` on,
/// from vectors along these terms.
SmallVector<Value> Emitter::turnedVectors(Scope &scope, const Tile &tile,
                                          int64_t first, Value term,
                                          int64_t active) {
  unsigned loop = nest->loopsOf(K).back();
  Expr *expr = nest->product.lanesAlongM ? nest->element : nest->other;
  ElementBuilder e{scope.builder, nest->loc, lanes};
  Type type = getComputeType(nest->accumulationType);
  SmallVector<Value> rows;
  for (int64_t column = first; column < first + lanes; ++column) {
    if (column >= tile.columns) {
      rows.push_back(e.constant(type, scope.builder.getZeroAttr(type)));
      continue;
    }
    Scope s(&scope);
    s.bind(*tile.wideLoop, offset(s, tile.start, column));
    s.bind(loop, term);
    s.setLanes(loop, lanes, active);
    rows.push_back(splat(evaluate(expr, s), s));
  }
  rows = transpose(e, rows);
  rows.resize(active);
  return rows;
}

SmallVector<Value> Emitter::sumTurned(Scope &scope, const Tile &tile,
                                      Value left, ValueRange sums) {
  Location loc = nest->loc;
  int64_t size = nest->variables[nest->loopsOf(K).back()].size;
  int64_t groups = llvm::divideCeil(tile.columns, lanes);
  // One square at a time: all of them are more than there are registers.
  auto step = [&](Scope &s, Value term, int64_t active, ValueRange carried) {
    SmallVector<Value> next(carried);
    int64_t stride = tile.tall.terms.back();
    Value at = plus(s.builder, loc, left, term, stride);
    for (int64_t g = 0; g < groups; ++g) {
      SmallVector<Value> ofGroup;
      for (int64_t r = 0; r < tile.rows; ++r)
        ofGroup.push_back(next[r * groups + g]);
      for (auto [k, vector] :
           llvm::enumerate(turnedVectors(s, tile, g * lanes, term, active)))
        ofGroup =
            addTerm(s, tile, offset(s, at, k * stride), {vector}, ofGroup);
      for (int64_t r = 0; r < tile.rows; ++r)
        next[r * groups + g] = ofGroup[r];
    }
    return next;
  };
  SmallVector<Value> next = carry(
      scope, size / lanes, sums,
      [&](Scope &inner, Value block, ValueRange carried) {
        return step(inner, scaled(inner, block, lanes, 0), lanes, carried);
      });
  if (size % lanes)
    next = step(scope, constantIndex(scope, size / lanes * lanes), size % lanes,
                next);
  return next;
}

/// Stores `count` rows of finished sums, vectors of one row together; `bind`
/// tells which row, and which vector of it. What is much code for each vector
/// is there once: the sums then go through memory of this thread.
void Emitter::storeRows(
    Scope &scope, int64_t count, ValueRange sums, bool slides,
    llvm::function_ref<void(Scope &, Value, int64_t)> bind) {
  int64_t perRow = sums.size() / count, step = std::max<int64_t>(lanes, 1);
  // `sumOf` vectors of one row. Where these overlap, and an output is an
  // input's memory, all are computed before the first one is stored.
  auto storeRow = [&](Scope &outer, Value row,
                      llvm::function_ref<Value(int64_t)> sumOf) {
    std::deque<Scope> scopes;
    SmallVector<SmallVector<Value>> values;
    auto storeFrom = [&](int64_t first) {
      for (size_t k = first; k < scopes.size(); ++k)
        storeValues(nest->stores, values[k], scopes[k]);
    };
    for (int64_t v = 0; v < perRow; ++v) {
      Scope &s = scopes.emplace_back(&outer);
      bind(s, row, v);
      s.setAccumulated(sumOf(v));
      values.push_back(valuesOf(nest->stores, s));
      if (!slides)
        storeFrom(v);
    }
    if (slides)
      storeFrom(0);
  };
  SmallVector<Expr *> values;
  for (Store &s : nest->stores)
    values.push_back(s.value);
  constexpr double much = 200;
  if (costOf(values) * double(sums.size()) < much || count == 1) {
    for (int64_t row = 0; row < count; ++row)
      storeRow(scope, constantIndex(scope, row),
               [&](int64_t v) { return sums[row * perRow + v]; });
    return;
  }
  Type type = getComputeType(nest->accumulationType);
  Value kept = scratch(type, sums.size() * step);
  for (auto [k, sum] : llvm::enumerate(sums)) {
    Value at = constantIndex(scope, k * step);
    if (lanes)
      scope.builder.create<vector::StoreOp>(nest->loc, sum, kept, at);
    else
      scope.builder.create<memref::StoreOp>(nest->loc, sum, kept, at);
  }
  loop(scope, count, /*isParallel=*/false, [&](Scope &inner, Value row) {
    storeRow(inner, row, [&](int64_t v) {
      return load(inner, kept, scaled(inner, row, perRow * step, v * step),
                  lanes);
    });
  });
}

/// Stores a tile whose rows side by side are a run of memory: lanes go along
/// the last row's loop, past its end into the next element of all rows.
void Emitter::storeFlat(Scope &scope, const Tile &tile, ValueRange sums) {
  ElementBuilder e{scope.builder, nest->loc, lanes};
  int64_t vectors = llvm::divideCeil(tile.columns, lanes);
  for (int64_t v = 0; v < vectors; ++v) {
    SmallVector<Value> rows;
    for (int64_t r = 0; r < tile.rows; ++r)
      rows.push_back(sums[r * vectors + v]);
    SmallVector<Value> flat = interleave(e, rows);
    int64_t count =
        tile.rows * std::min<int64_t>(lanes, tile.columns - v * lanes);
    int64_t full = count / lanes;
    auto put = [&](int64_t first, int64_t size, int64_t active) {
      if (size == 0 || active == 0)
        return;
      storeRows(scope, size, ArrayRef(flat).slice(first, size),
                /*slides=*/false, [&](Scope &s, Value part, int64_t) {
                  s.bind(*tile.wideLoop, offset(s, tile.start, v * lanes));
                  s.bind(*tile.tallLoop, scaled(s, part, lanes, first * lanes));
                  s.setLanes(*tile.tallLoop, lanes, active);
                });
    };
    put(0, full, lanes);
    put(full, 1, count % lanes);
  }
}

/// The finished sums of a tile, by rows, to where they belong.
void Emitter::storeTile(Scope &scope, const Tile &tile, ValueRange sums) {
  int64_t step = std::max<int64_t>(lanes, 1);
  int64_t vectors = llvm::divideCeil(tile.columns, step);
  Type type = getComputeType(nest->accumulationType);
  auto plusRow = [&](Scope &s, Value first, Value row) {
    return s.builder.createOrFold<arith::AddIOp>(nest->loc, first, row);
  };
  if (nest->product.storesFlat)
    return storeFlat(scope, tile, sums);
  if (!nest->product.storesAcross || !canTranspose(type, step)) {
    storeRows(scope, tile.rows, sums, tile.slides,
              [&](Scope &s, Value row, int64_t v) {
                if (tile.tallLoop)
                  s.bind(*tile.tallLoop, plusRow(s, tile.row, row));
                if (!tile.wideLoop)
                  return;
                int64_t first = tile.firstColumn(v, step);
                s.bind(*tile.wideLoop, offset(s, tile.start, first));
                s.setLanes(*tile.wideLoop, lanes,
                           std::min(step, tile.columns - first));
              });
    return;
  }
  // Squares of `lanes` rows by one vector.
  ElementBuilder e{scope.builder, nest->loc, lanes};
  for (int64_t v = 0; v < vectors; ++v) {
    for (int64_t first = 0; first < tile.rows; first += lanes) {
      SmallVector<Value> rows;
      for (int64_t r = first; r < first + lanes; ++r)
        rows.push_back(r < tile.rows
                           ? sums[r * vectors + v]
                           : e.constant(type, scope.builder.getZeroAttr(type)));
      rows = transpose(e, rows);
      rows.resize(std::min(lanes, tile.columns - v * lanes));
      storeRows(scope, rows.size(), rows, /*slides=*/false,
                [&](Scope &s, Value column, int64_t) {
                  s.bind(*tile.wideLoop,
                         plusRow(s, offset(s, tile.start, v * lanes), column));
                  s.bind(*tile.tallLoop, offset(s, tile.row, first));
                  s.setLanes(*tile.tallLoop, lanes,
                             std::min(lanes, tile.rows - first));
                });
    }
  }
}

/// Asks for the memory that the finished sums of a tile will meet, which comes
/// while they are computed.
void Emitter::prefetchTile(Scope &scope, const Tile &tile) {
  constexpr int64_t farBytes = 1 << 20, lineBytes = 64;
  auto isFar = [&](const Buffer *buffer) {
    return buffer->place != Buffer::Scratch && buffer->bytes() >= farBytes;
  };
  auto prefetch = [&](Buffer *buffer, const Index &index, bool isWrite) {
    for (auto [v, coefficient] : llvm::enumerate(index.coefficients))
      if (coefficient != 0 && nest->variables[v].kind != Variable::Loop)
        return;
    bool isAlongRows = tile.wideLoop && index.coefficient(*tile.wideLoop) == 1;
    if (!isAlongRows &&
        !(tile.tallLoop && index.coefficient(*tile.tallLoop) == 1))
      return;
    int64_t width = getStorageType(buffer->elementType).getIntOrFloatBitWidth();
    int64_t perLine = lineBytes * 8 / width;
    int64_t along = isAlongRows ? tile.columns : tile.rows;
    // A dimension that the memory does not have is one line.
    std::optional<unsigned> other = isAlongRows ? tile.tallLoop : tile.wideLoop;
    int64_t across = isAlongRows ? tile.rows : tile.columns;
    if (!other || index.coefficient(*other) == 0)
      across = 1;
    Scope first(&scope);
    if (tile.tallLoop)
      first.bind(*tile.tallLoop, tile.row);
    if (tile.wideLoop)
      first.bind(*tile.wideLoop, tile.start);
    Value at = position(index, first);
    int64_t stride = other ? index.coefficient(*other) : 0;
    for (int64_t line = 0; line < across; ++line)
      for (int64_t k = 0; k < along; k += perLine)
        first.builder.create<memref::PrefetchOp>(
            nest->loc, memoryOf(buffer),
            ValueRange(offset(first, at, line * stride + k)), isWrite,
            /*localityHint=*/3, /*isDataCache=*/true);
  };
  SmallVector<Expr *> values;
  for (const Store &store : nest->stores)
    values.push_back(store.value);
  SmallVector<Expr *> loads;
  for (Expr *expr : reachableFrom(values))
    if (expr->kind == Expr::Load && isFar(expr->buffer)) {
      prefetch(expr->buffer, expr->index, /*isWrite=*/false);
      loads.push_back(expr);
    }
  // What is read at the same place may be the same memory.
  for (const Store &store : nest->stores)
    if (isFar(store.buffer) && !streams.contains(store.buffer) &&
        llvm::none_of(loads, [&](Expr *load) {
          return load->index == store.index &&
                 load->buffer->elements == store.buffer->elements;
        }))
      prefetch(store.buffer, store.index, /*isWrite=*/true);
}

void Emitter::emitTile(Scope &scope, Tile tile) {
  const ProductPlan &plan = nest->product;
  tile.slides = lanes && tile.columns > lanes && tile.columns % lanes &&
                !plan.turnsVectors && !plan.storesAcross && !plan.storesFlat;
  Location loc = nest->loc;
  Type type = getComputeType(nest->accumulationType);
  int64_t step = std::max<int64_t>(lanes, 1);
  int64_t count = tile.rows * llvm::divideCeil(tile.columns, step);
  auto zeros = [&](OpBuilder &b) {
    ElementBuilder e{b, loc, lanes};
    return SmallVector<Value>(count, e.constant(type, b.getZeroAttr(type)));
  };
  if (!tile.partial) {
    prefetchTile(scope, tile);
    SmallVector<Value> sums = zeros(scope.builder);
    storeTile(scope, tile,
              sumTerms(scope, tile, 0, tile.tall.base, tile.wide.base, sums));
    return;
  }

  OpBuilder &b = scope.builder;
  Type valueType = lanes ? Type(VectorType::get({lanes}, type)) : type;
  auto init = b.create<scf::IfOp>(loc, SmallVector<Type>(count, valueType),
                                  tile.isFirst, /*withElseRegion=*/true);
  {
    auto inside = OpBuilder::atBlockEnd(init.thenBlock());
    inside.create<scf::YieldOp>(loc, zeros(inside));
  }
  {
    auto inside = OpBuilder::atBlockEnd(init.elseBlock());
    Scope s(scope, inside);
    SmallVector<Value> loaded;
    for (int64_t k = 0; k < count; ++k)
      loaded.push_back(
          load(s, tile.partial, offset(s, tile.partialAt, k * step), lanes));
    inside.create<scf::YieldOp>(loc, loaded);
  }
  when(scope, tile.isLast, [&](Scope &last) { prefetchTile(last, tile); });
  SmallVector<Value> sums = sumTerms(scope, tile, 0, tile.tall.base,
                                     tile.wide.base, init.getResults());
  auto end = b.create<scf::IfOp>(loc, tile.isLast, /*withElseRegion=*/true);
  b.setInsertionPoint(end);
  {
    OpBuilder inside(end.thenBlock()->getTerminator());
    Scope s(scope, inside);
    storeTile(s, tile, sums);
  }
  {
    OpBuilder inside(end.elseBlock()->getTerminator());
    Scope s(scope, inside);
    for (int64_t k = 0; k < count; ++k) {
      Value at = offset(s, tile.partialAt, k * step);
      if (lanes)
        inside.create<vector::StoreOp>(loc, sums[k], tile.partial, at);
      else
        inside.create<memref::StoreOp>(loc, sums[k], tile.partial, at);
    }
  }
  b.setInsertionPointAfter(end);
}

} // namespace graphc::kernel
