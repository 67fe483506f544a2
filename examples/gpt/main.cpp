// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A character transformer: learns a text, by default one that every Debian
// system has, and writes more of it.
//
//   gpt [--steps=N] [--batch=N] [--seed=N] [--threads=N] [--data=text]
//       [--print=characters] [--dtype=f32|f64] [--amp=off|bf16|f16] [--keep=model.so]
#include <graphc/data.hpp>
#include <graphc/lr_scheduler.hpp>
#include <graphc/runtime.hpp>
#include <graphc/trace.hpp>

#include <cmath>

#include "examples/common/Example.h"
#include "examples/common/Gzip.h"

using namespace graphc;

namespace {

constexpr int64_t kLayers = 4, kWidth = 128, kHeads = 4, kContext = 64;

/// Attention to what comes before, then a layer for each character, both around
/// a norm that the input goes past.
struct Block : nn::Module {
  Tensor forward(const Tensor &x) override {
    int64_t count = x.size(0), time = x.size(1), size = kWidth / kHeads;
    // [N, T, 3, heads, size] -> three of [N, heads, T, size]
    Tensor all = permute(reshape(qkv(ln1(x)), {count, time, 3, kHeads, size}),
                         {2, 0, 3, 1, 4});
    auto part = [&](int64_t k) {
      return reshape(slice(all, 0, k, k + 1), {count, kHeads, time, size});
    };
    Tensor mixed = scaled_dot_product_attention(
        part(0), part(1), part(2), /*attn_mask=*/Tensor(), /*dropout_p=*/0,
        /*is_causal=*/true);
    mixed = reshape(transpose(mixed, 1, 2), {count, time, kWidth});
    Tensor y = x + proj(mixed);
    return y + mlp(ln2(y));
  }
  nn::LayerNorm ln1 = register_module("ln1", nn::LayerNorm(kWidth));
  nn::Linear qkv = register_module("qkv", nn::Linear(kWidth, 3 * kWidth));
  nn::Linear proj = register_module("proj", nn::Linear(kWidth, kWidth));
  nn::LayerNorm ln2 = register_module("ln2", nn::LayerNorm(kWidth));
  nn::Sequential mlp = register_module(
      "mlp", nn::Sequential(nn::Linear(kWidth, 4 * kWidth), nn::GELU(),
                            nn::Linear(4 * kWidth, kWidth)));
};

struct Gpt : nn::Module {
  explicit Gpt(int64_t characters)
      : tokens(register_module("tokens", nn::Embedding(characters, kWidth))),
        places(register_parameter(
            "places",
            nn::Parameter({kContext, kWidth}, "#graph.normal<0.0, 0.02>"))) {
    nn::Sequential all;
    for (int64_t k = 0; k < kLayers; ++k)
      all.push_back(std::make_shared<Block>());
    blocks = register_module("blocks", all);
    norm = register_module("norm", nn::LayerNorm(kWidth));
    head = register_module("head", nn::Linear(kWidth, characters));
  }
  /// Logits [N, T, characters] of the character after each of [N, T].
  Tensor forward(const Tensor &x) override {
    return head(norm(blocks(tokens(x) * 0.02 + places)));
  }
  nn::Embedding tokens;
  nn::Parameter places;
  nn::Sequential blocks;
  nn::LayerNorm norm;
  nn::Linear head;
};

void build(const std::string &path, int64_t characters, int64_t batch,
           graphc_dtype dtype, const graphc_compile_options &compile) {
  Gpt net(characters);
  net.to(dtype);
  print(net);
  std::cout << net.num_parameters() << " parameters\n";
  Tracer tracer("gpt");
  tracer.add(net);
  tracer.function(
      "predict", [&](Tensor x) { return to(softmax(net(x), -1), f32); },
      input("characters", i64, {1, kContext}));
  tracer.function(
      "loss",
      [&](Tensor x, Tensor y) {
        return cross_entropy(reshape(net(x), {-1, characters}), flatten(y));
      },
      input("characters", i64, {batch, kContext}),
      input("next", i64, {batch, kContext}));
  optim::AdamWOptions adam;
  adam.betas = {0.9, 0.99};
  // No decay of norms and biases.
  optim::AdamWOptions none = adam;
  none.weight_decay = 0;
  TrainOptions options;
  std::vector<std::string> names;
  for (const auto &[name, parameter] : net.named_parameters())
    if (parameter.shape().size() < 2)
      names.push_back(name);
  options.groups = {{names, optim::AdamW(1e-3, none)}};
  options.clip_norm = 1;
  tracer.train("step", "loss", optim::AdamW(1e-3, adam), options);
  tracer.compile(path, compile);
}

/// A text as numbers of its characters.
struct Text {
  explicit Text(const std::string &text) {
    std::map<unsigned char, int64_t> known;
    for (unsigned char c : text)
      known.emplace(c, 0);
    for (auto &[character, number] : known) {
      number = static_cast<int64_t>(characters.size());
      characters += static_cast<char>(character);
    }
    for (unsigned char c : text)
      numbers.push_back(known[c]);
  }
  std::string characters;
  std::vector<int64_t> numbers;
};

/// Draws a number with these probabilities.
int64_t draw(const float *probabilities, int64_t count, Generator &generator) {
  double at = generator.random() / 4294967296.0;
  for (int64_t k = 0; k < count; ++k) {
    at -= probabilities[k];
    if (at < 0)
      return k;
  }
  return count - 1;
}

/// Continues the start of `text` by `count` characters.
std::string generate(Model &model, const Text &text, int64_t count,
                     Generator &generator) {
  auto characters = static_cast<int64_t>(text.characters.size());
  std::vector<int64_t> past(text.numbers.begin(),
                            text.numbers.begin() + kContext);
  Array window(GRAPHC_DTYPE_I64, {1, kContext});
  Array next(GRAPHC_DTYPE_F32, {1, kContext, characters});
  std::string result;
  for (int64_t k = 0; k < count; ++k) {
    std::copy(past.end() - kContext, past.end(), window.data<int64_t>());
    model.run("predict", {window}, {next});
    const float *last = next.data<float>() + (kContext - 1) * characters;
    past.push_back(draw(last, characters, generator));
    result += text.characters[past.back()];
  }
  return result;
}

void run(const example::Options &options) {
  LoadOptions load;
  load.seed = static_cast<uint64_t>(options.number("seed"));
  load.threads = static_cast<uint32_t>(options.number("threads"));
  int64_t batch = options.number("batch", 1);
  int64_t steps = options.number("steps", 1);
  int64_t characters = options.number("print");
  graphc_dtype dtype = options.dtype();
  Text text(example::readFile(options.text("data")));
  auto length = static_cast<int64_t>(text.numbers.size());
  if (length <= kContext + 1)
    throw std::runtime_error("expects a text of more than " +
                             std::to_string(kContext + 1) + " characters");
  example::TemporaryFolder folder;
  std::string path = example::compileModel(
      folder, "gpt.so", options.text("keep"), [&](const std::string &to) {
        build(to, static_cast<int64_t>(text.characters.size()), batch, dtype,
              options.compileOptions());
      });
  Model model(path, load);
  Generator generator(load.seed);

  // Warm up, then down half a cosine.
  int64_t warm = std::min<int64_t>(20, steps);
  lr_scheduler::OneCycleLR schedule(
      2e-3, steps, static_cast<double>(warm) / static_cast<double>(steps), 20);
  Array x(GRAPHC_DTYPE_I64, {batch, kContext});
  Array y(GRAPHC_DTYPE_I64, {batch, kContext});
  Array loss = example::scalar(dtype);
  Array starts(GRAPHC_DTYPE_I64, {batch});
  double start = example::seconds(), recent = 0;
  for (int64_t step = 0; step < steps; ++step) {
    generator.integers(starts, 0, length - kContext);
    for (int64_t n = 0; n < batch; ++n) {
      const int64_t *from = &text.numbers[starts.data<int64_t>()[n]];
      std::copy(from, from + kContext, x.data<int64_t>() + n * kContext);
      std::copy(from + 1, from + kContext + 1,
                y.data<int64_t>() + n * kContext);
    }
    model.setVariable("step.lr", example::scalar(dtype, schedule.at(step)));
    model.run("step", {x, y}, {loss});
    double now = example::number(loss);
    recent = step == 0 ? now : 0.95 * recent + 0.05 * now;
    if ((step + 1) % 50 == 0 || step + 1 == steps) {
      std::printf("step %4jd/%jd  loss %.3f  %.1f s\n", std::intmax_t(step + 1),
                  std::intmax_t(steps), recent, example::seconds() - start);
      std::fflush(stdout);
    }
  }
  std::printf("--\n%s\n--\n",
              generate(model, text, characters, generator).c_str());
  std::printf("loss %.3f after %.0f s\n", recent, example::seconds() - start);
}

} // namespace

int main(int argc, char **argv) {
  return example::runMain(argc, argv,
                          {{"data", "/usr/share/common-licenses/GPL-3"},
                           {"keep", ""},
                           {"dtype", "f32"},
                           {"amp", "off"},
                           {"steps", "500"},
                           {"batch", "16"},
                           {"print", "300"},
                           {"seed", "1"},
                           {"threads", "0"}},
                          run);
}
