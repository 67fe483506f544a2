// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The import gate: a verifier of modules that may be hostile. MLIR's own
// crashes or never ends on some, and lets others pass that our passes could not
// bear.
#include "lib/Import/Gate.h"
#include "dialects/Graph/IR/Graph.h"
#include "dialects/Graph/IR/KnownAttributes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace graphc {
namespace {

class Gate {
public:
  explicit Gate(const ImportLimits &limits)
      : limits(limits), attributes(limits) {}

  LogicalResult checkModule(ModuleOp module);

private:
  LogicalResult checkOp(Operation *op, int64_t depth);
  LogicalResult checkDialect(Operation *op);
  LogicalResult checkKind(Operation *op, int64_t depth);
  LogicalResult checkOperands(Operation *op);
  LogicalResult checkBody(Operation *op, int64_t depth);
  LogicalResult define(ValueRange values, Location loc);

  LogicalResult checkLocation(Operation *op);
  LogicalResult checkAttributes(Operation *op);

  const ImportLimits &limits;
  AttributeGate attributes;
  int64_t ops = 0;
  /// The values that an op may use: those above it, in its block and around.
  llvm::DenseSet<Value> visible;
};

LogicalResult Gate::checkDialect(Operation *op) {
  bool isKnown = isa<func::FuncOp, func::CallOp, func::ReturnOp>(op) ||
                 isa_and_present<graph::GraphDialect>(op->getDialect()) ||
                 isa<graph::DecomposableOpInterface>(op); // of a plugin
  if (!op->isRegistered() || !isKnown)
    return op->emitError("expects ops of the graph dialect, func.func, "
                         "func.call and func.return, but got '")
           << op->getName() << "'";
  return success();
}

/// Which ops may stand where. `depth` is the number of regions around it.
LogicalResult Gate::checkKind(Operation *op, int64_t depth) {
  if (isa<graph::FusedOp>(op))
    return op->emitError("expects no graph.fused: the compiler makes them");
  if (auto variable = dyn_cast<graph::VariableOp>(op);
      variable && variable.getLayout())
    return op->emitError("expects no layout: the compiler chooses it");
  bool isDeclaration =
      isa<func::FuncOp, graph::VariableOp, graph::TrainOp, graph::GradOp>(op);
  if (isDeclaration && depth != 1)
    return op->emitError("expects '")
           << op->getName() << "' to stand in the module itself";
  if (!isDeclaration && depth == 1)
    return op->emitError("expects '")
           << op->getName() << "' to stand in a function";
  bool inFunction = isa<func::FuncOp>(op->getParentOp());
  if (inFunction ? isa<graph::YieldOp>(op) : isa<func::ReturnOp>(op))
    return op->emitError("expects '")
           << op->getParentOp()->getName() << "' to end in '"
           << (inFunction ? func::ReturnOp::getOperationName()
                          : graph::YieldOp::getOperationName())
           << "', but got '" << op->getName() << "'";
  return success();
}

LogicalResult Gate::checkOperands(Operation *op) {
  if (op->getNumOperands() > limits.maxValues ||
      op->getNumResults() > limits.maxValues)
    return op->emitError("expects at most ")
           << limits.maxValues << " operands and results, but got "
           << op->getNumOperands() << " and " << op->getNumResults();
  for (Value operand : op->getOperands()) {
    if (visible.contains(operand))
      continue;
    if (operand.getDefiningOp() == op)
      return op->emitError("expects not to use its own result");
    return op->emitError("expects operands to be defined before it");
  }
  return success();
}

LogicalResult Gate::define(ValueRange values, Location loc) {
  for (Value value : values) {
    if (failed(checkValueType(loc, value.getType(), limits)))
      return failure();
    visible.insert(value);
  }
  return success();
}

LogicalResult Gate::checkBody(Operation *op, int64_t depth) {
  if (op->getNumRegions() == 0)
    return success();
  if (depth + 1 > limits.maxRegionNesting)
    return op->emitError("expects regions at most ")
           << limits.maxRegionNesting << " deep";
  for (Region &region : op->getRegions()) {
    if (region.empty())
      return op->emitError("expects a body");
    if (!region.hasOneBlock())
      return op->emitError("expects a body of one block, but got ")
             << region.getBlocks().size();
    Block &block = region.front();
    if (failed(define(block.getArguments(), op->getLoc())))
      return failure();
    for (Operation &inner : block)
      if (failed(checkOp(&inner, depth + 1)))
        return failure();
    if (block.empty() || !isa<func::ReturnOp, graph::YieldOp>(block.back()))
      return op->emitError("expects its body to end in a return or a yield");
    for (Operation &inner : block) {
      if (&inner != &block.back() && isa<func::ReturnOp, graph::YieldOp>(inner))
        return inner.emitError("expects to be the last op of its body");
      for (Value result : inner.getResults())
        visible.erase(result);
    }
    for (Value argument : block.getArguments())
      visible.erase(argument);
  }
  return success();
}

LogicalResult Gate::checkLocation(Operation *op) {
  // A location too large to print is no place to report it at.
  return attributes.check(op->getLoc(), UnknownLoc::get(op->getContext()));
}

/// The one type that is no tensor's: of a region of precision. What is wrong with
/// it others say.
static bool isPrecision(Operation *op, NamedAttribute named) {
  return isa<TypeAttr>(named.getValue()) &&
         (isa<graph::PrecisionOp>(op) ||
          named.getName() == graph::kPrecisionAttr);
}

LogicalResult Gate::checkAttributes(Operation *op) {
  for (NamedAttribute named : op->getAttrs())
    if (!isPrecision(op, named) &&
        failed(attributes.check(named.getValue(), op->getLoc())))
      return failure();
  auto name = op->getAttrOfType<StringAttr>("sym_name");
  return name ? checkName(op->getLoc(), name.getValue(), limits) : success();
}

LogicalResult Gate::checkOp(Operation *op, int64_t depth) {
  if (++ops > limits.maxOps)
    return op->emitError("expects at most ") << limits.maxOps << " ops";
  // The location before any error that shows it; the dialect before attributes
  // that only ops of another one have.
  if (failed(checkLocation(op)) || failed(checkDialect(op)) ||
      failed(checkAttributes(op)) || failed(checkKind(op, depth)) ||
      failed(graph::checkAttributesAreKnown(op)) || failed(checkOperands(op)))
    return failure();
  if (op->getNumSuccessors() != 0)
    return op->emitError("expects no successors");
  if (failed(checkBody(op, depth)))
    return failure();
  return define(op->getResults(), op->getLoc());
}

LogicalResult Gate::checkModule(ModuleOp module) {
  Operation *op = module;
  if (failed(checkLocation(op)) || failed(checkAttributes(op)) ||
      failed(graph::checkAttributesAreKnown(op)))
    return failure();
  if (op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock())
    return op->emitError("expects a module of one block");
  for (Operation &inner : op->getRegion(0).front())
    if (failed(checkOp(&inner, 1)))
      return failure();
  return success();
}

} // namespace

LogicalResult checkModule(ModuleOp module, const ImportLimits &limits) {
  // A hostile op is not printed below its error either.
  MLIRContext *context = module.getContext();
  bool printsOps = context->shouldPrintOpOnDiagnostic();
  context->printOpOnDiagnostic(false);
  LogicalResult result = Gate(limits).checkModule(module);
  context->printOpOnDiagnostic(printsOps);
  return failed(result) ? result : verify(module);
}

} // namespace graphc
