// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention as function and layer; values are PyTorch 1.13's.
#include "Compiled.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <sstream>

using namespace graphc;
using namespace graphc::test;

namespace {

using Floats = std::vector<float>;

void expectNear(const Floats &got, const Floats &want,
                float tolerance = 5e-6f) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t k = 0; k < want.size(); ++k)
    EXPECT_NEAR(got[k], want[k], tolerance) << "element " << k;
}

/// scale * 1.5 cos(0.7 i)
Floats wave(size_t count, float scale = 1) {
  Floats values;
  for (size_t k = 0; k < count; ++k)
    values.push_back(
        static_cast<float>(std::cos(static_cast<double>(k) * 0.7) * 1.5) *
        scale);
  return values;
}

/// Gives the parameters of `module` the values sin(1 + i) / 2, one after the
/// other.
void fill(Model &model, const nn::Module &module) {
  double next = 1;
  for (const auto &[name, parameter] : module.named_parameters()) {
    Values<float> values(parameter.shape(), {});
    for (int64_t k = 0; k < parameter.numel(); ++k)
      values.data.push_back(static_cast<float>(std::sin(next++) * 0.5));
    model.setVariable(name, values);
  }
}

TEST(TraceAttention, TheFunctionGivesTheValuesOfPyTorch) {
  Tracer tracer("m");
  tracer.function(
      "f",
      [](Tensor q, Tensor k, Tensor v) {
        Tensor bias = tensor({{0.0f, -INFINITY, 1.0f}});
        Tensor none = full({3, 3}, 0, i1);
        return std::vector<Tensor>{
            scaled_dot_product_attention(q, k, v),
            scaled_dot_product_attention(q, k, v, {}, 0, true),
            scaled_dot_product_attention(q, k, v, bias, 0, false, 0.3),
            scaled_dot_product_attention(q, k, v, none),
            // With dropout, which evaluation leaves out, by other ops.
            scaled_dot_product_attention(q, k, v, {}, 0.5, true),
            scaled_dot_product_attention(q, k, v, bias, 0.5, false, 0.3),
            scaled_dot_product_attention(q, k, v, none, 0.5)};
      },
      input("q", f32, {3, 2}), input("k", f32, {3, 2}),
      input("v", f32, {3, 2}));
  Model model = load(tracer);
  Values<float> q({3, 2}, {1, 0, 0.5f, -1, 2, 1}),
      k({3, 2}, {1, 1, 0, 2, -1, 0.5f}), v({3, 2}, {1, 2, 3, 4, -1, 0});
  auto all = results<float>(model, "f", {q, k, v});
  expectNear(all[0], {1.2879324f, 2.2879324f, 0.6524521f, 1.652452f, 1.5885228f,
                      2.588523f});
  Floats causal = {1, 2, 1.5143666f, 2.5143666f, 1.5885228f, 2.588523f};
  expectNear(all[1], causal);
  Floats biased = {-0.19737533f, 0.80262464f, -0.4011343f,
                   0.59886575f,  0.17323521f, 1.1732352f};
  expectNear(all[2], biased);
  expectNear(all[3], Floats(6, 0));
  expectNear(all[4], causal);
  expectNear(all[5], biased);
  expectNear(all[6], Floats(6, 0));
}

// With another number of keys than of queries, PyTorch's is_causal aligns the
// first of both.
TEST(TraceAttention, CausalAlignsTheFirstQueryWithTheFirstKey) {
  Tracer tracer("m");
  tracer.function(
      "f",
      [](Tensor q, Tensor k, Tensor v) {
        return scaled_dot_product_attention(q, k, v, {}, 0, true);
      },
      input("q", f32, {2, 1}), input("k", f32, {3, 1}),
      input("v", f32, {3, 1}));
  Model model = load(tracer);
  Values<float> q({2, 1}, {0, 0}), k({3, 1}, {1, 2, 3}), v({3, 1}, {1, 3, 8});
  expectNear(results<float>(model, "f", {q, k, v})[0], {1, 2});
}

