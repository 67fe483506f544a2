// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Interpreter/Interpreter.h"

#include "lib/Interpreter/Evaluation.h"

#include <cmath>

using namespace mlir;

namespace graphc::interpreter {

Interpreter::Interpreter(ModuleOp module, Options options)
    : module(module), options(std::move(options)),
      symbols(std::make_unique<SymbolTable>(module)) {}

Interpreter::~Interpreter() = default;

/// The initial value of `variable`; success without one if only `initializer`
/// could give it and there is none.
static FailureOr<std::optional<Tensor>> makeInitial(graph::VariableOp variable,
                                                    const Options &options) {
  RankedTensorType type = variable.getTensorType();
  Attribute init = variable.getInitialValue();
  std::optional<int64_t> count = countElements(type);
  if (!count || *count > options.maxElements)
    return variable.emitOpError("has more than ")
           << options.maxElements << " elements: " << type;
  if (auto elements = dyn_cast<ElementsAttr>(init)) {
    FailureOr<Tensor> tensor = Tensor::fromAttribute(elements);
    if (failed(tensor))
      return variable.emitOpError("has an initial value that cannot be read");
    return std::optional<Tensor>(std::move(*tensor));
  }

  Tensor tensor(type);
  if (isa<graph::ZerosAttr>(init))
    return std::optional<Tensor>(std::move(tensor));
  if (isa<graph::SeedAttr>(init)) {
    if (!tensor.ints.empty())
      tensor.ints[0] = options.seed;
    return std::optional<Tensor>(std::move(tensor));
  }
  if (auto fill = dyn_cast<graph::FillAttr>(init)) {
    double value = fill.getValue();
    tensor.floats.assign(tensor.floats.size(), value);
    if (!tensor.isFloat()) {
      int64_t whole = static_cast<int64_t>(value);
      bool fits = std::fabs(value) < 0x1p63 &&
                  static_cast<double>(whole) == value &&
                  wrapTo(tensor.kind(), whole) == whole;
      if (!fits)
        return variable.emitOpError("expects a value of ")
               << type.getElementType() << ", but got " << fill.getValue();
      tensor.ints.assign(tensor.ints.size(), whole);
    }
    return std::optional<Tensor>(std::move(tensor));
  }

  if (!options.initializer)
    return std::optional<Tensor>();
  FailureOr<Tensor> drawn = options.initializer(variable);
  if (failed(drawn))
    return failure();
  if (drawn->type != type)
    return variable.emitOpError("expects an initial value of type ")
           << type << ", but got " << drawn->type;
  return std::optional<Tensor>(std::move(*drawn));
}

LogicalResult Interpreter::initializeVariables() {
  initialized = true;
  for (auto variable : module.getOps<graph::VariableOp>()) {
    // Draws happen even for variables that have a value, so that the numbers
    // of the others do not depend on it.
    FailureOr<std::optional<Tensor>> initial = makeInitial(variable, options);
    if (failed(initial))
      return failure();
    Value &value = variables[variable.getSymName()];
    if (value || !*initial)
      continue;
    if (options.mode == Mode::Declared)
      (*initial)->roundToType();
    value = std::make_shared<Tensor>(std::move(**initial));
  }
  return success();
}

const Tensor *Interpreter::getVariable(StringRef name) const {
  auto it = variables.find(name);
  return it == variables.end() ? nullptr : it->second.get();
}

/// Whether the vectors of `tensor` hold what its type says.
static bool isWhole(const Tensor &tensor) {
  if (!tensor.type || !getElementKind(tensor.type.getElementType()))
    return false;
  std::optional<int64_t> count = countElements(tensor.type);
  int64_t floats = tensor.floats.size(), ints = tensor.ints.size();
  return tensor.isFloat() ? count == floats && ints == 0
                          : count == ints && floats == 0;
}

LogicalResult Interpreter::setVariable(StringRef name, Tensor value) {
  auto variable = symbols->lookup<graph::VariableOp>(name);
  if (!variable)
    return module.emitError("has no variable '") << name << "'";
  if (value.type != variable.getType() || !isWhole(value))
    return variable.emitOpError("expects a value of type ")
           << variable.getType() << ", but got "
           << (value.type ? Type(value.type) : Type());
  if (options.mode == Mode::Declared)
    value.roundToType();
  variables[name] = std::make_shared<Tensor>(std::move(value));
  return success();
}

FailureOr<std::vector<Tensor>> Interpreter::run(StringRef name,
                                                ArrayRef<Tensor> inputs) {
  Operation *symbol = symbols->lookup(name);
  if (isa_and_present<graph::TrainOp, graph::GradOp>(symbol))
    return symbol->emitOpError(
        "must be expanded into a function first: run --train-step --autodiff");
  auto function = dyn_cast_if_present<func::FuncOp>(symbol);
  if (!function) {
    InFlightDiagnostic diag = module.emitError("has no function '")
                              << name << "'; it has:";
    for (auto other : module.getOps<func::FuncOp>())
      diag << " " << other.getSymName();
    return diag;
  }
  if (!initialized && failed(initializeVariables()))
    return failure();

  if (inputs.size() != function.getNumArguments())
    return function.emitError("expects ")
           << function.getNumArguments() << " inputs, but got "
           << inputs.size();
  Evaluation evaluation(*this);
  Evaluation::Values arguments;
  for (auto [k, input, type] :
       llvm::enumerate(inputs, function.getArgumentTypes())) {
    if (input.type != type || !isWhole(input))
      return function.emitError("expects input ")
             << k << " of type " << type << ", but got "
             << (input.type ? Type(input.type) : Type());
    Tensor copy = input;
    if (options.mode == Mode::Declared)
      copy.roundToType();
    arguments.push_back(evaluation.hold(std::move(copy)));
  }
  FailureOr<Evaluation::Values> results =
      evaluation.callFunction(function, function, std::move(arguments));
  if (failed(results))
    return failure();
  if (!options.keepVariables)
    evaluation.commit();
  std::vector<Tensor> copies;
  for (const Evaluation::Shared &result : *results)
    copies.push_back(*result);
  return copies;
}

} // namespace graphc::interpreter
