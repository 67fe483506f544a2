// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nests of results that no other nest stores.
#include "passes/LowerKernel/PlanRegion.h"

using namespace mlir;
namespace graphc::kernel {

void Planner::planConcat(graph::ConcatOp op, Buffer *buffer) {
  ArrayRef<int64_t> shape = graph::tensorTypeOf(op).getShape();
  int64_t start = 0;
  for (Value input : op.getInputs()) {
    Nest &nest = addNest(Nest::Map, op.getLoc());
    NestBuilder builder(nest, placement);
    SmallVector<Index> indices =
        builder.addLoops(graph::tensorTypeOf(input).getShape(), Outer);
    Expr *expr = builder.element(input, indices);
    indices[op.getAxis()].constant += start;
    start += graph::tensorTypeOf(input).getDimSize(op.getAxis());
    nest.stores.push_back({expr, buffer, builder.linearize(indices, shape)});
  }
}

/// Puts the padding of `op` into `sizes` elements from `starts` on.
void Planner::planPadding(graph::PadOp op, Buffer *buffer,
                          ArrayRef<int64_t> starts, ArrayRef<int64_t> sizes) {
  if (llvm::is_contained(sizes, 0))
    return;
  Nest &nest = addNest(Nest::Map, op.getLoc());
  NestBuilder builder(nest, placement);
  SmallVector<Index> indices = builder.addLoops(sizes, Outer);
  Expr *expr = builder.element(op.getValue(), {});
  for (auto [index, start] : llvm::zip_equal(indices, starts))
    index.constant += start;
  nest.stores.push_back(
      {expr, buffer,
       builder.linearize(indices, graph::tensorTypeOf(op).getShape())});
}

void Planner::planPad(graph::PadOp op, Buffer *buffer) {
  ArrayRef<int64_t> shape = graph::tensorTypeOf(op).getShape();
  ArrayRef<int64_t> inner = graph::tensorTypeOf(op.getInput()).getShape();
  SmallVector<int64_t> starts(shape.size(), 0), sizes(shape);
  if (llvm::any_of(op.getInterior(), [](int64_t n) { return n != 0; })) {
    planPadding(op, buffer, starts, sizes);
  } else {
    // Before and after the input along each dimension, inside it along those
    // before.
    for (size_t k = 0; k < shape.size(); ++k) {
      sizes[k] = op.getLow()[k];
      planPadding(op, buffer, starts, sizes);
      starts[k] = op.getLow()[k] + inner[k];
      sizes[k] = op.getHigh()[k];
      planPadding(op, buffer, starts, sizes);
      starts[k] = op.getLow()[k];
      sizes[k] = inner[k];
    }
  }
  Nest &nest = addNest(Nest::Map, op.getLoc());
  NestBuilder builder(nest, placement);
  SmallVector<Index> indices =
      builder.addLoops(graph::tensorTypeOf(op.getInput()).getShape(), Outer);
  Expr *expr = builder.element(op.getInput(), indices);
  for (auto [k, index] : llvm::enumerate(indices))
    index =
        Index::ofConstant(op.getLow()[k]).add(index, op.getInterior()[k] + 1);
  nest.stores.push_back({expr, buffer, builder.linearize(indices, shape)});
}

void Planner::planResults() {
  // Results of one shape share a nest, and so what they have in common.
  struct Group {
    Nest *nest;
    NestBuilder builder;
    SmallVector<Index> indices;
  };
  std::deque<Group> groups;
  size_t first = kernel.nests.size();
  for (auto [value, buffer] :
       llvm::zip_equal(body.getTerminator()->getOperands(), kernel.outputs)) {
    auto pending = results.find(value);
    bool isStored = pending == results.end() || pending->second != buffer;
    if (isStored && placement.buffers.lookup(value) == buffer)
      continue;
    if (!placement.buffers.contains(value)) {
      if (auto concat = value.getDefiningOp<graph::ConcatOp>()) {
        planConcat(concat, buffer);
        continue;
      }
      if (auto pad = value.getDefiningOp<graph::PadOp>()) {
        planPad(pad, buffer);
        continue;
      }
    }
    ArrayRef<int64_t> shape = graph::tensorTypeOf(value).getShape();
    Group *group = nullptr;
    for (Group &g : groups)
      if (g.indices.size() == shape.size() &&
          llvm::all_of(llvm::enumerate(shape), [&](auto dim) {
            return g.nest->variables[dim.index()].size == dim.value();
          }))
        group = &g;
    if (!group) {
      Nest &nest = addNest(Nest::Map, value.getLoc());
      groups.push_back({&nest, NestBuilder(nest, placement), {}});
      group = &groups.back();
      group->indices = group->builder.addLoops(shape, Outer);
    }
    Expr *expr = group->builder.element(value, group->indices);
    group->nest->stores.push_back(
        {expr, buffer, group->builder.linearize(group->indices, shape)});
  }
  for (size_t k = first; k < kernel.nests.size(); ++k)
    kernel.nests[k].finish();
}

} // namespace graphc::kernel
