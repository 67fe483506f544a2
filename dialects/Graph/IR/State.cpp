// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables and the ops that name functions: text and verifiers.
#include "dialects/Graph/IR/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/ScopedPrinter.h"

#include <cmath>

using namespace mlir;
using namespace graphc::graph;

//===----------------------------------------------------------------------===//
// VariableOp, GetOp, SetOp
//===----------------------------------------------------------------------===//

bool graphc::graph::isElementType(Type type) {
  return type.isF64() || type.isF32() || type.isF16() || type.isBF16() ||
         type.isSignlessInteger(1) || type.isSignlessInteger(8) ||
         type.isUnsignedInteger(8) || type.isSignlessInteger(32) ||
         type.isSignlessInteger(64);
}

/// Whether `value` is one of the integers of `type`.
static bool isIntegerOf(Type type, double value) {
  unsigned width = type.getIntOrFloatBitWidth();
  bool isSigned = !type.isUnsignedInteger() && width > 1;
  double limit = std::ldexp(1.0, isSigned ? width - 1 : width);
  return value == std::trunc(value) && value < limit &&
         value >= (isSigned ? -limit : 0.0);
}

/// Whether a finite `value` rounds to an infinity of `type`.
static bool overflows(FloatType type, double value) {
  llvm::APFloat rounded(value);
  bool losesInfo = false;
  rounded.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                  &losesInfo);
  return std::isfinite(value) && rounded.isInfinity();
}

LogicalResult VariableOp::verify() {
  // C1
  auto type = dyn_cast<RankedTensorType>(getType());
  if (!type || !type.hasStaticShape() || !isElementType(type.getElementType()))
    return emitOpError(
               "expects a static tensor of a supported element type, but got ")
           << getType();
  // C2
  Attribute init = getInitialValue();
  bool isFloat = isa<FloatType>(type.getElementType());
  if (auto elements = dyn_cast<ElementsAttr>(init)) {
    if (elements.getShapedType() != type)
      return emitOpError("expects initial elements of type ")
             << type << ", but got " << elements.getShapedType();
  } else if (isa<UniformAttr, NormalAttr>(init)) {
    if (!isFloat)
      return emitOpError(
                 "expects a float type for a random initializer, but got ")
             << type;
    if (auto uniform = dyn_cast<UniformAttr>(init);
        uniform && !(uniform.getLow() <= uniform.getHigh()))
      return emitOpError("expects low to be at most high, but got ")
             << llvm::to_string(uniform.getLow()) << " and "
             << llvm::to_string(uniform.getHigh());
    if (auto normal = dyn_cast<NormalAttr>(init);
        normal && !(normal.getStd() >= 0))
      return emitOpError("expects std to be 0 or more, but got ")
             << llvm::to_string(normal.getStd());
    if (auto normal = dyn_cast<NormalAttr>(init);
        normal && normal.getZeroRow() &&
        (type.getRank() == 0 || *normal.getZeroRow() < 0 ||
         *normal.getZeroRow() >= type.getDimSize(0)))
      return emitOpError("expects zero_row to be a row of ")
             << type << ", but got " << *normal.getZeroRow();
  } else if (isa<SeedAttr>(init)) {
    if (!type.getElementType().isSignlessInteger(64))
      return emitOpError("expects an i64 type for #graph.seed, but got ")
             << type;
  } else if (auto fill = dyn_cast<FillAttr>(init)) {
    if (!isFloat && !isIntegerOf(type.getElementType(), fill.getValue()))
      return emitOpError("expects an initial value of ")
             << type.getElementType() << ", but got "
             << llvm::to_string(fill.getValue());
    if (isFloat &&
        overflows(cast<FloatType>(type.getElementType()), fill.getValue()))
      return emitOpError("expects an initial value within ")
             << type.getElementType() << ", but got "
             << llvm::to_string(fill.getValue());
  } else if (!isa<ZerosAttr, FileAttr>(init)) {
    return emitOpError("expects a graph initializer (#graph.zeros, ...) or "
                       "elements, but got ")
           << init;
  }
  // C3
  if (getTrainable() && !isFloat)
    return emitOpError(
               "expects a float type for a trainable variable, but got ")
           << type;
  // C4
  if (getLayout() && type.getRank() != 2)
    return emitOpError("expects a matrix for a layout, but got ") << type;
  return success();
}

