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
  bool contiguous = true, computes = false;
  auto check = [&](const Index &index) {
    for (auto [v, coefficient] : llvm::enumerate(index.coefficients)) {
      const Variable &variable = nest.variables[v];
      if (coefficient == 0)
        continue;
      if (variable.kind == Variable::Loop)
        contiguous &= v != lane || coefficient == 1;
      else
        contiguous &= !(nest.loopsInVariable(v) >> lane & 1);
    }
  };
  for (const Expr &expr : nest.exprs) {
    if (expr.kind == Expr::Load)
      check(expr.index);
    computes |= expr.kind == Expr::Random ||
                (expr.kind == Expr::Apply &&
                 isa<graph::ExpOp, graph::Expm1Op, graph::LogOp, graph::Log1pOp,
                     graph::SinOp, graph::CosOp, graph::TanhOp, graph::ErfOp,
                     graph::PowOp>(expr.op));
  }
  for (const Store &store : nest.stores)
    check(store.index);
  return contiguous || computes;
}

Value Emitter::isSameMemory(Buffer *a, Buffer *b) {
  auto address = [&](Buffer *buffer) -> Value {
    return top->builder.create<memref::ExtractAlignedPointerAsIndexOp>(
        nest->loc, memoryOf(buffer));
  };
  return top->builder.create<arith::CmpIOp>(nest->loc, arith::CmpIPredicate::eq,
                                            address(a), address(b));
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
  auto emitRun = [&](int64_t start, int64_t blocks, int64_t active) {
    if (nest->copied)
      idle = isSameMemory(nest->copied, nest->stores.front().buffer);
    nestLoops(*top, loops, blocks, isParallel && (blocks > 1 || !loops.empty()),
              [&](Scope &scope, Value block) {
                Value at = scaled(scope, block, step, start);
                scope.bind(lane, at);
                scope.setLanes(lane, lanes, active);
                emitStores(scope);
              });
  };
  emitRun(0, size / step, lanes);
  if (size % step)
    emitRun(size / step * step, 1, size % step);
  idle = {};
}

} // namespace graphc::kernel