// Two heads of queries read each head of keys, with dropout (left out) and
// without.
TEST(TraceAttention, HeadsAreGroupedWhereThatIsAllowed) {
  Tracer tracer("m");
  tracer.function(
      "f",
      [](Tensor q, Tensor k, Tensor v) {
        auto twice = [](Tensor x) {
          return reshape(broadcast_to(reshape(x, {2, 1, 3, 2}), {2, 2, 3, 2}),
                         {4, 3, 2});
        };
        return std::vector<Tensor>{
            scaled_dot_product_attention(q, twice(k), twice(v)),
            scaled_dot_product_attention(q, k, v, {}, 0, false, {}, true),
            scaled_dot_product_attention(q, k, v, {}, 0.5, false, {}, true)};
      },
      input("q", f32, {4, 3, 2}), input("k", f32, {2, 3, 2}),
      input("v", f32, {2, 3, 2}));
  Model model = load(tracer);
  Values<float> q({4, 3, 2}, wave(24)), k({2, 3, 2}, wave(12, 0.5f)),
      v({2, 3, 2}, wave(12, 2));
  auto all = results<float>(model, "f", {q, k, v});
  expectNear(all[1], all[0], 0);
  expectNear(all[2], all[0]);
}

TEST(TraceAttention, MultiheadAttentionGivesTheValuesOfPyTorch) {
  nn::MultiheadAttentionOptions first;
  first.batch_first = true;
  nn::MultiheadAttention attention(4, 2, first), sequence(4, 2);
  Tracer tracer("m");
  tracer.add(attention);
  tracer.add(sequence, "sequence.");
  tracer.function(
      "masked",
      [&](Tensor q, Tensor k, Tensor padding, Tensor mask) {
        return attention(q, k, k, padding, mask);
      },
      input("q", f32, {2, 3, 4}), input("k", f32, {2, 5, 4}),
      input("padding", i1, {2, 5}), input("mask", i1, {3, 5}));
  tracer.function(
      "biased",
      [&](Tensor q, Tensor k, Tensor bias) {
        return attention(q, k, k, {}, bias);
      },
      input("q", f32, {2, 3, 4}), input("k", f32, {2, 5, 4}),
      input("bias", f32, {3, 5}));
  tracer.function(
      "batched", [&](Tensor x) { return attention(x, x, x); },
      input("x", f32, {2, 3, 4}));
  tracer.function(
      "single", [&](Tensor x) { return attention(x, x, x, {}, {}, true); },
      input("x", f32, {3, 4}));
  Model model = load(tracer);
  fill(model, *attention);
  Values<float> q({2, 3, 4}, wave(24)), k({2, 5, 4}, wave(40, 0.5f));
  Values<uint8_t> padding({2, 5}, {0, 0, 0, 1, 1, 0, 1, 0, 0, 0}),
      mask({3, 5}, {0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0});
  padding.dtype = mask.dtype = i1;
  expectNear(results<float>(model, "masked", {q, k, padding, mask})[0],
             {0.182661f,  0.380620f,  -0.066579f, -0.823829f, 0.117192f,
              0.362487f,  0.022596f,  -0.922273f, 0.073591f,  0.256964f,
              0.204146f,  -1.054088f, 0.209191f,  0.358931f,  -0.064755f,
              -0.804525f, 0.040167f,  0.439738f,  -0.001368f, -0.968195f,
              0.251062f,  0.192567f,  0.110861f,  -0.867740f});
  Values<float> bias({3, 5}, wave(15));
  expectNear(results<float>(model, "biased", {q, k, bias})[0],
             {0.167662f,  0.210661f,  0.170607f,  -0.963939f, 0.144296f,
              0.377743f,  -0.024451f, -0.876024f, 0.042499f,  0.317369f,
              0.156271f,  -1.051907f, 0.129321f,  0.416192f,  -0.059741f,
              -0.868340f, -0.011558f, 0.481028f,  -0.003621f, -1.006540f,
              0.166806f,  0.261057f,  0.105580f,  -0.929327f});
  // Without a batch, and with is_causal, as the first sample by itself: its
  // first query sees one key, its last one all.
  Floats batched = results<float>(model, "batched", {q})[0];
  Values<float> one({3, 4}, Floats(q.data.begin(), q.data.begin() + 12));
  Floats single = results<float>(model, "single", {one})[0];
  expectNear({single.begin() + 8, single.end()},
             {batched.begin() + 8, batched.begin() + 12});
  EXPECT_GT(std::fabs(single[0] - batched[0]), 1e-3f);
}