static LogicalResult verifyVariableUse(Operation *op, FlatSymbolRefAttr symbol,
                                       Type type,
                                       SymbolTableCollection &symbols) {
  auto variable = symbols.lookupNearestSymbolFrom<VariableOp>(op, symbol);
  // C1
  if (!variable)
    return op->emitOpError("expects ") << symbol << " to name a graph.variable";
  if (variable.getStoredType() == type)
    return success();
  InFlightDiagnostic diag = op->emitOpError("expects type ")
                            << variable.getStoredType() << " of variable "
                            << symbol << ", but got " << type;
  diag.attachNote(variable.getLoc()) << "declared here";
  return diag;
}

LogicalResult GetOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyVariableUse(*this, getVariableAttr(), getResult().getType(),
                           symbols);
}
LogicalResult SetOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyVariableUse(*this, getVariableAttr(), getValue().getType(),
                           symbols);
}

void GetOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
}
void SetOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Write::get());
}

//===----------------------------------------------------------------------===//
// Loss functions
//===----------------------------------------------------------------------===//

/// Finds the function `symbol` names and holds it to a scalar float first
/// result.
static FailureOr<func::FuncOp> lookupLoss(Operation *op,
                                          FlatSymbolRefAttr symbol,
                                          SymbolTableCollection &symbols) {
  auto function = symbols.lookupNearestSymbolFrom<func::FuncOp>(op, symbol);
  if (!function) {
    op->emitOpError("expects ") << symbol << " to name a function";
    return failure();
  }
  TypeRange results = function.getResultTypes();
  auto loss = results.empty() ? RankedTensorType()
                              : dyn_cast<RankedTensorType>(results.front());
  if (!loss || loss.getRank() != 0 || !isa<FloatType>(loss.getElementType())) {
    InFlightDiagnostic diag = op->emitOpError("expects the first result of ")
                              << symbol << " to be a rank-0 float tensor";
    if (!results.empty())
      diag << ", but got " << results.front();
    diag.attachNote(function.getLoc()) << "declared here";
    return failure();
  }
  return function;
}

static ArrayRef<Attribute> groupsOf(TrainOp op) {
  return op.getGroupsAttr() ? op.getGroupsAttr().getValue()
                            : ArrayRef<Attribute>();
}

static LogicalResult verifyOptimizer(TrainOp op, Attribute optimizer) {
  if (isa<OptimizerAttrInterface>(optimizer))
    return success();
  return op.emitOpError(
             "expects an optimizer such as #graph.sgd<lr = 0.1>, but got ")
         << optimizer;
}

LogicalResult TrainOp::verify() {
  // C2
  if (failed(verifyOptimizer(*this, getOptimizer())))
    return failure();
  if (getGroupsAttr() && getGroupsAttr().empty())
    return emitOpError("expects one group or more");
  for (Attribute group : groupsOf(*this)) {
    auto paramGroup = dyn_cast<ParamGroupAttr>(group);
    // C3
    if (!paramGroup)
      return emitOpError(
                 "expects groups such as #graph.param_group<[@fc.bias], "
                 "#graph.sgd<lr = 0.1>>, but got ")
             << group;
    if (failed(verifyOptimizer(*this, paramGroup.getOptimizer())))
      return failure();
  }
  // C4
  for (auto [name, limit] : {std::pair("clip_norm", getClipNormAttr()),
                             {"clip_value", getClipValueAttr()}})
    if (limit && std::isinf(limit.getValueAsDouble()))
      return emitOpError("expects ")
             << name << " to be finite, but got " << limit.getValueAsDouble();
    else if (limit && !(limit.getValueAsDouble() > 0))
      return emitOpError("expects ")
             << name << " to be above 0, but got " << limit.getValueAsDouble();
  if (getClipNorm() && getClipValue())
    return emitOpError("expects one of clip_norm and clip_value, but got both");
  // C5
  if (static_cast<int64_t>(getAccumulate()) < 1)
    return emitOpError("expects accumulate to be at least 1, but got ")
           << static_cast<int64_t>(getAccumulate());
  return success();
}

