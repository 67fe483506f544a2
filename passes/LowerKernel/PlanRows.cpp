// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values whose rows lie in memory as views have them: no copy of them is made.
#include "passes/LowerKernel/PlanRegion.h"

using namespace mlir;
namespace graphc::kernel {

Strided Strided::dense(Buffer *buffer, ArrayRef<int64_t> shape) {
  Strided all{buffer, 0, SmallVector<int64_t>(shape.size(), 0)};
  int64_t stride = 1;
  for (size_t k = shape.size(); k-- > 0; stride *= shape[k])
    if (shape[k] > 1)
      all.strides[k] = stride;
  return all;
}

/// `index`, whose loops are those of a tensor of `shape`, as strides; or nothing
/// if its rows overlap or have gaps.
static std::optional<Strided> asRows(const Nest &nest, const Index &index,
                                     ArrayRef<int64_t> shape, Buffer *buffer) {
  Strided rows{buffer, index.constant, {}};
  for (unsigned v = 0; v < nest.loopCount; ++v)
    rows.strides.push_back(index.coefficient(v));
  for (unsigned v = nest.loopCount; v < index.coefficients.size(); ++v)
    if (index.coefficients[v] != 0)
      return std::nullopt;
  size_t last = shape.size() - 1;
  if (shape[last] > 1 && rows.strides[last] != 1)
    return std::nullopt;
  if (shape[last - 1] > 1 && rows.strides[last - 1] < shape[last])
    return std::nullopt;
  return rows;
}

/// Where the rows of `value`, of rank 2 or more, are; it is stored if it is no
/// view of memory.
Strided Planner::findRows(Value value) {
  ArrayRef<int64_t> shape = graph::tensorTypeOf(value).getShape();
  if (!placement.buffers.contains(value)) {
    Nest nest(Nest::Map, value.getLoc());
    NestBuilder builder(nest, placement);
    Expr *expr = builder.element(value, builder.addLoops(shape, Outer));
    if (expr->kind == Expr::Load)
      if (auto rows = asRows(nest, expr->index, shape, expr->buffer))
        return *rows;
  }
  materialize(value);
  return Strided::dense(placement.buffers.lookup(value), shape);
}

/// Where to store the rows of `value`: in a view of it that alone is read, if
/// there is one.
Strided Planner::placeRows(Value value) {
  ArrayRef<int64_t> shape = graph::tensorTypeOf(value).getShape();
  Nest nest(Nest::Map, value.getLoc());
  NestBuilder builder(nest, placement);
  SmallVector<Index> indices = builder.addLoops(shape, Outer);
  Value end = value;
  while (end.hasOneUse() && !results.contains(end)) {
    Operation *user = *end.getUsers().begin();
    if (!isa<graph::TransposeOp, graph::ReshapeOp>(user) ||
        !canFollow(user, end, builder, indices, {}))
      break;
    end = user->getResult(0);
  }
  Index index = builder.linearize(indices, graph::tensorTypeOf(end).getShape());
  if (end != value && results.contains(end))
    if (auto rows = asRows(nest, index, shape, nullptr)) {
      rows->buffer = place(end);
      return *rows;
    }
  return Strided::dense(place(value), shape);
}

} // namespace graphc::kernel
