// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/LowerKernel/Planner.h"

#include "dialects/Graph/IR/Sizes.h"
#include "dialects/Plan/IR/Plan.h"
#include "passes/LowerKernel/Groups.h"
#include "passes/LowerKernel/PlanRegion.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
namespace graphc::kernel {

/// Ops whose result is stored before anything else reads it.
static bool isHeavy(Operation *op) {
  return isa<graph::ReduceSumOp, graph::ReduceMaxOp, graph::ReduceMinOp,
             graph::ReduceProdOp, graph::FoldOp, graph::ArgmaxOp,
             graph::ArgminOp, graph::DotGeneralOp, graph::CheckIndexOp,
             graph::ScatterAddOp, graph::DynamicUpdateSliceOp, graph::CumsumOp,
             graph::SortOp, graph::AttentionOp, graph::AttentionGradOp>(op);
}

static bool isInlined(Operation *op) {
  return op->hasTrait<graph::ElementwiseOp>() ||
         isa<graph::ConstantOp, graph::BroadcastOp, graph::ReshapeOp,
             graph::TransposeOp, graph::SliceOp, graph::ReverseOp,
             graph::UnfoldOp, graph::PadOp, graph::ConcatOp, graph::IotaOp,
             graph::RandomUniformOp, graph::GatherOp, graph::DynamicSliceOp>(
             op);
}

/// The import gate holds what the user wrote to the same limits; gradients and
/// decompositions may make larger values of it.
static LogicalResult checkSizes(Block &body) {
  for (Operation &op : body)
    for (Value result : op.getResults())
      if (!graph::countWithoutZeros(graph::tensorTypeOf(result).getShape()))
        return op.emitError("expects tensors of at most ")
               << graph::maxElements << " elements, but makes "
               << result.getType();
  for (Value stored : body.getTerminator()->getOperands()) {
    RankedTensorType type = graph::tensorTypeOf(stored);
    if (plan::getByteSize(type) > graph::maxTensorBytes)
      return emitError(stored.getLoc(), "expects tensors of at most ")
             << graph::maxTensorBytes << " bytes, but makes " << type;
  }
  return success();
}

/// A transpose of a padded value pads a transposed one: then what makes the
/// value may store it so.
static void transposeBeforePads(Block &body) {
  SmallVector<graph::TransposeOp> work(body.getOps<graph::TransposeOp>());
  while (!work.empty()) {
    graph::TransposeOp transpose = work.pop_back_val();
    auto pad = transpose.getInput().getDefiningOp<graph::PadOp>();
    if (!pad || !pad->hasOneUse())
      continue;
    auto permuted = [&](ArrayRef<int64_t> list) {
      return llvm::map_to_vector(transpose.getPermutation(),
                                 [&](int64_t dim) { return list[dim]; });
    };
    OpBuilder builder(transpose);
    auto inner = builder.create<graph::TransposeOp>(
        transpose.getLoc(), pad.getInput(), transpose.getPermutation());
    Value padded = builder.create<graph::PadOp>(
        pad.getLoc(), inner, pad.getValue(), permuted(pad.getLow()),
        permuted(pad.getHigh()), permuted(pad.getInterior()));
    transpose.replaceAllUsesWith(padded);
    transpose.erase();
    pad.erase();
    work.push_back(inner);
  }
}

LogicalResult decomposeRegion(graph::FusedOp fused) {
  Block &body = fused.getBody().front();
  SmallVector<graph::DecomposableOpInterface> work;
  auto collect = [&] {
    work.clear();
    for (Operation &op : body)
      if (auto composite = dyn_cast<graph::DecomposableOpInterface>(op);
          composite && !runsInBlocks(&op))
        work.push_back(composite);
    return !work.empty();
  };
  while (collect()) {
    for (graph::DecomposableOpInterface composite : work) {
      OpBuilder builder(composite);
      SmallVector<Value> values = composite.decompose(builder);
      composite->replaceAllUsesWith(values);
      composite->erase();
    }
  }
  if (failed(checkSizes(body)))
    return failure();
  // Composites of one input may have the same beginnings.
  IRRewriter rewriter(fused.getContext());
  DominanceInfo dominance(fused);
  eliminateCommonSubExpressions(rewriter, dominance, fused);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (op.use_empty() && isPure(&op) && !op.hasTrait<OpTrait::IsTerminator>())
      op.erase();

  transposeBeforePads(body);
  makeIndicesSafe(body);

  OpBuilder outside(fused);
  for (auto constant :
       llvm::make_early_inc_range(body.getOps<graph::ConstantOp>())) {
    if (isa<SplatElementsAttr>(constant.getValue()))
      continue;
    Value operand = outside.clone(*constant)->getResult(0);
    fused.getInputsMutable().append(operand);
    constant.replaceAllUsesWith(
        Value(body.addArgument(constant.getType(), constant.getLoc())));
    constant.erase();
  }
  return success();
}

/// True if `value` can be computed without a heavy op that has no buffer yet.
bool Planner::isReady(Value value) const {
  SmallVector<Value> work = {value};
  llvm::SmallDenseSet<Value> seen;
  while (!work.empty()) {
    Value next = work.pop_back_val();
    if (placement.buffers.contains(next) || !seen.insert(next).second)
      continue;
    if (isHeavy(next.getDefiningOp()))
      return false;
    llvm::append_range(work, next.getDefiningOp()->getOperands());
  }
  return true;
}

/// True if each element of what `user` computes needs no more than one of
/// `value`, which is at hand, as are those that `atHand` has at the same
/// indices. Takes `indices` along, from those of `value` to those of the result.
bool Planner::canFollow(Operation *user, Value value, NestBuilder &builder,
                        SmallVectorImpl<Index> &indices,
                        const AtHand &atHand) const {
  if (auto transpose = dyn_cast<graph::TransposeOp>(user)) {
    if (!followsTransposes &&
        transpose.getPermutation().back() != int64_t(indices.size()) - 1)
      return false;
    auto from = llvm::to_vector(indices);
    for (auto [to, dim] : llvm::enumerate(transpose.getPermutation()))
      indices[to] = from[dim];
    return true;
  }
  if (auto reshape = dyn_cast<graph::ReshapeOp>(user)) {
    indices = builder.delinearize(
        builder.linearize(indices, graph::tensorTypeOf(value).getShape()),
        graph::tensorTypeOf(reshape).getShape());
    return true;
  }
  if (auto slice = dyn_cast<graph::SliceOp>(user)) {
    // All that is computed has to be in it.
    for (auto [k, index] : llvm::enumerate(indices)) {
      auto [low, high] = builder.rangeOf(index);
      if (slice.getStrides()[k] != 1 || low < slice.getStarts()[k] ||
          high >= slice.getLimits()[k])
        return false;
    }
    for (auto [k, index] : llvm::enumerate(indices))
      index.constant -= slice.getStarts()[k];
    return true;
  }
  return user->hasTrait<graph::ElementwiseOp>() &&
         llvm::all_of(user->getOperands(), [&](Value operand) {
           auto found = atHand.find(operand);
           return found != atHand.end() ? found->second == indices
                                        : isReady(operand);
         });
}

/// True if every element of `value` is one of a product that nothing else
/// reads.
static bool isOfProducts(Value value) {
  if (!value.hasOneUse())
    return false;
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<graph::TransposeOp, graph::ReshapeOp, graph::ConcatOp>(
          op))
    return llvm::all_of(op->getOperands(), isOfProducts);
  return isa_and_nonnull<graph::DotGeneralOp>(op);
}