LogicalResult TrainOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // C3
  llvm::SmallDenseSet<StringAttr> seen;
  for (Attribute group : groupsOf(*this))
    for (FlatSymbolRefAttr name : cast<ParamGroupAttr>(group).getParams()) {
      auto variable = symbols.lookupNearestSymbolFrom<VariableOp>(*this, name);
      if (!variable ||
          !isa<FloatType>(variable.getTensorType().getElementType()))
        return emitOpError("expects ") << name << " to name a float variable";
      if (!variable.getTrainable())
        return emitOpError("expects ")
               << name << ", which is in a group, to be trainable";
      if (!seen.insert(name.getAttr()).second)
        return emitOpError("expects ") << name << " in one group only";
    }
  // C1
  FailureOr<func::FuncOp> loss = lookupLoss(*this, getLossAttr(), symbols);
  if (failed(loss))
    return failure();
  // C6
  TypeRange results = (*loss).getResultTypes();
  if (getWeighted() && (results.size() < 2 || results[1] != results[0]))
    return emitOpError("expects a weighted loss function to return a sum and "
                       "its weight, two results of type ")
           << results[0] << ", but got " << (*loss).getFunctionType();
  return success();
}

/// Checks what is differentiated and appends the gradient types.
static LogicalResult verifyWrt(Operation *op, func::FuncOp function,
                               ArrayAttr variables, ArrayRef<int64_t> inputs,
                               SymbolTableCollection &symbols,
                               SmallVectorImpl<Type> &gradients) {
  // C3
  if (variables.empty() && inputs.empty())
    return op->emitOpError("expects at least one gradient to be asked for");
  llvm::SmallDenseSet<int64_t> seenInputs;
  for (int64_t input : inputs) {
    if (input < 0 || input >= function.getNumArguments())
      return op->emitOpError("expects inputs to be argument numbers of ")
             << function.getSymName() << " below " << function.getNumArguments()
             << ", but got " << input;
    Type type = function.getArgumentTypes()[input];
    // C2
    if (!isa<FloatType>(getElementTypeOrSelf(type)))
      return op->emitOpError("expects argument ")
             << input << " to be a float tensor, but got " << type;
    if (!seenInputs.insert(input).second)
      return op->emitOpError("asks for the gradient of argument ")
             << input << " twice";
    gradients.push_back(type);
  }
  llvm::SmallDenseSet<Attribute> seen;
  for (auto symbol : variables.getAsRange<FlatSymbolRefAttr>()) {
    auto variable = symbols.lookupNearestSymbolFrom<VariableOp>(op, symbol);
    if (!variable)
      return op->emitOpError("expects ")
             << symbol << " to name a graph.variable";
    if (!isa<FloatType>(getElementTypeOrSelf(variable.getType())))
      return op->emitOpError("expects ")
             << symbol << " to be a float variable, but got "
             << variable.getType();
    if (!seen.insert(symbol).second)
      return op->emitOpError("asks for the gradient of ") << symbol << " twice";
    gradients.push_back(variable.getType());
  }
  return success();
}

//===----------------------------------------------------------------------===//
// GradOp:  graph.grad @dloss of @loss wrt(@a, @b) inputs = [0]
//===----------------------------------------------------------------------===//

