// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions, pooling, recurrent layers, loops and other regions; printed text
// and values are PyTorch 1.13's.
#include "Compiled.h"

#include <cmath>

#include <gtest/gtest.h>

using namespace graphc;
using namespace graphc::test;

namespace {

using Floats = std::vector<float>;

TEST(TraceConv, PrintsAsPyTorch) {
  nn::ConvOptions same, strange, twice;
  same.padding = 1;
  strange.stride = 2, strange.dilation = 2, strange.groups = 2;
  strange.bias = false;
  twice.stride = 2, twice.output_padding = 1;
  EXPECT_EQ(printed(nn::Conv2d(1, 16, 3, same)),
            "Conv2d(1, 16, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1))");
  EXPECT_EQ(printed(nn::Conv1d(4, 6, 5, strange)),
            "Conv1d(4, 6, kernel_size=(5,), stride=(2,), dilation=(2,), "
            "groups=2, bias=False)");
  EXPECT_EQ(printed(nn::ConvTranspose2d(4, 2, {3, 2}, twice)),
            "ConvTranspose2d(4, 2, kernel_size=(3, 2), stride=(2, 2), "
            "output_padding=(1, 1))");
  EXPECT_EQ(printed(nn::MaxPool2d({2, 3})),
            "MaxPool2d(kernel_size=(2, 3), stride=(2, 3), padding=0, "
            "dilation=1, ceil_mode=False)");
  EXPECT_EQ(printed(nn::AvgPool2d(2)),
            "AvgPool2d(kernel_size=2, stride=2, padding=0)");
  EXPECT_EQ(printed(nn::AvgPool1d(3, 1, 1)),
            "AvgPool1d(kernel_size=(3,), stride=(1,), padding=(1,))");
  EXPECT_EQ(printed(nn::AdaptiveAvgPool2d({1, 2})),
            "AdaptiveAvgPool2d(output_size=(1, 2))");
  nn::RecurrentOptions options;
  options.num_layers = 2, options.batch_first = true, options.dropout = 0.5;
  options.bidirectional = true;
  EXPECT_EQ(printed(nn::LSTM(4, 8, options)),
            "LSTM(4, 8, num_layers=2, batch_first=True, dropout=0.5, "
            "bidirectional=True)");
  nn::RecurrentOptions plain;
  plain.bias = false;
  EXPECT_EQ(printed(nn::GRU(4, 8, plain)), "GRU(4, 8, bias=False)");
}

TEST(TraceConv, ParametersAreNamedAsPyTorch) {
  std::string names;
  nn::RecurrentOptions options;
  options.bidirectional = true;
  for (const auto &[name, parameter] :
       nn::LSTM(4, 8, options)->named_parameters())
    names += name + toString(parameter.shape()) + " ";
  EXPECT_EQ(names, "weight_ih_l0[32, 4] weight_hh_l0[32, 8] bias_ih_l0[32] "
                   "bias_hh_l0[32] weight_ih_l0_reverse[32, 4] "
                   "weight_hh_l0_reverse[32, 8] bias_ih_l0_reverse[32] "
                   "bias_hh_l0_reverse[32] ");
  nn::ConvOptions groups;
  groups.groups = 2;
  EXPECT_EQ(nn::Conv2d(4, 6, 3, groups)->weight.shape(), (Shape{6, 2, 3, 3}));
  EXPECT_EQ(nn::ConvTranspose1d(4, 6, 3, groups)->weight.shape(),
            (Shape{4, 3, 3}));
}

/// What `body` makes of 0, 1, ..., 15 as [1, 4, 4].
template <class Body> Floats onImage(Body body) {
  Tracer tracer("m");
  tracer.function("f", body, input("x", f32, {1, 4, 4}));
  Model model = load(tracer);
  Floats data;
  for (int k = 0; k < 16; ++k)
    data.push_back(static_cast<float>(k));
  Values<float> x({1, 4, 4}, data), y(model.function("f").outputs[0]);
  model.run("f", {x}, {y});
  return y.data;
}

TEST(TraceConv, SlidesAsPyTorch) {
  auto weight = [] { return tensor({{{{1.0, 0.0}, {0.0, 2.0}}}}, f32); };
  // Without a batch dimension, as PyTorch takes it too.
  EXPECT_EQ(onImage([&](Tensor x) {
              return conv2d(x, weight(), tensor({0.5}, f32), 2, 1);
            }),
            (Floats{0.5, 4.5, 0.5, 16.5, 25.5, 7.5, 0.5, 13.5, 15.5}));
  EXPECT_EQ(onImage([&](Tensor x) {
              Tensor corner = slice(slice(x, 1, 0, 2), 2, 0, 2);
              return conv_transpose2d(corner, weight(), {}, 2, 1, 1);
            }),
            (Floats{0, 0, 2, 0, 5, 0, 8, 0, 10}));
  EXPECT_EQ(onImage([](Tensor x) { return max_pool2d(x, {2, 3}, 1, 1); }),
            (Floats{1,  2,  3,  3,  5,  6,  7,  7,  9,  10,
                    11, 11, 13, 14, 15, 15, 13, 14, 15, 15}));
  EXPECT_EQ(onImage([](Tensor x) { return avg_pool2d(x, 3, 2, 1, false); }),
            (Floats{2.5, 4, 8.5, 10}));
  EXPECT_EQ(onImage([](Tensor x) { return adaptive_avg_pool2d(x, {1, 2}); }),
            (Floats{6.5, 8.5}));
  EXPECT_EQ(onImage([](Tensor x) { return slice(flip(x, {1, -1}), 1, 0, 1); }),
            (Floats{15, 14, 13, 12}));
}

/// What `body` throws when it is traced with a [1, 4, 4] image.
template <class Body> std::string traceError(Body body) {
  return messageOf([&] { onImage(body); });
}

TEST(TraceConv, MistakesAreLocated) {
  std::string place = "TraceConv.cpp:" + std::to_string(__LINE__ + 2);
  std::string text =
      traceError([](Tensor x) { return conv2d(x, tensor({{{1.0}}}, f32)); });
  EXPECT_HAS(text, place);
  EXPECT_HAS(text, "expects an input and a weight of one rank");
  EXPECT_HAS(traceError([](Tensor x) { return conv3d(x, x); }),
             "conv3d expects an input of rank 4 or 5, but got [1, 4, 4]");
  EXPECT_HAS(traceError([](Tensor x) { return max_pool2d(x, {2, 2, 2}); }),
             "max_pool2d expects one number or 2, but got [2, 2, 2]");
  EXPECT_HAS(traceError([](Tensor x) { return max_pool2d(x, 5); }),
             "expects a window that fits");
  EXPECT_HAS(traceError([](Tensor x) { return adaptive_avg_pool2d(x, 3); }),
             "expects output sizes that divide those of the input, but got "
             "[3, 3] for [1, 4, 4]");
  EXPECT_HAS(messageOf([] { nn::Conv2d(3, 4, 3, {1, 0, 1, 2}); }),
             "Conv2d expects channels that groups divide, but got 3 and 4 in 2 "
             "groups");
}

TEST(TraceRecurrent, MistakesAreLocated) {
  auto onZeros = [](const Shape &shape, bool batchFirst, const Shape &state) {
    return messageOf([&] {
      nn::RecurrentOptions options;
      options.batch_first = batchFirst;
      nn::LSTM lstm(3, 4, options);
      Tracer tracer("m");
      tracer.add(lstm);
      tracer.function("f", [&] {
        return state.empty()
                   ? lstm(zeros(shape)).output
                   : lstm(zeros(shape), zeros(state), zeros(state)).output;
      });
    });
  };
  EXPECT_HAS(onZeros({5, 2, 4}, false, {}),
             "LSTM expects an input of [L, N, 3], but got [5, 2, 4]");
  EXPECT_HAS(onZeros({5, 3}, true, {}),
             "LSTM expects an input of [N, L, 3], but got [5, 3]");
  EXPECT_HAS(onZeros({5, 2, 3}, false, {1, 2, 5}),
             "LSTM expects a first state of [1, 2, 4], but got [1, 2, 5]");
  EXPECT_HAS(onZeros({0, 2, 3}, false, {}),
             "LSTM expects a sequence of 1 or more, but got [0, 2, 3]");
  EXPECT_HAS(onZeros({2, 0, 3}, true, {}),
             "LSTM expects a sequence of 1 or more, but got [2, 0, 3]");
  EXPECT_EQ(onZeros({5, 0, 3}, false, {}), "no error");
  std::string text = messageOf([] {
    nn::RecurrentOptions options;
    options.dropout = NAN;
    nn::GRU(3, 4, options);
  });
  EXPECT_HAS(text, "GRU expects dropout in [0, 1], but got nan");
  EXPECT_EQ(text.find("nan."), std::string::npos) << text;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

TEST(TraceRegion, LoopsCarryAndCount) {
  Tracer tracer("m");
  tracer.function(
      "f",
      [](Tensor x) {
        Tensor two = tensor(2.0, f32); // Read from inside the loop.
        return for_loop(3, {x, x},
                        [&](Tensor i, const std::vector<Tensor> &carried) {
                          return std::vector<Tensor>{carried[0] * two,
                                                     carried[1] + to(i, f32)};
                        });
      },
      input("x", f32, {2}));
  Model model = load(tracer);
  Values<float> x({2}, {1, -1}), a({2}, {0, 0}), b({2}, {0, 0});
  model.run("f", {x}, {a, b});
  EXPECT_EQ(a.data, (Floats{8, -8}));
  EXPECT_EQ(b.data, (Floats{4, 2}));
}

TEST(TraceRegion, MistakesLeaveTheFunctionUsable) {
  Tracer tracer("m");
  tracer.function(
      "f",
      [](Tensor x) {
        Tensor inside;
        EXPECT_HAS(messageOf([&] {
                     for_loop(2, {x},
                              [&](Tensor, const std::vector<Tensor> &carried) {
                                inside = carried[0];
                                return std::vector<Tensor>{reshape(x, {1, 2})};
                              });
                   }),
                   "expects the loop to carry on with values of the shapes");
        // What was made inside went with it.
        EXPECT_HAS(messageOf([&] { (void)(inside + x); }),
                   "of a function that failed");
        Tensor leaked;
        for_loop(2, {x}, [&](Tensor, const std::vector<Tensor> &carried) {
          leaked = carried[0] + x;
          return std::vector<Tensor>{leaked};
        });
        EXPECT_HAS(messageOf([&] { (void)(leaked + x); }),
                   "a tensor made inside a region is used after it");
        EXPECT_HAS(messageOf([&] {
                     for_loop(-1, {x}, [](Tensor, const auto &c) { return c; });
                   }),
                   "expects a count of 0 or more, but got -1");
        return x + 1;
      },
      input("x", f32, {2}));
  Model model = load(tracer);
  Values<float> x({2}, {1, -1}), y({2}, {0, 0});
  model.run("f", {x}, {y});
  EXPECT_EQ(y.data, (Floats{2, 0}));
}

TEST(TraceRegion, CheckpointsAreHints) {
  Tracer tracer("m");
  tracer.function(
      "f",
      [](Tensor x) {
        return checkpoint([](Tensor y) { return exp(y) * 2; }, x);
      },
      input("x", f32, {2}));
  EXPECT_HAS(tracer.text(), "graph.checkpoint");
  Model model = load(tracer);
  Values<float> x({2}, {0, 0}), y({2}, {0, 0});
  model.run("f", {x}, {y});
  EXPECT_EQ(y.data, (Floats{2, 2}));
}

TEST(TraceRegion, FullPrecisionIsARegion) {
  Tracer tracer("m");
  tracer.function(
      "f",
      [](Tensor x) {
        return full_precision([](Tensor y) { return exp(y) * 2; }, x);
      },
      input("x", f32, {2}));
  EXPECT_HAS(tracer.text(), "graph.precision f32 : tensor<2xf32>");
  Model model = load(tracer);
  Values<float> x({2}, {0, 0}), y({2}, {0, 0});
  model.run("f", {x}, {y});
  EXPECT_EQ(y.data, (Floats{2, 2}));
}

TEST(TraceRegion, StepsAccumulate) {
  Tracer tracer("m");
  nn::Parameter w = tracer.variable("w", {1.0});
  tracer.function(
      "loss",
      [&](Tensor x) {
        Tensor y = x * w;
        return std::pair<Tensor, Tensor>(sum(y), sum(ones({2}, f32)));
      },
      input("x", f32, {2}));
  TrainOptions options;
  options.accumulate = 3;
  options.weighted = true;
  tracer.train("step", "loss", optim::SGD(0.1), options);
  Model model = load(tracer);
  Values<float> x({6}, {1, 2, 3, 4, 5, 9}), loss({}, {0}), weight({}, {0}),
      now({1}, {0});
  model.run("step", {x}, {loss, weight});
  EXPECT_EQ(loss.data[0], 4);
  EXPECT_EQ(weight.data[0], 6);
  model.getVariable("w", now);
  EXPECT_FLOAT_EQ(now.data[0], 1 - 0.1f * 4);
}

} // namespace
