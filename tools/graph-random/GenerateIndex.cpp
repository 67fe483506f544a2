// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops of indices, scans and sorts.
#include "tools/graph-random/Generator.h"

using namespace mlir;

namespace graphc::random {

namespace {

void checkIndex(Generator &g) {
  Value x = g.input(RankedTensorType::get(
      g.shape(), g.chance(50) ? g.b.getI64Type() : g.b.getI32Type()));
  OperationState state(g.loc, graph::CheckIndexOp::getOperationName());
  state.addOperands(x);
  state.addTypes(x.getType());
  state.addAttribute("limit", g.b.getI64IntegerAttr(g.pick(5, 9)));
  llvm::append_range(g.pool, g.b.create(state)->getResults());
}

/// Fresh indices, whose range is taken from their reader.
Value indices(Generator &g, ArrayRef<int64_t> sizes) {
  return g.input(RankedTensorType::get(sizes, g.chance(50) ? g.b.getI64Type()
                                                           : g.b.getI32Type()));
}

/// Of a tensor and of indices into dimension `axis` of it.
struct Place {
  Value x, indices;
  IntegerAttr axis, batchDims;
  RankedTensorType slices;
};

std::optional<Place> place(Generator &g, Kind kind) {
  Value x = g.operand(kind, 1);
  RankedTensorType t = typeOf(x);
  int64_t axis = g.pick(0, t.getRank() - 1), batch = g.pick(0, axis);
  if (t.getDimSize(axis) == 0)
    return std::nullopt;
  SmallVector<int64_t> sizes(t.getShape().take_front(batch));
  for (int64_t more = g.pick(0, 2); more > 0; --more)
    sizes.push_back(g.size());
  SmallVector<int64_t> sliced(t.getShape().take_front(axis));
  llvm::append_range(sliced, ArrayRef(sizes).drop_front(batch));
  llvm::append_range(sliced, t.getShape().drop_front(axis + 1));
  return Place{x, indices(g, sizes), g.b.getI64IntegerAttr(axis),
               g.b.getI64IntegerAttr(batch), t.clone(sliced)};
}

void gather(Generator &g) {
  if (auto p = place(g, Kind::Any))
    g.make<graph::GatherOp>(p->x, p->indices, p->axis, p->batchDims);
}

void scatterAdd(Generator &g) {
  if (auto p = place(g, Kind::Number))
    g.make<graph::ScatterAddOp>(p->x, p->indices, g.operandOf(p->slices),
                                p->axis, p->batchDims);
}

void embedding(Generator &g) {
  int64_t rows = g.pick(1, 9);
  Value weight = g.operandOf(
      RankedTensorType::get({rows, g.size()}, g.element(Kind::Float)));
  IntegerAttr padding =
      g.chance(50) ? g.b.getI64IntegerAttr(g.pick(0, rows - 1)) : IntegerAttr();
  g.make<graph::EmbeddingOp>(weight, indices(g, g.shape()), padding);
}

void oneHot(Generator &g) {
  SmallVector<int64_t> sizes = g.shape();
  Value which = indices(g, sizes);
  sizes.push_back(g.pick(1, 9));
  g.make<graph::OneHotOp>(RankedTensorType::get(sizes, g.element(Kind::Any)),
                          which);
}

SmallVector<Value> starts(Generator &g, int64_t rank) {
  SmallVector<Value> values;
  for (int64_t d = 0; d < rank; ++d)
    values.push_back(g.operandOf(RankedTensorType::get({}, g.b.getI64Type())));
  return values;
}

SmallVector<int64_t> sliceSizes(Generator &g, Value x) {
  SmallVector<int64_t> sizes;
  for (int64_t s : typeOf(x).getShape())
    sizes.push_back(g.chance(90) ? s - s / g.pick(1, 3) : g.pick(0, s));
  return sizes;
}

void dynamicSlice(Generator &g) {
  Value x = g.operand(Kind::Any);
  g.make<graph::DynamicSliceOp>(x, starts(g, typeOf(x).getRank()),
                                g.b.getDenseI64ArrayAttr(sliceSizes(g, x)));
}

void dynamicUpdateSlice(Generator &g) {
  Value x = g.operand(Kind::Any);
  Value update = g.operandOf(typeOf(x).clone(sliceSizes(g, x)));
  g.make<graph::DynamicUpdateSliceOp>(x, update,
                                      starts(g, typeOf(x).getRank()));
}

void cumsum(Generator &g) {
  Value x = g.operand(Kind::Number, 1);
  g.make<graph::CumsumOp>(
      x.getType(), x, g.b.getI64IntegerAttr(g.pick(0, typeOf(x).getRank() - 1)),
      g.chance(50) ? g.b.getUnitAttr() : UnitAttr());
}

void sort(Generator &g) {
  Value x = g.operand(Kind::Number, 1);
  g.make<graph::SortOp>(
      x, g.b.getI64IntegerAttr(g.pick(0, typeOf(x).getRank() - 1)),
      g.chance(50) ? g.b.getUnitAttr() : UnitAttr());
}

void topK(Generator &g) {
  Value x = g.operand(Kind::Number, 1);
  int64_t axis = g.pick(0, typeOf(x).getRank() - 1);
  g.make<graph::TopKOp>(
      x, g.b.getI64IntegerAttr(g.pick(0, typeOf(x).getDimSize(axis))),
      g.b.getI64IntegerAttr(axis),
      g.chance(50) ? g.b.getUnitAttr() : UnitAttr());
}

template <typename Op> void triangle(Generator &g) {
  Value x = g.operand(Kind::Any, 2);
  g.make<Op>(x.getType(), x, g.b.getI64IntegerAttr(g.pick(-3, 3)));
}

} // namespace

void addIndexDraws(Draws &draws) {
  using namespace graph;
  draws.insert({
      entry<CheckIndexOp>(checkIndex),
      entry<GatherOp>(gather),
      entry<ScatterAddOp>(scatterAdd),
      entry<EmbeddingOp>(embedding),
      entry<OneHotOp>(oneHot),
      entry<DynamicSliceOp>(dynamicSlice),
      entry<DynamicUpdateSliceOp>(dynamicUpdateSlice),
      entry<CumsumOp>(cumsum),
      entry<SortOp>(sort),
      entry<TopKOp>(topK),
      entry<TrilOp>(triangle<TrilOp>),
      entry<TriuOp>(triangle<TriuOp>),
  });
}

} // namespace graphc::random
