// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that make, move and reduce elements, and the loop.
#include "tools/graph-random/Generator.h"

using namespace mlir;

namespace graphc::random {

namespace {

void constant(Generator &g) {
  RankedTensorType t = g.type(Kind::Float);
  SmallVector<APFloat> values;
  for (int64_t k = 0; k < t.getNumElements(); ++k) {
    APFloat value(g.stream.uniform(-2, 2));
    bool lost = false;
    value.convert(mlir::cast<FloatType>(t.getElementType()).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &lost);
    values.push_back(value);
  }
  g.make<graph::ConstantOp>(DenseElementsAttr::get(t, values));
}

void iota(Generator &g) {
  RankedTensorType t = g.type(Kind::Number, 1);
  g.make<graph::IotaOp>(t, g.b.getI64IntegerAttr(g.pick(0, t.getRank() - 1)));
}

void broadcast(Generator &g) {
  Value x = g.operand(Kind::Any);
  SmallVector<int64_t> sizes, dims;
  for (int64_t s : typeOf(x).getShape()) {
    if (g.chance(40) && sizes.size() < 4)
      sizes.push_back(g.size());
    dims.push_back(sizes.size());
    sizes.push_back(s);
  }
  if (g.chance(50) && sizes.size() < 4)
    sizes.push_back(g.size());
  g.make<graph::BroadcastOp>(typeOf(x).clone(sizes), x,
                             g.b.getDenseI64ArrayAttr(dims));
}

void reshape(Generator &g) {
  Value x = g.operand(Kind::Any);
  SmallVector<int64_t> sizes(typeOf(x).getShape());
  if (!sizes.empty() && g.chance(60)) { // Join the last two, or split off a 1.
    int64_t last = sizes.pop_back_val();
    if (!sizes.empty() && g.chance(70))
      sizes.back() *= last;
    else
      sizes.append({last, 1});
  } else {
    sizes.insert(sizes.begin(), 1);
  }
  g.make<graph::ReshapeOp>(typeOf(x).clone(sizes), x);
}

void transpose(Generator &g) {
  Value x = g.operand(Kind::Any);
  SmallVector<int64_t> dims;
  for (int64_t d = 0; d < typeOf(x).getRank(); ++d)
    dims.insert(dims.begin() + g.pick(0, d), d);
  g.make<graph::TransposeOp>(x, g.b.getDenseI64ArrayAttr(dims));
}

void slice(Generator &g) {
  Value x = g.operand(Kind::Any);
  SmallVector<int64_t> starts, limits, strides;
  for (int64_t s : typeOf(x).getShape()) {
    starts.push_back(g.pick(0, s));
    limits.push_back(g.pick(starts.back(), s));
    strides.push_back(g.pick(1, 3));
  }
  g.make<graph::SliceOp>(x, g.b.getDenseI64ArrayAttr(starts),
                         g.b.getDenseI64ArrayAttr(limits),
                         g.b.getDenseI64ArrayAttr(strides));
}

void pad(Generator &g) {
  Value x = g.operand(Kind::Any);
  SmallVector<int64_t> low, high, interior;
  for (int64_t d = 0; d < typeOf(x).getRank(); ++d) {
    low.push_back(g.pick(0, 2));
    high.push_back(g.pick(0, 2));
    interior.push_back(g.pick(0, 1));
  }
  Value value =
      g.operandOf(RankedTensorType::get({}, typeOf(x).getElementType()));
  g.make<graph::PadOp>(x, value, g.b.getDenseI64ArrayAttr(low),
                       g.b.getDenseI64ArrayAttr(high),
                       g.b.getDenseI64ArrayAttr(interior));
}

void concat(Generator &g) {
  Value x = g.operand(Kind::Any, 1);
  int64_t axis = g.pick(0, typeOf(x).getRank() - 1);
  SmallVector<Value> inputs = {x};
  for (int64_t more = g.pick(0, 2); more > 0; --more) {
    SmallVector<int64_t> sizes(typeOf(x).getShape());
    sizes[axis] = g.size();
    inputs.push_back(g.operandOf(typeOf(x).clone(sizes)));
  }
  g.make<graph::ConcatOp>(inputs, g.b.getI64IntegerAttr(axis));
}

SmallVector<int64_t> someDims(Generator &g, int64_t rank) {
  SmallVector<int64_t> dims;
  for (int64_t d = 0; d < rank; ++d)
    if (g.chance(60))
      dims.push_back(d);
  return dims;
}

void reverse(Generator &g) {
  Value x = g.operand(Kind::Any);
  g.make<graph::ReverseOp>(
      x.getType(), x,
      g.b.getDenseI64ArrayAttr(someDims(g, typeOf(x).getRank())));
}

template <typename Op> void reduce(Generator &g, Kind kind) {
  Value x = g.operand(kind);
  g.make<Op>(x, g.b.getDenseI64ArrayAttr(someDims(g, typeOf(x).getRank())));
}

template <typename Op> void arg(Generator &g) {
  Value x = g.operand(Kind::Number, 1);
  int64_t axis = g.pick(0, typeOf(x).getRank() - 1);
  if (typeOf(x).getDimSize(axis) != 0)
    g.make<Op>(x, g.b.getI64IntegerAttr(axis));
}

void loop(Generator &g) {
  Value x = g.operand(Kind::Float);
  OperationState state(g.loc, graph::ForOp::getOperationName());
  state.addOperands(x);
  state.addTypes(x.getType());
  state.addAttribute("count", g.b.getI64IntegerAttr(g.pick(0, 3)));
  Region *body = state.addRegion();
  Block *inner = new Block;
  body->push_back(inner);
  inner->addArgument(RankedTensorType::get({}, g.b.getI64Type()), g.loc);
  Value carried = inner->addArgument(x.getType(), g.loc);
  // The region has no op yet that would know the context.
  OpBuilder nested(g.b.getContext());
  nested.setInsertionPointToEnd(inner);
  // Exact ops only: a check knows no bounds for what a loop makes of errors.
  Value next;
  switch (g.pick(0, 2)) {
  case 0:
    next = nested.create<graph::SubOp>(g.loc, x, carried);
    break;
  case 1:
    next = nested.create<graph::MaximumOp>(
        g.loc, x, nested.create<graph::NegOp>(g.loc, carried));
    break;
  default:
    next = nested.create<graph::MulOp>(
        g.loc, nested.create<graph::AddOp>(g.loc, carried, carried), x);
  }
  nested.create<graph::YieldOp>(g.loc, ValueRange{next});
  llvm::append_range(g.pool, g.b.create(state)->getResults());
}

} // namespace

void addShapeDraws(Draws &draws) {
  using namespace graph;
  draws.insert({
      entry<ConstantOp>(constant),
      entry<IotaOp>(iota),
      entry<BroadcastOp>(broadcast),
      entry<ReshapeOp>(reshape),
      entry<TransposeOp>(transpose),
      entry<SliceOp>(slice),
      entry<PadOp>(pad),
      entry<ConcatOp>(concat),
      entry<ReduceSumOp>(
          [](Generator &g) { reduce<ReduceSumOp>(g, Kind::Number); }),
      entry<ReduceMeanOp>(
          [](Generator &g) { reduce<ReduceMeanOp>(g, Kind::Float); }),
      entry<ReduceMaxOp>(
          [](Generator &g) { reduce<ReduceMaxOp>(g, Kind::Number); }),
      entry<ReduceMinOp>(
          [](Generator &g) { reduce<ReduceMinOp>(g, Kind::Number); }),
      entry<ReduceProdOp>(
          [](Generator &g) { reduce<ReduceProdOp>(g, Kind::Number); }),
      entry<ArgmaxOp>(arg<ArgmaxOp>),
      entry<ArgminOp>(arg<ArgminOp>),
      entry<ReverseOp>(reverse),
      entry<ForOp>(loop),
  });
}

} // namespace graphc::random