/// The last value of the chain of elementwise ops and views that alone reads
/// `result`: it is computed where the result is, and stored instead. Products
/// that are put together each store their piece (`isPiece`). Takes
/// `indices` along, from those of `result` to those of the value returned.
Value Planner::findEpilogue(Value result, NestBuilder &builder,
                            SmallVectorImpl<Index> &indices,
                            bool &isPiece) const {
  Value end = result;
  while (!end.use_empty() && !results.contains(end) &&
         !placement.buffers.contains(end)) {
    Operation *user = *end.getUsers().begin();
    if (llvm::any_of(end.getUsers(), [&](Operation *o) { return o != user; }))
      break;
    if (auto concat = dyn_cast<graph::ConcatOp>(user)) {
      if (!llvm::all_of(concat.getInputs(), isOfProducts))
        break;
      for (Value before : concat.getInputs()) {
        if (before == end)
          break;
        indices[concat.getAxis()].constant +=
            graph::tensorTypeOf(before).getDimSize(concat.getAxis());
      }
      isPiece = true;
      end = concat;
      continue;
    }
    // What is cut off one piece may leave another whole.
    if (isPiece && isa<graph::SliceOp>(user))
      break;
    AtHand atHand;
    atHand.insert({end, llvm::to_vector(indices)});
    if (!canFollow(user, end, builder, indices, atHand))
      break;
    end = user->getResult(0);
  }
  return end;
}

