// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Target/Cpu/Retype.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace graphc::cpu {

LogicalResult retype(ModuleOp module, llvm::function_ref<Type(Type)> change) {
  bool changed = false;
  auto changeValue = [&](Value value) {
    Type type = change(value.getType());
    changed |= type != value.getType();
    value.setType(type);
  };
  auto changeAll = [&](TypeRange types) {
    return llvm::to_vector(llvm::map_range(types, change));
  };
  module.walk([&](Operation *op) {
    for (Value result : op->getResults())
      changeValue(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          changeValue(argument);
    if (auto function = dyn_cast<func::FuncOp>(op)) {
      FunctionType type = function.getFunctionType();
      function.setFunctionType(FunctionType::get(op->getContext(),
                                                 changeAll(type.getInputs()),
                                                 changeAll(type.getResults())));
    }
  });
  return changed ? verify(module) : success();
}

} // namespace graphc::cpu
