// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normalising functions and layers; values are PyTorch 1.13's.
#include "Compiled.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace graphc;
using namespace graphc::test;

namespace {

using Floats = std::vector<float>;

void expectNear(const Floats &got, const Floats &want,
                float tolerance = 2e-6f) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t k = 0; k < want.size(); ++k)
    EXPECT_NEAR(got[k], want[k], tolerance) << "element " << k;
}

/// 1.5 cos(0.7 i)
Floats wave(size_t count, float shift = 0) {
  Floats values;
  for (size_t k = 0; k < count; ++k)
    values.push_back(
        static_cast<float>(std::cos(static_cast<double>(k) * 0.7) * 1.5) +
        shift);
  return values;
}

TEST(TraceNorms, FunctionsGiveTheValuesOfPyTorch) {
  Tracer tracer("m");
  tracer.function(
      "f",
      [](Tensor x, Tensor w, Tensor b, Tensor g) {
        return std::vector<Tensor>{
            layer_norm(x, {4}, w, b), layer_norm(x, {2, 4}, {}, {}, 0.5),
            rms_norm(x, {4}, w, 1e-6), group_norm(g, 2, w, b),
            layer_norm(x, {4}, {}, b)};
      },
      input("x", f32, {2, 4}), input("w", f32, {4}), input("b", f32, {4}),
      input("g", f32, {2, 4, 2}));
  Model model = load(tracer);
  Values<float> x({2, 4}, {1, 2, 4, -1, 0.5f, -2, 3, 7}),
      w({4}, {1, 2, -1, 0.5f}), b({4}, {0, 1, 0, -1}), g({2, 4, 2}, {});
  for (int k = 0; k < 16; ++k)
    g.data.push_back(std::pow(static_cast<float>(k), 1.5f));
  auto all = results<float>(model, "f", {x, w, b, g});
  expectNear(all[0], {-0.27734965f, 1.5546994f, -1.3867484f, -1.6933742f,
                      -0.48891512f, -1.4821844f, -0.26326197f, -0.2666273f});
  expectNear(all[1], {-0.29193217f, 0.067368984f, 0.7859713f, -1.0105345f,
                      -0.47158274f, -1.3698356f, 0.42667013f, 1.8638747f});
  expectNear(all[2], {0.42640138f, 1.7056055f, -1.7056055f, -0.21320069f,
                      0.12674484f, -1.0139587f, -0.7604691f, 0.8872139f});
  expectNear(all[3],
             {-1.1410077f, -0.6352743f, 1.5788445f, 3.9737198f, 1.2991846f,
              0.48892045f, -0.79649335f, -0.30945417f, -1.3175483f,
              -0.47105744f, 1.8477366f, 3.729474f, 1.3248116f, 0.46391988f,
              -0.7846234f, -0.3210111f},
             4e-6f);
  // A bias alone.
  expectNear(all[4],
             {-0.27734965f, 1 + 0.2773497f, 1.3867484f, -2.3867484f,
              -0.48891512f, 1 - 1.2410922f, 0.26326197f, -1 + 1.4667454f});
}

// Two steps of torch.optim.SGD on BatchNorm1d: parameters, running statistics
// and the count of batches; then the evaluation by those statistics, which
// changes none.
TEST(TraceNorms, BatchNormTrainsAndEvaluates) {
  nn::BatchNorm1d bn(2);
  Tracer tracer("m");
  tracer.add(bn, "bn.");
  tracer.function(
      "loss", [&](Tensor x, Tensor t) { return mse_loss(bn(x), t); },
      input("x", f32, {4, 2, 3}), input("t", f32, {4, 2, 3}));
  tracer.function(
      "forward", [&](Tensor x) { return bn(x); }, input("x", f32, {1, 2, 3}));
  tracer.train("step", "loss", optim::SGD(0.1));
  Model model = load(tracer);
  std::vector<std::string> names;
  for (const VariableInfo &variable : model.variables())
    names.push_back(variable.name);
  EXPECT_EQ(names, (std::vector<std::string>{
                       "bn.weight", "bn.bias", "bn.running_mean",
                       "bn.running_var", "bn.num_batches_tracked", "step.lr"}));

  Values<float> target({4, 2, 3}, wave(24));
  for (float &value : target.data)
    value *= value;
  for (auto [shift, loss] :
       std::vector<std::pair<float, float>>{{0, 3.0500164f}, {1, 2.5896745f}}) {
    Values<float> x({4, 2, 3}, wave(24, shift));
    expectNear(results<float>(model, "step", {x, target})[0], {loss});
  }
  auto expectState = [&] {
    auto get = [&](const std::string &name) {
      Values<float> value({2}, Floats(2));
      model.getVariable("bn." + name, value);
      return value.data;
    };
    expectNear(get("weight"), {0.8337169f, 0.7859423f});
    expectNear(get("bias"), {0.21707347f, 0.23310573f});
    expectNear(get("running_mean"), {0.14484264f, 0.04362884f});
    expectNear(get("running_var"), {1.0352618f, 1.046052f});
    Values<int64_t> count({}, {0});
    model.getVariable("bn.num_batches_tracked", count);
    EXPECT_EQ(count.data[0], 2);
  };
  expectState();
  Values<float> x({1, 2, 3}, wave(6));
  expectNear(
      results<float>(model, "forward", {x})[0],
      {1.327478f, 1.038448f, 0.307295f, -0.382339f, -0.886488f, -0.879842f});
  expectState();
}

