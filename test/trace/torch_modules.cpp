// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a model library with each module of the tracer, for a comparison with
// PyTorch's of the same name. For a module it holds a function, whose results are
// a loss and the module's, and "<function>.grad", which adds the gradients of the
// loss by float inputs and by parameters.
//
//   trace-modules <model.so>
#include <graphc/runtime.hpp>
#include <graphc/trace.hpp>

using namespace graphc;

namespace {

struct Modules {
  template <class Body, class... Inputs>
  void add(const std::string &name, nn::Module &module, Body body,
           const Inputs &...inputs) {
    module.to(f64);
    tracer.add(module, name + ".");
    tracer.function(
        name,
        [&](auto... x) {
          std::vector<Tensor> all = detail::results(body(x...));
          Tensor loss;
          for (const Tensor &y : all)
            loss = loss.defined() ? loss + sum(sin(y * 3)) : sum(sin(y * 3));
          all.insert(all.begin(), loss);
          return all;
        },
        inputs...);
    std::vector<std::string> variables;
    for (const auto &[own, parameter] : module.named_parameters(name + "."))
      variables.push_back(own);
    std::vector<int64_t> floats;
    int64_t at = 0;
    for (const Input &input : {inputs...}) {
      if (isFloat(input.dtype))
        floats.push_back(at);
      ++at;
    }
    tracer.grad(name + ".grad", name, variables, floats);
  }
  /// A module of one float tensor.
  void add(const std::string &name, nn::Module &module, const Shape &shape) {
    add(
        name, module, [&](Tensor x) { return module(x); },
        input("x", f64, shape));
  }

