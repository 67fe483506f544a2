// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of rows: the reduced dimension is the innermost. EmitReduce.cpp
// says in which order a sum is taken.
#include "dialects/Graph/IR/Graph.h"
#include "passes/LowerKernel/Emitter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
namespace graphc::kernel {

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

/// The terms of one chunk.
struct Emitter::RowTerms {
  Value start;
  int64_t length;
  int64_t partials;
  /// How many are computed at once: 1, or whole vectors.
  int64_t wide;
  /// Where they are, if they were computed in a loop of their own: from 0 on, or
  /// what the nest stores of each term.
  Value staged = {};
  const Store *kept = nullptr;
};

/// True if `copies` of the code of one term are too much: then the terms of a
/// chunk are computed in a loop of their own, and summed from there.
bool Emitter::isWorthStaging(int64_t copies) const {
  return costOf(nest->element) * double(copies) > 160;
}

/// Terms from `item` on: a vector of `width` of which `active` are terms, or one.
Value Emitter::computeTerms(Scope &scope, const RowTerms &terms, Value item,
                            int64_t width, int64_t active) {
  unsigned loopVariable = nest->loopsOf(Reduced).front();
  scope.bind(loopVariable, scope.builder.createOrFold<arith::AddIOp>(
                               nest->loc, terms.start, item));
  scope.setLanes(loopVariable, width, active);
  return termOf(scope);
}

void Emitter::stageTerms(Scope &scope, RowTerms &terms) {
  unsigned loopVariable = nest->loopsOf(Reduced).front();
  int64_t step = std::max<int64_t>(lanes, 1);
  Type type = nest->element->elementType;
  for (const Store &store : nest->termStores)
    if (store.value == nest->element && getStorageType(type) == type &&
        store.buffer->place == Buffer::Scratch &&
        store.index.coefficient(loopVariable) == 1)
      terms.kept = &store;
  if (!terms.kept)
    terms.staged =
        scratch(getComputeType(type), llvm::alignTo(terms.length, step));
  auto stage = [&](Scope &outer, Value item, int64_t width, int64_t active) {
    Scope inner(&outer);
    Value value = computeTerms(inner, terms, item, width, active);
    if (terms.kept)
      return;
    if (lanes)
      inner.builder.create<vector::StoreOp>(nest->loc, value, terms.staged,
                                            item);
    else
      inner.builder.create<memref::StoreOp>(nest->loc, value, terms.staged,
                                            item);
  };
  auto run = [&](int64_t first, int64_t end, int64_t width) {
    loop(scope, (end - first) / width, false, [&](Scope &inner, Value block) {
      stage(inner, scaled(inner, block, width, first), lanes ? width : 0,
            width);
    });
    return first + (end - first) / width * width;
  };
  int64_t done = run(0, terms.length, terms.wide);
  done = run(done, terms.length, step);
  if (done < terms.length)
    stage(scope, constantIndex(scope, done), lanes, terms.length - done);
}

Emitter::RowTerms Emitter::rowTerms(Scope &scope, Value start, int64_t length) {
  unsigned loopVariable = nest->loopsOf(Reduced).front();
  int64_t step = std::max<int64_t>(lanes, 1);
  int64_t partials =
      ReductionShape::ofRow(nest->variables[loopVariable].size).partials;
  int64_t wide =
      lanesAbreast(nest->termRoots(), loopVariable, lanes, isExtreme());
  RowTerms terms{start, length, partials, std::max(wide, step)};
  int64_t blocks = length / partials;
  int64_t rest = llvm::divideCeil(length - blocks * partials, step);
  // Of a short row there are fewer partials than terms are computed at once.
  if (isWorthStaging((blocks > 0 ? partials / step : 0) + rest) ||
      (terms.wide > partials && terms.wide <= length))
    stageTerms(scope, terms);
  else
    terms.wide = std::min(terms.wide, std::max(partials, step));
  return terms;
}

/// One vector of terms after the other, from `item` on: as many as are computed
/// at once; or one, of which `active` are terms, if that is given.
SmallVector<Value> Emitter::termsAt(Scope &outer, const RowTerms &terms,
                                    Value item, std::optional<int64_t> active) {
  unsigned loopVariable = nest->loopsOf(Reduced).front();
  Scope scope(&outer);
  if (terms.kept) {
    scope.bind(loopVariable, scope.builder.createOrFold<arith::AddIOp>(
                                 nest->loc, terms.start, item));
    scope.setLanes(loopVariable, lanes, active.value_or(lanes));
    Expr load{Expr::Load, nest->element->elementType};
    load.buffer = terms.kept->buffer;
    load.index = terms.kept->index;
    load.loops = uint64_t(1) << loopVariable;
    return {evaluateLoad(&load, scope, /*stored=*/false)};
  }
  if (terms.staged)
    return {load(scope, terms.staged, item, lanes)};
  if (active || terms.wide <= lanes || !lanes)
    return {computeTerms(scope, terms, item, lanes, active.value_or(lanes))};
  Value value = computeTerms(scope, terms, item, terms.wide, terms.wide);
  SmallVector<Value> vectors;
  for (int64_t k = 0; k < terms.wide; k += lanes)
    vectors.push_back(scope.builder.create<vector::ExtractStridedSliceOp>(
        nest->loc, value, k, lanes, 1));
  return vectors;
}

/// Combines all terms into `values`, the first of which are partials: `add` gets
/// the number of the first one, and the terms for it and those that follow.
SmallVector<Value>
Emitter::overTerms(Scope &scope, const RowTerms &terms,
                   SmallVector<Value> values,
                   llvm::function_ref<void(Scope &, MutableArrayRef<Value>,
                                           size_t, ArrayRef<Value>)>
                       add) {
  int64_t step = std::max<int64_t>(lanes, 1);
  int64_t blocks = terms.length / terms.partials;
  values = carry(scope, blocks, values,
                 [&](Scope &inner, Value block, ValueRange carried) {
                   SmallVector<Value> next(carried);
                   Value at = scaled(inner, block, terms.partials, 0);
                   for (int64_t done = 0; done < terms.partials;) {
                     SmallVector<Value> some =
                         termsAt(inner, terms, offset(inner, at, done));
                     add(inner, next, done / step, some);
                     done += step * int64_t(some.size());
                   }
                   return next;
                 });
  int64_t first = blocks * terms.partials;
  for (int64_t done = first; done < terms.length; done += step) {
    int64_t active = std::min(step, terms.length - done);
    Value term =
        termsAt(scope, terms, constantIndex(scope, done), active).front();
    if (active < lanes) {
      Scope tail(&scope);
      tail.setLanes(nest->loopsOf(Reduced).front(), lanes, active);
      ElementBuilder b = elements(tail, true);
      term = b.select(mask(tail), term,
                      b.identity(nest->op, nest->element->elementType,
                                 nest->accumulationType, /*neutral=*/true));
    }
    add(scope, values, (done - first) / step, term);
  }
  return values;
}

//===----------------------------------------------------------------------===//
// The largest and the smallest of floats
//===----------------------------------------------------------------------===//

/// Where that is more than an instruction: on x86-64 with fast vectors. Shorter
/// ones may be of aarch64, longer ones of a GPU.
bool Emitter::isExtreme() const {
  return lanes && options.vectorBits >= 256 && options.vectorBits <= 512 &&
         isa<FloatType>(nest->element->elementType) &&
         isa<graph::ReduceMaxOp, graph::ReduceMinOp>(nest->op);
}

/// NaN wins, and of zeros that of the right sign. Both are rare: in the loop
/// there are comparisons alone, and beside them whether any term was NaN and
/// which signs all had.
Value Emitter::findExtreme(Scope &scope, const RowTerms &terms) {
  bool isMax = isa<graph::ReduceMaxOp>(nest->op);
  Type type = getComputeType(nest->accumulationType);
  Type integer = scope.builder.getIntegerType(type.getIntOrFloatBitWidth());
  auto choose = [&](ElementBuilder b, Value x, Value y) {
    auto better = isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
    return b.select(b.compare(better, x, y), x, y);
  };
  // Of the largest a zero is negative if all signs are, of the smallest if one.
  auto joinSigns = [&](ElementBuilder b, Value x, Value y) -> Value {
    return isMax ? b.make<arith::AndIOp>(x, y) : b.make<arith::OrIOp>(x, y);
  };
  ElementBuilder b{scope.builder, nest->loc, lanes};
  size_t vectors = terms.partials / lanes, sign = vectors, nan = vectors + 1;
  SmallVector<Value> values(vectors,
                            b.identity(nest->op, type, nest->accumulationType,
                                       /*neutral=*/false));
  values.push_back(b.constantInt(integer, isMax ? -1 : 0));
  values.push_back(b.constantInt(integer, 0));
  values = overTerms(
      scope, terms, values,
      [&](Scope &inner, MutableArrayRef<Value> next, size_t first,
          ArrayRef<Value> some) {
        ElementBuilder b{inner.builder, nest->loc, lanes};
        for (auto [k, term] : llvm::enumerate(some)) {
          next[first + k] = choose(b, term, next[first + k]);
          Value bits = b.make<arith::BitcastOp>(b.type(integer), term);
          next[sign] = joinSigns(b, next[sign], bits);
        }
        // One comparison looks at two terms.
        for (size_t k = 0; k < some.size(); k += 2) {
          Value isNan = b.compare(arith::CmpFPredicate::UNO, some[k],
                                  some[std::min(k + 1, some.size() - 1)]);
          next[nan] = b.select(isNan, b.constantInt(integer, -1), next[nan]);
        }
      });
  Value signs = values[sign], isNan = values[nan];
  values.resize(vectors);
  for (; values.size() > 1; values.resize(values.size() / 2))
    for (size_t k = 0, half = values.size() / 2; k < half; ++k)
      values[k] = choose(b, values[k], values[k + half]);
  Value best = values.front();
  ElementBuilder one{scope.builder, nest->loc, 0};
  while (isa<VectorType>(best.getType())) {
    auto [low, high] = b.halves(best);
    best = choose(one, low, high);
    std::tie(low, high) = b.halves(signs);
    signs = joinSigns(one, low, high);
    std::tie(low, high) = b.halves(isNan);
    isNan = one.make<arith::OrIOp>(low, high);
  }
  int64_t signBit = int64_t(1) << (integer.getIntOrFloatBitWidth() - 1);
  Value zero = one.make<arith::BitcastOp>(
      type, one.make<arith::AndIOp>(signs, one.constantInt(integer, signBit)));
  best = one.select(
      one.compare(arith::CmpFPredicate::OEQ, best, one.constant(type, 0.0)),
      zero, best);
  double quiet = std::numeric_limits<double>::quiet_NaN();
  return one.select(
      one.compare(arith::CmpIPredicate::ne, isNan, one.constantInt(integer, 0)),
      one.constant(type, quiet), best);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

Value Emitter::reduceRow(Scope &scope, const RowTerms &terms) {
  if (isExtreme())
    return findExtreme(scope, terms);
  Type type = nest->element->elementType;
  ElementBuilder b{scope.builder, nest->loc, lanes};
  SmallVector<Value> values(
      terms.partials / std::max<int64_t>(lanes, 1),
      b.identity(nest->op, type, nest->accumulationType, /*neutral=*/false));
  values = overTerms(scope, terms, values,
                     [&](Scope &inner, MutableArrayRef<Value> next,
                         size_t first, ArrayRef<Value> some) {
                       ElementBuilder b{inner.builder, nest->loc, lanes};
                       for (auto [k, term] : llvm::enumerate(some))
                         next[first + k] =
                             b.combine(nest->op, type, next[first + k], term);
                     });
  return foldLanes(elements(scope, false), nest->op, type, fold(scope, values));
}

void Emitter::emitRowChunks(int64_t first, int64_t count, int64_t length) {
  unsigned chunkLoop = addLocalLoop(count);
  SmallVector<unsigned> loops = openLoops(Outer);
  unsigned outerReduced = nest->loopsOf(OuterReduced).front();
  loops.push_back(outerReduced);
  loops.push_back(chunkLoop);
  bool isParallel = isWorthThreads(nest->iterations(), nest->termRoots());
  nestLoops(*top, loops, 1, isParallel, [&](Scope &scope, Value) {
    Value start = scaled(scope, scope.get(chunkLoop), 4096, first * 4096);
    Value value = reduceRow(scope, rowTerms(scope, start, length));
    finishChunk(scope, value, first, chunkLoop, 1);
  });
}

void Emitter::emitRowReduce() {
  int64_t length = nest->sizeOf(Reduced);
  ReductionShape shape = ReductionShape::ofRow(length);
  lanes = lanesFor(nest->termRoots(), shape.partials,
                   nest->loopsOf(Reduced).front());
  lanes = std::min(lanes, shape.partials);
  if (lanes < 2)
    lanes = 0;
  int64_t full = length / shape.chunk, rest = length % shape.chunk;
  emitRowChunks(0, full, shape.chunk);
  if (rest || length == 0)
    emitRowChunks(full, 1, rest);
  if (nest->partials)
    emitPartialTree();
}

} // namespace graphc::kernel
