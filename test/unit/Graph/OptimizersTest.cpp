// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SGD's update against the loop of torch.optim.SGD, written out here. The
// update is built on constants and folded, so that no back end takes part.
#include "dialects/Graph/IR/Graph.h"
#include "dialects/Graph/IR/GraphBuilders.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace graphc::graph;

namespace {

struct Config {
  double lr, momentum, dampening, weightDecay;
  bool nesterov;
};

/// torch.optim.SGD on one float parameter, each operation rounded to f32.
struct TorchSgd {
  Config config;
  float buffer = 0;
  bool hasBuffer = false;

  float step(float p, float g) {
    auto momentum = static_cast<float>(config.momentum);
    if (config.weightDecay != 0)
      g = g + p * static_cast<float>(config.weightDecay);
    if (config.momentum != 0) {
      if (!hasBuffer)
        buffer = g;
      else
        buffer =
            buffer * momentum + g * static_cast<float>(1.0 - config.dampening);
      hasBuffer = true;
      g = config.nesterov ? g + buffer * momentum : buffer;
    }
    return p - static_cast<float>(config.lr) * g;
  }
};

class SgdTest : public testing::Test {
protected:
  SgdTest() {
    context.loadDialect<GraphDialect, func::FuncDialect>();
    builder = std::make_unique<OpBuilder>(&context);
  }

  SgdAttr attr(const Config &c) {
    return SgdAttr::get(&context, c.lr, c.momentum, c.dampening, c.weightDecay,
                        c.nesterov);
  }

  /// One folded update of `type` tensors; returns the parameter, then states.
  SmallVector<APFloat> update(SgdAttr sgd, RankedTensorType type, double p,
                              double g, ArrayRef<double> states,
                              int64_t stepCount) {
    Location loc = builder->getUnknownLoc();
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    builder->setInsertionPointToEnd(module->getBody());
    SmallVector<Type> types(1 + states.size(), type);
    auto function = builder->create<func::FuncOp>(
        loc, "update", builder->getFunctionType({}, types));
    builder->setInsertionPointToEnd(function.addEntryBlock());
    Type wide = type.getElementType().isF64() ? builder->getF64Type()
                                              : builder->getF32Type();
    SmallVector<Value> stateValues;
    for (double state : states)
      stateValues.push_back(splat(*builder, loc, type, state));
    Value step;
    if (sgd.needsStepCount())
      step =
          splatInt(*builder, loc,
                   RankedTensorType::get({}, builder->getI64Type()), stepCount);
    SmallVector<Value> results =
        sgd.emitUpdate(*builder, loc, splat(*builder, loc, type, p),
                       splat(*builder, loc, type, g), stateValues,
                       splat(*builder, loc, RankedTensorType::get({}, wide),
                             sgd.getLearningRate()),
                       step);
    EXPECT_EQ(TypeRange(ValueRange(results)), TypeRange(types));
    auto ret = builder->create<func::ReturnOp>(loc, results);
    EXPECT_TRUE(succeeded(verify(*module)));
    EXPECT_TRUE(succeeded(applyPatternsAndFoldGreedily(
        function, FrozenRewritePatternSet(RewritePatternSet(&context)))));
    SmallVector<APFloat> values;
    for (Value operand : ret.getOperands()) {
      auto constant = operand.getDefiningOp<ConstantOp>();
      EXPECT_TRUE(constant) << "not folded";
      if (constant)
        values.push_back(cast<DenseElementsAttr>(constant.getValue())
                             .getSplatValue<APFloat>());
    }
    return values;
  }

  MLIRContext context;
  std::unique_ptr<OpBuilder> builder;
};

const Config kConfigs[] = {
    {0.1, 0.0, 0.0, 0.0, false},   {0.1, 0.0, 0.0, 0.01, false},
    {0.1, 0.9, 0.0, 0.0, false},   {0.1, 0.9, 0.0, 0.01, true},
    {0.1, 0.9, 0.25, 0.01, false}, {0.1, 0.9, 1.0, 0.0, false},
    {0.0, 1.0, 0.0, 0.0, false},
};

// Each step of several, from a buffer of zeros, has the bits of PyTorch's loop.
TEST_F(SgdTest, FollowsTorchOverSteps) {
  auto type = RankedTensorType::get({2, 3}, builder->getF32Type());
  for (const Config &config : kConfigs) {
    SgdAttr sgd = attr(config);
    TorchSgd torch{config};
    size_t stateCount = sgd.getStateNames().size();
    ASSERT_EQ(stateCount, config.momentum > 0 ? 1u : 0u);
    SmallVector<double> states(stateCount, 0.0);
    float p = 0.75f;
    for (int step = 0; step < 4; ++step) {
      float g = 0.3f * static_cast<float>(step + 1) - 0.7f * p;
      SmallVector<APFloat> got = update(sgd, type, p, g, states, step);
      ASSERT_EQ(got.size(), 1 + stateCount);
      p = torch.step(p, g);
      EXPECT_EQ(got[0].convertToFloat(), p) << "step " << step;
      if (stateCount)
        EXPECT_EQ(got[1].convertToFloat(), torch.buffer) << "step " << step;
      for (size_t k = 0; k < stateCount; ++k)
        states[k] = got[1 + k].convertToFloat();
    }
  }
}

// Only dampening makes the first step an exception to the formula.
TEST_F(SgdTest, NeedsStepCountForDampeningOnly) {
  EXPECT_FALSE(attr({0.1, 0.9, 0.0, 0.1, true}).needsStepCount());
  EXPECT_FALSE(attr({0.1, 0.0, 0.5, 0.1, false}).needsStepCount());
  EXPECT_TRUE(attr({0.1, 0.9, 0.5, 0.1, false}).needsStepCount());
  EXPECT_EQ(attr({0.1, 0.9, 0.0, 0.0, false}).getStateNames(),
            SmallVector<std::string>{"momentum_buffer"});
}

// Rank 0 and the other float types compute in the parameter's own type.
TEST_F(SgdTest, ComputesInTheParametersType) {
  Type half = builder->getF16Type();
  SgdAttr sgd = attr({0.1, 0.0, 0.0, 0.0, false});
  // f16: lr = 0.1 rounds to 0.0999755859375; 1 - lr to the nearest 2^-11.
  auto f16 = update(sgd, RankedTensorType::get({}, half), 1.0, 1.0, {}, 0);
  EXPECT_EQ(f16[0].convertToDouble(), 0.89990234375);
  auto f64 = update(sgd, RankedTensorType::get({}, builder->getF64Type()), 1.0,
                    1.0, {}, 0);
  EXPECT_EQ(f64[0].convertToDouble(), 1.0 - 0.1);
  auto bf16 = update(sgd, RankedTensorType::get({1}, builder->getBF16Type()),
                     1.0, 1.0, {}, 0);
  // bf16: lr = 0.10009765625; 0.89990234375 rounds to 0.8984375.
  EXPECT_EQ(bf16[0].convertToDouble(), 0.8984375);
}

} // namespace
