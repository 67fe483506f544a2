// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Check/Bisect.h"

#include "dialects/Graph/IR/GradientLoc.h"
#include "dialects/Graph/IR/Graph.h"
#include "lib/Check/CheckFunction.h"
#include "lib/Check/Comparable.h"
#include "lib/Interpreter/Equivalence.h"
#include "lib/Interpreter/GradCheck.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace graphc::check {
namespace {

struct Snapshot {
  std::string pass; // it was taken after, "import" for the first one
  OwningOpRef<ModuleOp> module;
};

/// Keeps the module before the first pass and after each one.
class Keeper : public PassInstrumentation {
public:
  Keeper(std::vector<Snapshot> &snapshots, StringRef plant)
      : snapshots(snapshots), plant(plant) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    if (snapshots.empty() && isModule(op))
      keep("import", op);
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    StringRef name = pass->getArgument();
    if (!isModule(op) || name.empty() || name == "verify-phase")
      return;
    auto [where, what] = plant.split(':');
    if (where == name)
      plantError(cast<ModuleOp>(op), what);
    keep(name, op);
  }

private:
  static bool isModule(Operation *op) {
    return isa<ModuleOp>(op) && !op->getParentOp();
  }
  void keep(StringRef pass, Operation *op) {
    snapshots.push_back({pass.str(), cast<ModuleOp>(op).clone()});
    decomposeForeignOps(*snapshots.back().module);
  }

  std::vector<Snapshot> &snapshots;
  StringRef plant;
};

/// True if the interpreter can run `name` of `module`.
bool canRun(ModuleOp module, StringRef name) {
  auto function = module.lookupSymbol<func::FuncOp>(name);
  return function && !function.isExternal() && !findIncomparable(function) &&
         !function
              .walk(
                  [](graph::ValueAndGradOp) { return WalkResult::interrupt(); })
              .wasInterrupted();
}