TEST(TraceAttention, WithoutBatchFirstTheSequenceComesFirst) {
  nn::MultiheadAttention attention(4, 2);
  Tracer tracer("m");
  tracer.add(attention);
  tracer.function(
      "f", [&](Tensor x) { return attention(x, x, x); },
      input("x", f32, {2, 3, 4}));
  Model model = load(tracer);
  fill(model, *attention);
  Values<float> x({2, 3, 4}, wave(24));
  expectNear(results<float>(model, "f", {x})[0],
             {0.242325f,  0.128247f,  0.203683f,  -0.924765f, 0.061743f,
              0.374651f,  0.062143f,  -0.986136f, 0.114084f,  0.138425f,
              0.318618f,  -1.085196f, 0.376103f,  0.427986f,  -0.321941f,
              -0.537363f, -0.205754f, 0.124823f,  0.656237f,  -1.512960f,
              0.214568f,  0.539103f,  -0.305668f, -0.669754f});
}

struct Encoded {
  Floats y, dx, biasGradient, normGradient;
};

/// Output and gradients of a loss of an encoder layer.
Encoded encode(const nn::TransformerEncoderLayerOptions &options) {
  nn::TransformerEncoderLayer layer(4, 2, options);
  Tracer tracer("m");
  tracer.add(layer);
  tracer.function(
      "loss",
      [&](Tensor x, Tensor w) {
        Tensor y = layer(x);
        return std::vector<Tensor>{sum(y * w), y};
      },
      input("x", f32, {2, 3, 4}), input("w", f32, {2, 3, 4}));
  tracer.grad("dloss", "loss", {"self_attn.in_proj_bias", "norm2.weight"}, {0});
  Model model = load(tracer);
  fill(model, *layer);
  Values<float> x({2, 3, 4}, wave(24)), w({2, 3, 4}, wave(24));
  for (size_t k = 0; k < 24; ++k)
    w.data[k] *= static_cast<float>(k + 1) / 10;
  auto all = results<float>(model, "dloss", {x, w});
  return {all[1], all[2], all[3], all[4]};
}

TEST(TraceAttention, TheEncoderLayerIsPyTorchs) {
  nn::TransformerEncoderLayerOptions options;
  options.dim_feedforward = 6;
  options.dropout = 0;
  options.batch_first = true;
  Encoded e = encode(options);
  expectNear(e.y, {0.092030f,  0.603423f,  0.795225f,  -0.618087f, -0.382246f,
                   0.415997f,  0.347495f,  -0.450361f, -0.097494f, 0.553823f,
                   0.677359f,  -0.649291f, 0.256467f,  0.542196f,  1.066881f,
                   -0.494959f, -0.240462f, 0.546646f,  0.399555f,  -0.598176f,
                   0.205779f,  0.591979f,  0.928067f,  -0.557828f});
  expectNear(e.dx, {-0.067476f, -0.015329f, 0.075603f,  0.092328f,  -0.516859f,
                    0.243242f,  0.707672f,  -0.219503f, 0.426049f,  -0.156151f,
                    -0.273064f, -0.142185f, -0.055945f, 0.343872f,  0.155224f,
                    -0.353939f, 0.317880f,  0.128999f,  -0.321609f, -0.292142f,
                    0.174686f,  -0.107779f, 0.471788f,  -0.378621f},
             2e-5f);
  expectNear(e.biasGradient,
             {0.146712f, -0.303851f, -0.157325f, 0.136158f, 0, 0, 0, 0,
              0.407805f, 0.809056f, 0.466464f, -0.304993f},
             2e-5f);
  expectNear(e.normGradient, {-0.514802f, -0.021094f, 5.593142f, -2.606759f},
             2e-5f);
}

