// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An optimizer from a user's dialect, with two states for each parameter and a
// step count: Adam. A whole training step is made with it and run.
#include "dialects/Graph/IR/GraphBuilders.h"
#include "lib/Interpreter/Interpreter.h"
#include "passes/Autodiff/Autodiff.h"
#include "passes/PromoteState/PromoteState.h"
#include "passes/TrainStep/TrainStep.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace mlir;
using namespace graphc;
using interpreter::Tensor;

namespace {

constexpr double kRate = 0.1, kBeta1 = 0.9, kBeta2 = 0.99, kEpsilon = 1e-3;

/// `#user.adam`, as torch.optim.Adam with the constants above.
class AdamAttr
    : public Attribute::AttrBase<AdamAttr, Attribute, AttributeStorage,
                                 graph::OptimizerAttrInterface::Trait> {
public:
  using Base::Base;
  static constexpr StringLiteral name = "user.adam";

  double getLearningRate() const { return kRate; }
  llvm::SmallVector<std::string> getStateNames() const {
    return {"exp_avg", "exp_avg_sq"};
  }
  bool needsStepCount() const { return true; }
  llvm::SmallVector<Value> emitUpdate(OpBuilder &builder, Location loc,
                                      Value parameter, Value gradient,
                                      ValueRange states, Value learningRate,
                                      Value stepCount) const {
    auto like = [&](double value) {
      return graph::splatLike(builder, loc, parameter, value);
    };
    auto mul = [&](Value a, Value b) -> Value {
      return builder.create<graph::MulOp>(loc, a, b);
    };
    auto add = [&](Value a, Value b) -> Value {
      return builder.create<graph::AddOp>(loc, a, b);
    };
    auto sub = [&](Value a, Value b) -> Value {
      return builder.create<graph::SubOp>(loc, a, b);
    };
    auto div = [&](Value a, Value b) -> Value {
      return builder.create<graph::DivOp>(loc, a, b);
    };
    auto repeat = [&](Value scalar) {
      Value cast =
          graph::castTo(builder, loc, scalar, graph::elementTypeOf(parameter));
      return graph::broadcastScalar(builder, loc, cast,
                                    graph::tensorTypeOf(parameter).getShape());
    };
    // 1 - beta^(t + 1)
    Value t = add(repeat(stepCount), like(1));
    auto correction = [&](double beta) {
      return sub(like(1), builder.create<graph::PowOp>(loc, like(beta), t));
    };
    Value m =
        add(mul(states[0], like(kBeta1)), mul(gradient, like(1 - kBeta1)));
    Value v = add(mul(states[1], like(kBeta2)),
                  mul(mul(gradient, gradient), like(1 - kBeta2)));
    Value root = builder.create<graph::SqrtOp>(loc, div(v, correction(kBeta2)));
    Value step = div(div(m, correction(kBeta1)), add(root, like(kEpsilon)));
    return {sub(parameter, mul(repeat(learningRate), step)), m, v};
  }
};

class UserDialect : public Dialect {
public:
  explicit UserDialect(MLIRContext *context)
      : Dialect("user", context, TypeID::get<UserDialect>()) {
    addAttributes<AdamAttr>();
  }
  static StringRef getDialectNamespace() { return "user"; }
  Attribute parseAttribute(DialectAsmParser &parser, Type) const override {
    if (parser.parseKeyword("adam"))
      return {};
    return AdamAttr::get(getContext());
  }
  void printAttribute(Attribute, DialectAsmPrinter &printer) const override {
    printer << "adam";
  }
};

/// The same by hand, for one number.
struct Adam {
  double p, m = 0, v = 0;
  int t = 0;

  void step(double g) {
    ++t;
    m = kBeta1 * m + (1 - kBeta1) * g;
    v = kBeta2 * v + (1 - kBeta2) * g * g;
    double root = std::sqrt(v / (1 - std::pow(kBeta2, t)));
    p -= kRate * (m / (1 - std::pow(kBeta1, t))) / (root + kEpsilon);
  }
};

// loss = sum(w^2) * b
const char *text = R"(
graph.variable @w : tensor<2xf64> = dense<[1.0, -2.0]> : tensor<2xf64> trainable
graph.variable @b : tensor<f64> = dense<0.5> : tensor<f64> trainable
func.func private @loss() -> tensor<f64> {
  %w = graph.get @w : tensor<2xf64>
  %b = graph.get @b : tensor<f64>
  %s = graph.mul %w, %w : tensor<2xf64>
  %r = graph.reduce_sum %s axes = [0] : tensor<2xf64> -> tensor<f64>
  %l = graph.mul %r, %b : tensor<f64>
  return %l : tensor<f64>
}
graph.train @step loss(@loss) optimizer(#user.adam)
)";

TEST(UserOptimizer, Trains) {
  DialectRegistry registry;
  registry.insert<graph::GraphDialect, func::FuncDialect, UserDialect>();
  registerAutodiffRules(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  PassManager passes(&context);
  passes.addPass(createTrainStep());
  passes.addPass(createAutodiff());
  passes.addPass(createPromoteState());
  ASSERT_TRUE(succeeded(passes.run(*module)));

  // Marked as the optimizer's, so that it is saved and no step trains it.
  for (const char *name :
       {"step.lr", "step.step", "step.w.exp_avg", "step.w.exp_avg_sq",
        "step.b.exp_avg", "step.b.exp_avg_sq"}) {
    auto variable = module->lookupSymbol<graph::VariableOp>(name);
    ASSERT_TRUE(variable) << name;
    EXPECT_TRUE(variable.getOptimizerState()) << name;
  }

  interpreter::Options options;
  options.mode = interpreter::Mode::F64;
  interpreter::Interpreter interpreter(*module, options);
  Adam w[] = {{1.0}, {-2.0}}, b{0.5};
  auto expectNear = [&](const char *name, std::vector<double> want) {
    const Tensor *got = interpreter.getVariable(name);
    ASSERT_TRUE(got) << name;
    ASSERT_EQ(got->floats.size(), want.size());
    for (size_t i = 0; i < want.size(); ++i)
      EXPECT_NEAR(got->floats[i], want[i], 1e-12) << name << " " << i;
  };
  for (int64_t count = 1; count <= 4; ++count) {
    auto results = interpreter.run("step", {});
    ASSERT_TRUE(succeeded(results));
    double squares = w[0].p * w[0].p + w[1].p * w[1].p, factor = b.p;
    // The loss is that of before the update.
    EXPECT_NEAR((*results)[0].floats[0], squares * factor, 1e-12);
    for (Adam &element : w)
      element.step(2 * element.p * factor);
    b.step(squares);
    expectNear("w", {w[0].p, w[1].p});
    expectNear("step.w.exp_avg", {w[0].m, w[1].m});
    expectNear("step.w.exp_avg_sq", {w[0].v, w[1].v});
    expectNear("b", {b.p});
    expectNear("step.b.exp_avg", {b.m});
    expectNear("step.b.exp_avg_sq", {b.v});
    EXPECT_EQ(interpreter.getVariable("step.step")->ints[0], count);
  }
}

} // namespace
