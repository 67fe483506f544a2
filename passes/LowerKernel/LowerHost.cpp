// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/LowerKernel/LowerHost.h"
#include "dialects/Graph/IR/Graph.h"
#include "dialects/Plan/IR/Plan.h"
#include "passes/LowerKernel/Emitter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace graphc::kernel {

/// A kernel with the buffers of `op` and nothing inside.
static func::FuncOp makeKernel(graph::CustomOp op, int64_t number) {
  MLIRContext *context = op.getContext();
  SmallVector<Type> types;
  for (TypeRange range :
       {TypeRange(op.getInputs().getTypes()), TypeRange(op.getResultTypes())})
    for (Type type : range) {
      auto tensor = cast<RankedTensorType>(type);
      types.push_back(MemRefType::get({tensor.getNumElements()},
                                      getStorageType(tensor.getElementType())));
    }
  auto kernel =
      func::FuncOp::create(op.getLoc(), ("host_" + Twine(number)).str(),
                           FunctionType::get(context, types, {}));
  kernel.setPrivate();
  kernel->setAttr(plan::PlanDialect::getKernelAttrName(),
                  UnitAttr::get(context));
  plan::setHostFunction(
      kernel, number,
      {op.getCallee(), FunctionType::get(context, op.getInputs().getTypes(),
                                         op.getResultTypes())});
  OpBuilder::atBlockEnd(kernel.addEntryBlock())
      .create<func::ReturnOp>(op.getLoc());
  return kernel;
}

LogicalResult lowerHostCalls(ModuleOp module, SymbolTable &symbols) {
  SmallVector<graph::CustomOp> ops;
  module.walk([&](graph::CustomOp op) { ops.push_back(op); });
  llvm::MapVector<std::pair<Attribute, Type>, FlatSymbolRefAttr> kernels;
  SmallVector<StringAttr> references;
  for (graph::CustomOp op : ops) {
    if (op.getInputs().size() + op.getNumResults() > plan::maxHostTensors)
      return op.emitOpError("expects at most ")
             << plan::maxHostTensors << " inputs and results, but got "
             << op.getInputs().size() + op.getNumResults();
    auto type = FunctionType::get(op.getContext(), op.getInputs().getTypes(),
                                  op.getResultTypes());
    FlatSymbolRefAttr &symbol = kernels[{op.getCalleeAttr(), type}];
    if (!symbol) {
      func::FuncOp kernel = makeKernel(op, int64_t(kernels.size()) - 1);
      symbols.insert(kernel);
      symbol = FlatSymbolRefAttr::get(kernel.getSymNameAttr());
    }
    if (FlatSymbolRefAttr reference = op.getReferenceAttr())
      references.push_back(reference.getAttr());
    OpBuilder builder(op);
    auto launch = builder.create<plan::LaunchOp>(
        op.getLoc(), op.getResultTypes(), symbol, op.getInputs(),
        ArrayRef<int64_t>(), ArrayRef<plan::InPlacePair>(),
        builder.getStringAttr(op->getName().getStringRef()),
        /*mayFail=*/true, /*parallel=*/false);
    if (!op.getPure())
      launch->setAttr("ordered", builder.getUnitAttr());
    op.replaceAllUsesWith(launch.getResults());
    op.erase();
  }
  for (StringAttr name : references)
    if (auto function = symbols.lookup<func::FuncOp>(name);
        function && function.isPrivate() &&
        SymbolTable::symbolKnownUseEmpty(name, &module.getBodyRegion()))
      symbols.erase(function);
  return success();
}

} // namespace graphc::kernel
