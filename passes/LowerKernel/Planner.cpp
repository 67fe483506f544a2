// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/LowerKernel/Planner.h"
#include "passes/LowerKernel/PlanRegion.h"

using namespace mlir;
namespace graphc::kernel {

/// Ops whose result is stored before anything else reads it.
static bool isHeavy(Operation *op) {
  return isa<graph::ReduceSumOp, graph::ReduceMaxOp, graph::ReduceMinOp,
             graph::ReduceProdOp, graph::ArgmaxOp, graph::ArgminOp,
             graph::DotGeneralOp, graph::CheckIndexOp>(op);
}

static bool isInlined(Operation *op) {
  return op->hasTrait<graph::ElementwiseOp>() ||
         isa<graph::ConstantOp, graph::BroadcastOp, graph::ReshapeOp,
             graph::TransposeOp, graph::SliceOp, graph::PadOp, graph::ConcatOp,
             graph::IotaOp, graph::RandomUniformOp>(op);
}

void decomposeRegion(graph::FusedOp fused) {
  Block &body = fused.getBody().front();
  SmallVector<graph::DecomposableOpInterface> work;
  auto collect = [&] {
    work.clear();
    for (Operation &op : body)
      if (auto composite = dyn_cast<graph::DecomposableOpInterface>(op))
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
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (op.use_empty() && isPure(&op) && !op.hasTrait<OpTrait::IsTerminator>())
      op.erase();

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

/// The last value of the elementwise chain that alone reads `result`: it is
/// computed where the result is, and stored instead.
Value Planner::findEpilogue(Value result) const {
  Value end = result;
  while (!end.use_empty()) {
    Operation *user = *end.getUsers().begin();
    if (llvm::any_of(end.getUsers(), [&](Operation *o) { return o != user; }))
      break;
    if (!user->hasTrait<graph::ElementwiseOp>() || results.contains(end))
      break;
    if (!llvm::all_of(user->getOperands(), [&](Value operand) {
          return operand == end || isReady(operand);
        }))
      break;
    end = user->getResult(0);
  }
  return end;
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

void Planner::storeResult(Nest &nest, NestBuilder &builder, Value result,
                          ArrayRef<Index> kept) {
  builder.setAccumulated(result);
  Value end = findEpilogue(result);
  Expr *value = builder.element(end, kept);
  nest.stores.push_back(
      {value, place(end),
       builder.linearize(kept, graph::tensorTypeOf(end).getShape())});
  nest.finish();
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
    else if (isHeavy(&op))
      planReduction(&op);
  }
  planResults();
  return success();
}

LogicalResult planKernel(graph::FusedOp fused, Kernel &kernel) {
  return Planner(fused, kernel).run();
}

} // namespace graphc::kernel
