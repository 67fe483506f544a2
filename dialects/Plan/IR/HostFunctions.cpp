// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that stand for functions of the host program.
#include "dialects/Plan/IR/Plan.h"

using namespace mlir;

namespace graphc::plan {

static DictionaryAttr dictionaryOf(func::FuncOp kernel) {
  return kernel->getAttrOfType<DictionaryAttr>(kHostFunctionAttrName);
}

void setHostFunction(func::FuncOp kernel, int64_t number,
                     const HostFunction &function) {
  Builder builder(kernel.getContext());
  kernel->setAttr(
      kHostFunctionAttrName,
      builder.getDictionaryAttr(
          {builder.getNamedAttr("name", builder.getStringAttr(function.name)),
           builder.getNamedAttr("number", builder.getI64IntegerAttr(number)),
           builder.getNamedAttr("type", TypeAttr::get(function.type))}));
}

std::optional<int64_t> getHostFunctionNumber(func::FuncOp kernel) {
  DictionaryAttr dictionary = dictionaryOf(kernel);
  if (!dictionary)
    return std::nullopt;
  return dictionary.getAs<IntegerAttr>("number").getInt();
}

SmallVector<HostFunction> getHostFunctions(ModuleOp module) {
  SmallVector<HostFunction> functions;
  for (auto kernel : module.getOps<func::FuncOp>()) {
    DictionaryAttr dictionary = dictionaryOf(kernel);
    if (!dictionary)
      continue;
    auto number = static_cast<size_t>(*getHostFunctionNumber(kernel));
    if (functions.size() <= number)
      functions.resize(number + 1);
    functions[number] = {
        dictionary.getAs<StringAttr>("name").getValue(),
        cast<FunctionType>(dictionary.getAs<TypeAttr>("type").getValue())};
  }
  return functions;
}

LogicalResult verifyHostFunction(Operation *op, NamedAttribute attribute) {
  auto dictionary = dyn_cast<DictionaryAttr>(attribute.getValue());
  bool isComplete =
      dictionary && dictionary.size() == 3 &&
      dictionary.getAs<StringAttr>("name") &&
      dictionary.getAs<IntegerAttr>("number") &&
      dictionary.getAs<IntegerAttr>("number").getInt() >= 0 &&
      dictionary.getAs<TypeAttr>("type") &&
      isa<FunctionType>(dictionary.getAs<TypeAttr>("type").getValue());
  if (!isComplete || !isa<func::FuncOp>(op) ||
      !isKernel(cast<func::FuncOp>(op)))
    return op->emitOpError("expects '")
           << attribute.getName()
           << "' to be a name, a number and a function type, on a kernel";
  return success();
}

} // namespace graphc::plan
