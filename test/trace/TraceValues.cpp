// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of traced functions, compiled in this process.
#include "Compiled.h"

#include <graphc/data.h>

#include <gtest/gtest.h>

#include <cmath>

using namespace graphc;
using namespace graphc::test;

namespace {

using Flags = std::vector<uint8_t>;

TEST(TraceValues, LogicIsOfTruthAndBitsAreOfBits) {
  Tracer tracer("m");
  tracer.function(
      "logic",
      [](Tensor a, Tensor b, Tensor x) {
        return std::vector<Tensor>{logical_and(a, b), logical_or(a, b),
                                   logical_xor(a, b), logical_not(a),
                                   logical_and(a, x)};
      },
      input("a", i32, {4}), input("b", i32, {4}), input("x", f32, {4}));
  tracer.function(
      "bits",
      [](Tensor a, Tensor b) {
        return std::vector<Tensor>{bitwise_and(a, b), bitwise_or(a, b),
                                   bitwise_xor(a, b), bitwise_not(a)};
      },
      input("a", i32, {4}), input("b", i32, {4}));
  Model model = load(tracer);
  Values<int32_t> a({4}, {2, 2, 0, 0}), b({4}, {1, 0, 4, 0});
  Values<float> x({4}, {0.5f, -0.0f, 1, NAN});
  auto logic = results<uint8_t>(model, "logic", {a, b, x});
  EXPECT_EQ(logic[0], (Flags{1, 0, 0, 0}));
  EXPECT_EQ(logic[1], (Flags{1, 1, 1, 0}));
  EXPECT_EQ(logic[2], (Flags{0, 1, 1, 0}));
  EXPECT_EQ(logic[3], (Flags{0, 0, 1, 1}));
  EXPECT_EQ(logic[4], (Flags{1, 0, 0, 0}));
  auto bits = results<int32_t>(model, "bits", {a, b});
  EXPECT_EQ(bits[0], (std::vector<int32_t>{0, 0, 0, 0}));
  EXPECT_EQ(bits[1], (std::vector<int32_t>{3, 2, 4, 0}));
  EXPECT_EQ(bits[2], (std::vector<int32_t>{3, 2, 4, 0}));
  EXPECT_EQ(bits[3], (std::vector<int32_t>{-3, -3, -1, -1}));
}

TEST(TraceValues, NanIsTrue) {
  Tracer tracer("m");
  tracer.function(
      "f", [](Tensor x) { return logical_not(x); }, input("x", f32, {3}));
  Model model = load(tracer);
  Values<float> x({3}, {NAN, 0, 2});
  EXPECT_EQ(results<uint8_t>(model, "f", {x})[0], (Flags{0, 1, 0}));
}

TEST(TraceValues, ArgmaxWithoutDimIsOfTheFlattenedTensor) {
  Tracer tracer("m");
  tracer.function(
      "f",
      [](Tensor x) {
        EXPECT_EQ(argmax(x).shape(), Shape{});
        EXPECT_EQ(argmax(x, {}, true).shape(), (Shape{1, 1}));
        EXPECT_EQ(argmin(x, 0, true).shape(), (Shape{1, 3}));
        return std::vector<Tensor>{argmax(x), argmin(x, {}, true),
                                   argmax(x, -1), argmin(x, 0), argmax(sum(x))};
      },
      input("x", f32, {2, 3}));
  Model model = load(tracer);
  Values<float> x({2, 3}, {1, 5, 2, 7, -4, 6});
  auto all = results<int64_t>(model, "f", {x});
  using Ids = std::vector<int64_t>;
  EXPECT_EQ(all[0], Ids{3});
  EXPECT_EQ(all[1], Ids{4});
  EXPECT_EQ(all[2], (Ids{1, 0}));
  EXPECT_EQ(all[3], (Ids{0, 1, 0}));
  EXPECT_EQ(all[4], Ids{0});
}

TEST(TraceValues, CrossEntropyHasItsClassesInDimensionOne) {
  constexpr int64_t n = 2, c = 3, d = 4;
  CrossEntropyOptions none;
  none.reduction = "none";
  Tracer tracer("m");
  tracer.function(
      "f", [&](Tensor x, Tensor t) { return cross_entropy(x, t, none); },
      input("x", f64, {n, c, d}), input("t", i64, {n, d}));
  Model model = load(tracer);
  Values<double> x({n, c, d}, {});
  for (int k = 0; k < n * c * d; ++k)
    x.data.push_back(std::sin(k * 1.7));
  Values<int64_t> t({n, d}, {0, 1, 2, 0, 2, 2, 1, 0});
  std::vector<double> got = results<double>(model, "f", {x, t})[0];
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < d; ++j) {
      double total = 0;
      for (int64_t k = 0; k < c; ++k)
        total += std::exp(x.data[(i * c + k) * d + j]);
      double want =
          std::log(total) - x.data[(i * c + t.data[i * d + j]) * d + j];
      EXPECT_NEAR(got[i * d + j], want, 1e-14);
    }
}