/// True if `value` is a result of the region, or ops that could follow it make
/// one of it.
bool Planner::leadsToResult(Value value) {
  auto [known, isNew] = leads.try_emplace(value, results.contains(value));
  if (!isNew || known->second)
    return known->second;
  bool found = llvm::any_of(value.getUsers(), [&](Operation *user) {
    return (user->hasTrait<graph::ElementwiseOp>() ||
            isa<graph::TransposeOp, graph::ReshapeOp, graph::SliceOp>(user)) &&
           leadsToResult(user->getResult(0));
  });
  return leads[value] = found;
}

/// What can be computed where `end` is on the way to results of the region.
Planner::AtHand Planner::findFollowers(Value end, NestBuilder &builder,
                                       ArrayRef<Index> indices) {
  AtHand atHand;
  atHand.insert({end, llvm::to_vector(indices)});
  SmallVector<Value> work = {end};
  while (!work.empty()) {
    Value value = work.pop_back_val();
    for (Operation *user : value.getUsers()) {
      if (user->getNumResults() != 1 || atHand.contains(user->getResult(0)) ||
          !leadsToResult(user->getResult(0)))
        continue;
      SmallVector<Index> there = atHand.find(value)->second;
      if (!canFollow(user, value, builder, there, atHand))
        continue;
      atHand.insert({user->getResult(0), there});
      work.push_back(user->getResult(0));
    }
  }
  return atHand;
}

/// True if `value`, or a follower of it that is not stored, is an operand of
/// what is no follower.
bool Planner::isNeeded(Value value, const AtHand &followers) const {
  SmallVector<Value> work = {value};
  llvm::SmallDenseSet<Value> seen;
  while (!work.empty()) {
    for (Operation *user : work.pop_back_val().getUsers()) {
      if (user->getNumResults() != 1 || !followers.contains(user->getResult(0)))
        return true;
      Value next = user->getResult(0);
      if (!results.contains(next) && seen.insert(next).second)
        work.push_back(next);
    }
  }
  return false;
}

/// Stores `value`, so that nobody computes it again.
void Planner::materialize(Value value) {
  if (placement.buffers.contains(value))
    return;
  size_t first = kernel.nests.size();
  if (auto pad = value.getDefiningOp<graph::PadOp>()) {
    planPad(pad, place(value));
  } else {
    ArrayRef<int64_t> shape = graph::tensorTypeOf(value).getShape();
    Nest &nest = addNest(Nest::Map, value.getLoc());
    NestBuilder builder(nest, placement);
    SmallVector<Index> indices = builder.addLoops(shape, Outer);
    Expr *expr = builder.element(value, indices);
    nest.stores.push_back(
        {expr, place(value), builder.linearize(indices, shape)});
  }
  for (size_t k = first; k < kernel.nests.size(); ++k)
    kernel.nests[k].finish();
}

Buffer *Planner::place(Value value) {
  auto result = results.find(value);
  Buffer *buffer = nullptr;
  if (result != results.end()) {
    buffer = result->second;
    results.erase(result);
  } else {
    buffer = kernel.addWorkspace(graph::tensorTypeOf(value).getElementType(),
                                 graph::tensorTypeOf(value).getNumElements());
  }
  placement.buffers[value] = buffer;
  return buffer;
}

