// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Import/CustomFunctions.h"
#include "dialects/Graph/IR/Graph.h"

using namespace mlir;

namespace graphc {

llvm::SmallVector<func::FuncOp> customFunctions(func::FuncOp function,
                                                const SymbolTable &symbols) {
  llvm::SmallVector<func::FuncOp> found;
  auto add = [&](FlatSymbolRefAttr name) {
    if (name)
      found.push_back(symbols.lookup<func::FuncOp>(name.getValue()));
  };
  function.walk([&](Operation *op) {
    if (auto custom = dyn_cast<graph::CustomVjpOp>(op)) {
      add(custom.getFunctionAttr());
      add(custom.getVjpAttr());
    } else if (auto host = dyn_cast<graph::CustomOp>(op)) {
      add(host.getReferenceAttr());
      add(host.getVjpAttr());
    }
  });
  return found;
}

LogicalResult checkIsPlain(func::FuncOp function) {
  WalkResult result = function.walk([&](Operation *op) {
    bool isPlain = !isa<graph::GetOp, graph::SetOp, graph::DropoutOp,
                        graph::RandomUniformOp, graph::ValueAndGradOp,
                        graph::BatchNormOp, graph::IsTrainingOp>(op);
    if (isPlain)
      return WalkResult::advance();
    InFlightDiagnostic diag =
        op->emitError("expects no '")
        << op->getName() << "' in a function that a custom op names: it may "
        << "depend on nothing but its arguments";
    diag.attachNote(function.getLoc()) << "the function";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

} // namespace graphc