TEST(TraceValues, GradientsByArgumentsAndByVariables) {
  Tracer tracer("m");
  nn::Parameter w = tracer.variable("w", {{0.5, -1.0, 2.0}}, f64);
  // loss = sum((w x)^2), so d/dx = 2 (w x) w and d/dw = 2 (w x) x.
  tracer.function(
      "loss",
      [&](Tensor x) {
        Tensor y = matmul(Tensor(w), x);
        return sum(y * y);
      },
      input("x", f64, {3}));
  tracer.function(
      "both",
      [](Tensor x) {
        ValueAndGrad all = value_and_grad("loss", {x}, {0}, {"w"});
        EXPECT_EQ(all.values.size(), 1u);
        EXPECT_EQ(all.grads.size(), 2u);
        return std::vector<Tensor>{all.values[0], all.grads[0], all.grads[1]};
      },
      input("x", f64, {3}));
  tracer.function(
      "lambda",
      [](Tensor x) {
        auto cube = [](Tensor v) { return sum(v * v * v); };
        auto [values, grads] = value_and_grad(cube)(x);
        return std::vector<Tensor>{values[0], grads[0]};
      },
      input("x", f64, {3}));
  tracer.grad("dloss", "loss", {"w"}, {0});
  Model model = load(tracer);
  Values<double> x({3}, {3, 4, 0.25});
  using Row = std::vector<double>;
  // w x = 1.5 - 4 + 0.5 = -2
  for (const char *name : {"both", "dloss"}) {
    // graph.grad states its gradients by argument, then by variable, too.
    auto all = results<double>(model, name, {x});
    ASSERT_EQ(all.size(), 3u) << name;
    EXPECT_EQ(all[0], Row{4}) << name;
    EXPECT_EQ(all[1], (Row{-2, 4, -8})) << name;
    EXPECT_EQ(all[2], (Row{-12, -16, -1})) << name;
  }
  auto lambda = results<double>(model, "lambda", {x});
  EXPECT_EQ(lambda[0], Row{27 + 64 + 0.015625});
  EXPECT_EQ(lambda[1], (Row{27, 48, 0.1875}));
}

TEST(TraceValues, ActivationModulesCompute) {
  nn::Tanh tanh;
  nn::Sigmoid sigmoid;
  nn::SiLU silu;
  nn::LogSoftmax logSoftmax(0);
  Tracer tracer("m");
  tracer.function(
      "f",
      [&](Tensor x) {
        return std::vector<Tensor>{tanh(x), sigmoid(x), silu(x), logSoftmax(x)};
      },
      input("x", f64, {3}));
  Model model = load(tracer);
  Values<double> x({3}, {-1.5, 0, 2});
  auto all = results<double>(model, "f", {x});
  double total = std::exp(-1.5) + 1 + std::exp(2.0);
  for (int k = 0; k < 3; ++k) {
    double v = x.data[k], s = 1 / (1 + std::exp(-v));
    EXPECT_NEAR(all[0][k], std::tanh(v), 1e-15);
    EXPECT_NEAR(all[1][k], s, 1e-15);
    EXPECT_NEAR(all[2][k], v * s, 1e-15);
    EXPECT_NEAR(all[3][k], v - std::log(total), 1e-14);
  }
}

