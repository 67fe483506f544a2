// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests without a reduction: every element on its own.
#include "passes/LowerKernel/Emitter.h"

#include "dialects/Graph/IR/Graph.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
namespace graphc::kernel {

/// True if all memory is read and written in whole vectors along `lane`, or the
/// arithmetic is worth gathering its operands.
static bool isWorthVectors(const Nest &nest, unsigned lane) {
  return isContiguous(nest, lane) ||
         llvm::any_of(nest.exprs, [](const Expr &expr) {
           return expr.kind == Expr::Random ||
                  (expr.kind == Expr::Apply &&
                   (isLongChain(expr.op) ||
                    isa<graph::SinOp, graph::CosOp, graph::PowOp>(expr.op)));
         });
}

Value Emitter::isSameMemory(Buffer *a, Buffer *b) {
  auto address = [&](Buffer *buffer) -> Value {
    return top->builder.create<memref::ExtractAlignedPointerAsIndexOp>(
        nest->loc, memoryOf(buffer));
  };
  return top->builder.create<arith::CmpIOp>(nest->loc, arith::CmpIPredicate::eq,
                                            address(a), address(b));
}

/// Rows, of loop `row`, of which one vector after the other is computed for a
/// block: what depends on the place in a row alone (channels, say) is then there
/// once. 0 where that is nothing, or rows are long.
static int64_t rowsInBlock(const Nest &nest, ArrayRef<Expr *> values,
                           unsigned row, unsigned lane) {
  constexpr int64_t longest = 128, blockElements = 4096;
  int64_t length = nest.variables[lane].size;
  if (length > longest)
    return 0;
  bool isShared = llvm::any_of(reachableFrom(values), [&](const Expr *expr) {
    return (expr->loops >> lane & 1) && !(expr->loops >> row & 1) &&
           (expr->kind == Expr::Load || expr->kind == Expr::Apply);
  });
  return isShared ? std::clamp<int64_t>(blockElements / length, 8, 256) : 0;
}

void Emitter::emitMap() {
  SmallVector<unsigned> loops = openLoops(Outer);
  SmallVector<Expr *> values;
  for (Store &s : nest->stores)
    values.push_back(s.value);
  double count = 1;
  for (unsigned v : loops)
    count *= double(nest->variables[v].size);
  bool isParallel = isWorthThreads(count, values);
  if (loops.empty()) {
    emitStores(*top);
    return;
  }

  unsigned lane = loops.pop_back_val();
  int64_t size = nest->variables[lane].size;
  int64_t lanes =
      isWorthVectors(*nest, lane) ? lanesFor(values, size, lane) : 0;
  int64_t step = std::max<int64_t>(lanes, 1);
  int64_t perBlock = loops.empty() || !lanes || nest->copied
                         ? 0
                         : rowsInBlock(*nest, values, loops.back(), lane);
  unsigned row = 0, rowBlock = 0;
  int64_t rows = 0;
  if (perBlock) {
    row = loops.pop_back_val();
    rows = nest->variables[row].size;
    rowBlock = addLocalLoop(llvm::divideCeil(rows, perBlock));
    loops.push_back(rowBlock);
  }
  auto emitRows = [&](Scope &scope) {
    Value first = scaled(scope, scope.get(rowBlock), perBlock, 0);
    Value end = offset(scope, first, perBlock);
    if (rows % perBlock)
      end = scope.builder.create<arith::MinSIOp>(nest->loc, end,
                                                 constantIndex(scope, rows));
    range(scope, first, end, [&](Scope &inner, Value at) {
      inner.bind(row, at);
      emitStores(inner);
    });
  };
  auto emitRun = [&](int64_t start, int64_t blocks, int64_t width,
                     int64_t active) {
    if (nest->copied)
      idle = isSameMemory(nest->copied, nest->stores.front().buffer);
    nestLoops(*top, loops, blocks, isParallel && (blocks > 1 || !loops.empty()),
              [&](Scope &scope, Value block) {
                Value at =
                    scaled(scope, block, std::max<int64_t>(width, 1), start);
                scope.bind(lane, at);
                scope.setLanes(lane, width, active);
                perBlock ? emitRows(scope) : emitStores(scope);
              });
  };
  int64_t wide = perBlock ? lanes : lanesAbreast(values, lane, lanes);
  // What is left of each row is a loop over rows of its own.
  while (wide > lanes && !loops.empty() && size % wide)
    wide /= 2;
  int64_t done = 0;
  if (wide > lanes) {
    emitRun(0, size / wide, wide, wide);
    done = size / wide * wide;
  }
  emitRun(done, (size - done) / step, lanes, lanes);
  if (size % step)
    emitRun(size / step * step, 1, lanes, size % step);
  idle = {};
}

} // namespace graphc::kernel