/// Returns what it stores.
SmallVector<Value> Planner::storeResult(Nest &nest, NestBuilder &builder,
                                        Value result, ArrayRef<Index> kept,
                                        bool places) {
  builder.setAccumulated(result);
  // A product turns its tiles over in registers.
  llvm::SaveAndRestore turns(followsTransposes,
                             nest.kind != Nest::ColumnReduce);
  auto indices = llvm::to_vector(kept);
  bool isPiece = false;
  Value end = findEpilogue(result, builder, indices, isPiece);
  if (isPiece || !places) {
    // Another piece of it may have given it memory: here it is computed.
    Buffer *buffer = placement.buffers.lookup(end);
    placement.buffers.erase(end);
    Expr *value = builder.element(end, indices);
    if (buffer)
      placement.buffers[end] = buffer;
    else if (places)
      buffer = place(end);
    nest.stores.push_back(
        {value, buffer,
         builder.linearize(indices, graph::tensorTypeOf(end).getShape())});
    nest.finish();
    return {};
  }
  // Results of the region among what follows are stored here as well.
  AtHand followers = findFollowers(end, builder, indices);
  SmallVector<Value> stored;
  for (auto &[value, there] : followers)
    if (results.contains(value) || (value == end && isNeeded(end, followers)))
      stored.push_back(value);
  SmallVector<Expr *> exprs;
  for (Value value : stored)
    exprs.push_back(builder.element(value, followers.find(value)->second));
  for (auto [value, expr] : llvm::zip_equal(stored, exprs))
    nest.stores.push_back(
        {expr, place(value),
         builder.linearize(followers.find(value)->second,
                           graph::tensorTypeOf(value).getShape())});
  nest.finish();
  return stored;
}

LogicalResult Planner::run() {
  for (auto [k, argument] : llvm::enumerate(body.getArguments())) {
    RankedTensorType type = graph::tensorTypeOf(argument);
    kernel.buffers.push_back({Buffer::Input, unsigned(k), 0,
                              type.getElementType(), type.getNumElements()});
    kernel.inputs.push_back(&kernel.buffers.back());
    placement.buffers[argument] = &kernel.buffers.back();
  }
  for (auto [k, value] : llvm::enumerate(body.getTerminator()->getOperands())) {
    RankedTensorType type = graph::tensorTypeOf(value);
    kernel.buffers.push_back({Buffer::Output, unsigned(k), 0,
                              type.getElementType(), type.getNumElements()});
    kernel.outputs.push_back(&kernel.buffers.back());
    if (!isa<BlockArgument>(value))
      results.try_emplace(value, &kernel.buffers.back());
  }
  for (Operation &op : body.without_terminator()) {
    if (auto random = dyn_cast<graph::RandomUniformOp>(op)) {
      placement.opIds[&op] = kernel.args.size();
      kernel.args.push_back(random.getOpId());
    }
    if (!isHeavy(&op) && !isInlined(&op))
      return op.emitError() << "expects an op that a kernel can compute, but "
                               "got '"
                            << op.getName() << "'";
  }
  for (Operation &op : body.without_terminator()) {
    if (auto product = dyn_cast<graph::DotGeneralOp>(op))
      planProduct(product);
    else if (isa<graph::ArgmaxOp, graph::ArgminOp>(op))
      planArg(&op);
    else if (auto check = dyn_cast<graph::CheckIndexOp>(op))
      planCheck(check);
    else if (auto scatter = dyn_cast<graph::ScatterAddOp>(op))
      planScatter(scatter);
    else if (auto update = dyn_cast<graph::DynamicUpdateSliceOp>(op))
      planUpdate(update);
    else if (auto scan = dyn_cast<graph::CumsumOp>(op))
      planScan(scan);
    else if (auto sort = dyn_cast<graph::SortOp>(op))
      planSort(sort);
    else if (auto attention = dyn_cast<graph::AttentionOp>(op))
      planAttention(attention);
    else if (auto grad = dyn_cast<graph::AttentionGradOp>(op))
      planAttentionGrad(grad);
    else if (isHeavy(&op))
      planReduction(&op);
  }
  planResults();
  return success();
}

LogicalResult planKernel(graph::FusedOp fused, Kernel &kernel) {
  if (failed(Planner(fused, kernel).run()))
    return failure();
  groupNests(kernel);
  if (kernel.workspaceBytes > graph::maxTensorBytes)
    return fused.emitError("expects a workspace of at most ")
           << graph::maxTensorBytes << " bytes, but needs "
           << kernel.workspaceBytes;
  return success();
}

} // namespace graphc::kernel
