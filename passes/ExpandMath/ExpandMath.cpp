// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/ExpandMath/ExpandMath.h"

#include "passes/ExpandMath/Arithmetic.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

namespace graphc {
#define GEN_PASS_DEF_EXPANDMATH
#include "passes/ExpandMath/ExpandMath.h.inc"

using namespace mlir;
using namespace expand_math;

SmallVector<Value>
expand_math::ifAny(const Arithmetic &a, Value condition, ValueRange values,
                   llvm::function_ref<SmallVector<Value>()> then) {
  OpBuilder &builder = a.getBuilder();
  if (isa<VectorType>(condition.getType()))
    condition = builder.create<vector::ReductionOp>(
        a.getLoc(), vector::CombiningKind::OR, condition);
  auto choice = builder.create<scf::IfOp>(
      a.getLoc(), condition,
      [&](OpBuilder &inside, Location loc) {
        inside.create<scf::YieldOp>(loc, then());
      },
      [&](OpBuilder &inside, Location loc) {
        inside.create<scf::YieldOp>(loc, values);
      });
  return SmallVector<Value>(choice.getResults());
}

SmallVector<Value> expand_math::forEachLane(
    OpBuilder &builder, Location loc, ValueRange operands,
    llvm::function_ref<SmallVector<Value>(ValueRange)> scalar) {
  auto type = dyn_cast<VectorType>(operands.front().getType());
  if (!type)
    return scalar(operands);
  SmallVector<SmallVector<Value>> lanes;
  for (int64_t k = 0; k < type.getNumElements(); ++k) {
    SmallVector<Value> elements;
    for (Value operand : operands)
      elements.push_back(builder.create<vector::ExtractOp>(loc, operand, k));
    SmallVector<Value> results = scalar(elements);
    lanes.resize(results.size());
    for (auto [lane, result] : llvm::zip_equal(lanes, results))
      lane.push_back(result);
  }
  SmallVector<Value> vectors;
  for (ArrayRef<Value> lane : lanes)
    vectors.push_back(builder.create<vector::FromElementsOp>(
        loc, type.clone(lane.front().getType()), lane));
  return vectors;
}

namespace {

/// The expansion of `op`, or null if it is not one of the functions, or one
/// that is left to libm.
Value expand(Operation *op, bool strict) {
  if (op->getNumResults() != 1 || (strict && !isa<arith::RemFOp>(op)))
    return {};
  Type type = op->getResult(0).getType(), element = getElementTypeOrSelf(type);
  if (!element.isF32() && !element.isF64())
    return {};
  OpBuilder builder(op);
  Arithmetic a(builder, op->getLoc(), type);
  auto unary = [&](Value (*function)(const Arithmetic &, Value)) {
    return function(a, op->getOperand(0));
  };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpOp) { return unary(expandExp); })
      .Case([&](math::ExpM1Op) { return unary(expandExpm1); })
      .Case([&](math::LogOp) { return unary(expandLog); })
      .Case([&](math::Log1pOp) { return unary(expandLog1p); })
      .Case([&](math::SinOp) { return unary(expandSin); })
      .Case([&](math::CosOp) { return unary(expandCos); })
      .Case([&](math::TanhOp) { return unary(expandTanh); })
      .Case([&](math::ErfOp) { return unary(expandErf); })
      .Case([&](math::PowFOp) {
        return expandPow(a, op->getOperand(0), op->getOperand(1));
      })
      .Case([&](arith::RemFOp) {
        return expandRemainder(a, op->getOperand(0), op->getOperand(1));
      })
      .Default([](Operation *) { return Value(); });
}

struct ExpandMathPass : impl::ExpandMathBase<ExpandMathPass> {
  using ExpandMathBase::ExpandMathBase;

  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      // What an expansion itself builds is before `op`, and walked no more.
      if (Value expanded = expand(op, strict)) {
        op->getResult(0).replaceAllUsesWith(expanded);
        op->erase();
      }
    });
  }
};

} // namespace
} // namespace graphc
