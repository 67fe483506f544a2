// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/LowerKernel/NestBuilder.h"
#include "dialects/Graph/IR/Graph.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
namespace graphc::kernel {

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static Type elementTypeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

Index NestBuilder::addLoop(int64_t size, unsigned role) {
  assert(nest.variables.size() == nest.loopCount && "loops come first");
  Variable variable{Variable::Loop, size};
  variable.role = role;
  nest.variables.push_back(variable);
  unsigned number = nest.loopCount++;
  // The index of at most one element is 0: the strides by which it would be
  // multiplied have no bound.
  return size <= 1 ? Index() : Index::ofVariable(number);
}

SmallVector<Index> NestBuilder::addLoops(ArrayRef<int64_t> shape,
                                         unsigned role) {
  return llvm::map_to_vector(shape,
                             [&](int64_t size) { return addLoop(size, role); });
}

Index NestBuilder::derived(const Variable &variable) {
  for (unsigned v = nest.loopCount; v < nest.variables.size(); ++v) {
    const Variable &old = nest.variables[v];
    if (old.kind == variable.kind && old.by == variable.by &&
        old.size == variable.size && old.of == variable.of &&
        old.data == variable.data)
      return Index::ofVariable(v);
  }
  nest.variables.push_back(variable);
  return Index::ofVariable(nest.variables.size() - 1);
}

Index NestBuilder::data(Expr *value, int64_t size) {
  if (size <= 1)
    return Index();
  Variable variable{Variable::Data, size};
  variable.data = value;
  return derived(variable);
}

std::pair<Index, Index> NestBuilder::divide(const Index &index, int64_t by) {
  if (by == 1)
    return {index, Index()};
  Index quotient, rest;
  quotient.constant = llvm::divideFloorSigned(index.constant, by);
  rest.constant = index.constant - quotient.constant * by;
  for (auto [v, coefficient] : llvm::enumerate(index.coefficients)) {
    bool divides = coefficient % by == 0;
    (divides ? quotient : rest)
        .add(Index::ofVariable(v), divides ? coefficient / by : coefficient);
  }
  auto [low, high] = nest.rangeOf(rest);
  if (low >= 0 && high < by)
    return {quotient, rest};
  assert(low >= 0 && "positions are not negative");
  quotient.add(derived({Variable::Quotient, high / by + 1, by, rest}));
  return {quotient, derived({Variable::Remainder, by, by, rest})};
}

Index NestBuilder::clamp(const Index &index, int64_t size) {
  auto [low, high] = nest.rangeOf(index);
  if (low >= 0 && high < size)
    return index;
  if (size == 1)
    return Index();
  return derived({Variable::Clamp, size, 1, index});
}

Index NestBuilder::linearize(ArrayRef<Index> indices, ArrayRef<int64_t> shape) {
  Index position;
  int64_t stride = 1;
  for (size_t k = shape.size(); k-- > 0; stride *= shape[k])
    position.add(indices[k], stride);

  // by * (x / by) + x % by is x again.
  for (unsigned v = nest.loopCount; v < position.coefficients.size(); ++v) {
    const Variable &quotient = nest.variables[v];
    if (quotient.kind != Variable::Quotient)
      continue;
    for (unsigned w = nest.loopCount; w < position.coefficients.size(); ++w) {
      const Variable &remainder = nest.variables[w];
      int64_t coefficient = position.coefficient(w);
      if (remainder.kind != Variable::Remainder || coefficient == 0 ||
          remainder.by != quotient.by || !(remainder.of == quotient.of) ||
          position.coefficient(v) != coefficient * quotient.by)
        continue;
      Index whole = quotient.of;
      position.add(Index::ofVariable(v), -position.coefficient(v));
      position.add(Index::ofVariable(w), -coefficient);
      position.add(whole, coefficient);
      v = nest.loopCount - 1; // start again
      break;
    }
  }
  return position;
}

SmallVector<Index> NestBuilder::delinearize(const Index &position,
                                            ArrayRef<int64_t> shape) {
  SmallVector<Index> indices(shape.size());
  Index rest = position;
  for (size_t k = shape.size(); k-- > 0;) {
    // The first dimension takes what is left; a zero size is never indexed.
    if (llvm::all_of(shape.take_front(k), [](int64_t s) { return s == 1; })) {
      indices[k] = rest;
      break;
    }
    std::tie(rest, indices[k]) = divide(rest, std::max<int64_t>(shape[k], 1));
  }
  return indices;
}

SmallVector<Index> NestBuilder::gather(ArrayRef<Index> indices, Value which,
                                       int64_t axis, int64_t batchDims,
                                       int64_t size) {
  int64_t positions = shapeOf(which).size() - batchDims;
  SmallVector<Index> place(indices.take_front(batchDims));
  llvm::append_range(place, indices.slice(axis, positions));
  SmallVector<Index> inner(indices.take_front(axis));
  inner.push_back(data(element(which, place), size));
  llvm::append_range(inner, indices.drop_front(axis + positions));
  return inner;
}

SmallVector<Index> NestBuilder::shift(ArrayRef<Index> indices,
                                      ValueRange starts,
                                      ArrayRef<int64_t> sizes,
                                      ArrayRef<int64_t> shape) {
  SmallVector<Index> inner(indices);
  for (auto [k, start] : llvm::enumerate(starts))
    inner[k].add(data(element(start, {}), shape[k] - sizes[k] + 1));
  return inner;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Expr *NestBuilder::add(Expr expr) {
  nest.exprs.push_back(std::move(expr));
  return &nest.exprs.back();
}

Expr *NestBuilder::load(Buffer *buffer, Value value, ArrayRef<Index> indices) {
  Expr expr{Expr::Load, elementTypeOf(value)};
  expr.buffer = buffer;
  expr.index = linearize(indices, shapeOf(value));
  return add(expr);
}

Expr *NestBuilder::element(Value value, ArrayRef<Index> indices) {
  auto key = std::make_pair(value.getAsOpaquePointer(), indices.vec());
  auto known = memo.find(key);
  if (known != memo.end())
    return known->second;
  Expr *expr = compute(value, indices);
  memo[key] = expr;
  return expr;
}

Index NestBuilder::unstride(const Index &place, int64_t size, int64_t step,
                            SmallVectorImpl<Condition> &conditions) {
  int64_t reach = (size - 1) * step + 1;
  auto [low, high] = nest.rangeOf(place);
  if (low < 0 || high >= reach)
    conditions.push_back({place, 0, reach});
  auto [quotient, remainder] = divide(clamp(place, reach), step);
  if (nest.rangeOf(remainder).second > 0)
    conditions.push_back({remainder, 0, 1});
  return quotient;
}

Expr *NestBuilder::computePad(Operation *op, ArrayRef<Index> indices) {
  auto pad = cast<graph::PadOp>(op);
  ArrayRef<int64_t> shape = shapeOf(pad.getInput());
  Expr expr{Expr::Choose, elementTypeOf(pad)};
  Expr *padding = element(pad.getValue(), {});
  SmallVector<Index> inner;
  for (auto [k, size] : llvm::enumerate(shape)) {
    if (size == 0)
      return padding;
    int64_t step = size == 1 ? 1 : pad.getInterior()[k] + 1;
    Index shifted = indices[k];
    shifted.constant -= pad.getLow()[k];
    inner.push_back(unstride(shifted, size, step, expr.conditions));
  }
  Expr *inside = element(pad.getInput(), inner);
  if (expr.conditions.empty())
    return inside;
  expr.operands = {inside, padding};
  return add(expr);
}

Expr *NestBuilder::foldTerm(Operation *op, ArrayRef<Index> indices) {
  auto fold = cast<graph::FoldOp>(op);
  ArrayRef<int64_t> shape = shapeOf(fold.getWindows());
  size_t slides = fold.getStrides().size();
  size_t batch = shape.size() - 2 * slides;
  ArrayRef<Index> inside = indices.take_front(slides);
  ArrayRef<Index> places = indices.take_back(slides);
  Expr expr{Expr::Choose, elementTypeOf(fold)};
  SmallVector<Index> from(indices.slice(slides, batch));
  for (size_t k = 0; k < slides; ++k) {
    Index place = places[k];
    place.add(inside[k], -fold.getDilation()[k]);
    int64_t count = shape[batch + k];
    from.push_back(unstride(place, count, count == 1 ? 1 : fold.getStrides()[k],
                            expr.conditions));
  }
  llvm::append_range(from, inside);
  Expr *term = element(fold.getWindows(), from);
  if (expr.conditions.empty())
    return term;
  Expr zero{Expr::Constant, expr.elementType};
  zero.constant = Builder(op->getContext()).getZeroAttr(expr.elementType);
  expr.operands = {term, add(zero)};
  return add(expr);
}

Expr *NestBuilder::computeConcat(Operation *op, ArrayRef<Index> indices) {
  auto concat = cast<graph::ConcatOp>(op);
  Value value = concat.getResult();
  unsigned axis = concat.getAxis();
  int64_t start = cast<RankedTensorType>(concat.getType()).getDimSize(axis);
  Expr *rest = nullptr;
  for (Value input : llvm::reverse(concat.getInputs())) {
    int64_t size = shapeOf(input)[axis];
    start -= size;
    if (size == 0)
      continue;
    auto inner = llvm::to_vector(indices);
    inner[axis].constant -= start;
    auto [low, high] = nest.rangeOf(inner[axis]);
    if (high < 0 || low >= size)
      continue;
    Condition inside{inner[axis], 0, size};
    inner[axis] = clamp(inner[axis], size);
    Expr *here = element(input, inner);
    if (rest) {
      Expr expr{Expr::Choose, here->elementType};
      expr.operands = {here, rest};
      expr.conditions.push_back(inside);
      rest = add(expr);
    } else {
      rest = here;
    }
  }
  if (rest)
    return rest;
  // Nothing to take from, so no loop asks.
  Expr none{Expr::Constant, elementTypeOf(value)};
  none.constant = Builder(op->getContext()).getZeroAttr(none.elementType);
  return add(none);
}

Expr *NestBuilder::compute(Value value, ArrayRef<Index> indices) {
  if (value == accumulated)
    return add({Expr::Accumulated, elementTypeOf(value)});
  if (Buffer *buffer = placement.buffers.lookup(value))
    return load(buffer, value, indices);

  Operation *op = value.getDefiningOp();
  if (auto constant = dyn_cast<graph::ConstantOp>(op)) {
    Expr expr{Expr::Constant, elementTypeOf(value)};
    expr.constant =
        cast<DenseElementsAttr>(constant.getValue()).getSplatValue<Attribute>();
    return add(expr);
  }
  if (auto broadcast = dyn_cast<graph::BroadcastOp>(op))
    return element(broadcast.getInput(),
                   llvm::map_to_vector(broadcast.getDims(),
                                       [&](int64_t d) { return indices[d]; }));
  if (auto reshape = dyn_cast<graph::ReshapeOp>(op))
    return element(reshape.getInput(),
                   delinearize(linearize(indices, shapeOf(value)),
                               shapeOf(reshape.getInput())));
  if (auto transpose = dyn_cast<graph::TransposeOp>(op)) {
    SmallVector<Index> inner(indices.size());
    for (auto [k, dim] : llvm::enumerate(transpose.getPermutation()))
      inner[dim] = indices[k];
    return element(transpose.getInput(), inner);
  }
  if (auto slice = dyn_cast<graph::SliceOp>(op)) {
    SmallVector<Index> inner;
    for (auto [k, index] : llvm::enumerate(indices))
      inner.push_back(Index::ofConstant(slice.getStarts()[k])
                          .add(index, slice.getStrides()[k]));
    return element(slice.getInput(), inner);
  }
  if (auto reverse = dyn_cast<graph::ReverseOp>(op)) {
    auto inner = llvm::to_vector(indices);
    for (int64_t axis : reverse.getAxes())
      inner[axis] =
          Index::ofConstant(shapeOf(value)[axis] - 1).add(indices[axis], -1);
    return element(reverse.getInput(), inner);
  }
  if (auto unfold = dyn_cast<graph::UnfoldOp>(op)) {
    size_t slides = unfold.getStrides().size();
    SmallVector<Index> inner(indices.drop_back(slides));
    MutableArrayRef<Index> places = MutableArrayRef(inner).take_back(slides);
    for (size_t k = 0; k < slides; ++k)
      places[k] =
          Index()
              .add(places[k], unfold.getStrides()[k])
              .add(indices.take_back(slides)[k], unfold.getDilation()[k]);
    return element(unfold.getInput(), inner);
  }
  if (auto gathered = dyn_cast<graph::GatherOp>(op))
    return element(gathered.getInput(),
                   gather(indices, gathered.getIndices(), gathered.getAxis(),
                          gathered.getBatchDims(),
                          shapeOf(gathered.getInput())[gathered.getAxis()]));
  if (auto slice = dyn_cast<graph::DynamicSliceOp>(op))
    return element(slice.getInput(),
                   shift(indices, slice.getStarts(), slice.getSizes(),
                         shapeOf(slice.getInput())));
  if (isa<graph::PadOp>(op))
    return computePad(op, indices);
  if (isa<graph::ConcatOp>(op))
    return computeConcat(op, indices);
  if (auto iota = dyn_cast<graph::IotaOp>(op)) {
    Expr expr{Expr::IndexOf, elementTypeOf(value)};
    expr.index = indices[iota.getAxis()];
    return add(expr);
  }
  if (auto random = dyn_cast<graph::RandomUniformOp>(op)) {
    Expr expr{Expr::Random, elementTypeOf(value)};
    expr.index = linearize(indices, shapeOf(value));
    expr.number = placement.opIds.lookup(op);
    for (int64_t k = 0; k < 3; ++k)
      expr.operands.push_back(element(random.getKey(), Index::ofConstant(k)));
    return add(expr);
  }
  assert(op->hasTrait<graph::ElementwiseOp>() && "the planner placed the rest");
  Expr expr{Expr::Apply, elementTypeOf(value)};
  expr.op = op;
  for (Value operand : op->getOperands())
    expr.operands.push_back(element(operand, indices));
  return add(expr);
}

} // namespace graphc::kernel