/// Whether `name`, or what it calls, has a gradient that is not the slope of its
/// result on purpose: stop_gradient, a user's own rule, the new statistics of a
/// batch_norm that are more than state.
bool hasChosenGradient(ModuleOp module, StringRef name,
                       llvm::StringSet<> &visited) {
  auto function = module.lookupSymbol<func::FuncOp>(name);
  if (!function || !visited.insert(name).second)
    return false;
  auto isChosen = [&](Operation *op) {
    if (isa<graph::StopGradientOp, graph::CustomVjpOp, graph::CustomOp>(op))
      return true;
    if (auto norm = dyn_cast<graph::BatchNormOp>(op))
      return llvm::any_of(
          llvm::drop_begin(norm->getResults()), [](Value value) {
            return llvm::any_of(value.getUsers(), [](Operation *user) {
              return !isa<graph::SetOp>(user);
            });
          });
    auto call = dyn_cast<func::CallOp>(op);
    return call && hasChosenGradient(module, call.getCallee(), visited);
  };
  return function
      .walk([&](Operation *op) {
        return isChosen(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

constexpr StringLiteral kGradientsSuffix = ".gradients";

/// Adds a graph.grad for each graph.train, so that its gradients are checked.
void addGradients(ModuleOp module) {
  SymbolTable symbols(module);
  SmallVector<Attribute> variables;
  for (auto variable : module.getOps<graph::VariableOp>())
    if (variable.getTrainable())
      variables.push_back(FlatSymbolRefAttr::get(variable.getSymNameAttr()));
  OpBuilder builder(module.getContext());
  for (auto train : llvm::to_vector(module.getOps<graph::TrainOp>())) {
    builder.setInsertionPointAfter(train);
    auto mode = graph::ModeAttr::get(module.getContext(), graph::Mode::Train);
    auto grad = builder.create<graph::GradOp>(
        train.getLoc(),
        builder.getStringAttr(train.getSymName() + kGradientsSuffix),
        train.getLossAttr(), builder.getArrayAttr(variables),
        builder.getDenseI64ArrayAttr({}), mode);
    symbols.insert(grad);
  }
}

class Search {
public:
  Search(std::vector<Snapshot> &snapshots, const BisectOptions &options,
         raw_ostream &log)
      : snapshots(snapshots), options(options), log(log) {}

  BisectResult run() {
    for (size_t after = 1; after < snapshots.size(); ++after) {
      std::string finding = compareNeighbours(after);
      if (finding.empty() && snapshots[after].pass == "autodiff")
        finding = checkGradients(after);
      if (!finding.empty())
        return {snapshots[after].pass, finding, notCompared};
      log << "bisect: after " << snapshots[after].pass << ": "
          << (compared ? "equal" : "nothing to compare") << "\n";
      compared = 0;
    }
    return checkKernels();
  }

private:
  bool isAskedFor(StringRef name) const {
    return options.function.empty() || options.function == name;
  }

  std::vector<std::string> functionsOf(ModuleOp module) {
    std::vector<std::string> names;
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isPrivate() && isAskedFor(function.getSymName()))
        names.push_back(function.getSymName().str());
    return names;
  }

  /// What became of the function that both modules can run.
  std::string compareNeighbours(size_t after) {
    ModuleOp before = *snapshots[after - 1].module;
    ModuleOp now = *snapshots[after].module;
    for (const std::string &name : functionsOf(now)) {
      if (!canRun(before, name) || !canRun(now, name))
        continue;
      interpreter::EquivalenceOptions equivalence;
      equivalence.seed = options.seed;
      double tolerance = std::max(1e-9, options.tolerance);
      equivalence.tolerance = interpreter::Tolerance::of(tolerance, tolerance);
      equivalence.points = 1;
      equivalence.maxDraws = 20;
      // Neighbours differ by rounding alone, so that only ties are too near.
      equivalence.clearance = 1e-7;
      auto report = interpreter::compareModules(before, now, name, equivalence);
      // A constant that a pass computes is rounded to its type, and nothing is
      // in f64 mode. Who does that keeps the bits in declared mode.
      if (succeeded(report) && !report->equal) {
        equivalence.mode = interpreter::Mode::Declared;
        equivalence.tolerance = interpreter::Tolerance::exact();
        auto rounded =
            interpreter::compareModules(before, now, name, equivalence);
        if (succeeded(rounded) && rounded->equal)
          report = rounded;
      }
      if (failed(report)) {
        ++notCompared;
        log << "bisect: @" << name << " cannot be compared\n";
        continue;
      }
      compared += report->compared;
      if (!report->equal)
        return "@" + name + ", " + report->mismatch;
    }
    return "";
  }

  /// Holds what Autodiff made of each graph.grad to finite differences.
  std::string checkGradients(size_t after) {
    ModuleOp forward = *snapshots.front().module;
    ModuleOp now = *snapshots[after].module;
    for (auto grad : forward.getOps<graph::GradOp>()) {
      StringRef name = grad.getSymName();
      StringRef step = name; // of addGradients(), if it is one of those
      step.consume_back(kGradientsSuffix);
      if (!isAskedFor(name) && !isAskedFor(step))
        continue;
      if (!canRun(now, grad.getSymName()) ||
          !canRun(forward, grad.getFunction()))
        continue;
      llvm::StringSet<> visited;
      if (hasChosenGradient(forward, grad.getFunction(), visited)) {
        ++notCompared;
        log << "bisect: @" << name
            << " has gradients that are no slopes: not compared\n";
        continue;
      }
      interpreter::GradCheckSubject subject;
      subject.module = forward;
      subject.function = grad.getFunction().str();
      subject.gradientModule = now;
      subject.gradient = grad.getSymName().str();
      subject.inputs.assign(grad.getInputs().begin(), grad.getInputs().end());
      for (auto variable : grad.getVariables().getAsRange<FlatSymbolRefAttr>())
        subject.variables.push_back(variable.getValue().str());
      interpreter::GradCheckOptions check;
      check.seed = options.seed;
      check.points = 1;
      check.maxDraws = 20;
      check.clearance = 1e-7;
      check.refinements = 3;
      check.maxElements = 20;
      check.relative = std::max(1e-5, options.tolerance);
      auto report = interpreter::checkGradients(subject, check);
      if (failed(report)) {
        ++notCompared;
        log << "bisect: @" << name << " cannot be compared\n";
        continue;
      }
      compared += report->checked;
      if (report->atKinks) {
        notCompared += report->checked == 0;
        log << "bisect: @" << name << ": " << report->atKinks << " of "
            << report->checked + report->atKinks
            << " derivatives lie on a kink\n";
      }
      if (!report->ok) {
        std::string place = graph::placeOf(grad.getLoc());
        return "@" + name.str() + ", " + place + (place.empty() ? "" : ": ") +
               report->mismatch;
      }
    }
    return "";
  }

  BisectResult checkKernels() {
    auto found = llvm::find_if(snapshots, [](const Snapshot &snapshot) {
      return snapshot.pass == "fuse";
    });
    if (found == snapshots.begin() || found == snapshots.end())
      return {"", "", notCompared};
    ModuleOp module = *std::prev(found)->module;
    StringRef plant = options.plant;
    CheckOptions check;
    check.seed = options.seed;
    check.tolerance = options.tolerance;
    check.loopUnits = 1000;
    check.fuse = options.compile.fuse;
    check.onTempFolder = options.compile.onTempFolder;
    if (plant.consume_front("kernel:"))
      check.plant = plant.str();
    for (const std::string &name : functionsOf(module)) {
      auto function = module.lookupSymbol<func::FuncOp>(name);
      if (Operation *op = findIncomparable(function)) {
        ++notCompared;
        log << "bisect: kernels of @" << name << ": not compared, as " << *op
            << " cannot be run here\n";
        continue;
      }
      std::string finding = checkFunction(module, name, check);
      if (!finding.empty())
        return {"kernel", "@" + name + ", " + finding, notCompared};
      log << "bisect: kernels of @" << name << ": equal\n";
    }
    return {"", "", notCompared};
  }

  std::vector<Snapshot> &snapshots;
  const BisectOptions &options;
  raw_ostream &log;
  int64_t compared = 0, notCompared = 0;
};

} // namespace

FailureOr<BisectResult> bisect(ModuleOp module, const BisectOptions &options,
                               raw_ostream &log) {
  callReferences(module, log);
  addGradients(module);
  std::vector<Snapshot> snapshots;
  CompileOptions compile = options.compile;
  compile.emit = Emit::Mlir;
  compile.stopAfter = Phase::Fuse;
  compile.log = nullptr;
  compile.configure = [&](PassManager &manager) {
    if (options.compile.configure && failed(options.compile.configure(manager)))
      return failure();
    manager.addInstrumentation(
        std::make_unique<Keeper>(snapshots, options.plant));
    return success();
  };
  if (failed(compileModel(module, compile)))
    return failure();
  return Search(snapshots, options, log).run();
}

} // namespace graphc::check