TEST(TraceAttention, TheEncoderLayerWithNormsFirstIsPyTorchs) {
  nn::TransformerEncoderLayerOptions options;
  options.dim_feedforward = 6;
  options.dropout = 0;
  options.norm_first = true;
  options.activation = "gelu";
  Encoded e = encode(options);
  expectNear(e.y, {1.976319f,  1.241911f,  0.216017f,  -1.774282f, -0.967161f,
                   -1.298956f, -0.682257f, -0.773523f, 1.632686f,  1.648871f,
                   1.098150f,  -0.797575f, -0.331458f, -1.343440f, -1.457576f,
                   -1.732522f, 0.789435f,  1.307427f,  1.564966f,  0.057534f,
                   0.622778f,  -0.692167f, -1.491605f, -2.431827f});
  expectNear(e.dx, {0.141920f,  0.236678f,  0.078021f,  -0.303588f, -0.659072f,
                    -0.944299f, -0.577255f, 0.340190f,  0.954172f,  1.513151f,
                    1.316681f,  0.282810f,  -0.754079f, -2.154436f, -2.429531f,
                    -0.899530f, 0.466386f,  2.053607f,  2.900309f,  2.296386f,
                    0.517379f,  -1.804165f, -3.408282f, -3.249604f},
             2e-5f);
  expectNear(e.biasGradient,
             {-0.001490f, 0.006322f, 0.004814f, -0.001754f, 0, 0, 0, 0,
              -0.137535f, -0.279646f, -0.164653f, 0.101722f},
             2e-5f);
  expectNear(e.normGradient, {0.537848f, -0.626548f, -0.560043f, 0.204920f},
             2e-5f);
}

// Training with dropout runs, draws anew at each step, and learns.
TEST(TraceAttention, AnEncoderLayerWithDropoutTrains) {
  nn::TransformerEncoderLayerOptions options;
  options.dim_feedforward = 8;
  options.batch_first = true;
  nn::TransformerEncoderLayer layer(4, 2, options);
  Tracer tracer("m");
  tracer.add(layer);
  tracer.function(
      "loss", [&](Tensor x, Tensor t) { return mse_loss(layer(x), t); },
      input("x", f32, {2, 3, 4}), input("t", f32, {2, 3, 4}));
  tracer.train("step", "loss", optim::SGD(0.05));
  Model model = load(tracer);
  Values<float> x({2, 3, 4}, wave(24)), t({2, 3, 4}, wave(24, -0.5f));
  float before = results<float>(model, "loss", {x, t})[0][0];
  float first = results<float>(model, "step", {x, t})[0][0];
  EXPECT_NE(first, before);
  for (int k = 0; k < 100; ++k)
    results<float>(model, "step", {x, t});
  EXPECT_LT(results<float>(model, "loss", {x, t})[0][0], 0.5f * before);
}

TEST(TraceAttention, LayersPrintAsPyTorchs) {
  nn::TransformerEncoderLayerOptions options;
  options.dim_feedforward = 6;
  options.dropout = 0;
  std::ostringstream os;
  os << nn::TransformerEncoderLayer(4, 2, options);
  EXPECT_EQ(os.str(), R"(TransformerEncoderLayer(
  (self_attn): MultiheadAttention(
    (out_proj): NonDynamicallyQuantizableLinear(in_features=4, out_features=4, bias=True)
  )
  (linear1): Linear(in_features=4, out_features=6, bias=True)
  (dropout): Dropout(p=0.0, inplace=False)
  (linear2): Linear(in_features=6, out_features=4, bias=True)
  (norm1): LayerNorm((4,), eps=1e-05, elementwise_affine=True)
  (norm2): LayerNorm((4,), eps=1e-05, elementwise_affine=True)
  (dropout1): Dropout(p=0.0, inplace=False)
  (dropout2): Dropout(p=0.0, inplace=False)
))");
}

