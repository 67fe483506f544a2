// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Target/Cpu/Kernels.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace graphc::cpu {
namespace {

/// The function of libm that `op` is, as C calls it for double; "" if none.
StringRef libmName(Operation *op) {
  return llvm::StringSwitch<StringRef>(op->getName().getStringRef())
      .Case("math.exp", "exp")
      .Case("math.expm1", "expm1")
      .Case("math.log", "log")
      .Case("math.log1p", "log1p")
      .Case("math.sin", "sin")
      .Case("math.cos", "cos")
      .Case("math.tanh", "tanh")
      .Case("math.erf", "erf")
      .Case("math.powf", "pow")
      .Default("");
}

/// Declares `name`. LLVM must neither replace a call by what it takes for the
/// same (pow by exp2, sin and cos by sincos) nor compute it with the libm of
/// the machine that compiles.
LLVM::LLVMFuncOp declare(ModuleOp module, StringRef name, Type element,
                         unsigned operands) {
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return function;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(element,
                                          SmallVector<Type>(operands, element));
  auto function = builder.create<LLVM::LLVMFuncOp>(module.getLoc(), name, type);
  auto none = LLVM::ModRefInfo::NoModRef;
  function.setMemoryAttr(
      LLVM::MemoryEffectsAttr::get(module.getContext(), none, none, none));
  function.setPassthroughAttr(
      builder.getStrArrayAttr({"nobuiltin", "nounwind", "willreturn"}));
  return function;
}

/// Calls `function` for each element of the vectors, or the scalars, of `op`.
Value callForEach(Operation *op, LLVM::LLVMFuncOp function) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  auto call = [&](ValueRange operands) {
    return builder.create<LLVM::CallOp>(loc, function, operands).getResult();
  };
  auto vector = dyn_cast<VectorType>(op->getResult(0).getType());
  if (!vector)
    return call(op->getOperands());
  SmallVector<Value> results;
  for (int64_t lane = 0; lane < vector.getNumElements(); ++lane) {
    SmallVector<Value> elements;
    for (Value operand : op->getOperands())
      elements.push_back(builder.create<vector::ExtractOp>(loc, operand, lane));
    results.push_back(call(elements));
  }
  return builder.create<vector::FromElementsOp>(loc, vector, results);
}

} // namespace

void callLibm(ModuleOp module) {
  module.walk([&](Operation *op) {
    StringRef name = libmName(op);
    if (name.empty())
      return;
    Type element = getElementTypeOrSelf(op->getResult(0).getType());
    std::string symbol = name.str() + (element.isF32() ? "f" : "");
    LLVM::LLVMFuncOp function =
        declare(module, symbol, element, op->getNumOperands());
    op->getResult(0).replaceAllUsesWith(callForEach(op, function));
    op->erase();
  });
}

} // namespace graphc::cpu
