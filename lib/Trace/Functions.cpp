// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Beginning and ending functions, and calling them.
#include "lib/Trace/ModuleBuilder.h"

#include "lib/Trace/Diagnostics.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace graphc::trace {

FailureOr<std::vector<ValueId>>
ModuleBuilder::beginFunction(llvm::StringRef name, llvm::ArrayRef<Type> types,
                             llvm::ArrayRef<llvm::StringRef> argumentNames,
                             llvm::StringRef specializes, bool isPrivate,
                             const Source &source) {
  if (failed(checkName(name, source)))
    return failure();
  llvm::StringSet<> names;
  for (llvm::StringRef argument : argumentNames)
    if (!argument.empty() && !names.insert(argument).second)
      return fail(source, "expects names of arguments to differ, but got '" +
                              argument + "' again");
  Location loc = locationOf(source);
  auto function = func::FuncOp::create(
      loc, name, FunctionType::get(context_.get(), types, {}));
  if (isPrivate)
    function.setPrivate();
  if (!specializes.empty())
    function->setAttr("graph.specializes",
                      FlatSymbolRefAttr::get(context_.get(), specializes));
  Block *entry = function.addEntryBlock();
  for (auto [k, argument] : llvm::enumerate(argumentNames))
    if (!argument.empty())
      function.setArgAttr(k, "graph.name",
                          StringAttr::get(context_.get(), argument));
  // In the module from the start, so that symbols in it resolve.
  module().push_back(function);
  scopes_.push_back({function, OpBuilder::atBlockEnd(entry), values_.size()});
  std::vector<ValueId> ids;
  for (BlockArgument argument : entry->getArguments())
    ids.push_back(remember(argument));
  return ids;
}

LogicalResult
ModuleBuilder::endFunction(llvm::ArrayRef<ValueId> results,
                           llvm::ArrayRef<llvm::StringRef> names) {
  Source source;
  if (!scopes_.empty())
    if (auto file = dyn_cast<FileLineColLoc>(scopes_.back().function.getLoc()))
      source = {file.getFilename().str(), file.getLine(), file.getColumn()};
  llvm::SmallVector<Value> values;
  if (failed(lookup(results, source, values)))
    return failure();
  Scope &scope = scopes_.back();
  if (!scope.regions.empty())
    return fail(source, "a region of the function is still being traced");
  func::FuncOp function = scope.function;
  scope.builder.create<func::ReturnOp>(function.getLoc(), values);
  function.setFunctionType(
      FunctionType::get(context_.get(), function.getArgumentTypes(),
                        llvm::to_vector(ValueRange(values).getTypes())));
  for (auto [k, name] : llvm::enumerate(names))
    if (!name.empty())
      function.setResultAttr(k, "graph.name",
                             StringAttr::get(context_.get(), name));
  scopes_.pop_back();
  return success();
}

void ModuleBuilder::abandonFunction() {
  if (scopes_.empty())
    return;
  // Values of this function, and of those that nested in it and ended, go; the
  // latter cannot be used any more anyway.
  for (size_t k = scopes_.back().firstValue; k < values_.size(); ++k)
    values_[k] = Value();
  scopes_.back().function.erase();
  scopes_.pop_back();
}

FailureOr<std::vector<ValueId>>
ModuleBuilder::buildCall(llvm::StringRef name, llvm::ArrayRef<ValueId> operands,
                         const Source &source, size_t resultCount) {
  llvm::SmallVector<Value> values;
  if (failed(lookup(operands, source, values)))
    return failure();
  func::FuncOp function = lookupFunction(name);
  if (!function)
    return fail(source, "no function is called '" + name + "'");
  if (TypeRange(function.getArgumentTypes()) != ValueRange(values).getTypes()) {
    auto list = [](TypeRange types) {
      std::string text;
      llvm::raw_string_ostream os(text);
      llvm::interleaveComma(types, os);
      return text;
    };
    return fail(source, "expects arguments of types (" +
                            list(function.getArgumentTypes()) + ") for '" +
                            name + "', but got (" +
                            list(ValueRange(values).getTypes()) + ")");
  }
  if (failed(checkResultCount(function.getNumResults(), resultCount, source)))
    return failure();
  auto call = scopes_.back().builder.create<func::CallOp>(locationOf(source),
                                                          function, values);
  return rememberResults(call);
}

FailureOr<std::vector<ValueId>> ModuleBuilder::buildValueAndGrad(
    llvm::StringRef name, llvm::ArrayRef<ValueId> operands,
    llvm::ArrayRef<int64_t> inputs, llvm::ArrayRef<llvm::StringRef> variables,
    const Source &source, size_t resultCount) {
  llvm::SmallVector<Value> values;
  if (failed(lookup(operands, source, values)))
    return failure();
  func::FuncOp function = lookupFunction(name);
  if (!function)
    return fail(source, "no function is called '" + name + "'");
  llvm::SmallVector<Type> types(function.getResultTypes());
  for (int64_t input : inputs) {
    if (input < 0 || input >= function.getNumArguments())
      return fail(source, "function '" + name + "' has no argument " +
                              llvm::Twine(input));
    types.push_back(function.getArgumentTypes()[input]);
  }
  OpBuilder &builder = scopes_.back().builder;
  llvm::SmallVector<Attribute> symbols;
  for (llvm::StringRef variable : variables) {
    auto op = dyn_cast_if_present<graph::VariableOp>(
        SymbolTable::lookupSymbolIn(module(), variable));
    if (!op)
      return fail(source, "no variable is called '" + variable + "'");
    types.push_back(op.getType());
    symbols.push_back(FlatSymbolRefAttr::get(context_.get(), variable));
  }
  if (failed(checkResultCount(types.size(), resultCount, source)))
    return failure();
  Diagnostics diagnostics(*this);
  auto op = builder.create<graph::ValueAndGradOp>(
      locationOf(source), types, name, values, builder.getArrayAttr(symbols),
      builder.getDenseI64ArrayAttr(inputs), graph::ModeAttr());
  if (failed(settle(op, source, operands)))
    return failure();
  return rememberResults(op);
}

} // namespace graphc::trace
