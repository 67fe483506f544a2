// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests of blocks: all threads share the outermost loops; in them, nests and
// loops over more blocks run one after the other, in scratch memory.
#include "passes/LowerKernel/Emitter.h"

using namespace mlir;
namespace graphc::kernel {

/// Packs, before `loop`, the factors of products in it that it does not change.
void Emitter::emitPanelsBefore(const BlockStep &loop, const BlockStep &step,
                               Scope &scope) {
  for (const BlockStep &inner : step.steps)
    emitPanelsBefore(loop, inner, scope);
  if (!step.nest || step.nest->kind != Nest::Product)
    return;
  nest = step.nest;
  for (bool isLeft : {true, false}) {
    uint64_t loops = (isLeft ? nest->element : nest->other)->loops;
    uint64_t fromHere = (uint64_t(1) << nest->around) - 1;
    fromHere &= ~uint64_t(0) << loop.variable;
    if (loops & fromHere)
      continue;
    Scope before(&scope);
    top = &before;
    emitPanelsOf(isLeft);
  }
}

void Emitter::emitSteps(ArrayRef<BlockStep> steps, Scope &scope) {
  Nest *whole = nest;
  Scope *outside = top;
  for (const BlockStep &step : steps) {
    if (step.nest) {
      Scope inner(&scope);
      top = &inner;
      nest = step.nest;
      rowLoops = nest->around;
      emitNest();
    } else {
      rowLoops = step.variable;
      emitPanelsBefore(step, step, scope);
      nest = whole;
      OpBuilder &b = scope.builder;
      // Items before the first are in no block.
      auto blocksOf = [&](const Index &items, int64_t up) {
        Value value = b.createOrFold<arith::MaxSIOp>(
            nest->loc, position(items, scope), constantIndex(scope, 0));
        value =
            b.createOrFold<arith::DivUIOp>(nest->loc, offset(scope, value, up),
                                           constantIndex(scope, step.size));
        return b.createOrFold<arith::MinSIOp>(nest->loc, value,
                                              constantIndex(scope, step.count));
      };
      Value first = blocksOf(step.from, 0);
      Value end = blocksOf(step.to, step.size - 1);
      range(scope, first, end, [&](Scope &inner, Value block) {
        inner.bind(step.variable, block);
        emitSteps(step.steps, inner);
      });
    }
    nest = whole;
    top = outside;
  }
}

void Emitter::emitBlocks() {
  Nest *whole = nest;
  bool isParallel = llvm::any_of(whole->inner, [&](auto &inner) {
    nest = inner.get();
    return isWorthThreads(nest->iterations(), nest->roots());
  });
  nest = whole;
  nestLoops(*top, llvm::to_vector(llvm::seq(0u, whole->loopCount)), 1,
            isParallel, [&](Scope &scope, Value) {
              for (Buffer *buffer : whole->scratch)
                memory[buffer] = scratch(getStorageType(buffer->elementType),
                                         buffer->elements);
              emitSteps(whole->steps, scope);
            });
  rowLoops = 0;
}

} // namespace graphc::kernel
