// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Interpreter/Equivalence.h"

#include "lib/Interpreter/Kinks.h"
#include "lib/Interpreter/RandomInputs.h"

using namespace mlir;

namespace graphc::interpreter {

namespace {

class Comparer {
public:
  Comparer(ModuleOp before, ModuleOp after, StringRef function,
           const EquivalenceOptions &options)
      : before(before), after(after), function(function.str()),
        options(options) {}

  FailureOr<EquivalenceReport> run() {
    for (int point = 0; point < options.points; ++point)
      if (failed(runPoint(point)))
        return failure();
    return report;
  }

private:
  Options makeOptions() {
    Options out;
    out.mode = options.mode;
    out.seed = static_cast<int64_t>(options.seed);
    out.initializer = drawInitialValues(options.seed);
    return out;
  }

  FailureOr<std::vector<Tensor>> drawClear(int point) {
    auto f = before.lookupSymbol<func::FuncOp>(function);
    if (!f)
      return before.emitError("has no function '") << function << "'";
    for (int draw = 0;; ++draw) {
      FailureOr<std::vector<Tensor>> inputs =
          drawInputs(f, options.seed + 1000003 * point + draw);
      if (failed(inputs) || options.clearance <= 0)
        return inputs;
      FailureOr<KinkMeter> kink =
          nearestKink(before, function, *inputs, makeOptions());
      if (failed(kink))
        return failure();
      if (kink->distance >= options.clearance)
        return inputs;
      if (draw + 1 >= options.maxDraws)
        return emitTooNear(*kink, function, options.clearance,
                           options.maxDraws);
    }
  }

  void compare(const Tensor &actual, const Tensor &expected,
               const llvm::Twine &what) {
    Comparison comparison = compareTensors(actual, expected, options.tolerance);
    report.compared += comparison.elements;
    if (comparison.equal || !report.equal)
      return;
    report.equal = false;
    report.mismatch = (what + ": " + comparison.describe()).str();
  }

  LogicalResult runPoint(int point) {
    FailureOr<std::vector<Tensor>> inputs = drawClear(point);
    if (failed(inputs))
      return failure();
    Interpreter first(before, makeOptions()), second(after, makeOptions());
    for (int step = 0; step < options.steps; ++step) {
      auto expected = first.run(function, *inputs);
      auto actual = second.run(function, *inputs);
      if (failed(expected) || failed(actual))
        return failure();
      if (expected->size() != actual->size())
        return after.emitError("expects '")
               << function << "' to have " << expected->size()
               << " results, but got " << actual->size();
      std::string prefix = "step " + std::to_string(step) + ", ";
      for (size_t i = 0; i < expected->size(); ++i)
        compare((*actual)[i], (*expected)[i],
                prefix + "result " + llvm::Twine(i));
      for (auto variable : before.getOps<graph::VariableOp>()) {
        StringRef name = variable.getSymName();
        const Tensor *e = first.getVariable(name);
        const Tensor *a = second.getVariable(name);
        if (a && e)
          compare(*a, *e, prefix + "@" + name);
      }
    }
    return success();
  }

  ModuleOp before, after;
  std::string function;
  const EquivalenceOptions &options;
  EquivalenceReport report;
};

} // namespace

FailureOr<EquivalenceReport> compareModules(ModuleOp before, ModuleOp after,
                                            StringRef function,
                                            const EquivalenceOptions &options) {
  return Comparer(before, after, function, options).run();
}

} // namespace graphc::interpreter
