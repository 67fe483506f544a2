// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/TrainStep/TrainStep.h"
#include "dialects/Graph/IR/GraphBuilders.h"
#include "dialects/Graph/IR/KnownAttributes.h"
#include "passes/TrainStep/Accumulate.h"
#include "passes/TrainStep/Clip.h"
#include "passes/TrainStep/LossScale.h"
#include "passes/TrainStep/RandomKey.h"
#include "passes/TrainStep/Reachable.h"
#include "passes/TrainStep/Specialize.h"

#include "llvm/ADT/StringSet.h"

#include <tuple>

using namespace mlir;

namespace graphc {
#define GEN_PASS_DEF_TRAINSTEP
#include "passes/TrainStep/TrainStep.h.inc"

namespace {

class Steps {
public:
  Steps(ModuleOp module, StringRef amp)
      : module(module), symbols(module), builder(module.getContext()),
        isMixed(!amp.empty()), scalesLoss(amp == "f16") {}

  LogicalResult run();

private:
  LogicalResult checkSpecialization(graph::TrainOp op);
  LogicalResult lower(graph::TrainOp op);
  void lower(graph::GradOp op);
  func::FuncOp makeFunction(Operation *op, func::FuncOp like, StringRef kind,
                            FunctionType type);
  LogicalResult update(graph::TrainOp op, func::FuncOp step,
                       MutableArrayRef<graph::VariableOp> variables,
                       ValueRange gradients, Value isGood);
  FailureOr<LossScale> readScale(graph::TrainOp op);
  void set(Location loc, FlatSymbolRefAttr symbol, Value value, Value old,
           Value isGood);
  void findVariables(graph::TrainOp op);
  FailureOr<Value> learningRate(graph::TrainOp op, StringRef role,
                                Attribute optimizer, Type element);
  FailureOr<FlatSymbolRefAttr>
  stateVariable(graph::TrainOp op, StringRef parameter, StringRef role,
                RankedTensorType type, Attribute initialValue);
  Value get(Location loc, FlatSymbolRefAttr symbol, Type type) {
    return builder.create<graph::GetOp>(loc, type, symbol);
  }
  void warnOfUntrained();

