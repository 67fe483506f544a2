// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The transformer of workloads (iii), (v) and (x).
#ifndef GRAPHC_BENCH_WORKLOADS_GPT_H
#define GRAPHC_BENCH_WORKLOADS_GPT_H

#include <memory>

#include "bench/workloads/Workload.h"

namespace bench {
using namespace graphc;

struct GptSizes {
  int64_t vocabulary, positions, width, heads, layers, batch, time;
};
constexpr GptSizes kGptSmall = {4096, 128, 256, 8, 4, 8, 128};
constexpr GptSizes kGpt2 = {50257, 1024, 768, 12, 12, 1, 128};

inline nn::Parameter normalParameter(Shape shape) {
  return nn::Parameter(std::move(shape), "#graph.normal<0.0, 0.02>");
}

/// nn::Linear with a normal start, as transformers have it.
struct Projection : nn::Module {
  Projection(int64_t in, int64_t out)
      : weight(register_parameter("weight", normalParameter({out, in}))),
        bias(register_parameter("bias", nn::Parameter({out}, "#graph.zeros"))) {
  }
  Tensor forward(const Tensor &x) override { return linear(x, weight, bias); }
  nn::Parameter weight, bias;
};

struct Block : nn::Module {
  Block(int64_t width, int64_t heads)
      : heads(heads), ln1(register_module("ln1", nn::LayerNorm(width))),
        qkv(register_module("qkv",
                            std::make_shared<Projection>(width, 3 * width))),
        out(register_module("out", std::make_shared<Projection>(width, width))),
        ln2(register_module("ln2", nn::LayerNorm(width))),
        up(register_module("up",
                           std::make_shared<Projection>(width, 4 * width))),
        down(register_module("down",
                             std::make_shared<Projection>(4 * width, width))) {}
  Tensor forward(const Tensor &x) override {
    int64_t count = x.size(0), time = x.size(1), width = x.size(2);
    Tensor all = (*qkv)(ln1(x));
    // Query, key or value: [N, T, width] -> [N, heads, T, width / heads].
    auto part = [&](int64_t k) {
      return transpose(reshape(slice(all, 2, k * width, (k + 1) * width),
                               {count, time, heads, width / heads}),
                       1, 2);
    };
    Tensor mixed = scaled_dot_product_attention(
        part(0), part(1), part(2), /*attn_mask=*/Tensor(), /*dropout_p=*/0,
        /*is_causal=*/true);
    Tensor y =
        x + (*out)(reshape(transpose(mixed, 1, 2), {count, time, width}));
    return y + (*down)(gelu((*up)(ln2(y)), "tanh"));
  }
  int64_t heads;
  nn::LayerNorm ln1;
  std::shared_ptr<Projection> qkv, out;
  nn::LayerNorm ln2;
  std::shared_ptr<Projection> up, down;
};

struct Gpt : nn::Module {
  explicit Gpt(const GptSizes &sizes)
      : sizes(sizes),
        wte(register_parameter(
            "wte", normalParameter({sizes.vocabulary, sizes.width}))),
        wpe(register_parameter(
            "wpe", normalParameter({sizes.positions, sizes.width}))) {
    for (int64_t k = 0; k < sizes.layers; ++k)
      blocks.push_back(std::make_shared<Block>(sizes.width, sizes.heads));
    blocks = register_module("blocks", blocks);
    norm = register_module("norm", nn::LayerNorm(sizes.width));
  }
  /// Token numbers [N, T] to logits [N, T, vocabulary]; the head is wte.
  Tensor forward(const Tensor &tokens) override {
    Tensor places = slice(wpe, 0, 0, tokens.size(1));
    return linear(norm(blocks(embedding(tokens, wte) + places)), wte);
  }
  GptSizes sizes;
  nn::Parameter wte, wpe;
  nn::Sequential blocks;
  nn::LayerNorm norm;
};

inline Input tokens(const char *name, const GptSizes &sizes) {
  return input(name, i64, {sizes.batch, sizes.time});
}

/// A step of AdamW on the mean cross entropy of the next tokens.
inline void traceGptStep(Tracer &tracer, const GptSizes &sizes) {
  Gpt net(sizes);
  optim::AdamWOptions adam;
  adam.weight_decay = 0.1;
  traceStep(
      tracer, net, optim::AdamW(3e-4, adam),
      [&](Tensor x, Tensor y) {
        return cross_entropy(reshape(net(x), {-1, sizes.vocabulary}),
                             flatten(y));
      },
      tokens("tokens", sizes), tokens("next", sizes));
}

} // namespace bench

#endif // GRAPHC_BENCH_WORKLOADS_GPT_H