  Tracer tracer{"modules"};
};

void addConvolutions(Modules &all) {
  // stride, padding, dilation, groups, bias, output_padding
  using O = nn::ConvOptions;
  all.add("conv1d", nn::Conv1d(4, 6, 3, O{2, 1, 2, 2, true, 0}), {3, 4, 11});
  all.add("conv2d",
          nn::Conv2d(4, 6, {3, 2}, O{{2, 1}, {1, 2}, {1, 2}, 2, true, 0}),
          {2, 4, 9, 8});
  all.add("conv2d_depthwise", nn::Conv2d(4, 8, 3, O{1, 1, 1, 4, false, 0}),
          {2, 4, 5, 6});
  all.add("conv2d_one", nn::Conv2d(5, 7, 1, O{2, 0, 1, 1, true, 0}),
          {2, 5, 5, 4});
  all.add("conv3d",
          nn::Conv3d(2, 4, {2, 3, 2},
                     O{{1, 2, 1}, {1, 0, 2}, {2, 1, 1}, 2, true, 0}),
          {2, 2, 5, 6, 4});
  all.add("conv_transpose1d",
          nn::ConvTranspose1d(4, 6, 3, O{2, 1, 2, 2, true, 1}), {3, 4, 5});
  all.add("conv_transpose2d",
          nn::ConvTranspose2d(4, 6, {3, 2},
                              O{{2, 3}, {1, 0}, {1, 2}, 2, true, {1, 2}}),
          {2, 4, 4, 3});
  all.add("conv_transpose3d",
          nn::ConvTranspose3d(2, 4, 2, O{{1, 2, 1}, 1, {2, 1, 1}, 2, false, 0}),
          {2, 2, 4, 3, 4});
}

void addPools(Modules &all) {
  all.add("max_pool1d", nn::MaxPool1d(3, 2, 1, 2), {2, 3, 12});
  all.add("max_pool2d", nn::MaxPool2d({3, 2}, {2, 1}, {1, 0}), {2, 3, 8, 7});
  all.add("max_pool3d", nn::MaxPool3d(2, {2, 1, 2}, {1, 0, 1}),
          {2, 2, 5, 4, 6});
  all.add("avg_pool1d", nn::AvgPool1d(3, 2, 1), {2, 3, 10});
  all.add("avg_pool2d", nn::AvgPool2d({3, 2}, {2, 1}, {1, 1}, false),
          {2, 3, 8, 7});
  all.add("avg_pool3d", nn::AvgPool3d(2), {2, 2, 4, 5, 6});
  all.add("adaptive_avg_pool2d", nn::AdaptiveAvgPool2d({2, 3}), {2, 3, 4, 6});
  all.add("adaptive_max_pool2d", nn::AdaptiveMaxPool2d({2, 1}), {2, 3, 4, 6});
}

void addNorms(Modules &all) {
  auto mode = [](auto norm, bool training) {
    norm->train(training);
    return norm;
  };
  all.add("batch_norm1d", mode(nn::BatchNorm1d(3), true), {6, 3});
  all.add("batch_norm1d_long", mode(nn::BatchNorm1d(3, 1e-3, 0.3), true),
          {4, 3, 5});
  all.add("batch_norm2d", mode(nn::BatchNorm2d(3), true), {4, 3, 2, 5});
  all.add("batch_norm2d_eval", mode(nn::BatchNorm2d(3), false), {4, 3, 2, 5});
  all.add("batch_norm2d_plain",
          mode(nn::BatchNorm2d(3, 1e-5, 0.1, false, false), true),
          {4, 3, 2, 5});
  all.add("batch_norm3d", mode(nn::BatchNorm3d(2), true), {2, 2, 3, 2, 2});
  all.add("group_norm", nn::GroupNorm(2, 6), {3, 6, 4});
  all.add("layer_norm", nn::LayerNorm(Shape{3, 4}), {5, 3, 4});
  all.add("layer_norm_plain", nn::LayerNorm(4, 1e-3, false), {5, 4});
  all.add("rms_norm", nn::RMSNorm(Shape{3, 4}), {5, 3, 4});
  all.add("rms_norm_plain", nn::RMSNorm(4, 1e-3, false), {5, 4});
}

void addEmbeddings(Modules &all) {
  nn::Embedding plain(7, 4), padded(7, 4, 2);
  for (auto &[name, embedding] :
       {std::pair("embedding", plain), std::pair("embedding_padded", padded)}) {
    nn::Embedding module = embedding;
    all.add(
        name, module, [&](Tensor x) { return module(x); },
        input("x", i64, {5, 6}));
  }
}

void addRecurrent(Modules &all) {
  nn::RecurrentOptions deep;
  deep.num_layers = 2;
  deep.bidirectional = true;
  nn::RecurrentOptions flat;
  flat.batch_first = true;
  flat.bias = false;
  nn::LSTM lstm(3, 4, deep);
  all.add(
      "lstm", lstm,
      [&](Tensor x, Tensor h, Tensor c) {
        auto [y, lastH, lastC] = lstm(x, h, c);
        return std::vector<Tensor>{y, lastH, lastC};
      },
      input("x", f64, {5, 2, 3}), input("h", f64, {4, 2, 4}),
      input("c", f64, {4, 2, 4}));
  nn::LSTM flatLstm(3, 4, flat);
  all.add(
      "lstm_flat", flatLstm,
      [&](Tensor x) {
        auto [y, lastH, lastC] = flatLstm(x);
        return std::vector<Tensor>{y, lastH, lastC};
      },
      input("x", f64, {2, 5, 3}));
  nn::GRU gru(3, 4, deep);
  all.add(
      "gru", gru,
      [&](Tensor x, Tensor h) {
        auto [y, last, none] = gru(x, h);
        return std::vector<Tensor>{y, last};
      },
      input("x", f64, {5, 2, 3}), input("h", f64, {4, 2, 4}));
  nn::GRU flatGru(3, 4, flat);
  all.add(
      "gru_flat", flatGru,
      [&](Tensor x) {
        auto [y, last, none] = flatGru(x);
        return std::vector<Tensor>{y, last};
      },
      input("x", f64, {2, 5, 3}));
}

void addAttention(Modules &all) {
  nn::MultiheadAttention attention(8, 2);
  all.add(
      "attention", attention,
      [&](Tensor q, Tensor k, Tensor v) { return attention(q, k, v); },
      input("q", f64, {3, 2, 8}), input("k", f64, {5, 2, 8}),
      input("v", f64, {5, 2, 8}));
  nn::MultiheadAttentionOptions options;
  options.batch_first = true;
  options.bias = false;
  nn::MultiheadAttention masked(8, 2, options);
  all.add(
      "attention_masked", masked,
      [&](Tensor x, Tensor mask, Tensor padding) {
        return masked(x, x, x, padding, mask);
      },
      input("x", f64, {2, 5, 8}), input("mask", f64, {5, 5}),
      input("padding", i1, {2, 5}));
  nn::MultiheadAttention causal(8, 4, options);
  all.add(
      "attention_causal", causal,
      [&](Tensor x) { return causal(x, x, x, {}, {}, true); },
      input("x", f64, {2, 5, 8}));
  for (bool first : {false, true}) {
    nn::TransformerEncoderLayerOptions layer;
    layer.dim_feedforward = 12;
    layer.dropout = 0;
    layer.norm_first = layer.batch_first = first;
    layer.activation = first ? "gelu" : "relu";
    nn::TransformerEncoderLayer encoder(8, 2, layer);
    all.add(first ? "encoder_norm_first" : "encoder", encoder, {3, 4, 8});
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::cerr << "usage: trace-modules <model.so>\n";
    return 2;
  }
  try {
    Modules all;
    addConvolutions(all);
    addPools(all);
    addNorms(all);
    addEmbeddings(all);
    addRecurrent(all);
    addAttention(all);
    all.tracer.compile(argv[1]);
    return 0;
  } catch (const std::exception &error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
