// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running sums: in order along each line, lines side by side in lanes.
#include "passes/LowerKernel/Emitter.h"

#include "dialects/Graph/IR/Graph.h"

using namespace mlir;
namespace graphc::kernel {

void Emitter::emitScan() {
  auto scan = cast<graph::CumsumOp>(nest->op);
  SmallVector<unsigned> loops = openLoops(Outer);
  SmallVector<unsigned> inner = nest->loopsOf(Inner);
  unsigned along = nest->loopsOf(Reduced).front();
  int64_t length = nest->variables[along].size;
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
      ElementBuilder b = elements(scope, scope.lane >= 0);
      Value none = b.identity(scan, nest->element->elementType,
                              nest->accumulationType, /*neutral=*/true);
      carry(scope, length, none,
            [&](Scope &body, Value item, ValueRange carried) {
              Value at = item;
              if (scan.getReverse())
                at = body.builder.createOrFold<arith::SubIOp>(
                    nest->loc, constantIndex(body, length - 1), item);
              body.bind(along, at);
              ElementBuilder e = elements(body, body.lane >= 0);
              Value term = splat(evaluate(nest->element, body), body);
              Value sum = isa<FloatType>(nest->accumulationType)
                              ? e.make<arith::AddFOp>(carried[0], term)
                              : e.make<arith::AddIOp>(carried[0], term);
              body.setAccumulated(sum);
              emitStores(body);
              return SmallVector<Value>{sum};
            });
    });
  };
  emitRun(0, size / step, width);
  if (size % step)
    emitRun(size / step * step, 1, size % step);
}

} // namespace graphc::kernel
