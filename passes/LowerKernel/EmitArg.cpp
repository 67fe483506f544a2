// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// argmax and argmin: the first NaN, else the first of the best. And the check
// of indices.
#include "dialects/Graph/IR/Graph.h"
#include "dialects/Plan/IR/Plan.h"
#include "passes/LowerKernel/Emitter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
namespace graphc::kernel {

static Value isBetter(const ElementBuilder &b, Operation *op, Type elementType,
                      Value value, Value best) {
  bool isMax = isa<graph::ArgmaxOp>(op);
  if (isa<FloatType>(elementType)) {
    using P = arith::CmpFPredicate;
    Value better = b.compare(isMax ? P::OGT : P::OLT, value, best);
    Value firstNan = b.make<arith::AndIOp>(b.compare(P::UNO, value, value),
                                           b.compare(P::ORD, best, best));
    return b.make<arith::OrIOp>(better, firstNan);
  }
  using P = arith::CmpIPredicate;
  if (elementType.isUnsignedInteger())
    return b.compare(isMax ? P::ugt : P::ult, value, best);
  return b.compare(isMax ? P::sgt : P::slt, value, best);
}

void Emitter::emitArgReduce() {
  SmallVector<unsigned> loops = openLoops(Outer);
  SmallVector<unsigned> inner = nest->loopsOf(Inner);
  unsigned reduced = nest->loopsOf(Reduced).front();
  int64_t length = nest->variables[reduced].size;
  double count = double(length * nest->sizeOf(Outer) * nest->sizeOf(Inner));
  bool isParallel = isWorthThreads(count, nest->element);
  int lane = inner.empty() ? -1 : int(inner.pop_back_val());
  int64_t size = lane < 0 ? 1 : nest->variables[lane].size;
  int64_t width = lane < 0 ? 0 : lanesFor(nest->element, size, lane);
  int64_t step = std::max<int64_t>(width, 1);
  llvm::append_range(loops, inner);

  auto emitRun = [&](int64_t start, int64_t blocks, int64_t active) {
    nestLoops(*top, loops, blocks, isParallel, [&](Scope &scope, Value block) {
      if (lane >= 0) {
        scope.bind(lane, scaled(scope, block, step, start));
        scope.setLanes(lane, width, active);
      }
      auto term = [&](Scope &outer, Value at) {
        Scope here(&outer);
        here.bind(reduced, at);
        return splat(evaluate(nest->element, here), here);
      };
      Type i64 = scope.builder.getI64Type();
      ElementBuilder b = elements(scope, scope.lane >= 0);
      SmallVector<Value> best = {term(scope, constantIndex(scope, 0)),
                                 b.constantInt(i64, 0)};
      best = carry(
          scope, length - 1, best,
          [&](Scope &body, Value item, ValueRange carried) {
            Value at = offset(body, item, 1);
            Value value = term(body, at);
            ElementBuilder e = elements(body, body.lane >= 0);
            Value better = isBetter(e, nest->op, nest->element->elementType,
                                    value, carried[0]);
            Value number = splat(
                body.builder.create<arith::IndexCastOp>(nest->loc, i64, at),
                body);
            return SmallVector<Value>{e.select(better, value, carried[0]),
                                      e.select(better, number, carried[1])};
          });
      scope.setAccumulated(best[1]);
      emitStores(scope);
    });
  };
  emitRun(0, size / step, width);
  if (size % step)
    emitRun(size / step * step, 1, size % step);
}

void Emitter::emitCheck() {
  auto check = cast<graph::CheckIndexOp>(nest->op);
  double count = double(nest->sizeOf(Outer));
  bool isParallel = isWorthThreads(count, nest->element);
  nestLoops(*top, openLoops(Outer), 1, isParallel, [&](Scope &scope, Value) {
    OpBuilder &b = scope.builder;
    Location loc = nest->loc;
    ElementBuilder e = elements(scope, false);
    Type type = nest->element->elementType, i64 = b.getI64Type();
    Value index = evaluate(nest->element, scope);
    Value wide = e.cast(type, i64, index);
    Value limit = e.constantInt(i64, check.getLimit());
    // As unsigned numbers, negative ones are too large.
    Value fits = e.compare(arith::CmpIPredicate::ult, wide, limit);
    if (std::optional<int64_t> ignore = check.getIgnore())
      fits =
          e.make<arith::OrIOp>(fits, e.compare(arith::CmpIPredicate::eq, wide,
                                               e.constantInt(i64, *ignore)));
    Value fails = e.make<arith::XOrIOp>(fits, e.constantInt(b.getI1Type(), 1));
    Value at = positions(nest->partialIndex, scope);
    b.create<scf::IfOp>(loc, fails, [&](OpBuilder &then, Location loc) {
      then.create<plan::FailIndexOp>(loc, at, wide, limit);
      then.create<scf::YieldOp>(loc);
    });
    scope.setAccumulated(e.select(fits, index, e.constantInt(type, 0)));
    emitStores(scope);
  });
}

} // namespace graphc::kernel
