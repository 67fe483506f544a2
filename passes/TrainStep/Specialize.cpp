// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/TrainStep/Specialize.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace graphc {

/// Whether the types pair up and differ at most in the sizes of dimensions.
static bool differInSizesOnly(TypeRange a, TypeRange b) {
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto pair) {
           auto x = dyn_cast<RankedTensorType>(std::get<0>(pair));
           auto y = dyn_cast<RankedTensorType>(std::get<1>(pair));
           return x && y && x.getRank() == y.getRank() &&
                  x.getElementType() == y.getElementType();
         });
}

static LogicalResult resolve(func::FuncOp function, SymbolTable &symbols) {
  Attribute attribute = function->getAttr(kSpecializesAttr);
  if (!attribute)
    return success();
  auto name = dyn_cast<FlatSymbolRefAttr>(attribute);
  if (!name)
    return function.emitError("expects ")
           << kSpecializesAttr << " to be a symbol, but got " << attribute;
  auto first = symbols.lookup<func::FuncOp>(name.getValue());
  if (!first || first == function || first.isPrivate() ||
      first->hasAttr(kSpecializesAttr) || first->hasAttr("graph.family"))
    return function.emitError("expects ")
           << name
           << " to name another public function that specializes no other";
  auto fail = [&]() {
    InFlightDiagnostic diag =
        function.emitError("expects a specialization to differ from ")
        << name << " in the sizes of its arguments and results only, but got "
        << function.getFunctionType();
    diag.attachNote(first.getLoc()) << "which has " << first.getFunctionType();
    return diag;
  };
  if (!differInSizesOnly(function.getArgumentTypes(),
                         first.getArgumentTypes()) ||
      !differInSizesOnly(function.getResultTypes(), first.getResultTypes()))
    return fail();
  if (function.getArgumentTypes() == first.getArgumentTypes())
    return function.emitError("expects argument sizes other than those of ")
           << name << ", but got the same: " << function.getFunctionType();
  if (function->getAttr("graph.kind") != first->getAttr("graph.kind"))
    return function.emitError("expects to be of the kind of ")
           << name << ", which it specializes";
  return success();
}

/// The runtime picks a size by the types of the arguments.
static LogicalResult checkSizesDiffer(ModuleOp module) {
  llvm::DenseMap<std::pair<Attribute, Type>, func::FuncOp> sizes;
  auto argumentsOf = [](func::FuncOp function) {
    return FunctionType::get(function.getContext(), function.getArgumentTypes(),
                             {});
  };
  for (auto function : module.getOps<func::FuncOp>()) {
    Attribute first = function->getAttr(kSpecializesAttr);
    if (!first)
      continue;
    auto [other, isNew] =
        sizes.insert({{first, argumentsOf(function)}, function});
    if (isNew)
      continue;
    InFlightDiagnostic diag =
        function.emitError("expects argument sizes other than those of ")
        << FlatSymbolRefAttr::get(other->second.getSymNameAttr())
        << ", but got the same: " << function.getFunctionType();
    diag.attachNote(other->second.getLoc()) << "the other one";
    return diag;
  }
  return success();
}

LogicalResult resolveSpecializations(ModuleOp module) {
  SymbolTable symbols(module);
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(resolve(function, symbols)))
      return failure();
  if (failed(checkSizesDiffer(module)))
    return failure();
  for (auto function : module.getOps<func::FuncOp>())
    if (auto name = dyn_cast_if_present<FlatSymbolRefAttr>(
            function->removeAttr(kSpecializesAttr)))
      function->setAttr("graph.family", name.getAttr());
  return success();
}

} // namespace graphc
