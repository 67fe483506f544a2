// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adam's updates, run by the interpreter in f64, against the loop of
// torch.optim.Adam and AdamW, written out here.
#include "dialects/Graph/IR/GraphBuilders.h"
#include "lib/Interpreter/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace graphc::graph;

namespace {

struct Config {
  double lr, beta1, beta2, eps, weightDecay;
  bool amsgrad, isDecoupled;
};

struct TorchAdam {
  Config c;
  double m = 0, v = 0, largest = 0;
  int t = 0;

  double step(double p, double g) {
    ++t;
    if (c.isDecoupled)
      p *= 1 - c.lr * c.weightDecay;
    else
      g += c.weightDecay * p;
    m = c.beta1 * m + (1 - c.beta1) * g;
    v = c.beta2 * v + (1 - c.beta2) * g * g;
    largest = std::max(largest, v);
    double denominator = std::sqrt(c.amsgrad ? largest : v) /
                             std::sqrt(1 - std::pow(c.beta2, t)) +
                         c.eps;
    return p - c.lr / (1 - std::pow(c.beta1, t)) * m / denominator;
  }
};

OptimizerAttrInterface attr(MLIRContext *context, const Config &c) {
  if (c.isDecoupled)
    return AdamWAttr::get(context, c.lr, c.beta1, c.beta2, c.eps, c.weightDecay,
                          c.amsgrad);
  return AdamAttr::get(context, c.lr, c.beta1, c.beta2, c.eps, c.weightDecay,
                       c.amsgrad);
}

/// @update(parameter, gradient, step count, states...) of `type` tensors.
OwningOpRef<ModuleOp> makeUpdate(OptimizerAttrInterface optimizer,
                                 RankedTensorType type) {
  OpBuilder b(type.getContext());
  Location loc = b.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  b.setInsertionPointToEnd(module->getBody());
  size_t states = optimizer.getStateNames().size();
  SmallVector<Type> inputs = {type, type,
                              RankedTensorType::get({}, b.getI64Type())};
  inputs.append(states, type);
  SmallVector<Type> results(1 + states, type);
  auto function =
      b.create<func::FuncOp>(loc, "update", b.getFunctionType(inputs, results));
  Block *body = function.addEntryBlock();
  b.setInsertionPointToEnd(body);
  Type rate = type.getElementType().isF64() ? b.getF64Type() : b.getF32Type();
  SmallVector<Value> updated =
      optimizer.emitUpdate(b, loc, body->getArgument(0), body->getArgument(1),
                           body->getArguments().drop_front(3),
                           splat(b, loc, RankedTensorType::get({}, rate),
                                 optimizer.getLearningRate()),
                           body->getArgument(2));
  b.create<func::ReturnOp>(loc, updated);
  return module;
}

const Config kConfigs[] = {
    {0.1, 0.9, 0.999, 1e-8, 0.0, false, false},
    {0.1, 0.9, 0.999, 1e-8, 0.1, false, false},
    {0.1, 0.9, 0.999, 1e-8, 0.1, false, true},
    {0.05, 0.5, 0.3, 0.01, 0.0, true, false},
    {0.05, 0.5, 0.3, 0.01, 0.2, true, true},
    {0.0, 0.0, 0.0, 1.0, 0.0, false, true},
};

/// Steps of `config` on tensors of `element`, held to PyTorch's within `bound`.
void expectFollowsTorch(const Config &config, StringRef element, double bound) {
  MLIRContext context;
  context.loadDialect<GraphDialect, func::FuncDialect>();
  Type elementType = element == "f64" ? Type(Float64Type::get(&context))
                                      : Type(Float32Type::get(&context));
  auto type = RankedTensorType::get({2}, elementType);
  OptimizerAttrInterface optimizer = attr(&context, config);
  EXPECT_TRUE(optimizer.needsStepCount());
  OwningOpRef<ModuleOp> module = makeUpdate(optimizer, type);
  graphc::interpreter::Interpreter interpreter(*module);

  using graphc::interpreter::Tensor;
  Tensor p(type), g(type),
      count(RankedTensorType::get({}, IntegerType::get(&context, 64)));
  std::vector<Tensor> states(optimizer.getStateNames().size(), Tensor(type));
  TorchAdam torch[2] = {{config}, {config}};
  double expected[2] = {1.0, -0.25};
  p.floats = {expected[0], expected[1]};
  for (int step = 0; step < 6; ++step) {
    g.floats = {0.75 - 0.5 * step, 1.5 / (1 + step * step)};
    count.ints = {step};
    std::vector<Tensor> inputs = {p, g, count};
    inputs.insert(inputs.end(), states.begin(), states.end());
    auto results = interpreter.run("update", inputs);
    ASSERT_TRUE(succeeded(results));
    p = (*results)[0];
    std::copy(results->begin() + 1, results->end(), states.begin());
    for (int k = 0; k < 2; ++k) {
      expected[k] = torch[k].step(expected[k], g.floats[k]);
      EXPECT_NEAR(p.floats[k], expected[k], bound) << "step " << step;
    }
  }
}

TEST(Adam, FollowsTorchOverSteps) {
  for (const Config &config : kConfigs) {
    SCOPED_TRACE(config.weightDecay);
    expectFollowsTorch(config, "f64", 1e-14);
    expectFollowsTorch(config, "f32", 1e-6);
  }
}

TEST(Adam, StateHasPyTorchsNames) {
  MLIRContext context;
  context.loadDialect<GraphDialect>();
  EXPECT_EQ(attr(&context, kConfigs[0]).getStateNames(),
            (SmallVector<std::string>{"exp_avg", "exp_avg_sq"}));
  EXPECT_EQ(
      attr(&context, kConfigs[4]).getStateNames(),
      (SmallVector<std::string>{"exp_avg", "exp_avg_sq", "max_exp_avg_sq"}));
}

} // namespace
