// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A merge sort of each line, from the bottom up: runs of w elements, in order,
// become runs of 2w, back and forth between the results and spare memory.
#include "passes/LowerKernel/Emitter.h"

#include "dialects/Graph/IR/Graph.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
namespace graphc::kernel {
namespace {

/// One copy of the values of a line and of where they came from.
struct Line {
  Value values, indices;
};

/// Builds the merges of one line.
struct Merger {
  OpBuilder &b;
  Location loc;
  graph::SortOp op;
  Type elementType;
  Value first, stride; // of the line's elements in memory
  Value length;

  template <typename Op, typename... Args> Value make(Args &&...args) {
    return b.createOrFold<Op>(loc, std::forward<Args>(args)...);
  }
  Value place(Value k) {
    return make<arith::AddIOp>(first, make<arith::MulIOp>(k, stride));
  }
  Value load(Value memory, Value k) {
    return b.create<memref::LoadOp>(loc, memory, place(k));
  }

  /// True if `x` comes before `y` wherever the two are. NaN is the largest.
  Value comesBefore(Value x, Value y) {
    ElementBuilder e{b, loc, /*lanes=*/0};
    x = e.load(elementType, x), y = e.load(elementType, y);
    if (op.getDescending())
      std::swap(x, y);
    if (isa<FloatType>(elementType)) {
      using P = arith::CmpFPredicate;
      Value less = e.compare(P::OLT, x, y);
      Value isLast = e.make<arith::AndIOp>(e.compare(P::ORD, x, x),
                                           e.compare(P::UNO, y, y));
      return e.make<arith::OrIOp>(less, isLast);
    }
    using P = arith::CmpIPredicate;
    return e.compare(elementType.isUnsignedInteger() ? P::ult : P::slt, x, y);
  }

  /// Merges the runs of `width` of `from` in pairs into `to`.
  void mergeRuns(Line from, Line to, Value width) {
    Value zero = make<arith::ConstantIndexOp>(0);
    Value one = make<arith::ConstantIndexOp>(1);
    Value last = make<arith::SubIOp>(length, one);
    auto pairs = b.create<scf::ForOp>(loc, zero, length,
                                      make<arith::AddIOp>(width, width));
    OpBuilder::InsertionGuard outside(b);
    b.setInsertionPoint(pairs.getBody()->getTerminator());
    Value start = pairs.getInductionVar();
    Value middle =
        make<arith::MinSIOp>(make<arith::AddIOp>(start, width), length);
    Value end =
        make<arith::MinSIOp>(make<arith::AddIOp>(middle, width), length);
    auto merge =
        b.create<scf::ForOp>(loc, start, end, one, ValueRange{start, middle});
    b.setInsertionPointToEnd(merge.getBody());
    Value left = merge.getRegionIterArg(0), right = merge.getRegionIterArg(1);
    // What is loaded past the end of a run is not used.
    Value safeLeft = make<arith::MinSIOp>(left, last);
    Value safeRight = make<arith::MinSIOp>(right, last);
    Value x = load(from.values, safeLeft), y = load(from.values, safeRight);
    using P = arith::CmpIPredicate;
    Value leftIsDone = make<arith::CmpIOp>(P::sge, left, middle);
    Value rightIsLeft = make<arith::CmpIOp>(P::slt, right, end);
    Value takesRight = make<arith::AndIOp>(
        rightIsLeft, make<arith::OrIOp>(leftIsDone, comesBefore(y, x)));
    Value target = place(merge.getInductionVar());
    b.create<memref::StoreOp>(loc, make<arith::SelectOp>(takesRight, y, x),
                              to.values, target);
    Value index =
        make<arith::SelectOp>(takesRight, load(from.indices, safeRight),
                              load(from.indices, safeLeft));
    b.create<memref::StoreOp>(loc, index, to.indices, target);
    Value step = make<arith::IndexCastUIOp>(b.getIndexType(), takesRight);
    Value nextRight = make<arith::AddIOp>(right, step);
    Value nextLeft = make<arith::AddIOp>(left, make<arith::SubIOp>(one, step));
    b.create<scf::YieldOp>(loc, ValueRange{nextLeft, nextRight});
  }
};

} // namespace

void Emitter::emitSort() {
  SmallVector<unsigned> loops = nest->loopsOf(Outer);
  llvm::append_range(loops, nest->loopsOf(Inner));
  unsigned along = nest->loopsOf(Reduced).front();
  int64_t length = nest->variables[along].size;
  if (length == 0)
    return;
  const Store &values = nest->stores[0], &indices = nest->stores[1];
  int64_t stride = values.index.coefficient(along);
  int64_t passes = llvm::Log2_64_Ceil(uint64_t(length));
  double count = double(length * nest->sizeOf(Outer) * nest->sizeOf(Inner));
  bool isParallel = isWorthThreads(count * double(passes), nest->element);

  Line result{memoryOf(values.buffer), memoryOf(indices.buffer)}, spare;
  if (nest->spareValues)
    spare = {memoryOf(nest->spareValues), memoryOf(nest->spareIndices)};
  nestLoops(*top, loops, 1, isParallel, [&](Scope &scope, Value) {
    // The copy to start with is the one from which the last pass ends in the
    // results.
    bool isOdd = passes % 2 == 1;
    Line start = isOdd ? spare : result;
    loop(scope, length, false, [&](Scope &body, Value at) {
      body.bind(along, at);
      Value target = position(values.index, body);
      OpBuilder &b = body.builder;
      b.create<memref::StoreOp>(nest->loc, evaluateStored(nest->element, body),
                                start.values, target);
      Value index = b.create<arith::IndexCastOp>(nest->loc, b.getI64Type(), at);
      b.create<memref::StoreOp>(nest->loc, index, start.indices, target);
    });
    if (passes == 0)
      return;

    Scope line(&scope);
    line.bind(along, constantIndex(scope, 0));
    Merger merger{scope.builder,
                  nest->loc,
                  cast<graph::SortOp>(nest->op),
                  nest->element->elementType,
                  position(values.index, line),
                  constantIndex(scope, stride),
                  constantIndex(scope, length)};
    Value one = constantIndex(scope, 1), width = one;
    if (isOdd) {
      merger.mergeRuns(spare, result, width);
      width = constantIndex(scope, 2);
    }
    carry(scope, passes / 2, width,
          [&](Scope &body, Value, ValueRange carried) {
            Merger inside{body.builder,       merger.loc,   merger.op,
                          merger.elementType, merger.first, merger.stride,
                          merger.length};
            Value twice = inside.make<arith::AddIOp>(carried[0], carried[0]);
            inside.mergeRuns(result, spare, carried[0]);
            inside.mergeRuns(spare, result, twice);
            return SmallVector<Value>{inside.make<arith::AddIOp>(twice, twice)};
          });
  });
}

} // namespace graphc::kernel