TEST(TraceAttention, ParametersHaveThePyTorchNamesAndBounds) {
  nn::TransformerEncoderLayer layer(6, 2);
  std::vector<std::string> names;
  for (const auto &named : layer->named_state())
    names.push_back(named.first);
  EXPECT_EQ(names, (std::vector<std::string>{
                       "self_attn.in_proj_weight", "self_attn.in_proj_bias",
                       "self_attn.out_proj.weight", "self_attn.out_proj.bias",
                       "linear1.weight", "linear1.bias", "linear2.weight",
                       "linear2.bias", "norm1.weight", "norm1.bias",
                       "norm2.weight", "norm2.bias"}));
  auto bound = [&](size_t k) {
    const std::string &text =
        layer->named_state()[k].second.data()->initializer;
    return text.compare(0, 15, "#graph.uniform<") == 0
               ? -std::stod(text.substr(15))
               : 0.0;
  };
  // Xavier over 6 in and 18 out; Kaiming with a = sqrt(5) over 6 in; zeros.
  EXPECT_NEAR(bound(0), std::sqrt(6.0 / 24), 1e-15);
  EXPECT_NEAR(bound(2), std::sqrt(1.0 / 6), 1e-15);
  EXPECT_EQ(bound(1), 0);
  EXPECT_EQ(bound(3), 0);
}

/// The message of tracing `body` of a q, k and v of one shape.
std::string traceError(const Shape &q, const Shape &k,
                       const std::function<Tensor(Tensor, Tensor)> &body) {
  return messageOf([&] {
    Tracer tracer("m");
    tracer.function("f", body, input("q", f32, q), input("k", f32, k));
  });
}

TEST(TraceAttention, WhatDoesNotFitIsAnError) {
  auto expect = [](const std::string &message, const std::string &part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_NE(message.find("TraceAttention.cpp:"), std::string::npos)
        << message;
  };
  auto plain = [](Tensor q, Tensor k) {
    return scaled_dot_product_attention(q, k, k);
  };
  expect(traceError({2, 3}, {1, 2, 3}, plain), "one rank of 2 or more");
  expect(traceError({4, 2, 3}, {2, 2, 3}, plain),
         "expects as many heads of key as of query, or enable_gqa");
  expect(traceError({2, 3}, {2, 4}, plain), "expects a key of depth 3");
  expect(traceError({2, 3}, {2, 3},
                    [](Tensor q, Tensor k) {
                      return scaled_dot_product_attention(
                          q, k, k, full({2, 2}, 1, i1), 0, true);
                    }),
         "expects no attn_mask with is_causal");
  expect(traceError({3, 3, 2}, {2, 3, 2},
                    [](Tensor q, Tensor k) {
                      return scaled_dot_product_attention(q, k, k, {}, 0.5,
                                                          false, {}, true);
                    }),
         "expects a number of heads that those of key divide");
  expect(messageOf([] { nn::MultiheadAttention(4, 3); }),
         "MultiheadAttention expects num_heads to divide embed_dim, but got 3 "
         "and 4");
  nn::MultiheadAttention attention(4, 2);
  expect(traceError({2, 3, 4}, {2, 3, 5},
                    [&](Tensor q, Tensor k) { return attention(q, k, k); }),
         "last dimension 4, but got [2, 3, 5]");
  Tracer tracer("m");
  tracer.add(attention);
  expect(messageOf([&] {
           tracer.function(
               "f",
               [&](Tensor x) {
                 return attention(x, x, x, {}, full({2, 2}, 1, i1));
               },
               input("x", f32, {3, 2, 4}));
         }),
         "expects attn_mask of shape [3, 3] or [4, 3, 3], but got [2, 2]");
  expect(
      messageOf([&] {
        tracer.function(
            "f",
            [&](Tensor x) { return attention(x, x, x, full({3, 2}, 1, i1)); },
            input("x", f32, {3, 2, 4}));
      }),
      "expects key_padding_mask of shape [2, 3], but got [3, 2]");
  nn::TransformerEncoderLayerOptions options;
  options.activation = "tanh";
  expect(messageOf([&] { nn::TransformerEncoderLayer(4, 2, options); }),
         "expects the activation relu or gelu, but got 'tanh'");
}

} // namespace
