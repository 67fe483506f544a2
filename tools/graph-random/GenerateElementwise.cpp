// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that read element i of their operands for element i of the result.
#include "tools/graph-random/Generator.h"

using namespace mlir;

namespace graphc::random {

namespace {

template <typename Op> void drawUnary(Generator &g, Kind kind) {
  Value x = g.operand(kind);
  g.make<Op>(x.getType(), x);
}

template <typename Op> void drawBinary(Generator &g, Kind kind) {
  Value x = g.operand(kind);
  Value y = g.operandOf(typeOf(x));
  g.make<Op>(x.getType(), x, y);
}

void clamp(Generator &g) {
  Value x = g.operand(Kind::Float);
  g.make<graph::ClampOp>(x.getType(), x, g.b.getF64FloatAttr(-0.5),
                         g.b.getF64FloatAttr(1));
}

void gelu(Generator &g) {
  Value x = g.operand(Kind::Float);
  g.make<graph::GeluOp>(
      x.getType(), x,
      graph::ApproximateAttr::get(
          g.b.getContext(), static_cast<graph::Approximate>(g.pick(0, 1))));
}

void cast(Generator &g) {
  Value x = g.operand(Kind::Any);
  g.make<graph::CastOp>(typeOf(x).clone(g.element(Kind::Any)), x);
}

void select(Generator &g) {
  Value x = g.operand(Kind::Any);
  Value c = g.operandOf(typeOf(x).clone(g.b.getI1Type()));
  g.make<graph::SelectOp>(c, x, g.operandOf(typeOf(x)));
}

void compare(Generator &g) {
  Value x = g.operand(Kind::Any);
  g.make<graph::CompareOp>(static_cast<graph::ComparePredicate>(g.pick(0, 5)),
                           x, g.operandOf(typeOf(x)));
}

template <typename Op> Draws::value_type unary(Kind kind) {
  return entry<Op>([kind](Generator &g) { drawUnary<Op>(g, kind); });
}
template <typename Op> Draws::value_type binary(Kind kind) {
  return entry<Op>([kind](Generator &g) { drawBinary<Op>(g, kind); });
}

} // namespace

void addElementwiseDraws(Draws &draws) {
  using namespace graph;
  draws.insert({
      unary<NegOp>(Kind::Number),
      unary<AbsOp>(Kind::Number),
      unary<SignOp>(Kind::Number),
      unary<NotOp>(Kind::Bits),
      unary<FloorOp>(Kind::Float),
      unary<CeilOp>(Kind::Float),
      unary<RoundOp>(Kind::Float),
      unary<SqrtOp>(Kind::Float),
      unary<RsqrtOp>(Kind::Float),
      unary<ReciprocalOp>(Kind::Float),
      unary<ExpOp>(Kind::Float),
      unary<Expm1Op>(Kind::Float),
      unary<LogOp>(Kind::Float),
      unary<Log1pOp>(Kind::Float),
      unary<SinOp>(Kind::Float),
      unary<CosOp>(Kind::Float),
      unary<TanhOp>(Kind::Float),
      unary<ErfOp>(Kind::Float),
      unary<ReluOp>(Kind::Float),
      unary<SigmoidOp>(Kind::Float),
      unary<SiluOp>(Kind::Float),
      unary<StopGradientOp>(Kind::Any),
      binary<AddOp>(Kind::Number),
      binary<SubOp>(Kind::Number),
      binary<MulOp>(Kind::Number),
      binary<DivOp>(Kind::Number),
      binary<RemOp>(Kind::Number),
      binary<MaximumOp>(Kind::Number),
      binary<MinimumOp>(Kind::Number),
      binary<PowOp>(Kind::Float),
      binary<MulNoNanOp>(Kind::Float),
      binary<AndOp>(Kind::Bits),
      binary<OrOp>(Kind::Bits),
      binary<XorOp>(Kind::Bits),
      binary<ShiftLeftOp>(Kind::Integer),
      binary<ShiftRightOp>(Kind::Integer),
      entry<IsFiniteOp>(
          [](Generator &g) { g.make<IsFiniteOp>(g.operand(Kind::Float)); }),
      entry<IsNanOp>(
          [](Generator &g) { g.make<IsNanOp>(g.operand(Kind::Float)); }),
      entry<GeluOp>(gelu),
      entry<ClampOp>(clamp),
      entry<CompareOp>(compare),
      entry<SelectOp>(select),
      entry<CastOp>(cast),
  });
}

} // namespace graphc::random
