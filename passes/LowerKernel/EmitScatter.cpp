// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adding where data says. Each element is added to by one thread, in the order
// of the indices.
#include "passes/LowerKernel/Emitter.h"

using namespace mlir;
namespace graphc::kernel {

void Emitter::emitScatter() {
  SmallVector<unsigned> loops = nest->loopsOf(Outer);
  SmallVector<unsigned> indices = nest->loopsOf(Reduced);
  SmallVector<unsigned> inner = nest->loopsOf(Inner);
  double count =
      double(nest->sizeOf(Outer) * nest->sizeOf(Reduced) * nest->sizeOf(Inner));
  bool isParallel = isWorthThreads(count, nest->element);
  int lane = inner.empty() ? -1 : int(inner.pop_back_val());
  int64_t size = lane < 0 ? 1 : nest->variables[lane].size;
  int64_t width = lane < 0 ? 0 : lanesFor(nest->element, size, lane);
  int64_t step = std::max<int64_t>(width, 1);
  llvm::append_range(loops, inner);

  auto emitRun = [&](int64_t start, int64_t chunks, int64_t blocks,
                     int64_t active) {
    nestLoops(*top, loops, chunks, isParallel, [&](Scope &scope, Value chunk) {
      Value first = scaled(scope, chunk, blocks * step, start);
      nestLoops(scope, indices, blocks, false, [&](Scope &body, Value block) {
        OpBuilder &b = body.builder;
        if (lane >= 0) {
          body.bind(lane, b.createOrFold<arith::AddIOp>(
                              nest->loc, first, scaled(body, block, step, 0)));
          body.setLanes(lane, width, active);
        }
        ElementBuilder e = elements(body, body.lane >= 0);
        Value term = splat(evaluate(nest->element, body), body);
        // Not by evaluate(), which could load it before the loops.
        Value sum =
            splat(evaluateLoad(nest->other, body, /*stored=*/false), body);
        body.setAccumulated(isa<FloatType>(nest->accumulationType)
                                ? e.make<arith::AddFOp>(sum, term)
                                : e.make<arith::AddIOp>(sum, term));
        emitStores(body);
      });
    });
  };
  // Threads take some columns each; one alone goes along rows.
  int64_t all = size / step;
  int64_t blocks =
      isParallel ? std::min(all, std::max<int64_t>(64 / step, 1)) : all;
  if (blocks > 0)
    emitRun(0, all / blocks, blocks, width);
  if (blocks > 0 && all % blocks)
    emitRun(all / blocks * blocks * step, 1, all % blocks, width);
  if (size % step)
    emitRun(all * step, 1, 1, size % step);
}

} // namespace graphc::kernel
