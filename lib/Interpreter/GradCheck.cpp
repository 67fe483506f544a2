// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Interpreter/GradCheck.h"

#include "lib/Interpreter/Kinks.h"
#include "lib/Interpreter/RandomInputs.h"

#include "llvm/Support/FormatVariadic.h"

#include <array>
#include <cfloat>
#include <cmath>
#include <numeric>

using namespace mlir;

namespace graphc::interpreter {

namespace {

/// Where a function is evaluated.
struct Point {
  std::vector<Tensor> inputs;
  std::vector<std::pair<std::string, Tensor>> variables;
};

class Checker {
public:
  Checker(const GradCheckSubject &subject, const GradCheckOptions &options)
      : subject(subject), options(options) {
    interpreterOptions.mode = Mode::F64;
    interpreterOptions.keepVariables = true;
    interpreterOptions.initializer = drawInitialValues(options.seed);
  }

  FailureOr<GradCheckReport> run() {
    for (int point = 0; point < options.points; ++point)
      if (failed(checkPoint(point)))
        return failure();
    return report;
  }

private:
  LogicalResult set(Interpreter &interpreter) {
    for (auto &[name, value] : point.variables)
      if (failed(interpreter.setVariable(name, value)))
        return failure();
    return success();
  }

  LogicalResult drawPoint(uint64_t seed);
  LogicalResult findClearPoint(int number);
  LogicalResult checkPoint(int number);
  LogicalResult checkTensor(Tensor &at, const Tensor &derivative,
                            const std::string &what, RandomStream &stream);
  /// The function's first result at the point, or NaN after a diagnostic.
  double evaluate();