// The mode of the module holds, whatever the function is compiled for.
TEST(TraceNorms, TheModesOfModulesHold) {
  nn::BatchNorm1d trains(1), evaluates(1);
  trains->train();
  evaluates->eval();
  Tracer tracer("m");
  tracer.add(trains, "t.");
  tracer.add(evaluates, "e.");
  tracer.function(
      "f",
      [&](Tensor x) { return std::vector<Tensor>{trains(x), evaluates(x)}; },
      input("x", f32, {2, 1}));
  Model model = load(tracer);
  Values<float> x({2, 1}, {1, 3});
  auto all = results<float>(model, "f", {x});
  expectNear(all[0], {-0.999995f, 0.999995f});
  expectNear(all[1], {0.999995f, 2.999985f});
  Values<int64_t> count({}, {0});
  model.getVariable("t.num_batches_tracked", count);
  EXPECT_EQ(count.data[0], 1);
  model.getVariable("e.num_batches_tracked", count);
  EXPECT_EQ(count.data[0], 0);
}

// A layer called twice in one function sees its own update.
TEST(TraceNorms, ALayerCalledTwiceCountsTwoBatches) {
  nn::BatchNorm1d bn(1, 1e-5, 0.5);
  bn->train();
  Tracer tracer("m");
  tracer.add(bn);
  tracer.function(
      "f", [&](Tensor x) { return bn(bn(x) + 2); }, input("x", f32, {2, 1}));
  Model model = load(tracer);
  Values<float> x({2, 1}, {1, 3}), mean({1}, {0});
  results<float>(model, "f", {x});
  Values<int64_t> count({}, {0});
  model.getVariable("num_batches_tracked", count);
  EXPECT_EQ(count.data[0], 2);
  // 0, then (0 + 2) / 2, then (1 + 2) / 2
  model.getVariable("running_mean", mean);
  expectNear(mean.data, {1.5f});
}

TEST(TraceNorms, WithoutStatisticsTheBatchNormalizes) {
  nn::BatchNorm2d bn(1, 1e-5, 0.1, false, false);
  EXPECT_TRUE(bn->named_state().empty());
  Tracer tracer("m");
  tracer.add(bn);
  tracer.function(
      "f", [&](Tensor x) { return bn(x); }, input("x", f32, {1, 1, 1, 2}));
  Model model = load(tracer);
  Values<float> x({1, 1, 1, 2}, {1, 3});
  expectNear(results<float>(model, "f", {x})[0], {-0.999995f, 0.999995f});
}

TEST(TraceNorms, LayersPrintAsPyTorchs) {
  EXPECT_EQ(printed(nn::LayerNorm(3)),
            "LayerNorm((3,), eps=1e-05, elementwise_affine=True)");
  EXPECT_EQ(printed(nn::LayerNorm({2, 3}, 1e-3, false)),
            "LayerNorm((2, 3), eps=0.001, elementwise_affine=False)");
  EXPECT_EQ(printed(nn::RMSNorm(3)),
            "RMSNorm((3,), eps=None, elementwise_affine=True)");
  EXPECT_EQ(printed(nn::RMSNorm(Shape{3}, 1e-6)),
            "RMSNorm((3,), eps=1e-06, elementwise_affine=True)");
  EXPECT_EQ(printed(nn::GroupNorm(2, 4)),
            "GroupNorm(2, 4, eps=1e-05, affine=True)");
  EXPECT_EQ(printed(nn::BatchNorm2d(4)),
            "BatchNorm2d(4, eps=1e-05, momentum=0.1, affine=True, "
            "track_running_stats=True)");
}

