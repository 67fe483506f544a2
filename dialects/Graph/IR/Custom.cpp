// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// graph.checkpoint, graph.custom_vjp and graph.custom: verifiers.
#include "dialects/Graph/IR/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace graphc::graph;

LogicalResult CheckpointOp::verify() {
  // C1
  TypeRange yielded = getBody().front().getTerminator()->getOperandTypes();
  if (yielded != getResultTypes())
    return emitOpError("expects yielded values of the types of its results");
  return success();
}

/// Fails unless `symbol` names a function of the type `want`.
static LogicalResult verifyFunction(Operation *op, FlatSymbolRefAttr symbol,
                                    FunctionType want, StringRef what,
                                    SymbolTableCollection &symbols) {
  auto function = symbols.lookupNearestSymbolFrom<func::FuncOp>(op, symbol);
  if (!function || function.isExternal())
    return op->emitOpError("expects ")
           << what << " to name a function with a body, but got " << symbol;
  if (function.getFunctionType() == want)
    return success();
  InFlightDiagnostic diag = op->emitOpError("expects ")
                            << what << " of type " << want << ", but got "
                            << function.getFunctionType();
  diag.attachNote(function.getLoc()) << "defined here";
  return diag;
}

/// (inputs, results, cotangents) -> gradients of the float inputs.
static FunctionType vjpType(Operation *op) {
  llvm::SmallVector<Type> inputs(op->getOperandTypes()), gradients;
  auto isFloat = [](Type type) {
    return isa<FloatType>(cast<RankedTensorType>(type).getElementType());
  };
  llvm::copy_if(inputs, std::back_inserter(gradients), isFloat);
  llvm::append_range(inputs, op->getResultTypes());
  llvm::copy_if(op->getResultTypes(), std::back_inserter(inputs), isFloat);
  return FunctionType::get(op->getContext(), inputs, gradients);
}

LogicalResult CustomVjpOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // C1
  auto type =
      FunctionType::get(getContext(), getOperandTypes(), getResultTypes());
  if (failed(verifyFunction(*this, getFunctionAttr(), type, "function",
                            symbols)) ||
      failed(
          verifyFunction(*this, getVjpAttr(), vjpType(*this), "vjp", symbols)))
    return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// CustomOp
//===----------------------------------------------------------------------===//

LogicalResult CustomOp::verify() {
  // C1
  if (getCallee().empty())
    return emitOpError("expects the name of a host function");
  // C3
  if (static_cast<int64_t>(getFlopsAttr().getInt()) < 0)
    return emitOpError("expects flops of 0 or more, but got ")
           << getFlopsAttr().getInt();
  return success();
}

LogicalResult CustomOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // C2
  auto type =
      FunctionType::get(getContext(), getOperandTypes(), getResultTypes());
  if (getReferenceAttr() && failed(verifyFunction(*this, getReferenceAttr(),
                                                  type, "reference", symbols)))
    return failure();
  if (getVjpAttr() && failed(verifyFunction(*this, getVjpAttr(), vjpType(*this),
                                            "vjp", symbols)))
    return failure();
  return success();
}

void CustomOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (getPure())
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}