TEST(TraceValues, NumbersOfEveryKindBecomeConstants) {
  Tracer tracer("m");
  tracer.function("floats", [] {
    return std::vector<Tensor>{tensor({1e30, -2.5, 3}),
                               tensor({INFINITY, NAN, 1}),
                               pad(tensor({1.5}), {1}, {1}, 1e30)};
  });
  tracer.function("integers", [] {
    int64_t large = (int64_t(1) << 62) + 1;
    return std::vector<Tensor>{tensor({large, int64_t(-7), -0x1p63, -1.5}, i64),
                               full({2}, large, i64), full({2}, -2.75, i64),
                               pad(tensor({large}), {1}, {0}, large)};
  });
  tracer.function("flags", [] { return tensor({{0, 1, 0}, {1, 1, 0.5}}, i1); });
  Model model = load(tracer);
  auto floats = results<float>(model, "floats");
  EXPECT_EQ(floats[0], (std::vector<float>{1e30f, -2.5f, 3}));
  EXPECT_EQ(floats[1][0], INFINITY);
  EXPECT_TRUE(std::isnan(floats[1][1]));
  EXPECT_EQ(floats[2], (std::vector<float>{1e30f, 1.5f, 1e30f}));
  auto integers = results<int64_t>(model, "integers");
  int64_t large = (int64_t(1) << 62) + 1;
  EXPECT_EQ(integers[0], (std::vector<int64_t>{large, -7, INT64_MIN, -1}));
  EXPECT_EQ(integers[1], (std::vector<int64_t>{large, large}));
  EXPECT_EQ(integers[2], (std::vector<int64_t>{-2, -2}));
  EXPECT_EQ(integers[3], (std::vector<int64_t>{large, large}));
  EXPECT_EQ(results<uint8_t>(model, "flags")[0], (Flags{0, 1, 0, 1, 1, 1}));
}

// The runtime's torch.nn.init functions are PyTorch's to the bit.
TEST(TraceValues, LinearIsDrawnAsPyTorchDoesInF64) {
  constexpr int64_t in = 10, out = 7;
  nn::Linear layer(in, out, true, f64);
  Tracer tracer("m");
  tracer.add(layer);
  tracer.function(
      "f", [&](Tensor x) { return layer(x); }, input("x", f64, {1, in}));
  LoadOptions options;
  options.seed = 123;
  Model model = load(tracer, options);
  Values<double> weight({out, in}, std::vector<double>(in * out)),
      bias({out}, std::vector<double>(out)), wantWeight = weight,
                                             wantBias = bias;
  model.getVariable("weight", weight);
  model.getVariable("bias", bias);
  graphc_generator *generator = nullptr;
  check(graphc_generator_create(123, &generator));
  graphc_tensor view = wantWeight;
  check(graphc_init_kaiming_uniform(generator, &view, std::sqrt(5.0)));
  view = wantBias;
  double bound = 1 / std::sqrt(static_cast<double>(in));
  check(graphc_generator_uniform(generator, &view, -bound, bound));
  graphc_generator_destroy(generator);
  EXPECT_EQ(weight.data, wantWeight.data);
  EXPECT_EQ(bias.data, wantBias.data);
}

TEST(TraceValues, AFunctionKeepsTheSizesItWasTracedWith) {
  Tracer tracer("m");
  nn::Parameter w = tracer.variable("w", {0.0});
  tracer.batch_sizes({4, 2});
  tracer.function(
      "loss",
      [&](Tensor x) {
        Tensor difference = x - Tensor(w);
        return mean(difference * difference);
      },
      input("x", f32, {batch}));
  tracer.batch_sizes({32});
  tracer.train("step", "loss", optim::SGD(0.5));
  Model model = load(tracer);
  Values<float> four({4}, {1, 2, 3, 6}), two({2}, {8, 0}), value({1}, {0});
  EXPECT_EQ(results<float>(model, "step", {four})[0][0], 12.5f);
  model.getVariable("w", value);
  EXPECT_EQ(value.data[0], 3); // The mean, in one step of half the curvature.
  Values<float> loss({}, {0});
  model.run("step", {two}, {loss});
  EXPECT_EQ(loss.data[0], 17);
  model.getVariable("w", value);
  EXPECT_EQ(value.data[0], 4);
}

} // namespace