TEST(TraceNorms, StateIsListedAsPyTorchs) {
  nn::Sequential net(nn::BatchNorm3d(2), nn::LayerNorm(2), nn::GroupNorm(1, 2),
                     nn::LayerNorm(2, 1e-5, true, false), nn::RMSNorm(2),
                     nn::LayerNorm(2, 1e-5, false));
  auto namesOf = [](const auto &list) {
    std::string names;
    for (const auto &named : list)
      names += (names.empty() ? "" : " ") + named.first;
    return names;
  };
  EXPECT_EQ(namesOf(net->named_parameters()),
            "0.weight 0.bias 1.weight 1.bias 2.weight 2.bias 3.weight "
            "4.weight");
  EXPECT_EQ(namesOf(net->named_buffers()),
            "0.running_mean 0.running_var 0.num_batches_tracked");
  EXPECT_EQ(namesOf(net->named_state()),
            "0.weight 0.bias 0.running_mean 0.running_var "
            "0.num_batches_tracked 1.weight 1.bias 2.weight 2.bias 3.weight "
            "4.weight");
  EXPECT_EQ(net->num_parameters(), 16);
}

/// The message of tracing `body` of one f32 tensor of `shape`.
std::string traceError(const Shape &shape,
                       const std::function<Tensor(Tensor)> &body) {
  return messageOf([&] {
    Tracer tracer("m");
    tracer.function("f", body, input("x", f32, shape));
  });
}

TEST(TraceNorms, WhatDoesNotFitIsAnError) {
  auto expect = [](const std::string &message, const std::string &part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_NE(message.find("TraceNorms.cpp:"), std::string::npos) << message;
  };
  expect(traceError({2, 3}, [](Tensor x) { return layer_norm(x, {2}); }),
         "layer_norm expects the last dimensions to be [2], but got [2, 3]");
  expect(traceError({2, 3}, [](Tensor x) { return rms_norm(x, {}); }),
         "rms_norm expects the last dimensions to be [], but got [2, 3]");
  expect(traceError({2, 3}, [](Tensor x) { return group_norm(x, 2); }),
         "expects groups to divide the 3 channels");
  expect(traceError({2, 3},
                    [](Tensor x) {
                      return std::get<0>(batch_norm(x, {}, {}, {}, {}, true));
                    }),
         "batch_norm expects running statistics");
  expect(traceError({1, 3},
                    [](Tensor x) {
                      Tensor s = ones({3});
                      return std::get<0>(batch_norm(x, s, s, {}, {}, true));
                    }),
         "expects two or more values per channel in training");
  nn::BatchNorm2d bn(3);
  expect(traceError({2, 3}, [&](Tensor x) { return bn(x); }),
         "BatchNorm2d expects an input of rank 4, but got [2, 3]");
  expect(messageOf([] { nn::GroupNorm(3, 4); }),
         "GroupNorm expects a number of channels that num_groups divides, but "
         "got 4 and 3");
  expect(messageOf([] { nn::LayerNorm(-1); }),
         "LayerNorm expects sizes of 0 or more, but got [-1]");
}

// A mode left open: whether a batch of one is too small is known only then.
TEST(TraceNorms, OneValuePerChannelFailsToCompileInTraining) {
  nn::BatchNorm1d bn(3);
  Tracer tracer("m");
  tracer.add(bn);
  tracer.function(
      "loss", [&](Tensor x) { return sum(bn(x)); }, input("x", f32, {1, 3}));
  Folder folder;
  tracer.compile(folder.file("eval.so"));
  tracer.train("step", "loss", optim::SGD(0.1));
  std::string message =
      messageOf([&] { tracer.compile(folder.file("train.so")); });
  EXPECT_NE(message.find("expects two or more values per channel in training"),
            std::string::npos)
      << message;
}

} // namespace
