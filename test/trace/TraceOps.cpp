// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What traced functions record.
#include <graphc/trace.hpp>

#include <gtest/gtest.h>

using namespace graphc;

namespace {

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

/// Shape of what `body` makes of two tensors of the shapes given.
template <class Body> Shape shapeOf(Shape a, Shape b, Body body) {
  Tracer tracer("m");
  Shape result;
  tracer.function(
      "f",
      [&](Tensor x, Tensor y) {
        Tensor z = body(x, y);
        result = z.shape();
        return z;
      },
      input("x", f32, a), input("y", f32, b));
  return result;
}

TEST(TraceOps, BroadcastsAsNumPy) {
  auto add = [](Tensor x, Tensor y) { return x + y; };
  EXPECT_EQ(shapeOf({8, 3}, {3}, add), (Shape{8, 3}));
  EXPECT_EQ(shapeOf({8, 1}, {1, 4}, add), (Shape{8, 4}));
  EXPECT_EQ(shapeOf({}, {2, 2}, add), (Shape{2, 2}));
  EXPECT_EQ(shapeOf({0, 3}, {1, 3}, add), (Shape{0, 3}));
  EXPECT_EQ(shapeOf({1}, {1}, add), (Shape{1}));
  EXPECT_EQ(shapeOf({5, 1, 2}, {7, 1}, add), (Shape{5, 7, 2}));
}

TEST(TraceOps, MatmulShapesAreTorchs) {
  auto mm = [](Tensor x, Tensor y) { return matmul(x, y); };
  EXPECT_EQ(shapeOf({2, 3}, {3, 4}, mm), (Shape{2, 4}));
  EXPECT_EQ(shapeOf({3}, {3}, mm), (Shape{}));
  EXPECT_EQ(shapeOf({3}, {3, 4}, mm), (Shape{4}));
  EXPECT_EQ(shapeOf({2, 3}, {3}, mm), (Shape{2}));
  EXPECT_EQ(shapeOf({5, 2, 3}, {3, 4}, mm), (Shape{5, 2, 4}));
  EXPECT_EQ(shapeOf({5, 1, 2, 3}, {6, 3, 4}, mm), (Shape{5, 6, 2, 4}));
}

TEST(TraceOps, ShapeFunctions) {
  EXPECT_EQ(
      shapeOf({2, 3, 4}, {1}, [](Tensor x, Tensor) { return flatten(x, 1); }),
      (Shape{2, 12}));
  EXPECT_EQ(shapeOf({2, 3, 4}, {1},
                    [](Tensor x, Tensor) { return reshape(x, {-1, 4}); }),
            (Shape{6, 4}));
  EXPECT_EQ(shapeOf({2, 3, 4}, {1},
                    [](Tensor x, Tensor) { return transpose(x, 0, -1); }),
            (Shape{4, 3, 2}));
  EXPECT_EQ(shapeOf({2, 3, 4}, {1},
                    [](Tensor x, Tensor) { return sum(x, {-1}, true); }),
            (Shape{2, 3, 1}));
  EXPECT_EQ(shapeOf({2, 9}, {1},
                    [](Tensor x, Tensor) { return slice(x, 1, 1, -1, 3); }),
            (Shape{2, 3}));
  EXPECT_EQ(shapeOf({2, 3}, {4, 3},
                    [](Tensor x, Tensor y) { return cat({x, y}, 0); }),
            (Shape{6, 3}));
  EXPECT_EQ(shapeOf({2, 1}, {4},
                    [](Tensor x, Tensor y) { return where(x < y, x, 0.0); }),
            (Shape{2, 4}));
}

TEST(TraceOps, NumbersTakeTheTensorsDtype) {
  Tracer tracer("m");
  tracer.function(
      "f",
      [](Tensor x, Tensor n) {
        EXPECT_EQ((x + 1).dtype(), f64);
        EXPECT_EQ((2.0 * x).dtype(), f64);
        EXPECT_EQ((n + 1).dtype(), i32);
        EXPECT_EQ((n + 0.5).dtype(), f32);
        EXPECT_EQ((n < 2).dtype(), i1);
        return x;
      },
      input("x", f64, {2}), input("n", i32, {2}));
}

TEST(TraceOps, LiteralsInferTheirType) {
  Tracer tracer("m");
  tracer.function("f", [] {
    EXPECT_EQ(tensor({1, 2, 3}).dtype(), i64);
    EXPECT_EQ(tensor({1, 2.5, 3}).dtype(), f32);
    EXPECT_EQ(tensor(7).shape(), Shape{});
    EXPECT_EQ(tensor({{1, 2}, {3, 4}, {5, 6}}).shape(), (Shape{3, 2}));
    return tensor({{1, 2.5}});
  });
  EXPECT_TRUE(contains(tracer.text(), "graph.constant dense<[[1.000000e+00, "
                                      "2.500000e+00]]> : tensor<1x2xf32>"));
}

TEST(TraceOps, EachOpCarriesItsLine) {
  Tracer tracer("m");
  unsigned line = 0;
  nn::Linear layer(2, 2);
  tracer.add(layer);
  tracer.function(
      "f",
      [&](Tensor x) {
        line = __LINE__;
        Tensor a = x + x;
        Tensor b = relu(a);
        Tensor c = layer(b);
        EXPECT_TRUE(contains(a.origin(), ":" + std::to_string(line + 1)));
        EXPECT_TRUE(contains(b.origin(), ":" + std::to_string(line + 2)));
        // A library module's ops belong to the line that calls the module.
        EXPECT_TRUE(contains(c.origin(), ":" + std::to_string(line + 3)));
        EXPECT_TRUE(contains(c.origin(), "TraceOps.cpp"));
        return c;
      },
      input("x", f32, {2, 2}));
}

TEST(TraceOps, ValueAndGradOfALambda) {
  Tracer tracer("m");
  tracer.function(
      "f",
      [](Tensor w, Tensor labels) {
        auto [values, grads] = value_and_grad(
            [](Tensor v, Tensor y) { return cross_entropy(v, y); })(w, labels);
        EXPECT_EQ(values.size(), 1u);
        EXPECT_EQ(values[0].shape(), Shape{});
        EXPECT_EQ(grads.size(), 1u); // By the float argument only.
        EXPECT_EQ(grads[0].shape(), (Shape{4, 3}));
        return grads;
      },
      input("w", f32, {4, 3}), input("labels", i64, {4}));
  EXPECT_TRUE(contains(tracer.text(), "graph.value_and_grad @grad_of.0"));
}

TEST(TraceOps, SizesShareAFamily) {
  Tracer tracer("m");
  tracer.batch_sizes({64, 29});
  tracer.function(
      "loss", [](Tensor x) { return sum(x * x); }, input("x", f32, {batch, 3}));
  tracer.train("step", "loss", optim::SGD(0.1));
  std::string text = tracer.text();
  EXPECT_TRUE(contains(text, "@loss(%arg0: tensor<64x3xf32>"));
  EXPECT_TRUE(contains(text, "@loss.b29(%arg0: tensor<29x3xf32>"));
  EXPECT_TRUE(contains(text, "graph.specializes = @loss"));
  EXPECT_TRUE(contains(text, "specializes(@step)"));
}

TEST(TraceOps, OptimizerNumbersSurvive) {
  Tracer tracer("m");
  tracer.function(
      "loss", [](Tensor x) { return sum(x); }, input("x", f32, {3}));
  optim::SGDOptions options;
  options.momentum = 0.9;
  options.weight_decay = 1e-5;
  options.nesterov = true;
  tracer.train("step", "loss", optim::SGD(1e-7, options));
  EXPECT_TRUE(contains(tracer.text(),
                       "#graph.sgd<lr = 1.0e-07, momentum = 0.9, "
                       "weight_decay = 1.0e-05, nesterov = true>"));
}

TEST(TraceOps, AdamGroupsAndClipping) {
  Tracer tracer("m");
  nn::Linear fc(3, 2);
  tracer.add(fc);
  tracer.function(
      "loss", [&](Tensor x) { return mean(fc(x)); }, input("x", f32, {4, 3}));
  optim::AdamWOptions noDecay;
  noDecay.weight_decay = 0;
  TrainOptions options;
  options.groups = {{{"bias"}, optim::AdamW(0.5, noDecay)}};
  options.clip_norm = 2;
  tracer.train("step", "loss", optim::AdamW(), options);
  EXPECT_TRUE(contains(
      tracer.text(),
      "optimizer(#graph.adamw<lr = 0.001, beta1 = 0.9, beta2 = 0.999, eps = "
      "1.0e-08, weight_decay = 0.01>) groups([#graph.param_group<[@bias], "
      "#graph.adamw<lr = 0.5, beta1 = 0.9, beta2 = 0.999, eps = 1.0e-08, "
      "weight_decay = 0.0>>]) clip_norm(2.000000e+00)"));
  optim::AdamOptions amsgrad;
  amsgrad.betas = {0.8, 0.7};
  amsgrad.amsgrad = true;
  options = {};
  options.clip_value = 0.5;
  tracer.train("other", "loss", optim::Adam(0.1, amsgrad), options);
  EXPECT_TRUE(contains(tracer.text(),
                       "optimizer(#graph.adam<lr = 0.1, beta1 = 0.8, beta2 = "
                       "0.7, eps = 1.0e-08, weight_decay = 0.0, amsgrad = "
                       "true>) clip_value(5.000000e-01)"));
}

TEST(TraceOps, GroupsOfNoParameterAreRefused) {
  Tracer tracer("m");
  nn::Linear fc(3, 2);
  tracer.add(fc);
  tracer.function(
      "loss", [&](Tensor x) { return mean(fc(x)); }, input("x", f32, {4, 3}));
  TrainOptions options;
  options.groups = {{{"bia\"s"}, optim::SGD(0.1)}};
  try {
    tracer.train("step", "loss", optim::SGD(0.1), options);
    FAIL() << "expects an error";
  } catch (const Error &error) {
    EXPECT_TRUE(contains(error.what(), "to name a float variable"))
        << error.what();
  }
}

} // namespace