/// `wrt(@a, @b)` and `inputs = [0, 1]`, in any order, each at most once.
static ParseResult parseWrt(OpAsmParser &parser, OperationState &result) {
  ArrayAttr variables;
  DenseI64ArrayAttr inputs;
  while (true) {
    SMLoc loc = parser.getCurrentLocation();
    bool isWrt = succeeded(parser.parseOptionalKeyword("wrt"));
    if (!isWrt && failed(parser.parseOptionalKeyword("inputs")))
      break;
    if (isWrt ? variables != nullptr : inputs != nullptr)
      return parser.emitError(loc, "expects one clause ")
             << (isWrt ? "wrt" : "inputs") << ", but got another";
    if (isWrt) {
      llvm::SmallVector<Attribute> names;
      auto parseName = [&]() -> ParseResult {
        StringAttr name;
        if (parser.parseSymbolName(name))
          return failure();
        names.push_back(FlatSymbolRefAttr::get(name));
        return success();
      };
      if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                         parseName))
        return failure();
      variables = parser.getBuilder().getArrayAttr(names);
    } else if (parser.parseEqual() ||
               !(inputs = dyn_cast_if_present<DenseI64ArrayAttr>(
                     DenseI64ArrayAttr::parse(parser, Type())))) {
      return failure();
    }
  }
  result.addAttribute("variables", variables
                                       ? variables
                                       : parser.getBuilder().getArrayAttr({}));
  if (inputs)
    result.addAttribute("inputs", inputs);
  return success();
}

static void printWrt(OpAsmPrinter &printer, ArrayAttr variables,
                     ArrayRef<int64_t> inputs) {
  if (!variables.empty()) {
    printer << " wrt(";
    llvm::interleaveComma(variables, printer);
    printer << ")";
  }
  if (!inputs.empty())
    printer << " inputs = [" << inputs << "]";
}

ParseResult GradOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name, function;
  if (parser.parseSymbolName(name, "sym_name", result.attributes) ||
      parser.parseKeyword("of") || parser.parseSymbolName(function))
    return failure();
  result.addAttribute("function", FlatSymbolRefAttr::get(function));
  return failure(parseWrt(parser, result) ||
                 parser.parseOptionalAttrDict(result.attributes));
}

void GradOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printer.printSymbolName(getSymName());
  printer << " of ";
  printer.printSymbolName(getFunction());
  printWrt(printer, getVariables(), getInputs());
  printer.printOptionalAttrDict(
      (*this)->getAttrs(), {"sym_name", "function", "variables", "inputs"});
}

LogicalResult GradOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // C1
  FailureOr<func::FuncOp> function =
      lookupLoss(*this, getFunctionAttr(), symbols);
  if (failed(function))
    return failure();
  llvm::SmallVector<Type> gradients;
  return verifyWrt(*this, *function, getVariables(), getInputs(), symbols,
                   gradients);
}

//===----------------------------------------------------------------------===//
// ValueAndGradOp
//===----------------------------------------------------------------------===//

ParseResult ValueAndGradOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr function;
  llvm::SmallVector<OpAsmParser::UnresolvedOperand> operands;
  FunctionType type;
  if (parser.parseSymbolName(function))
    return failure();
  result.addAttribute("function", FlatSymbolRefAttr::get(function));
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands, AsmParser::Delimiter::Paren) ||
      parseWrt(parser, result) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), loc, result.operands))
    return failure();
  result.addTypes(type.getResults());
  return success();
}

void ValueAndGradOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printer.printSymbolName(getFunction());
  printer << "(" << getArgs() << ")";
  printWrt(printer, getVariables(), getInputs());
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {"function", "variables", "inputs"});
  printer << " : ";
  printer.printFunctionalType(getArgs().getTypes(), getResultTypes());
}

LogicalResult ValueAndGradOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // C1
  FailureOr<func::FuncOp> function =
      lookupLoss(*this, getFunctionAttr(), symbols);
  if (failed(function))
    return failure();
  llvm::SmallVector<Type> results((*function).getResultTypes());
  if (failed(verifyWrt(*this, *function, getVariables(), getInputs(), symbols,
                       results)))
    return failure();
  // C4
  if (getArgs().getTypes() != TypeRange((*function).getArgumentTypes()) ||
      getResultTypes() != TypeRange(results)) {
    auto want = FunctionType::get(getContext(), (*function).getArgumentTypes(),
                                  results);
    auto have = FunctionType::get(getContext(), TypeRange(getArgs().getTypes()),
                                  getResultTypes());
    return emitOpError("expects type ") << want << ", but got " << have;
  }
  return success();
}
