// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nests of reductions, argmax and index checks.
#include "passes/LowerKernel/PlanRegion.h"

using namespace mlir;
namespace graphc::kernel {

/// Results of the region that a reduction of `value` computes on the way, one
/// element a term, are stored there. Returns them: they have no place yet.
SmallVector<Value> Planner::storeTerms(Nest &nest, NestBuilder &builder,
                                       Value value, ArrayRef<Index> indices) {
  SmallVector<std::pair<Value, SmallVector<Index>>> work;
  work.push_back({value, llvm::to_vector(indices)});
  llvm::SmallDenseSet<Value> seen;
  SmallVector<Value> stored;
  while (!work.empty()) {
    auto [next, here] = work.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (placement.buffers.contains(next) || !seen.insert(next).second)
      continue;
    if (auto transpose = dyn_cast<graph::TransposeOp>(op)) {
      SmallVector<Index> from(here.size());
      for (auto [k, dim] : llvm::enumerate(transpose.getPermutation()))
        from[dim] = here[k];
      work.push_back({transpose.getInput(), from});
    } else if (auto reshape = dyn_cast<graph::ReshapeOp>(op)) {
      auto shapeOf = [](Value v) { return graph::tensorTypeOf(v).getShape(); };
      work.push_back(
          {reshape.getInput(),
           builder.delinearize(builder.linearize(here, shapeOf(next)),
                               shapeOf(reshape.getInput()))});
    } else if (op->hasTrait<graph::ElementwiseOp>()) {
      for (Value operand : op->getOperands())
        work.push_back({operand, here});
      if (results.contains(next)) {
        stored.push_back(next);
        nest.termStores.push_back(
            {builder.element(next, here), nullptr,
             builder.linearize(here, graph::tensorTypeOf(next).getShape())});
      }
    }
  }
  return stored;
}

void Planner::planReduction(Operation *op) {
  Value input = op->getOperand(0);
  SmallVector<int64_t> shape, axes;
  auto fold = dyn_cast<graph::FoldOp>(op);
  if (fold) {
    // A sum over the places in a window.
    size_t slides = fold.getStrides().size();
    llvm::append_range(shape,
                       graph::tensorTypeOf(input).getShape().take_back(slides));
    llvm::append_range(shape, graph::tensorTypeOf(fold).getShape());
    axes = llvm::to_vector(llvm::seq<int64_t>(0, slides));
  } else {
    llvm::append_range(shape, graph::tensorTypeOf(input).getShape());
    llvm::append_range(
        axes, op->getAttrOfType<DenseI64ArrayAttr>("axes").asArrayRef());
  }
  auto isReduced = [&](size_t k) { return llvm::is_contained(axes, k); };

  // Dimensions of size 1 are nobody's. The last of the others decides.
  SmallVector<unsigned> dims;
  for (auto [k, size] : llvm::enumerate(shape))
    if (size != 1)
      dims.push_back(k);
  bool reduces = llvm::any_of(dims, isReduced);
  bool isRow = dims.empty() || isReduced(dims.back());
  size_t tail = dims.size(); // first dim of the last group
  while (tail > 0 && isReduced(dims[tail - 1]) == isRow)
    --tail;
  if (!reduces)
    tail = 0;

  Nest &nest =
      addNest(isRow ? Nest::RowReduce : Nest::ColumnReduce, op->getLoc());
  NestBuilder builder(nest, placement);
  SmallVector<Index> indices(shape.size());
  SmallVector<unsigned> outerReduced, reduced;
  for (auto [k, dim] : llvm::enumerate(dims)) {
    if (isReduced(dim))
      (isRow && k < tail ? outerReduced : reduced).push_back(dim);
    else if (k < tail)
      indices[dim] = builder.addLoop(shape[dim], Outer);
  }
  auto sizesOf = [&](ArrayRef<unsigned> dims) {
    return llvm::map_to_vector(dims, [&](unsigned d) { return shape[d]; });
  };
  int64_t outerCount = ShapedType::getNumElements(sizesOf(outerReduced));
  int64_t count = ShapedType::getNumElements(sizesOf(reduced));
  // Nothing once, not something no times: what it comes to is still stored.
  if (outerCount == 0)
    outerCount = 1, count = 0;
  Index outerLoop = builder.addLoop(outerCount, OuterReduced);
  Index loop = builder.addLoop(count, Reduced);
  for (auto [k, dim] : llvm::enumerate(dims))
    if (!isReduced(dim) && k >= tail)
      indices[dim] = builder.addLoop(shape[dim], Inner);
  auto spread = [&](ArrayRef<unsigned> dims, const Index &position) {
    for (auto [dim, index] :
         llvm::zip_equal(dims, builder.delinearize(position, sizesOf(dims))))
      indices[dim] = index;
  };
  spread(outerReduced, outerLoop);
  spread(reduced, loop);

  nest.op = op;
  nest.accumulationType =
      graph::getAccumulationType(graph::tensorTypeOf(input).getElementType());
  nest.element =
      fold ? builder.foldTerm(fold, indices) : builder.element(input, indices);
  SmallVector<Value> terms;
  if (!fold)
    terms = storeTerms(nest, builder, input, indices);

  SmallVector<Index> kept;
  SmallVector<int64_t> outerShape, innerShape;
  SmallVector<Index> outerKept, innerKept;
  for (size_t k = 0; k < shape.size(); ++k) {
    if (isReduced(k))
      continue;
    kept.push_back(indices[k]);
    bool isInner = !isRow && (!reduces || k >= dims[tail]) && shape[k] != 1;
    (isInner ? innerKept : outerKept).push_back(indices[k]);
    (isInner ? innerShape : outerShape).push_back(shape[k]);
  }
  ReductionShape chunks =
      isRow ? ReductionShape::ofRow(count) : ReductionShape::ofColumn(count);
  int64_t total = outerCount * chunks.chunks,
          width = ShapedType::getNumElements(innerShape);
  if (total > 1) {
    nest.partials = kernel.addWorkspace(
        nest.accumulationType,
        graph::tensorTypeOf(op->getResult(0)).getNumElements() * total);
    nest.partialIndex =
        Index()
            .add(builder.linearize(outerKept, outerShape), total * width)
            .add(outerLoop, chunks.chunks)
            .add(builder.linearize(innerKept, innerShape));
  }
  storeResult(nest, builder, op->getResult(0), kept);
  // Not before, so that the nest computes what it stores and never loads it.
  for (auto [store, value] : llvm::zip_equal(nest.termStores, terms))
    store.buffer = place(value);
}

void Planner::planArg(Operation *op) {
  Value input = op->getOperand(0);
  ArrayRef<int64_t> shape = graph::tensorTypeOf(input).getShape();
  unsigned axis = op->getAttrOfType<IntegerAttr>("axis").getInt();
  Nest &nest = addNest(Nest::ArgReduce, op->getLoc());
  NestBuilder builder(nest, placement);
  SmallVector<Index> indices;
  for (auto [k, size] : llvm::enumerate(shape))
    indices.push_back(builder.addLoop(size, k < axis    ? Outer
                                            : k == axis ? Reduced
                                                        : Inner));
  nest.op = op;
  nest.element = builder.element(input, indices);
  indices.erase(indices.begin() + axis);
  storeResult(nest, builder, op->getResult(0), indices);
}

/// A nest of its own, so that each index is looked at once.
void Planner::planCheck(graph::CheckIndexOp op) {
  ArrayRef<int64_t> shape = graph::tensorTypeOf(op.getResult()).getShape();
  Nest &nest = addNest(Nest::Check, op.getLoc());
  NestBuilder builder(nest, placement);
  SmallVector<Index> indices = builder.addLoops(shape, Outer);
  nest.op = op;
  nest.element = builder.element(op.getIndex(), indices);
  nest.partialIndex = builder.linearize(indices, shape);
  kernel.mayFail = true;
  storeResult(nest, builder, op.getResult(), indices);
}

} // namespace graphc::kernel
