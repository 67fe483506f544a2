// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products, norms, attention, losses and random numbers.
#include "tools/graph-random/Generator.h"

using namespace mlir;

namespace graphc::random {

namespace {

void dotGeneral(Generator &g) {
  Type e = g.element(Kind::Number);
  int64_t batch = g.size(), m = g.size(), n = g.size(), k = g.size();
  bool hasBatch = g.chance(40), lhsT = g.chance(40), rhsT = g.chance(40);
  SmallVector<int64_t> lhs, rhs, batching;
  if (hasBatch) {
    lhs = rhs = {batch};
    batching = {0};
  }
  int64_t first = hasBatch;
  lhs.append(lhsT ? std::initializer_list<int64_t>{k, m}
                  : std::initializer_list<int64_t>{m, k});
  rhs.append(rhsT ? std::initializer_list<int64_t>{n, k}
                  : std::initializer_list<int64_t>{k, n});
  Value x = g.operandOf(RankedTensorType::get(lhs, e));
  Value y = g.operandOf(RankedTensorType::get(rhs, e));
  SmallVector<int64_t> lhsContract = {first + (lhsT ? 0 : 1)},
                       rhsContract = {first + (rhsT ? 1 : 0)};
  g.make<graph::DotGeneralOp>(x, y, g.b.getDenseI64ArrayAttr(batching),
                              g.b.getDenseI64ArrayAttr(batching),
                              g.b.getDenseI64ArrayAttr(lhsContract),
                              g.b.getDenseI64ArrayAttr(rhsContract));
}

void linear(Generator &g) {
  Type e = g.element(Kind::Float);
  int64_t in = g.size(), out = g.size();
  SmallVector<int64_t> sizes = g.shape();
  sizes.push_back(in);
  Value x = g.operandOf(RankedTensorType::get(sizes, e));
  Value w = g.operandOf(RankedTensorType::get({out, in}, e));
  Value bias =
      g.chance(70) ? g.operandOf(RankedTensorType::get({out}, e)) : Value();
  g.make<graph::LinearOp>(x, w, bias);
}

template <typename Op> void softmax(Generator &g) {
  Value x = g.operand(Kind::Float, 1);
  g.make<Op>(x.getType(), x,
             g.b.getI64IntegerAttr(g.pick(0, typeOf(x).getRank() - 1)));
}

graph::ReductionAttr reduction(Generator &g) {
  return graph::ReductionAttr::get(g.b.getContext(),
                                   static_cast<graph::Reduction>(g.pick(0, 2)));
}

template <typename Op> void pairLoss(Generator &g) {
  Value x = g.operand(Kind::Float);
  g.make<Op>(x, g.operandOf(typeOf(x)), reduction(g));
}

void crossEntropy(Generator &g) {
  Value x = g.operand(Kind::Float, 1);
  if (typeOf(x).getShape().back() == 0)
    return;
  Type index = g.chance(50) ? g.b.getI64Type() : g.b.getI32Type();
  // A fresh input: its range is taken from this reader.
  Value target =
      g.input(RankedTensorType::get(typeOf(x).getShape().drop_back(), index));
  g.make<graph::CrossEntropyOp>(x, target, reduction(g),
                                g.b.getI64IntegerAttr(g.chance(50) ? -100 : 0),
                                g.b.getF64FloatAttr(g.chance(50) ? 0.0 : 0.1));
}

/// A value there is, held to a range in which no square overflows.
Value moderate(Generator &g, Value x, double bound) {
  g.make<graph::ClampOp>(x.getType(), x, g.b.getF64FloatAttr(-bound),
                         g.b.getF64FloatAttr(bound));
  return g.pool.back();
}

/// Up to `most` operands of `sizes`, weight and bias of a norm.
SmallVector<Value, 2> affine(Generator &g, RankedTensorType t,
                             ArrayRef<int64_t> sizes, int most) {
  SmallVector<Value, 2> parameters;
  for (int count = static_cast<int>(g.pick(0, most)); count > 0; --count)
    parameters.push_back(g.operandOf(t.clone(sizes)));
  parameters.resize(2);
  return parameters;
}

void layerNorm(Generator &g) {
  Value x = moderate(g, g.operand(Kind::Float, 1), 100);
  RankedTensorType t = typeOf(x);
  int64_t rank = g.pick(1, t.getRank());
  auto parameters = affine(g, t, t.getShape().take_back(rank), 2);
  g.make<graph::LayerNormOp>(t, x, parameters[0], parameters[1],
                             g.b.getI64IntegerAttr(rank),
                             g.b.getF64FloatAttr(0.1));
}

void rmsNorm(Generator &g) {
  Value x = moderate(g, g.operand(Kind::Float, 1), 100);
  RankedTensorType t = typeOf(x);
  int64_t rank = g.pick(1, t.getRank());
  auto parameters = affine(g, t, t.getShape().take_back(rank), 1);
  g.make<graph::RmsNormOp>(t, x, parameters[0], g.b.getI64IntegerAttr(rank),
                           g.b.getF64FloatAttr(0.1));
}

void groupNorm(Generator &g) {
  Value x = moderate(g, g.operand(Kind::Float, 2), 100);
  RankedTensorType t = typeOf(x);
  int64_t channels = t.getDimSize(1), groups = g.pick(1, channels + 1);
  auto parameters = affine(g, t, channels, 2);
  g.make<graph::GroupNormOp>(
      t, x, parameters[0], parameters[1],
      g.b.getI64IntegerAttr(channels % groups ? 1 : groups),
      g.b.getF64FloatAttr(0.1));
}

void batchNorm(Generator &g) {
  Value x = moderate(g, g.operand(Kind::Float, 2), 100);
  RankedTensorType t = typeOf(x);
  int64_t channels = t.getDimSize(1), values = 1;
  for (int64_t d = 0; d < t.getRank(); ++d)
    values *= d == 1 ? 1 : t.getDimSize(d);
  auto statistics = t.clone(channels);
  auto parameters = affine(g, t, channels, 2);
  auto mode =
      values > 1 && g.chance(60) ? graph::Mode::Train : graph::Mode::Eval;
  // A fresh variance: its range is taken from this reader.
  g.make<graph::BatchNormOp>(TypeRange{t, statistics, statistics}, x,
                             g.operandOf(statistics), g.input(statistics),
                             parameters[0], parameters[1],
                             g.b.getF64FloatAttr(0.3), g.b.getF64FloatAttr(0.1),
                             graph::ModeAttr::get(g.b.getContext(), mode));
}

/// One of attention, or of its gradient.
template <typename Op> void attention(Generator &g) {
  Type e = g.element(Kind::Float);
  SmallVector<int64_t> q, kv;
  if (g.chance(50)) {
    int64_t batch = g.size(), heads = g.pick(1, 2), group = g.pick(1, 3);
    q = {batch, heads * group};
    kv = {batch, heads};
  }
  int64_t queries = g.size(), keys = g.size(), depth = g.pick(1, 9);
  SmallVector<int64_t> mask;
  for (int64_t d : q)
    mask.push_back(g.chance(50) ? d : 1);
  mask.append({g.chance(50) ? queries : 1, g.chance(50) ? keys : 1});
  q.append({queries, depth});
  kv.append({keys, depth});
  // Values are fresh: those of keys that do not take part must be finite.
  Value query = moderate(g, g.operandOf(RankedTensorType::get(q, e)), 4);
  Value key = moderate(g, g.operandOf(RankedTensorType::get(kv, e)), 4);
  Value value = g.input(RankedTensorType::get(kv, e)), bias;
  if (g.chance(60))
    bias = g.chance(50)
               ? g.operandOf(RankedTensorType::get(mask, g.b.getI1Type()))
               : moderate(g, g.operandOf(RankedTensorType::get(mask, e)), 4);
  UnitAttr causal = g.chance(50) ? g.b.getUnitAttr() : UnitAttr();
  FloatAttr scale = g.chance(30) ? g.b.getF64FloatAttr(0.7) : FloatAttr();
  auto type = RankedTensorType::get(q, e);
  if constexpr (std::is_same_v<Op, graph::AttentionOp>) {
    g.make<Op>(type, query, key, value, bias, causal, scale);
  } else {
    Value output = g.input(type), grad = g.input(type);
    g.make<Op>(TypeRange{type, key.getType(), value.getType()}, query, key,
               value, output, grad, bias, causal, scale);
  }
}

Value key(Generator &g) {
  return g.input(RankedTensorType::get({3}, g.b.getI64Type()));
}

void randomUniform(Generator &g) {
  Type e = g.chance(50) ? Type(g.b.getF32Type()) : Type(g.b.getF64Type());
  g.make<graph::RandomUniformOp>(RankedTensorType::get(g.shape(), e), key(g),
                                 g.b.getI64IntegerAttr(g.nextId++));
}

void dropout(Generator &g) {
  static constexpr double rates[] = {0, 0.3, 0.5, 1};
  Value x = g.operand(Kind::Float);
  g.make<graph::DropoutOp>(
      x.getType(), x, key(g), g.b.getF64FloatAttr(rates[g.pick(0, 3)]),
      g.b.getI64IntegerAttr(g.nextId++),
      graph::ModeAttr::get(g.b.getContext(), graph::Mode::Train));
}

} // namespace

void addNetsDraws(Draws &draws) {
  using namespace graph;
  draws.insert({
      entry<DotGeneralOp>(dotGeneral),
      entry<LinearOp>(linear),
      entry<SoftmaxOp>(softmax<SoftmaxOp>),
      entry<LogSoftmaxOp>(softmax<LogSoftmaxOp>),
      entry<CrossEntropyOp>(crossEntropy),
      entry<MseLossOp>(pairLoss<MseLossOp>),
      entry<BceOp>(pairLoss<BceOp>),
      entry<BceWithLogitsOp>(pairLoss<BceWithLogitsOp>),
      entry<RandomUniformOp>(randomUniform),
      entry<DropoutOp>(dropout),
      entry<LayerNormOp>(layerNorm),
      entry<RmsNormOp>(rmsNorm),
      entry<GroupNormOp>(groupNorm),
      entry<BatchNormOp>(batchNorm),
      entry<AttentionOp>(attention<AttentionOp>),
      entry<AttentionGradOp>(attention<AttentionGradOp>),
  });
}

} // namespace graphc::random
