// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products: tiles of a few rows by a few vectors in registers, k in
// order. This file is the seam for faster kernels: the planner has already made
// the right factor contiguous along n, and both of the accumulation type.
#include "passes/LowerKernel/Emitter.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
namespace graphc::kernel {

void Emitter::emitProduct() {
  SmallVector<unsigned> rows = nest->loopsOf(M), columns = nest->loopsOf(N);
  int64_t rowCount = rows.empty() ? 1 : nest->variables[rows.back()].size;
  int64_t columnCount =
      columns.empty() ? 1 : nest->variables[columns.back()].size;
  lanes = lanesFor({nest->element, nest->other}, columnCount);
  double products = double(nest->sizeOf(K));
  for (unsigned role : {Outer, M, N})
    products *= double(nest->sizeOf(role));
  bool isParallel = 2 * products >= double(options.parallelFlops);

  // As many accumulators as fit the registers, in tiles of nearly equal size.
  int64_t most = options.vectorBits >= 512   ? 12
                 : options.vectorBits >= 256 ? 6
                                             : 4;
  int64_t tiles = llvm::divideCeil(rowCount, most);
  int64_t height = rowCount / tiles, higher = rowCount % tiles;
  emitRowTiles(0, higher, height + 1, isParallel);
  emitRowTiles(higher * (height + 1), tiles - higher, height, isParallel);
}

void Emitter::emitRowTiles(int64_t firstRow, int64_t tiles, int64_t rows,
                           bool isParallel) {
  if (tiles == 0)
    return;
  SmallVector<unsigned> m = nest->loopsOf(M), n = nest->loopsOf(N);
  int64_t columns = n.empty() ? 1 : nest->variables[n.back()].size;
  SmallVector<unsigned> loops = nest->loopsOf(Outer);
  llvm::append_range(loops, ArrayRef(m).drop_back(m.empty() ? 0 : 1));
  llvm::append_range(loops, ArrayRef(n).drop_back(n.empty() ? 0 : 1));
  unsigned tile = addLocalLoop(tiles);
  loops.push_back(tile);

  int64_t step = std::max<int64_t>(lanes, 1);
  int64_t vectors = columns >= 2 * step ? 2 : 1;
  auto emitRun = [&](int64_t start, int64_t blocks, int64_t count,
                     int64_t lastActive) {
    nestLoops(*top, loops, blocks, isParallel, [&](Scope &scope, Value block) {
      Value row = scaled(scope, scope.get(tile), rows, firstRow);
      Value column = scaled(scope, block, vectors * step, start);
      emitTile(scope, row, rows, column, count, lastActive);
    });
  };
  int64_t blocks = columns / (vectors * step);
  int64_t rest = columns % (vectors * step);
  emitRun(0, blocks, vectors, lanes);
  if (rest)
    emitRun(columns - rest, 1, llvm::divideCeil(rest, step),
            (rest - 1) % step + 1);
}

void Emitter::emitTile(Scope &scope, Value row, int64_t rows, Value column,
                       int64_t vectors, int64_t lastActive) {
  SmallVector<unsigned> m = nest->loopsOf(M), n = nest->loopsOf(N),
                        k = nest->loopsOf(K);
  int64_t step = std::max<int64_t>(lanes, 1);
  Type type = getComputeType(nest->accumulationType);
  auto bindRow = [&](Scope &s, int64_t r) {
    if (!m.empty())
      s.bind(m.back(), offset(s, row, r));
  };
  auto bindVector = [&](Scope &s, int64_t v) {
    if (n.empty())
      return;
    s.bind(n.back(), offset(s, column, v * step));
    s.setLanes(n.back(), lanes, v + 1 == vectors ? lastActive : lanes);
  };
  auto multiplyAdd = [&](Scope &s, Value a, Value b, Value sum) -> Value {
    ElementBuilder e{s.builder, nest->loc, lanes};
    if (isa<FloatType>(type))
      return e.make<math::FmaOp>(a, b, sum);
    return e.make<arith::AddIOp>(sum, e.make<arith::MulIOp>(a, b));
  };

  // The loops over k, outermost first, around one step.
  std::function<SmallVector<Value>(Scope &, ValueRange, size_t)> run =
      [&](Scope &outer, ValueRange sums, size_t depth) {
        if (depth < k.size())
          return carry(outer, nest->variables[k[depth]].size, sums,
                       [&](Scope &inner, Value item, ValueRange carried) {
                         inner.bind(k[depth], item);
                         return run(inner, carried, depth + 1);
                       });
        SmallVector<Value> right, next;
        for (int64_t v = 0; v < vectors; ++v) {
          Scope s(&outer);
          bindVector(s, v);
          right.push_back(splat(evaluate(nest->other, s), s));
        }
        for (int64_t r = 0; r < rows; ++r) {
          Scope s(&outer);
          bindRow(s, r);
          Value left = evaluate(nest->element, s);
          if (lanes) {
            Scope wide(&s);
            wide.setLanes(n.back(), lanes, lanes);
            left = splat(left, wide);
          }
          for (int64_t v = 0; v < vectors; ++v)
            next.push_back(
                multiplyAdd(s, left, right[v], sums[r * vectors + v]));
        }
        return next;
      };
  ElementBuilder e{scope.builder, nest->loc, lanes};
  Value zero =
      isa<FloatType>(type) ? e.constant(type, 0.0) : e.constantInt(type, 0);
  SmallVector<Value> sums =
      run(scope, SmallVector<Value>(rows * vectors, zero), 0);

  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t v = 0; v < vectors; ++v) {
      Scope s(&scope);
      bindRow(s, r);
      bindVector(s, v);
      s.setAccumulated(sums[r * vectors + v]);
      emitStores(s);
    }
  }
}

} // namespace graphc::kernel