  ModuleOp module;
  SymbolTable symbols;
  OpBuilder builder;
  bool isMixed, scalesLoss;
  /// State goes after the variables that were there.
  Operation *lastVariable = nullptr;
  llvm::SmallVector<graph::VariableOp> trainable;
  /// What each step trains.
  llvm::DenseMap<Operation *, llvm::SmallVector<graph::VariableOp>> trained;
  llvm::DenseSet<StringAttr> reached;
  llvm::StringSet<> f64Families; // that train an f64
  /// What each state variable is: family, parameter ("": none) and role. Names
  /// alone do not tell, for each of the three may hold dots.
  using State = std::tuple<std::string, std::string, std::string>;
  llvm::DenseMap<StringAttr, State> states;
};

/// Marks every op of `step` as one that mixed precision leaves in f32.
void keepInF32(func::FuncOp step) {
  auto f32 = TypeAttr::get(FloatType::getF32(step.getContext()));
  step.walk([&](Operation *op) {
    if (isa<graph::PrecisionOpInterface>(op) &&
        !op->hasTrait<OpTrait::ConstantLike>())
      op->setAttr(graph::kPrecisionAttr, f32);
  });
}

/// Marks the ops of the f32 list. They are f32 in any case; Autodiff hands the mark
/// to their gradients, which PyTorch computes in f32 too.
void keepGradientsInF32(ModuleOp module) {
  auto f32 = TypeAttr::get(FloatType::getF32(module.getContext()));
  module.walk([&](Operation *op) {
    if (isa<graph::PrecisionOpInterface>(op) &&
        graph::getPrecisionClass(op) == graph::PrecisionClass::Wide)
      op->setAttr(graph::kPrecisionAttr, f32);
  });
}

/// The name that a step's state has: that of the step it specializes, if any.
StringRef familyOf(graph::TrainOp op) {
  return op.getSpecializes().value_or(op.getSymName());
}

} // namespace

LogicalResult Steps::checkSpecialization(graph::TrainOp op) {
  if (!op.getSpecializes())
    return success();
  auto first = symbols.lookup<graph::TrainOp>(*op.getSpecializes());
  if (!first || first.getSpecializes())
    return op.emitOpError("expects ")
           << op.getSpecializesAttr()
           << " to name a graph.train that specializes no other";
  bool sameOptimizer = first.getOptimizer() == op.getOptimizer();
  if (sameOptimizer && first.getGroupsAttr() == op.getGroupsAttr())
    return success();
  InFlightDiagnostic diag = op.emitOpError("expects the ")
                            << (sameOptimizer ? "groups" : "optimizer")
                            << " of " << op.getSpecializesAttr();
  if (!sameOptimizer)
    diag << ", " << first.getOptimizer() << ", but got " << op.getOptimizer();
  diag.attachNote(first.getLoc()) << "whose state it shares";
  return diag;
}

/// An empty public function of `type` in the place of `op`; arguments and first
/// results are called what those of `like` are. The builder is left inside it.
func::FuncOp Steps::makeFunction(Operation *op, func::FuncOp like,
                                 StringRef kind, FunctionType type) {
  builder.setInsertionPoint(op);
  auto name = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
  auto function = builder.create<func::FuncOp>(op->getLoc(), name, type);
  symbols.remove(op);
  symbols.insert(function);
  function->setAttr("graph.kind", builder.getStringAttr(kind));
  if (ArrayAttr attributes = like.getArgAttrsAttr())
    function.setArgAttrsAttr(attributes);
  for (unsigned k = 0; k < like.getNumResults(); ++k)
    if (DictionaryAttr attributes = like.getResultAttrDict(k))
      function.setResultAttrs(k, attributes);
  Block *body = function.addEntryBlock();
  for (auto [argument, original] :
       llvm::zip_equal(body->getArguments(), like.getArguments()))
    argument.setLoc(original.getLoc());
  builder.setInsertionPointToEnd(body);
  return function;
}

/// The variable `@<step>.<parameter>.<role>`, or `@<step>.<role>`, declared
/// unless another specialization has done it.
FailureOr<FlatSymbolRefAttr>
Steps::stateVariable(graph::TrainOp op, StringRef parameter, StringRef role,
                     RankedTensorType type, Attribute initialValue) {
  State state(familyOf(op), parameter, role);
  std::string text = (familyOf(op) + ".").str();
  if (!parameter.empty())
    text += (parameter + ".").str();
  StringAttr name = builder.getStringAttr(text + role);
  if (Operation *taken = symbols.lookup(name)) {
    auto known = states.find(name);
    if (known != states.end() && known->second == state)
      return FlatSymbolRefAttr::get(name);
    InFlightDiagnostic diag = op.emitOpError("expects the name ")
                              << name << " to be free for its state";
    diag.attachNote(taken->getLoc()) << "taken here";
    return failure();
  }
  OpBuilder atVariables(module.getContext());
  atVariables.setInsertionPointAfter(lastVariable);
  auto variable = atVariables.create<graph::VariableOp>(
      op.getLoc(), name, TypeAttr::get(type), initialValue,
      /*trainable=*/UnitAttr(), /*optimizer_state=*/builder.getUnitAttr(),
      /*internal=*/UnitAttr(), /*layout=*/graph::PanelsAttr());
  symbols.insert(variable);
  lastVariable = variable;
  states.insert({name, std::move(state)});
  return FlatSymbolRefAttr::get(name);
}

/// The value of the variable `@<step>.<role>`, at first the learning rate of
/// `optimizer`.
FailureOr<Value> Steps::learningRate(graph::TrainOp op, StringRef role,
                                     Attribute optimizer, Type element) {
  double rate =
      cast<graph::OptimizerAttrInterface>(optimizer).getLearningRate();
  auto type = RankedTensorType::get({}, element);
  FailureOr<FlatSymbolRefAttr> symbol = stateVariable(
      op, "", role, type, graph::FillAttr::get(module.getContext(), rate));
  if (failed(symbol))
    return failure();
  return get(op.getLoc(), *symbol, type);
}

/// Builds the update of each variable by the optimizer of its group.
LogicalResult Steps::update(graph::TrainOp op, func::FuncOp step,
                            MutableArrayRef<graph::VariableOp> variables,
                            ValueRange gradients, Value isGood) {
  Location loc = op.getLoc();
  auto zeros = graph::ZerosAttr::get(module.getContext());
  Type lrElement = f64Families.contains(familyOf(op)) ? builder.getF64Type()
                                                      : builder.getF32Type();

  struct Group {
    graph::OptimizerAttrInterface optimizer;
    Value lr;
  };
  auto optimizer = cast<graph::OptimizerAttrInterface>(op.getOptimizer());
  FailureOr<Value> lr = learningRate(op, "lr", optimizer, lrElement);
  if (failed(lr))
    return failure();
  Group others = {optimizer, *lr};
  llvm::DenseMap<StringAttr, Group> groups;
  bool counts = optimizer.needsStepCount();
  if (op.getGroupsAttr())
    for (auto [k, attr] : llvm::enumerate(
             op.getGroupsAttr().getAsRange<graph::ParamGroupAttr>())) {
      auto own = cast<graph::OptimizerAttrInterface>(attr.getOptimizer());
      counts |= own.needsStepCount();
      // A group that starts with the common learning rate follows it.
      FailureOr<Value> ownLr = lr;
      if (own.getLearningRate() != optimizer.getLearningRate())
        ownLr = learningRate(op, ("group" + Twine(k) + ".lr").str(), own,
                             lrElement);
      if (failed(ownLr))
        return failure();
      for (FlatSymbolRefAttr name : attr.getParams())
        groups[name.getAttr()] = {own, *ownLr};
    }

  Value count;
  FlatSymbolRefAttr countSymbol;
  if (counts) {
    auto type = RankedTensorType::get({}, builder.getI64Type());
    FailureOr<FlatSymbolRefAttr> symbol =
        stateVariable(op, "", "step", type, zeros);
    if (failed(symbol))
      return failure();
    countSymbol = *symbol;
    count = get(loc, countSymbol, type);
  }

  for (auto [variable, gradient] : llvm::zip_equal(variables, gradients)) {
    RankedTensorType type = variable.getTensorType();
    auto found = groups.find(variable.getSymNameAttr());
    const Group &group = found == groups.end() ? others : found->second;
    llvm::SmallVector<FlatSymbolRefAttr> symbols = {
        FlatSymbolRefAttr::get(variable.getSymNameAttr())};
    llvm::SmallVector<Value> states;
    for (const std::string &state : group.optimizer.getStateNames()) {
      FailureOr<FlatSymbolRefAttr> symbol =
          stateVariable(op, variable.getSymName(), state, type, zeros);
      if (failed(symbol))
        return failure();
      symbols.push_back(*symbol);
      states.push_back(get(loc, *symbol, type));
    }
    Value parameter = get(loc, symbols.front(), type);
    Type element = type.getElementType();
    Value rate =
        graph::castTo(builder, loc, group.lr,
                      element.isF64() ? element : builder.getF32Type());
    llvm::SmallVector<Value> updated = group.optimizer.emitUpdate(
        builder, loc, parameter, gradient, states, rate, count);
    states.insert(states.begin(), parameter);
    for (auto [symbol, value, old] : llvm::zip_equal(symbols, updated, states))
      set(loc, symbol, value, old, isGood);
  }
  if (count) {
    Value one = graph::splatLike(builder, loc, count, 1);
    Value next = builder.create<graph::AddOp>(loc, count, one);
    set(loc, countSymbol, next, count, isGood);
  }
  return success();
}

/// Sets a variable that held `old` to `value`; if there is an `isGood`, only
/// where that is true.
void Steps::set(Location loc, FlatSymbolRefAttr symbol, Value value, Value old,
                Value isGood) {
  if (isGood)
    value = chooseIf(builder, loc, isGood, value, old);
  builder.create<graph::SetOp>(loc, symbol, value);
}

/// The variables of the loss scale and what is in them.
FailureOr<LossScale> Steps::readScale(graph::TrainOp op) {
  auto f32 = RankedTensorType::get({}, builder.getF32Type());
  auto i64 = RankedTensorType::get({}, builder.getI64Type());
  auto zeros = graph::ZerosAttr::get(module.getContext());
  auto first = graph::FillAttr::get(module.getContext(), kFirstLossScale);
  FailureOr<FlatSymbolRefAttr> scale =
      stateVariable(op, "", "loss_scale", f32, first);
  FailureOr<FlatSymbolRefAttr> good =
      stateVariable(op, "", "good_steps", i64, zeros);
  FailureOr<FlatSymbolRefAttr> attempts =
      stateVariable(op, "", "attempts", i64, zeros);
  if (failed(scale) || failed(good) || failed(attempts))
    return failure();
  Location loc = op.getLoc();
  LossScale all{*scale, *good, *attempts, {}, {}, {}, {}};
  all.scale = get(loc, *scale, f32);
  all.goodSteps = get(loc, *good, i64);
  all.attempts = get(loc, *attempts, i64);
  return all;
}

void Steps::findVariables(graph::TrainOp op) {
  auto loss = symbols.lookup<func::FuncOp>(op.getLoss());
  llvm::DenseSet<StringAttr> reachable = findReachable(loss, symbols);
  for (graph::VariableOp variable : trainable) {
    if (!reachable.contains(variable.getSymNameAttr()))
      continue;
    reached.insert(variable.getSymNameAttr());
    trained[op].push_back(variable);
    // All sizes of a step share the type of their learning rates.
    if (variable.getTensorType().getElementType().isF64())
      f64Families.insert(familyOf(op));
  }
}

LogicalResult Steps::lower(graph::TrainOp op) {
  auto loss = symbols.lookup<func::FuncOp>(op.getLoss());
  llvm::SmallVector<graph::VariableOp> variables = trained.lookup(op);
  if (variables.empty())
    return op.emitOpError("expects a trainable variable to reach the loss");
  FailureOr<FunctionType> type = stepType(op, loss);
  if (failed(type))
    return failure();

  bool draws = reads(loss, kRandomKey, symbols);
  func::FuncOp step = makeFunction(op, loss, "train", *type);
  if (op.getSpecializes())
    step->setAttr(kSpecializesAttr, op.getSpecializesAttr());
  Value key = draws ? getRandomKey(builder, op.getLoc()) : Value();
  FailureOr<LossScale> scale = LossScale();
  func::FuncOp scaledLoss;
  llvm::SmallVector<graph::SetOp> statistics;
  llvm::SmallVector<Value> before;
  if (scalesLoss) {
    if (scale = readScale(op); failed(scale))
      return failure();
    scaledLoss = makeScaledLoss(loss, (op.getSymName() + ".scaled_loss").str());
    symbols.insert(scaledLoss);
    statistics = findStatistics(loss);
    for (graph::SetOp set : statistics)
      before.push_back(
          get(op.getLoc(), set.getVariableAttr(), set.getValue().getType()));
  }
  LossAndGradients all =
      accumulateGradients(builder, op, loss, step.getArguments(), variables,
                          key, scaledLoss, scale->scale);
  if (scalesLoss) {
    scale->isGood = areFinite(builder, op.getLoc(), all.gradients);
    for (auto [statistic, old] : llvm::zip_equal(statistics, before)) {
      FlatSymbolRefAttr symbol = statistic.getVariableAttr();
      set(op.getLoc(), symbol, get(op.getLoc(), symbol, old.getType()), old,
          scale->isGood);
    }
    all.gradients = unscale(builder, op.getLoc(), scale->scale, all.gradients);
  }
  llvm::SmallVector<Value> gradients =
      clipGradients(builder, op, all.gradients);
  if (failed(update(op, step, variables, gradients, scale->isGood)))
    return failure();
  if (scalesLoss)
    updateScale(builder, op.getLoc(), *scale);
  if (isMixed)
    keepInF32(step);
  if (key)
    countDraws(builder, op.getLoc(), key);
  builder.create<func::ReturnOp>(op.getLoc(), all.results);
  return success();
}

void Steps::lower(graph::GradOp op) {
  auto loss = symbols.lookup<func::FuncOp>(op.getFunction());
  llvm::SmallVector<Type> gradients;
  llvm::SmallVector<StringAttr> names; // What each is the gradient of.
  for (int64_t input : op.getInputs()) {
    gradients.push_back(loss.getArgumentTypes()[input]);
    auto name = loss.getArgAttrOfType<StringAttr>(input, graph::kNameAttr);
    if (!name || name.getValue().empty())
      name = builder.getStringAttr("input" + Twine(input));
    names.push_back(name);
  }
  for (auto symbol : op.getVariables().getAsRange<FlatSymbolRefAttr>()) {
    gradients.push_back(
        symbols.lookup<graph::VariableOp>(symbol.getValue()).getType());
    names.push_back(symbol.getAttr());
  }
  llvm::SmallVector<Type> results(loss.getResultTypes());
  llvm::append_range(results, gradients);
  func::FuncOp function = makeFunction(
      op, loss, "grad",
      FunctionType::get(op.getContext(), loss.getArgumentTypes(), results));
  for (auto [k, name] : llvm::enumerate(names))
    function.setResultAttr(loss.getNumResults() + k, graph::kNameAttr, name);
  if (Attribute specializes = op->getAttr(kSpecializesAttr))
    function->setAttr(kSpecializesAttr, specializes);
  auto grad = builder.create<graph::ValueAndGradOp>(
      op.getLoc(), function.getResultTypes(), op.getFunctionAttr(),
      function.getArguments(), op.getVariables(), op.getInputsAttr(),
      op.getModeAttr());
  if (reads(loss, kRandomKey, symbols))
    countDraws(builder, op.getLoc(), getRandomKey(builder, op.getLoc()));
  builder.create<func::ReturnOp>(op.getLoc(), grad.getResults());
}

void Steps::warnOfUntrained() {
  for (graph::VariableOp variable : trainable)
    if (!reached.contains(variable.getSymNameAttr()))
      variable.emitWarning("trainable variable ")
          << FlatSymbolRefAttr::get(variable.getSymNameAttr())
          << " reaches no loss, so no step updates it";
}

LogicalResult Steps::run() {
  for (auto variable : module.getOps<graph::VariableOp>()) {
    lastVariable = variable;
    if (variable.getTrainable())
      trainable.push_back(variable);
  }
  // Checked while all of them are there.
  auto trains = llvm::to_vector(module.getOps<graph::TrainOp>());
  for (graph::TrainOp op : trains)
    if (failed(checkSpecialization(op)))
      return failure();
  for (graph::TrainOp op : trains)
    findVariables(op);
  for (graph::TrainOp op : trains) {
    if (failed(lower(op)))
      return failure();
    op.erase();
  }
  for (graph::GradOp op : llvm::to_vector(module.getOps<graph::GradOp>())) {
    lower(op);
    op.erase();
  }
  if (!trains.empty())
    warnOfUntrained();
  return resolveSpecializations(module);
}

namespace {
struct TrainStepPass : impl::TrainStepBase<TrainStepPass> {
  using TrainStepBase::TrainStepBase;

  void runOnOperation() override {
    if (amp != "" && amp != "bf16" && amp != "f16") {
      getOperation().emitError("expects amp bf16, f16 or none, but got '")
          << amp << "'";
      return signalPassFailure();
    }
    if (amp != "")
      keepGradientsInF32(getOperation());
    if (failed(Steps(getOperation(), amp).run()))
      signalPassFailure();
  }
};
} // namespace

} // namespace graphc
