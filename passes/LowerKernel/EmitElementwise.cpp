// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise ops on floats, and the steps of reductions.
#include "dialects/Graph/IR/Graph.h"
#include "passes/LowerKernel/Emitter.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
namespace graphc::kernel {

using FPredicate = arith::CmpFPredicate;

static Type elementTypeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

/// Results of these need no rounding: the type can hold them.
static bool isExact(Operation *op) {
  return isa<graph::NegOp, graph::AbsOp, graph::MaximumOp, graph::MinimumOp,
             graph::SelectOp, graph::SignOp, graph::FloorOp, graph::CeilOp,
             graph::RoundOp, graph::StopGradientOp, graph::RemOp,
             graph::CompareOp, graph::IsFiniteOp, graph::IsNanOp>(op);
}

static FPredicate predicateOf(graph::ComparePredicate predicate) {
  switch (predicate) {
  case graph::ComparePredicate::EQ:
    return FPredicate::OEQ;
  case graph::ComparePredicate::NE:
    return FPredicate::UNE;
  case graph::ComparePredicate::LT:
    return FPredicate::OLT;
  case graph::ComparePredicate::LE:
    return FPredicate::OLE;
  case graph::ComparePredicate::GT:
    return FPredicate::OGT;
  case graph::ComparePredicate::GE:
    return FPredicate::OGE;
  }
  llvm_unreachable("all predicates are above");
}

static Value applyFloat(const ElementBuilder &b, Operation *op, Type type,
                        ValueRange v) {
  auto zero = [&] { return b.constant(type, 0.0); };
  auto one = [&] { return b.constant(type, 1.0); };
  auto infinity = [&] {
    return b.constant(type, std::numeric_limits<double>::infinity());
  };
  if (isa<graph::AddOp>(op))
    return b.make<arith::AddFOp>(v[0], v[1]);
  if (isa<graph::SubOp>(op))
    return b.make<arith::SubFOp>(v[0], v[1]);
  if (isa<graph::MulOp>(op))
    return b.make<arith::MulFOp>(v[0], v[1]);
  if (isa<graph::DivOp>(op))
    return b.make<arith::DivFOp>(v[0], v[1]);
  if (isa<graph::RemOp>(op))
    return b.make<arith::RemFOp>(v[0], v[1]);
  if (isa<graph::NegOp>(op))
    return b.make<arith::NegFOp>(v[0]);
  if (isa<graph::AbsOp>(op))
    return b.make<math::AbsFOp>(v[0]);
  if (isa<graph::MaximumOp>(op))
    return b.make<arith::MaximumFOp>(v[0], v[1]);
  if (isa<graph::MinimumOp>(op))
    return b.make<arith::MinimumFOp>(v[0], v[1]);
  if (isa<graph::SqrtOp>(op))
    return b.make<math::SqrtOp>(v[0]);
  if (isa<graph::RsqrtOp>(op))
    return b.make<arith::DivFOp>(one(), b.make<math::SqrtOp>(v[0]));
  if (isa<graph::ReciprocalOp>(op))
    return b.make<arith::DivFOp>(one(), v[0]);
  if (isa<graph::FloorOp>(op))
    return b.make<math::FloorOp>(v[0]);
  if (isa<graph::CeilOp>(op))
    return b.make<math::CeilOp>(v[0]);
  if (isa<graph::RoundOp>(op))
    return b.make<math::RoundEvenOp>(v[0]);
  if (isa<graph::ExpOp>(op))
    return b.make<math::ExpOp>(v[0]);
  if (isa<graph::Expm1Op>(op))
    return b.make<math::ExpM1Op>(v[0]);
  if (isa<graph::LogOp>(op))
    return b.make<math::LogOp>(v[0]);
  if (isa<graph::Log1pOp>(op))
    return b.make<math::Log1pOp>(v[0]);
  if (isa<graph::SinOp>(op))
    return b.make<math::SinOp>(v[0]);
  if (isa<graph::CosOp>(op))
    return b.make<math::CosOp>(v[0]);
  if (isa<graph::TanhOp>(op))
    return b.make<math::TanhOp>(v[0]);
  if (isa<graph::ErfOp>(op))
    return b.make<math::ErfOp>(v[0]);
  if (isa<graph::PowOp>(op))
    return b.make<math::PowFOp>(v[0], v[1]);
  if (isa<graph::SignOp>(op)) {
    // NaN and both zeros stay.
    Value unit = b.make<math::CopySignOp>(one(), v[0]);
    Value isSigned = b.compare(FPredicate::ONE, v[0], zero());
    return b.select(isSigned, unit, v[0]);
  }
  if (isa<graph::MulNoNanOp>(op)) {
    Value product = b.make<arith::MulFOp>(v[0], v[1]);
    return b.select(b.compare(FPredicate::OEQ, v[0], zero()), zero(), product);
  }
  if (isa<graph::IsFiniteOp>(op))
    return b.compare(FPredicate::OLT, b.make<math::AbsFOp>(v[0]), infinity());
  if (isa<graph::IsNanOp>(op))
    return b.compare(FPredicate::UNO, v[0], v[0]);
  if (auto compare = dyn_cast<graph::CompareOp>(op))
    return b.compare(predicateOf(compare.getPredicate()), v[0], v[1]);
  return {};
}

Value ElementBuilder::apply(Operation *op, ValueRange v) const {
  if (isa<graph::SelectOp>(op))
    return select(v[0], v[1], v[2]);
  if (isa<graph::StopGradientOp>(op))
    return v[0];
  Type from = elementTypeOf(op->getOperand(0));
  if (isa<graph::CastOp>(op))
    return cast(from, elementTypeOf(op->getResult(0)), v[0]);
  Value result = isa<FloatType>(from)
                     ? applyFloat(*this, op, getComputeType(from), v)
                     : applyInteger(op, from, v);
  assert(result && "an elementwise op without code");
  return isExact(op) || !result ? result : round(from, result);
}

Value ElementBuilder::maximum(Type elementType, Value a, Value b) const {
  if (isa<FloatType>(elementType))
    return make<arith::MaximumFOp>(a, b);
  if (elementType.isUnsignedInteger() || elementType.isInteger(1))
    return make<arith::MaxUIOp>(a, b);
  return make<arith::MaxSIOp>(a, b);
}

Value ElementBuilder::minimum(Type elementType, Value a, Value b) const {
  if (isa<FloatType>(elementType))
    return make<arith::MinimumFOp>(a, b);
  if (elementType.isUnsignedInteger() || elementType.isInteger(1))
    return make<arith::MinUIOp>(a, b);
  return make<arith::MinSIOp>(a, b);
}

std::pair<Value, Value> ElementBuilder::halves(Value vector) const {
  int64_t half = mlir::cast<VectorType>(vector.getType()).getDimSize(0) / 2;
  if (half == 1)
    return {make<vector::ExtractOp>(vector, 0),
            make<vector::ExtractOp>(vector, 1)};
  auto part = [&](int64_t first) -> Value {
    return make<vector::ExtractStridedSliceOp>(
        vector, ArrayRef(first), ArrayRef(half), ArrayRef<int64_t>(1));
  };
  return {part(0), part(half)};
}

Value ElementBuilder::combine(Operation *op, Type elementType, Value a,
                              Value b) const {
  if (isa<graph::ReduceMaxOp>(op))
    return maximum(elementType, a, b);
  if (isa<graph::ReduceMinOp>(op))
    return minimum(elementType, a, b);
  bool isSum = isa<graph::ReduceSumOp, graph::FoldOp>(op);
  if (isa<FloatType>(elementType))
    return isSum ? make<arith::AddFOp>(a, b) : make<arith::MulFOp>(a, b);
  return isSum ? make<arith::AddIOp>(a, b) : make<arith::MulIOp>(a, b);
}

Value ElementBuilder::identity(Operation *op, Type elementType,
                               Type accumulationType, bool neutral) const {
  Type type = getComputeType(accumulationType);
  bool isMax = isa<graph::ReduceMaxOp>(op), isMin = isa<graph::ReduceMinOp>(op);
  if (isa<FloatType>(type)) {
    double infinity = std::numeric_limits<double>::infinity();
    if (isMax || isMin)
      return constant(type, isMax ? -infinity : infinity);
    if (isa<graph::ReduceProdOp>(op))
      return constant(type, 1.0);
    // -0 + -0 is -0, and -0 + x is x.
    return constant(type, neutral ? -0.0 : 0.0);
  }
  if (!isMax && !isMin)
    return constantInt(type, isa<graph::ReduceProdOp>(op));
  unsigned width = type.getIntOrFloatBitWidth();
  bool isUnsigned = elementType.isUnsignedInteger();
  APInt value = isMax        ? isUnsigned ? APInt::getMinValue(width)
                                          : APInt::getSignedMinValue(width)
                       : isUnsigned ? APInt::getMaxValue(width)
                             : APInt::getSignedMaxValue(width);
  return constant(type, IntegerAttr::get(type, value));
}

} // namespace graphc::kernel
