// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nests of matrix products.
#include "passes/LowerKernel/PlanRegion.h"

using namespace mlir;
namespace graphc::kernel {

/// Copies `factor`, its dimensions in the order `dims`, to the workspace.
Buffer *Planner::pack(Value factor, ArrayRef<int64_t> dims, Type type,
                      Location loc) {
  ArrayRef<int64_t> shape = graph::tensorTypeOf(factor).getShape();
  Nest &nest = addNest(Nest::Map, loc);
  NestBuilder builder(nest, placement);
  SmallVector<Index> indices(shape.size()), packed;
  SmallVector<int64_t> packedShape;
  for (int64_t dim : dims) {
    packed.push_back(indices[dim] = builder.addLoop(shape[dim], Outer));
    packedShape.push_back(shape[dim]);
  }
  Expr *value = builder.element(factor, indices);
  nest.exprs.push_back({Expr::Convert, type});
  nest.exprs.back().operands = {value};
  Buffer *buffer =
      kernel.addWorkspace(type, graph::tensorTypeOf(factor).getNumElements());
  nest.stores.push_back(
      {&nest.exprs.back(), buffer, builder.linearize(packed, packedShape)});
  nest.finish();
  return buffer;
}

static bool isView(Operation *op) {
  return isa<graph::BroadcastOp, graph::ReshapeOp, graph::TransposeOp,
             graph::SliceOp, graph::ReverseOp, graph::UnfoldOp>(op);
}

/// A window shows each element many times: what it slides over is stored once,
/// not computed each time, and not the windows.
void Planner::materializeWindowSource(Value factor) {
  bool hasWindows = false;
  while (!placement.buffers.contains(factor) &&
         isView(factor.getDefiningOp())) {
    hasWindows |= isa<graph::UnfoldOp>(factor.getDefiningOp());
    factor = factor.getDefiningOp()->getOperand(0);
  }
  if (hasWindows)
    materialize(factor);
}

namespace {

/// What may be chosen of a product's loops. No choice changes a sum.
struct ProductLoops {
  /// Free dimensions of the right factor, outermost first: vectors, or the rows
  /// of a tile, run along the last one.
  SmallVector<int64_t> rhsFree;
  /// The last two of them are one loop.
  bool merges = false;
  /// A copy of the right factor whose dimensions are batches, terms, and free
  /// ones in their own order; or nothing.
  Buffer *copy = nullptr;
};

} // namespace

static Type productType(graph::DotGeneralOp op) {
  Type operandType = graph::tensorTypeOf(op.getLhs()).getElementType();
  return isa<FloatType>(operandType) ? graph::getAccumulationType(operandType)
                                     : graph::tensorTypeOf(op).getElementType();
}

static SmallVector<int64_t> rhsFreeDims(graph::DotGeneralOp op) {
  return graph::freeDims(graph::tensorTypeOf(op.getRhs()), op.getRhsBatching(),
                         op.getRhsContracting());
}

static SmallVector<int64_t> copyOrder(graph::DotGeneralOp op) {
  SmallVector<int64_t> order(op.getRhsBatching());
  llvm::append_range(order, op.getRhsContracting());
  llvm::append_range(order, rhsFreeDims(op));
  return order;
}

/// The factors and loops of `op`; returns the indices of the result.
static SmallVector<Index> buildProduct(Nest &nest, NestBuilder &builder,
                                       graph::DotGeneralOp op,
                                       const ProductPart &part,
                                       const ProductLoops &loops) {
  ArrayRef<int64_t> lhsShape = graph::tensorTypeOf(op.getLhs()).getShape();
  ArrayRef<int64_t> rhsShape = graph::tensorTypeOf(op.getRhs()).getShape();
  Type type = productType(op);
  SmallVector<Index> lhs(lhsShape.size()), rhs(rhsShape.size()), kept;
  auto loop = [&](int64_t size, unsigned role) {
    return size == 1 ? Index() : builder.addLoop(size, role);
  };
  auto loopOver = [&](size_t dim, unsigned role) {
    Index index = loop(part.sizes[dim], role);
    index.constant += part.starts[dim];
    return index;
  };
  for (auto [l, r] : llvm::zip_equal(op.getLhsBatching(), op.getRhsBatching()))
    kept.push_back(lhs[l] = rhs[r] = loopOver(kept.size(), Outer));
  for (int64_t l : graph::freeDims(graph::tensorTypeOf(op.getLhs()),
                                   op.getLhsBatching(), op.getLhsContracting()))
    kept.push_back(lhs[l] = loopOver(kept.size(), M));
  SmallVector<int64_t> rhsFree = rhsFreeDims(op);
  auto resultDim = [&, first = kept.size()](int64_t r) -> size_t {
    return first + (llvm::find(rhsFree, r) - rhsFree.begin());
  };
  ArrayRef<int64_t> order = loops.rhsFree;
  for (int64_t r : order.drop_back(loops.merges ? 2 : 0))
    rhs[r] = loopOver(resultDim(r), N);
  SmallVector<int64_t> merged(order.take_back(loops.merges ? 2 : 0));
  auto mergedSizes = llvm::map_to_vector(
      merged, [&](int64_t r) { return part.sizes[resultDim(r)]; });
  Index both;
  if (loops.merges)
    both = loop(ShapedType::getNumElements(mergedSizes), N);
  for (auto [l, r] :
       llvm::zip_equal(op.getLhsContracting(), op.getRhsContracting()))
    lhs[l] = rhs[r] = loop(lhsShape[l], K);
  // When all loops are there.
  if (loops.merges)
    for (auto [r, index] :
         llvm::zip_equal(merged, builder.delinearize(both, mergedSizes))) {
      rhs[r] = index;
      rhs[r].constant += part.starts[resultDim(r)];
    }
  for (int64_t r : rhsFree)
    kept.push_back(rhs[r]);

  nest.op = op;
  nest.accumulationType = type;
  auto converted = [&](Expr *value) {
    if (value->elementType == type)
      return value;
    nest.exprs.push_back({Expr::Convert, type});
    nest.exprs.back().operands = {value};
    return &nest.exprs.back();
  };
  nest.element = converted(builder.element(op.getLhs(), lhs));
  if (loops.copy) {
    SmallVector<int64_t> order = copyOrder(op);
    Expr expr{Expr::Load, type};
    expr.buffer = loops.copy;
    expr.index = builder.linearize(
        llvm::map_to_vector(order, [&](int64_t d) { return rhs[d]; }),
        llvm::map_to_vector(order, [&](int64_t d) { return rhsShape[d]; }));
    nest.exprs.push_back(expr);
    nest.other = &nest.exprs.back();
  } else {
    nest.other = converted(builder.element(op.getRhs(), rhs));
  }
  return kept;
}

/// True if what follows `value` may be cut once more.
static bool isCutAgain(Value value) {
  llvm::SetVector<Value> seen;
  seen.insert(value);
  for (size_t k = 0; k < seen.size(); ++k)
    for (Operation *user : seen[k].getUsers()) {
      if (isa<graph::SliceOp>(user))
        return true;
      if (user->hasTrait<graph::ElementwiseOp>() ||
          isa<graph::TransposeOp, graph::ReshapeOp>(user))
        seen.insert(user->getResult(0));
    }
  return false;
}

/// All of the result, or, where what fills up a last panel is cut off after all
/// panels have been joined, first the full panels and then that one.
SmallVector<ProductPart, 2> Planner::partsOf(graph::DotGeneralOp op) const {
  ArrayRef<int64_t> shape = graph::tensorTypeOf(op).getShape();
  ProductPart all{SmallVector<int64_t>(shape.size(), 0),
                  SmallVector<int64_t>(shape)};
  if (!op->hasOneUse() || results.contains(op))
    return {all};
  auto reshape = dyn_cast<graph::ReshapeOp>(*op->getUsers().begin());
  if (!reshape || !reshape->hasOneUse() || results.contains(reshape))
    return {all};
  auto slice = dyn_cast<graph::SliceOp>(*reshape->getUsers().begin());
  ArrayRef<int64_t> joined = graph::tensorTypeOf(reshape).getShape();
  if (!slice || joined.size() + 1 != shape.size())
    return {all};
  size_t dim = 0; // the joined one
  while (dim + 1 < joined.size() && joined[dim] == shape[dim])
    ++dim;
  int64_t panels = shape[dim], width = shape[dim + 1];
  ArrayRef<int64_t> kept = graph::tensorTypeOf(slice).getShape();
  bool isCut = joined[dim] == panels * width &&
               joined.drop_front(dim + 1) == shape.drop_front(dim + 2) &&
               kept[dim] > (panels - 1) * width && panels > 1;
  for (size_t k = 0; k < joined.size(); ++k)
    isCut = isCut && slice.getStarts()[k] == 0 && slice.getStrides()[k] == 1 &&
            (k == dim || kept[k] == joined[k]);
  // Both parts have to be stored at the same place.
  if (!isCut || kept[dim] == joined[dim] || isCutAgain(slice))
    return {all};
  ProductPart last = all;
  all.sizes[dim] = panels - 1;
  last.starts[dim] = panels - 1;
  last.sizes[dim] = 1;
  last.sizes[dim + 1] = kept[dim] - (panels - 1) * width;
  return {all, last};
}

/// Windows show the columns of a product as several loops, of which the last
/// may be short (a row of the kernel, or of a small map): then another one goes
/// last, or the windows are copied after all.
void Planner::planProduct(graph::DotGeneralOp op) {
  materializeWindowSource(op.getLhs());
  materializeWindowSource(op.getRhs());

  SmallVector<ProductPart, 2> parts = partsOf(op);
  auto costOf = [&](const ProductLoops &loops, size_t &freeLoops) {
    Nest probe(Nest::Product, op.getLoc());
    NestBuilder builder(probe, placement);
    SmallVector<Index> kept =
        buildProduct(probe, builder, op, parts.front(), loops);
    storeResult(probe, builder, op, kept, /*places=*/false);
    freeLoops = probe.loopsOf(N).size();
    return chooseProduct(probe);
  };
  ProductLoops best{rhsFreeDims(op), false, nullptr};
  size_t freeLoops = 0;
  double cost = costOf(best, freeLoops);
  if (freeLoops > 1) {
    auto consider = [&](const ProductLoops &loops, double more) {
      double other = costOf(loops, freeLoops) + more;
      if (other < cost) {
        best = loops;
        cost = other;
      }
    };
    ArrayRef<int64_t> shape = graph::tensorTypeOf(op.getRhs()).getShape();
    ProductLoops natural = best;
    for (int64_t dim : ArrayRef(natural.rhsFree).drop_back()) {
      if (shape[dim] == 1)
        continue;
      ProductLoops turned = natural;
      llvm::erase(turned.rhsFree, dim);
      turned.rhsFree.push_back(dim);
      consider(turned, 0);
    }
    // Neighbours in memory that the result has apart: the channels of a row of
    // the kernel.
    for (int64_t outer : natural.rhsFree)
      for (int64_t inner : natural.rhsFree) {
        if (outer == inner || shape[outer] == 1 || shape[inner] == 1)
          continue;
        ProductLoops merged = natural;
        llvm::erase(merged.rhsFree, outer);
        llvm::erase(merged.rhsFree, inner);
        merged.rhsFree.append({outer, inner});
        merged.merges = true;
        consider(merged, 0);
      }
    constexpr double copyCost = 2; // an element, with its neighbours in runs
    auto elements = graph::tensorTypeOf(op.getRhs()).getNumElements();
    Buffer copy{Buffer::Workspace, 0, 0, productType(op), elements};
    ProductLoops copied{natural.rhsFree, false, &copy};
    consider(copied, copyCost * double(elements));
    if (best.copy)
      best.copy =
          pack(op.getRhs(), copyOrder(op), productType(op), op.getLoc());
  }

  for (auto [k, part] : llvm::enumerate(parts)) {
    Nest &nest = addNest(Nest::Product, op.getLoc());
    NestBuilder builder(nest, placement);
    SmallVector<Index> kept = buildProduct(nest, builder, op, part, best);
    SmallVector<Value> stored = storeResult(nest, builder, op, kept);
    chooseProduct(nest);
    addPanels(nest);
    if (k + 1 == parts.size())
      break;
    // The next part stores the rest of it.
    for (Value value : stored) {
      results[value] = placement.buffers.lookup(value);
      placement.buffers.erase(value);
    }
  }
}

} // namespace graphc::kernel
