// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Autodiff/Expand.h"
#include "dialects/Graph/IR/GraphBuilders.h"
#include "dialects/Graph/Transforms/PromoteState.h"
#include "lib/Support/Inline/Inline.h"
#include "passes/Autodiff/Sweep.h"
#include "passes/Autodiff/Unroll.h"

using namespace mlir;

namespace graphc {

void MissingRules::add(Operation *op) {
  ops.insert({op->getName(), op->getLoc()});
}

LogicalResult MissingRules::report(ModuleOp module) const {
  if (ops.empty())
    return success();
  llvm::SetVector<StringRef> names;
  for (auto [name, loc] : ops)
    names.insert(name.getStringRef());
  InFlightDiagnostic diag =
      emitError(ops.front().second, "no derivative rule for ");
  llvm::interleaveComma(names, diag,
                        [&](StringRef name) { diag << "'" << name << "'"; });
  if (ops.size() > 1)
    for (auto [name, loc] : ops)
      diag.attachNote(loc) << "'" << name.getStringRef()
                           << "' lies between what is asked for and the loss";
  return diag;
}

namespace {
/// A copy of the function's body, to which the gradients are appended before
/// it takes the place of the graph.value_and_grad. Its arguments are values of
/// their own even where two operands are one value.
class Expansion {
public:
  Expansion(graph::ValueAndGradOp op, func::FuncOp function, OpBudget &budget)
      : op(op), budget(budget), copy(cast<func::FuncOp>(function->clone())),
        body(copy.getBody().front()),
        builder(OpBuilder::atBlockTerminator(&body)),
        gradients(builder, op, budget) {
    // A region of f32 around the op is one around what it stands for.
    if (Attribute precision = op->getAttr(graph::kPrecisionAttr))
      copy.getBody().walk([&](Operation *inner) {
        if (!inner->hasTrait<OpTrait::ConstantLike>() &&
            !inner->hasTrait<OpTrait::IsTerminator>())
          inner->setAttr(graph::kPrecisionAttr, precision);
      });
  }
  ~Expansion() { copy.erase(); }

  LogicalResult run(int64_t maxUnrolledOps, MissingRules &missing);

private:
  Value loss() { return body.getTerminator()->getOperand(0); }
  void findSources();
  LogicalResult unrollActiveLoops(int64_t maxUnrolledOps);
  LogicalResult checkLoops(const Activity &activity);
  bool hasAllRules(const Activity &activity, MissingRules &missing);
  LogicalResult sweep(const Activity &activity);
  Value gradientOf(Value source, Type type);
  void replaceOp();

  graph::ValueAndGradOp op;
  OpBudget &budget;
  func::FuncOp copy;
  Block &body;
  OpBuilder builder;
  /// What reads each variable asked for, in the order of `variables`; null if
  /// nothing does.
  llvm::SmallVector<Value> reads;
  llvm::SmallVector<Value> sources;
  Sweep gradients;
};
} // namespace

/// Collects the arguments and the graph.get results that are asked for.
void Expansion::findSources() {
  for (int64_t input : op.getInputs())
    sources.push_back(body.getArgument(input));
  llvm::SmallDenseMap<Attribute, unsigned> position;
  for (auto [k, symbol] : llvm::enumerate(op.getVariables()))
    position[symbol] = k;
  reads.resize(position.size());
  for (auto get : body.getOps<graph::GetOp>()) {
    auto found = position.find(get.getVariableAttr());
    if (found == position.end())
      continue;
    reads[found->second] = get;
    sources.push_back(get);
  }
}

/// Unrolls active loops that become few ops, the outer ones first.
LogicalResult Expansion::unrollActiveLoops(int64_t maxUnrolledOps) {
  UnrollLimit limit{maxUnrolledOps};
  while (true) {
    Activity activity(body, sources, loss());
    llvm::SmallVector<graph::ForOp> loops;
    for (auto loop : body.getOps<graph::ForOp>())
      if (activity.isActive(loop) && limit.allows(loop))
        loops.push_back(loop);
    if (loops.empty())
      return success();
    for (graph::ForOp loop : loops)
      if (failed(unroll(loop, limit, budget)))
        return failure();
  }
}

/// Iterations of active loops are computed twice.
LogicalResult Expansion::checkLoops(const Activity &activity) {
  for (auto loop : body.getOps<graph::ForOp>()) {
    if (!activity.isActive(loop))
      continue;
    WalkResult pure = loop.walk([](graph::CustomOp host) {
      if (host.getPure())
        return WalkResult::advance();
      host.emitOpError("expects to be pure in a loop that is differentiated");
      return WalkResult::interrupt();
    });
    if (pure.wasInterrupted())
      return failure();
  }
  return success();
}

bool Expansion::hasAllRules(const Activity &activity, MissingRules &missing) {
  bool hasAll = true;
  body.walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (!activity.isActive(inner))
      return WalkResult::skip();
    if (isa<graph::ForOp>(inner))
      return WalkResult::advance();
    if (isa<graph::DifferentiableOpInterface>(inner))
      return WalkResult::skip();
    // One that is left has been noted for what is missing inside it.
    if (!isa<graph::ValueAndGradOp>(inner))
      missing.add(inner);
    hasAll = false;
    return WalkResult::skip();
  });
  return hasAll;
}

LogicalResult Expansion::sweep(const Activity &activity) {
  llvm::SmallVector<Operation *> forward;
  for (Operation &inner : body)
    if (activity.isActive(&inner))
      forward.push_back(&inner);
  builder.setInsertionPoint(body.getTerminator());
  if (activity.varies(loss()))
    gradients.add(loss(), graph::splatLike(builder, op.getLoc(), loss(), 1.0),
                  op.getLoc());
  return gradients.run(forward, activity);
}

Value Expansion::gradientOf(Value source, Type type) {
  Value gradient = source ? gradients.get(source) : Value();
  return gradient ? gradient : graph::splat(builder, op.getLoc(), type, 0.0);
}

/// Returns the gradients from the body too, and puts the body in place.
void Expansion::replaceOp() {
  Operation *terminator = body.getTerminator();
  llvm::SmallVector<Value> results(terminator->getOperands());
  for (int64_t input : op.getInputs()) {
    Value argument = body.getArgument(input);
    results.push_back(gradientOf(argument, argument.getType()));
  }
  size_t firstVariable = results.size();
  for (auto [k, read] : llvm::enumerate(reads))
    results.push_back(
        gradientOf(read, op.getResult(firstVariable + k).getType()));
  terminator->setOperands(results);
  eraseDeadSlices(body);
  results = spliceBody(body, op, op.getArgs());
  op.replaceAllUsesWith(results);
  op.erase();
}

LogicalResult Expansion::run(int64_t maxUnrolledOps, MissingRules &missing) {
  // One read of each variable, outside of all loops, is its one source.
  graph::promoteState(copy);
  findSources();
  if (failed(unrollActiveLoops(maxUnrolledOps)))
    return failure();
  Activity activity(body, sources, loss());
  if (failed(checkLoops(activity)))
    return failure();
  if (!hasAllRules(activity, missing))
    return success();
  if (failed(sweep(activity)))
    return failure();
  replaceOp();
  return success();
}

LogicalResult expand(graph::ValueAndGradOp op, func::FuncOp function,
                     int64_t maxUnrolledOps, OpBudget &budget,
                     MissingRules &missing) {
  if (failed(budget.spend(op, copySize(function.getBody().front()))))
    return failure();
  return Expansion(op, function, budget).run(maxUnrolledOps, missing);
}

} // namespace graphc
