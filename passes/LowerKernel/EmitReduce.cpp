// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions. A sum's order depends on its shape alone: within a chunk, term t
// goes to partial t mod P in order, the partials fold in halves, and so do the
// chunks, in memory. Here columns, whose innermost dimension is kept, and the
// tree over chunks; EmitRowReduce.cpp has the rest.
#include "passes/LowerKernel/Emitter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
namespace graphc::kernel {

/// Folds in halves: all vectors to one, then that to a scalar.
Value Emitter::fold(Scope &scope, SmallVector<Value> partials) {
  Location loc = nest->loc;
  Type type = nest->element->elementType;
  auto combine = [&](Value a, Value b) {
    ElementBuilder builder{scope.builder, loc, 0};
    return builder.combine(nest->op, type, a, b);
  };
  while (partials.size() > 1) {
    size_t half = partials.size() / 2;
    for (size_t k = 0; k < half; ++k)
      partials[k] = combine(partials[k], partials[k + half]);
    partials.resize(half);
  }
  return partials.front();
}

/// The same inside a vector.
Value foldLanes(ElementBuilder b, Operation *op, Type type, Value vector) {
  while (isa<VectorType>(vector.getType())) {
    auto [low, high] = b.halves(vector);
    vector = b.combine(op, type, low, high);
  }
  return vector;
}

/// `stepLanes` elements of `memory`, or one element if that is 0.
Value Emitter::load(Scope &scope, Value memory, Value at, int64_t stepLanes) {
  Type type = cast<MemRefType>(memory.getType()).getElementType();
  if (!stepLanes)
    return scope.builder.create<memref::LoadOp>(nest->loc, memory, at);
  return scope.builder.create<vector::LoadOp>(
      nest->loc, VectorType::get({stepLanes}, type), memory, at);
}

/// Hands a finished chunk to the stores, or to the partials in memory.
void Emitter::finishChunk(Scope &scope, Value value, int64_t first,
                          unsigned chunkLoop, int64_t width) {
  if (!nest->partials) {
    scope.setAccumulated(value);
    emitStores(scope);
    return;
  }
  Index at = nest->partialIndex;
  at.add(Index::ofVariable(chunkLoop), width);
  at.constant += first * width;
  store(nest->partials, at, value, scope);
}

/// The term at `scope`, once it is computed and what is stored of it has been:
/// an output that is stored may be the memory of an input that the sum reads.
Value Emitter::termOf(Scope &scope) {
  SmallVector<Value> stored = valuesOf(nest->termStores, scope);
  Value term = splat(evaluate(nest->element, scope), scope);
  storeValues(nest->termStores, stored, scope);
  return term;
}

//===----------------------------------------------------------------------===//
// Columns: the innermost dimension is kept
//===----------------------------------------------------------------------===//

Value Emitter::columnChunk(Scope &scope, Value start, int64_t length) {
  unsigned loopVariable = nest->loopsOf(Reduced).front();
  int64_t partials =
      ReductionShape::ofColumn(nest->variables[loopVariable].size).partials;
  int64_t blocks = length / partials, rest = length - blocks * partials;
  int64_t step = std::max<int64_t>(lanes, 1);
  Type type = nest->element->elementType;
  auto termAt = [&](Scope &inner, Value row) {
    inner.bind(loopVariable, inner.builder.createOrFold<arith::AddIOp>(
                                 nest->loc, start, row));
    return termOf(inner);
  };

  Value staged;
  if (isWorthStaging((blocks > 0 ? partials : 0) + rest)) {
    staged = scratch(getComputeType(type), length * step);
    loop(scope, length, false, [&](Scope &inner, Value row) {
      Value value = termAt(inner, row), at = scaled(inner, row, step, 0);
      if (lanes)
        inner.builder.create<vector::StoreOp>(nest->loc, value, staged, at);
      else
        inner.builder.create<memref::StoreOp>(nest->loc, value, staged, at);
    });
  }

  auto addTerm = [&](Scope &outer, Value row, Value partial) {
    Scope inner(&outer);
    Value value = staged
                      ? load(inner, staged, scaled(inner, row, step, 0), lanes)
                      : termAt(inner, row);
    return elements(inner, inner.lane >= 0)
        .combine(nest->op, type, partial, value);
  };
  ElementBuilder b = elements(scope, scope.lane >= 0);
  SmallVector<Value> values(
      partials,
      b.identity(nest->op, type, nest->accumulationType, /*neutral=*/false));
  values = carry(scope, blocks, values,
                 [&](Scope &inner, Value block, ValueRange carried) {
                   SmallVector<Value> next(carried);
                   Value at = scaled(inner, block, partials, 0);
                   for (int64_t k = 0; k < partials; ++k)
                     next[k] = addTerm(inner, offset(inner, at, k), carried[k]);
                   return next;
                 });
  for (int64_t k = 0; k < rest; ++k)
    values[k] =
        addTerm(scope, constantIndex(scope, blocks * partials + k), values[k]);
  return fold(scope, values);
}

void Emitter::emitColumnChunks(int64_t first, int64_t count, int64_t length) {
  unsigned chunkLoop = addLocalLoop(count);
  SmallVector<unsigned> loops = openLoops(Outer);
  SmallVector<unsigned> inner = nest->loopsOf(Inner);
  unsigned outerReduced = nest->loopsOf(OuterReduced).front();
  unsigned lane = inner.pop_back_val();
  loops.push_back(outerReduced);
  loops.push_back(chunkLoop);
  llvm::append_range(loops, inner);
  int64_t size = nest->variables[lane].size, width = nest->sizeOf(Inner);
  int64_t step = std::max<int64_t>(lanes, 1);
  bool isParallel = isWorthThreads(nest->iterations(), nest->termRoots());
  auto emitRun = [&](int64_t firstColumn, int64_t blocks, int64_t active) {
    nestLoops(*top, loops, blocks, isParallel, [&](Scope &scope, Value block) {
      scope.bind(lane, scaled(scope, block, step, firstColumn));
      scope.setLanes(lane, lanes, active);
      Value start = scaled(scope, scope.get(chunkLoop), 64, first * 64);
      finishChunk(scope, columnChunk(scope, start, length), first, chunkLoop,
                  width);
    });
  };
  emitRun(0, size / step, lanes);
  if (size % step)
    emitRun(size / step * step, 1, size % step);
}

void Emitter::emitColumnReduce() {
  int64_t length = nest->sizeOf(Reduced);
  ReductionShape shape = ReductionShape::ofColumn(length);
  unsigned lane = nest->loopsOf(Inner).back();
  lanes = lanesFor(nest->termRoots(), nest->variables[lane].size, lane);
  int64_t full = length / shape.chunk, rest = length % shape.chunk;
  emitColumnChunks(0, full, shape.chunk);
  if (rest || length == 0)
    emitColumnChunks(full, 1, rest);
  if (nest->partials)
    emitPartialTree();
}

//===----------------------------------------------------------------------===//
// The tree over chunks
//===----------------------------------------------------------------------===//

/// Folds `count` rows of `width` partials, from `base` on, into the first.
void Emitter::emitTreeLevels(Scope &scope, Value base, int64_t count,
                             int64_t width) {
  Value memory = memoryOf(nest->partials);
  Type type = getStorageType(nest->accumulationType);
  Type element = nest->element->elementType;
  for (; count > 1; count = llvm::divideCeil(count, 2)) {
    int64_t half = llvm::divideCeil(count, 2);
    int64_t moves = (count - half) * width;
    int64_t step =
        std::max<int64_t>(1, options.vectorBits / type.getIntOrFloatBitWidth());
    auto run = [&](int64_t first, int64_t items, int64_t stepLanes) {
      loop(scope, items, false, [&](Scope &inner, Value item) {
        OpBuilder &b = inner.builder;
        Value to = b.createOrFold<arith::AddIOp>(
            nest->loc, base,
            scaled(inner, item, std::max<int64_t>(stepLanes, 1), first));
        Value from = offset(inner, to, half * width);
        ElementBuilder e{b, nest->loc, stepLanes};
        Value sum =
            e.combine(nest->op, element, load(inner, memory, to, stepLanes),
                      load(inner, memory, from, stepLanes));
        if (stepLanes)
          b.create<vector::StoreOp>(nest->loc, sum, memory, to);
        else
          b.create<memref::StoreOp>(nest->loc, sum, memory, to);
      });
    };
    if (step > 1) {
      run(0, moves / step, step);
      run(moves / step * step, moves % step, 0);
    } else {
      run(0, moves, 0);
    }
  }
}

void Emitter::emitPartialTree() {
  SmallVector<unsigned> inner = nest->loopsOf(Inner);
  unsigned outerReduced = nest->loopsOf(OuterReduced).front();
  int64_t width = nest->sizeOf(Inner);
  int64_t kept = width * nest->sizeOf(Outer);
  int64_t count = nest->partials->elements / kept;
  bool isParallel = isWorthThreads(double(kept * count), nest->element);
  nestLoops(*top, openLoops(Outer), 1, isParallel, [&](Scope &scope, Value) {
    Scope start(&scope);
    start.bind(outerReduced, constantIndex(start, 0));
    for (unsigned v : inner)
      start.bind(v, constantIndex(start, 0));
    emitTreeLevels(start, position(nest->partialIndex, start), count, width);

    auto finish = [&](Scope &scope, unsigned lane, Value at, int64_t active) {
      Scope end(&scope);
      end.bind(outerReduced, constantIndex(end, 0));
      if (at) {
        end.bind(lane, at);
        end.setLanes(lane, lanes, active);
      }
      Value from = position(nest->partialIndex, end);
      Value memory = memoryOf(nest->partials);
      Type type = getStorageType(nest->accumulationType);
      OpBuilder &b = end.builder;
      Value value;
      if (end.lane < 0)
        value = b.create<memref::LoadOp>(nest->loc, memory, from);
      else if (active == lanes)
        value = b.create<vector::LoadOp>(
            nest->loc, VectorType::get({lanes}, type), memory, from);
      else
        value = b.create<vector::MaskedLoadOp>(
            nest->loc, VectorType::get({lanes}, type), memory, from, mask(end),
            b.create<arith::ConstantOp>(
                nest->loc, b.getZeroAttr(VectorType::get({lanes}, type))));
      end.setAccumulated(value);
      emitStores(end);
    };
    if (inner.empty()) {
      finish(scope, 0, {}, 0);
      return;
    }
    unsigned lane = inner.back();
    int64_t size = nest->variables[lane].size;
    int64_t step = std::max<int64_t>(lanes, 1);
    auto others = ArrayRef(inner).drop_back();
    nestLoops(scope, others, size / step, false, [&](Scope &s, Value block) {
      finish(s, lane, scaled(s, block, step, 0), lanes);
    });
    if (size % step)
      nestLoops(scope, others, 1, false, [&](Scope &s, Value) {
        finish(s, lane, constantIndex(s, size / step * step), size % step);
      });
  });
}

} // namespace graphc::kernel
