// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether 32 bits hold every index of a function: they are twice as fast.
#include "lib/Target/Cuda/Print.h"

#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace graphc::cuda {

namespace {

class IndexWidth {
public:
  explicit IndexWidth(gpu::GPUFuncOp function) : function(function) {
    solver.load<dataflow::DeadCodeAnalysis>();
    solver.load<dataflow::IntegerRangeAnalysis>();
    isKnown = succeeded(solver.initializeAndRun(function));
  }

  bool isWide() {
    auto exceeds = [&](auto values) {
      return llvm::any_of(values, [&](Value value) { return !fits(value); });
    };
    return !isKnown || function
                           .walk([&](Operation *op) {
                             if (exceeds(op->getResults()) || runsOver(op))
                               return WalkResult::interrupt();
                             for (Region &region : op->getRegions())
                               for (Block &block : region)
                                 if (exceeds(block.getArguments()))
                                   return WalkResult::interrupt();
                             return WalkResult::advance();
                           })
                           .wasInterrupted();
  }

private:
  /// Null of code that is never reached.
  const ConstantIntRanges *rangeOf(Value value) {
    auto *state = solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
    return state && !state->getValue().isUninitialized()
               ? &state->getValue().getValue()
               : nullptr;
  }

  bool fits(Value value) {
    if (!getElementTypeOrSelf(value.getType()).isIndex())
      return true;
    const ConstantIntRanges *range = rangeOf(value);
    return !range ||
           (range->smin().sge(INT32_MIN) && most(*range) <= INT32_MAX);
  }

  /// The variable of a loop takes one step more than the loop.
  bool runsOver(Operation *op) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || !loop.getUpperBound().getType().isIndex())
      return false;
    const ConstantIntRanges *end = rangeOf(loop.getUpperBound()),
                            *step = rangeOf(loop.getStep());
    return end && step && most(*end) > INT32_MAX - most(*step);
  }

  static int64_t most(const ConstantIntRanges &range) {
    return range.smax().getSExtValue();
  }

  gpu::GPUFuncOp function;
  DataFlowSolver solver;
  bool isKnown = false;
};

} // namespace

bool needsWideIndex(gpu::GPUFuncOp function) {
  return IndexWidth(function).isWide();
}

} // namespace graphc::cuda
