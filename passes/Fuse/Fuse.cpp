// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups compute ops into graph.fused regions, one op a region.
#include "passes/Fuse/Fuse.h"
#include "dialects/Graph/IR/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace graphc {
#define GEN_PASS_DEF_FUSE
#include "passes/Fuse/Fuse.h.inc"

namespace {

bool isCompute(Operation *op) {
  bool isOurs = isa_and_nonnull<graph::GraphDialect>(op->getDialect()) ||
                isa<graph::DecomposableOpInterface>(op); // of a plugin
  return isOurs && op->getNumRegions() == 0 && isPure(op) &&
         !op->hasTrait<OpTrait::ConstantLike>() &&
         !op->hasTrait<OpTrait::IsTerminator>() && !isa<SymbolOpInterface>(op);
}

/// A constant that a kernel can hold as one immediate value.
graph::ConstantOp getSplatConstant(Value value) {
  auto constant = value.getDefiningOp<graph::ConstantOp>();
  return constant && isa<SplatElementsAttr>(constant.getValue())
             ? constant
             : graph::ConstantOp();
}

/// LLVM takes minutes over a kernel of thousands of arguments.
constexpr size_t kMaxInputs = 48;

/// Joins in rounds of at most kMaxInputs what `concat` joins at once, and
/// returns the concats that do it.
llvm::SmallVector<Operation *> splitConcat(graph::ConcatOp concat) {
  llvm::SmallVector<Value> parts(concat.getInputs());
  if (parts.size() <= kMaxInputs)
    return {concat};
  llvm::SmallVector<Operation *> made;
  OpBuilder builder(concat);
  while (parts.size() > 1) {
    llvm::SmallVector<Value> joined;
    for (ArrayRef<Value> rest = parts; !rest.empty();) {
      ArrayRef<Value> group = rest.take_front(kMaxInputs);
      rest = rest.drop_front(group.size());
      made.push_back(builder.create<graph::ConcatOp>(
          concat.getLoc(), ValueRange(group), concat.getAxisAttr()));
      joined.push_back(made.back()->getResult(0));
    }
    parts = std::move(joined);
  }
  concat.replaceAllUsesWith(parts.front());
  concat.erase();
  return made;
}

void wrap(Operation *op) {
  llvm::SetVector<Value> inputs;
  for (Value operand : op->getOperands())
    if (!getSplatConstant(operand))
      inputs.insert(operand);

  OpBuilder builder(op);
  auto fused = builder.create<graph::FusedOp>(
      op->getLoc(), op->getResultTypes(), inputs.getArrayRef());
  Block *body = builder.createBlock(&fused.getBody());
  IRMapping map;
  for (Value input : inputs)
    map.map(input, body->addArgument(input.getType(), input.getLoc()));
  for (Value operand : op->getOperands())
    if (graph::ConstantOp constant = getSplatConstant(operand);
        constant && !map.contains(operand))
      builder.clone(*constant, map);
  Operation *clone = builder.clone(*op, map);
  builder.create<graph::YieldOp>(op->getLoc(), clone->getResults());
  op->replaceAllUsesWith(fused);
  op->erase();
}

struct FusePass : impl::FuseBase<FusePass> {
  void runOnOperation() override {
    llvm::SmallVector<Operation *> compute;
    llvm::SmallVector<graph::ConstantOp> constants;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<graph::FusedOp>(op))
        return WalkResult::skip();
      if (auto constant = dyn_cast<graph::ConstantOp>(op))
        constants.push_back(constant);
      else if (isCompute(op))
        compute.push_back(op);
      return WalkResult::advance();
    });
    for (Operation *op : compute) {
      if (isa<graph::StopGradientOp>(op)) {
        op->replaceAllUsesWith(op->getOperands());
        op->erase();
      } else if (auto concat = dyn_cast<graph::ConcatOp>(op)) {
        for (Operation *part : splitConcat(concat))
          wrap(part);
      } else {
        wrap(op);
      }
    }
    for (graph::ConstantOp constant : constants)
      if (constant.use_empty())
        constant.erase();
  }
};

} // namespace
} // namespace graphc
