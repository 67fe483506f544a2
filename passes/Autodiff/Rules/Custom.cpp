// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives that the user gives as functions.
#include "passes/Autodiff/Rules/Rule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace graphc;
using namespace graphc::graph;

static bool isFloat(Value value) {
  return isa<FloatType>(elementTypeOf(value));
}

/// Calls `vjp`(inputs, results, cotangents of the float results), which returns
/// the gradient of each float input.
static LogicalResult callVjp(Operation *op, FlatSymbolRefAttr vjp, Rule &r) {
  llvm::SmallVector<Value> arguments(op->getOperands());
  llvm::append_range(arguments, op->getResults());
  for (OpResult result : op->getResults()) {
    if (!isFloat(result))
      continue;
    Value g = r.cotangent(result.getResultNumber());
    arguments.push_back(g ? g : r.like(result, 0.0));
  }
  llvm::SmallVector<Type> types;
  for (Value input : op->getOperands())
    if (isFloat(input))
      types.push_back(input.getType());
  auto call =
      r.builder.create<func::CallOp>(op->getLoc(), vjp, types, arguments);
  unsigned next = 0;
  for (auto [k, input] : llvm::enumerate(op->getOperands())) {
    if (!isFloat(input))
      continue;
    Value gradient = call.getResult(next++);
    if (r.wants(k))
      r.give(k, gradient);
  }
  return success();
}

static LogicalResult customVjpRule(CustomVjpOp op, Rule &r) {
  return callVjp(op, op.getVjpAttr(), r);
}

static LogicalResult customRule(CustomOp op, Rule &r) {
  if (!op.getVjpAttr())
    return op.emitOpError(
        "expects a vjp: it lies between what is asked for and the loss");
  return callVjp(op, op.getVjpAttr(), r);
}

void graphc::attachCustomRules(MLIRContext *context) {
  attachRule<CustomVjpOp, customVjpRule>(context);
  attachRule<CustomOp, customRule>(context);
}
