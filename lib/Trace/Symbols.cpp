// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables, train steps and gradient functions of the module.
#include "lib/Trace/ModuleBuilder.h"

#include "lib/Trace/Diagnostics.h"

#include "mlir/AsmParser/AsmParser.h"

using namespace mlir;

namespace graphc::trace {

LogicalResult
ModuleBuilder::addVariable(llvm::StringRef name, RankedTensorType type,
                           llvm::StringRef initializer,
                           std::optional<llvm::ArrayRef<char>> data,
                           bool trainable, const Source &source) {
  if (failed(checkName(name, source)))
    return failure();
  Attribute initial;
  Diagnostics diagnostics(*this);
  if (data) {
    FailureOr<DenseElementsAttr> value =
        elements(type, *data, "variable '" + name + "'", source);
    if (failed(value))
      return failure();
    initial = *value;
  } else if (!(initial = parseAttribute(initializer, context_.get()))) {
    std::string detail = error_;
    return fail(source, "expects an initializer for variable '" + name +
                            "', but got '" + initializer + "'\n" + detail);
  }
  auto builder = OpBuilder::atBlockBegin(module().getBody());
  // Variables stand first, in the order in which they were added.
  for (Operation &op : *module().getBody()) {
    if (!isa<graph::VariableOp>(op))
      break;
    builder.setInsertionPointAfter(&op);
  }
  auto op = builder.create<graph::VariableOp>(locationOf(source), name, type,
                                              initial, trainable,
                                              /*optimizer_state=*/false,
                                              /*internal=*/false,
                                              /*layout=*/graph::PanelsAttr());
  return settle(op, source);
}

LogicalResult ModuleBuilder::addTrain(llvm::StringRef name,
                                      llvm::StringRef loss,
                                      llvm::StringRef optimizer,
                                      const TrainOptions &options,
                                      const Source &source) {
  if (failed(checkName(name, source)))
    return failure();
  Diagnostics diagnostics(*this);
  auto parse = [&](llvm::StringRef text, const char *what) -> Attribute {
    Attribute parsed = parseAttribute(text, context_.get());
    if (!parsed) {
      std::string detail = error_;
      (void)fail(source, "expects " + (what + (", but got '" + text)).str() +
                             "'\n" + detail);
    }
    return parsed;
  };
  Attribute parsed = parse(optimizer, "an optimizer");
  if (!parsed)
    return failure();
  ArrayAttr groups;
  if (!options.groups.empty()) {
    Attribute list = parse(options.groups, "an array of groups");
    groups = dyn_cast_if_present<ArrayAttr>(list);
    if (list && !groups)
      return fail(source, ("expects an array of groups, but got '" +
                           options.groups + "'")
                              .str());
    if (!groups)
      return failure();
  }
  auto builder = OpBuilder::atBlockEnd(module().getBody());
  FlatSymbolRefAttr family;
  if (!options.specializes.empty())
    family = FlatSymbolRefAttr::get(context_.get(), options.specializes);
  auto limit = [&](double value) {
    return value == 0 ? FloatAttr() : builder.getF64FloatAttr(value);
  };
  auto op = builder.create<graph::TrainOp>(
      locationOf(source), builder.getStringAttr(name),
      FlatSymbolRefAttr::get(context_.get(), loss), parsed, groups,
      limit(options.clipNorm), limit(options.clipValue),
      builder.getI64IntegerAttr(options.accumulate ? options.accumulate : 1),
      options.weighted ? builder.getUnitAttr() : UnitAttr(), family);
  return settle(op, source);
}

LogicalResult ModuleBuilder::addGrad(llvm::StringRef name,
                                     llvm::StringRef function,
                                     llvm::ArrayRef<llvm::StringRef> variables,
                                     llvm::ArrayRef<int64_t> inputs,
                                     const Source &source) {
  if (failed(checkName(name, source)))
    return failure();
  Diagnostics diagnostics(*this);
  auto builder = OpBuilder::atBlockEnd(module().getBody());
  llvm::SmallVector<Attribute> symbols;
  for (llvm::StringRef variable : variables)
    symbols.push_back(FlatSymbolRefAttr::get(context_.get(), variable));
  auto op = builder.create<graph::GradOp>(
      locationOf(source), builder.getStringAttr(name),
      FlatSymbolRefAttr::get(context_.get(), function),
      builder.getArrayAttr(symbols), builder.getDenseI64ArrayAttr(inputs),
      graph::ModeAttr());
  return settle(op, source);
}

} // namespace graphc::trace