  const GradCheckSubject &subject;
  const GradCheckOptions &options;
  Options interpreterOptions;
  std::unique_ptr<Interpreter> forward;
  bool forwardFailed = false;
  Point point;
  GradCheckReport report;
};

LogicalResult Checker::drawPoint(uint64_t seed) {
  point = Point();
  auto module = subject.module;
  auto function = module.lookupSymbol<func::FuncOp>(subject.function);
  if (!function)
    return module.emitError("has no function '") << subject.function << "'";
  FailureOr<std::vector<Tensor>> inputs = drawInputs(function, seed);
  if (failed(inputs))
    return failure();
  point.inputs = std::move(*inputs);
  RandomStream stream(~seed);
  for (const std::string &name : subject.variables) {
    auto variable = module.lookupSymbol<graph::VariableOp>(name);
    if (!variable)
      return module.emitError("has no variable '") << name << "'";
    point.variables.emplace_back(
        name, drawTensor(variable.getTensorType(), {-1, 1}, stream));
  }
  return success();
}

LogicalResult Checker::findClearPoint(int number) {
  for (int draw = 0;; ++draw) {
    if (failed(drawPoint(options.seed + 1000003 * number + draw)))
      return failure();
    FailureOr<KinkMeter> kink = nearestKink(
        subject.module, subject.function, point.inputs, interpreterOptions,
        [&](Interpreter &interpreter) { return set(interpreter); });
    if (failed(kink))
      return failure();
    if (kink->distance >= options.clearance)
      return success();
    if (draw + 1 >= options.maxDraws)
      return emitTooNear(*kink, subject.function, options.clearance,
                         options.maxDraws);
  }
}

double Checker::evaluate() {
  FailureOr<std::vector<Tensor>> results =
      forward->run(subject.function, point.inputs);
  forwardFailed |= failed(results);
  return forwardFailed ? NAN : (*results)[0].floats[0];
}

LogicalResult Checker::checkTensor(Tensor &at, const Tensor &derivative,
                                   const std::string &what,
                                   RandomStream &stream) {
  bool isInput = what.front() != '@';
  std::vector<int64_t> places(at.size());
  std::iota(places.begin(), places.end(), 0);
  if (at.size() > options.maxElements) {
    for (int64_t i = 0; i < options.maxElements; ++i)
      std::swap(places[i], places[stream.integer(i, at.size() - 1)]);
    places.resize(options.maxElements);
  }
  for (int64_t place : places) {
    double center = at.floats[place];
    auto shiftBy = [&](double shift) {
      at.floats[place] = center + shift;
      if (!isInput && failed(set(*forward)))
        forwardFailed = true;
    };
    double actual = derivative.floats[place], difference = 0, error = 0;
    bool close = false, isKink = false;
    double step = options.step;
    for (int k = 0; !close && k <= options.refinements; ++k, step /= 10) {
      std::array<double, 5> values;
      for (int shift = -2; shift <= 2; ++shift) {
        shiftBy(shift * step);
        values[shift + 2] = evaluate();
      }
      auto [l2, l1, here, r1, r2] = values;
      // Fourth order: the error is step^4 / 30 times the fifth derivative.
      difference = (8 * (r1 - l1) - (r2 - l2)) / (12 * step);
      error = std::fabs(actual - difference);
      // Smaller steps show more of the rounding of the values.
      double allowed = options.absolute +
                       options.relative * std::fabs(difference) +
                       (k ? 64 * DBL_EPSILON * std::fabs(here) / step : 0);
      close = error <= allowed;
      double left = (3 * here - 4 * l1 + l2) / (2 * step);
      double right = (4 * r1 - 3 * here - r2) / (2 * step);
      isKink = k && std::fabs(left - right) >
                        allowed + 1e-3 * (std::fabs(left) + std::fabs(right));
    }
    shiftBy(0);
    if (forwardFailed)
      return failure();
    if (!close && isKink) {
      ++report.atKinks;
      continue;
    }

    ++report.checked;
    report.nonZero += std::fabs(difference) > 1e-6;
    report.maxError =
        std::max(report.maxError, error / std::max(1.0, std::fabs(difference)));
    if (close || !report.ok)
      continue;
    report.ok = false;
    char expected[32], got[32];
    std::snprintf(expected, sizeof expected, "%.12g", difference);
    std::snprintf(got, sizeof got, "%.12g", actual);
    report.mismatch =
        llvm::formatv(
            "derivative of {0} with respect to element {1} of {2}: finite "
            "differences give {3}, but got {4}",
            subject.function, place, what, expected, got)
            .str();
  }
  return success();
}

LogicalResult Checker::checkPoint(int number) {
  if (failed(findClearPoint(number)))
    return failure();
  forward = std::make_unique<Interpreter>(subject.module, interpreterOptions);
  Interpreter backward(subject.gradientModule, interpreterOptions);
  if (failed(set(*forward)) || failed(set(backward)))
    return failure();
  FailureOr<std::vector<Tensor>> values =
      forward->run(subject.function, point.inputs);
  FailureOr<std::vector<Tensor>> results =
      backward.run(subject.gradient, point.inputs);
  if (failed(values) || failed(results))
    return failure();

  auto module = subject.gradientModule;
  size_t wanted = subject.inputs.size() + subject.variables.size();
  if (results->size() != values->size() + wanted)
    return module.emitError("expects '")
           << subject.gradient << "' to have " << values->size() + wanted
           << " results, but got " << results->size();
  double value = (*values)[0].floats[0], other = (*results)[0].floats[0];
  if (!(std::fabs(value - other) <= 1e-9 * std::max(1.0, std::fabs(value)))) {
    report.ok = false;
    report.mismatch = llvm::formatv("value of {0}: expects {1}, but got {2}",
                                    subject.function, value, other)
                          .str();
    return success();
  }

  RandomStream stream(options.seed + number);
  size_t next = values->size();
  auto check = [&](Tensor &at, const std::string &what) -> LogicalResult {
    const Tensor &derivative = (*results)[next++];
    if (derivative.type != at.type)
      return module.emitError("expects the derivative with respect to ")
             << what << " to be " << at.type << ", but got " << derivative.type;
    return checkTensor(at, derivative, what, stream);
  };
  for (int64_t input : subject.inputs) {
    if (input < 0 || input >= static_cast<int64_t>(point.inputs.size()))
      return module.emitError("has no input ") << input;
    if (failed(check(point.inputs[input], "input " + std::to_string(input))))
      return failure();
  }
  for (auto &[name, value] : point.variables)
    if (failed(check(value, "@" + name)))
      return failure();
  return success();
}

} // namespace

FailureOr<GradCheckReport> checkGradients(const GradCheckSubject &subject,
                                          const GradCheckOptions &options) {
  return Checker(subject, options).run();
}

} // namespace graphc::interpreter
