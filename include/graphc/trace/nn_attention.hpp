// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers with attention. Include graphc/trace.hpp.
#ifndef GRAPHC_TRACE_NN_ATTENTION_HPP
#define GRAPHC_TRACE_NN_ATTENTION_HPP

#include "graphc/trace/nn_norm.hpp"

namespace graphc::nn {

struct MultiheadAttentionOptions {
  double dropout = 0; // Of the weights, in training.
  bool bias = true;
  bool batch_first = false; // [N, L, E] instead of [L, N, E].
  graphc_dtype dtype = f32;
};

struct TransformerEncoderLayerOptions {
  int64_t dim_feedforward = 2048;
  double dropout = 0.1;
  std::string activation = "relu"; // or "gelu"
  double layer_norm_eps = 1e-5;
  bool batch_first = false; // [N, L, E] instead of [L, N, E].
  bool norm_first = false;
  bool bias = true;
  graphc_dtype dtype = f32;
};

namespace detail {
/// As PyTorch names the last layer of its attention: a Linear whose bias starts
/// at zeros.
struct OutProjImpl final : LibraryModule {
  OutProjImpl(int64_t size, bool bias, graphc_dtype dtype, Source source)
      : size(size), hasBias(bias) {
    double bound = std::sqrt(3.0) * std::sqrt(1.0 / 3) /
                   std::sqrt(static_cast<double>(std::max<int64_t>(size, 1)));
    weight = register_parameter(
        "weight", Parameter({size, size},
                            "#graph.uniform<" + graphc::detail::number(-bound) +
                                ", " + graphc::detail::number(bound) + ">",
                            dtype, true, source));
    if (bias)
      this->bias =
          register_parameter("bias", zerosParameter({size}, dtype, source));
  }
  Tensor forward(const Tensor &x) override { return linear(x, weight, bias); }
  std::string name() const override {
    return "NonDynamicallyQuantizableLinear";
  }
  std::string extra_repr() const override {
    return "in_features=" + std::to_string(size) +
           ", out_features=" + std::to_string(size) + ", bias=" + flag(hasBias);
  }
  int64_t size;
  bool hasBias;
  Parameter weight, bias;
};

struct MultiheadAttentionImpl final : LibraryModule {
  MultiheadAttentionImpl(int64_t embed, int64_t heads,
                         const MultiheadAttentionOptions &options,
                         Source source)
      : embed(embed), heads(heads), options(options) {
    if (embed < 1 || heads < 1 || embed % heads != 0)
      raise(source, "MultiheadAttention expects num_heads to divide embed_dim, "
                    "but got " +
                        std::to_string(heads) + " and " +
                        std::to_string(embed));
    // xavier_uniform_ of [3 E, E]
    double bound = std::sqrt(3.0) * std::sqrt(2.0 / (4.0 * embed));
    in_proj_weight = register_parameter(
        "in_proj_weight",
        Parameter({3 * embed, embed},
                  "#graph.uniform<" + graphc::detail::number(-bound) + ", " +
                      graphc::detail::number(bound) + ">",
                  options.dtype, true, source));
    if (options.bias)
      in_proj_bias = register_parameter(
          "in_proj_bias", zerosParameter({3 * embed}, options.dtype, source));
    out_proj = register_module(
        "out_proj", std::make_shared<OutProjImpl>(embed, options.bias,
                                                  options.dtype, source));
  }

  Tensor attend(const Tensor &query, const Tensor &key, const Tensor &value,
                const Tensor &keyPaddingMask, const Tensor &attnMask,
                bool isCausal, const Source &source) {
    // Of this library, as forward() is.
    const Source *outer = graphc::detail::callSite();
    graphc::detail::CallSite site(outer ? outer : &source);
    for (const Tensor &x : {query, key, value})
      if ((x.dim() != 3 && x.dim() != 2) || x.dim() != query.dim() ||
          x.size(-1) != embed)
        raise(source,
              "MultiheadAttention expects query, key and value of rank 3, or "
              "2 without a batch, and last dimension " +
                  std::to_string(embed) + ", but got " + toString(x.shape()) +
                  "\nnote: it is " + x.origin());
    // [N, heads, L, depth]
    bool isBatched = query.dim() == 3;
    auto split = [&](Tensor x) {
      if (!isBatched)
        x = reshape(x, {1, x.size(0), x.size(1)});
      else if (!options.batch_first)
        x = transpose(x, 0, 1);
      return permute(reshape(x, {x.size(0), x.size(1), heads, embed / heads}),
                     {0, 2, 1, 3});
    };
    auto [q, k, v] = project(query, key, value);
    q = split(q), k = split(k), v = split(v);
    Tensor mask = mergeMasks(keyPaddingMask, attnMask, q, k, source);
    if (isCausal && mask.defined()) {
      mask = restrict(
          mask, graphc::detail::lowerTriangle(q.size(2), k.size(2), source));
      isCausal = false;
    }
    const char *mode = training() ? (*training() ? "train" : "eval") : nullptr;
    Tensor y = scaled_dot_product_attention(q, k, v, mask, options.dropout,
                                            isCausal, {}, false, mode);
    y = permute(y, {0, 2, 1, 3});
    y = reshape(y, {y.size(0), y.size(1), embed});
    y = out_proj->call(y, source);
    if (!isBatched)
      return reshape(y, {y.size(1), embed});
    return options.batch_first ? y : transpose(y, 0, 1);
  }
  Tensor forward(const Tensor &x) override {
    return attend(x, x, x, {}, {}, false, here());
  }
  std::string name() const override { return "MultiheadAttention"; }

  int64_t embed, heads;
  MultiheadAttentionOptions options;
  Parameter in_proj_weight, in_proj_bias;
  std::shared_ptr<OutProjImpl> out_proj;

private:
  std::tuple<Tensor, Tensor, Tensor>
  project(const Tensor &query, const Tensor &key, const Tensor &value) {
    Tensor weight = in_proj_weight, bias = in_proj_bias;
    if (query.value() == key.value() && key.value() == value.value()) {
      Tensor all = linear(query, weight, bias);
      auto part = [&](int64_t k) {
        return slice(all, -1, k * embed, (k + 1) * embed);
      };
      return {part(0), part(1), part(2)};
    }
    auto of = [&](const Tensor &x, int64_t k) {
      return linear(x, slice(weight, 0, k * embed, (k + 1) * embed),
                    bias.defined() ? slice(bias, 0, k * embed, (k + 1) * embed)
                                   : Tensor());
    };
    return {of(query, 0), of(key, 1), of(value, 2)};
  }
  /// `mask`, and only what `allowed` allows.
  static Tensor restrict(const Tensor &mask, const Tensor &allowed) {
    if (mask.dtype() == i1)
      return logical_and(mask, allowed);
    return where(allowed, mask, -INFINITY);
  }
  /// One mask of [N or 1, heads or 1, L or 1, S], as
  /// scaled_dot_product_attention() takes it. PyTorch's boolean masks here are
  /// true where a key does not take part.
  Tensor mergeMasks(Tensor padding, Tensor attention, const Tensor &q,
                    const Tensor &k, const Source &source) const {
    int64_t n = q.size(0), rows = q.size(2), keys = k.size(2);
    auto fail = [&](const char *name, const Tensor &mask,
                    const std::string &shapes) {
      raise(source, std::string("MultiheadAttention expects ") + name +
                        " of shape " + shapes + ", but got " +
                        toString(mask.shape()) + "\nnote: it is " +
                        mask.origin());
    };
    if (padding.defined()) {
      if (padding.shape() != Shape{n, keys} &&
          !(n == 1 && padding.shape() == Shape{keys}))
        fail("key_padding_mask", padding, toString({n, keys}));
      padding = reshape(padding, {n, 1, 1, keys});
      if (padding.dtype() == i1)
        padding = logical_not(padding);
    }
    if (attention.defined()) {
      if (attention.shape() == Shape{rows, keys})
        attention = reshape(attention, {1, 1, rows, keys});
      else if (attention.shape() == Shape{n * heads, rows, keys})
        attention = reshape(attention, {n, heads, rows, keys});
      else
        fail("attn_mask", attention,
             toString({rows, keys}) + " or " +
                 toString({n * heads, rows, keys}));
      if (attention.dtype() == i1)
        attention = logical_not(attention);
    }
    if (!padding.defined() || !attention.defined())
      return padding.defined() ? padding : attention;
    if (attention.dtype() == i1)
      return restrict(padding, attention);
    return padding.dtype() == i1 ? restrict(attention, padding)
                                 : attention + padding;
  }
};

struct TransformerEncoderLayerImpl final : LibraryModule {
  TransformerEncoderLayerImpl(int64_t model, int64_t heads,
                              const TransformerEncoderLayerOptions &options,
                              Source source)
      : options(options) {
    if (options.activation != "relu" && options.activation != "gelu")
      raise(source, "TransformerEncoderLayer expects the activation relu or "
                    "gelu, but got '" +
                        options.activation + "'");
    MultiheadAttentionOptions attention;
    attention.dropout = options.dropout;
    attention.bias = options.bias;
    attention.batch_first = options.batch_first;
    attention.dtype = options.dtype;
    self_attn =
        register_module("self_attn", std::make_shared<MultiheadAttentionImpl>(
                                         model, heads, attention, source));
    auto layer = [&](const char *name, int64_t in, int64_t out) {
      return register_module(
          name, Linear(in, out, options.bias, options.dtype, source));
    };
    auto drop = [&](const char *name) {
      return register_module(name, Dropout(options.dropout, source));
    };
    auto norm = [&](const char *name) {
      return register_module(name,
                             LayerNorm(model, options.layer_norm_eps, true,
                                       options.bias, options.dtype, source));
    };
    linear1 = layer("linear1", model, options.dim_feedforward);
    dropout = drop("dropout");
    linear2 = layer("linear2", options.dim_feedforward, model);
    norm1 = norm("norm1");
    norm2 = norm("norm2");
    dropout1 = drop("dropout1");
    dropout2 = drop("dropout2");
  }
  Tensor encode(const Tensor &src, const Tensor &mask,
                const Tensor &keyPaddingMask, bool isCausal,
                const Source &source) {
    const Source *outer = graphc::detail::callSite();
    graphc::detail::CallSite site(outer ? outer : &source);
    auto attention = [&](const Tensor &x) {
      return dropout1(
          self_attn->attend(x, x, x, keyPaddingMask, mask, isCausal, source));
    };
    auto feedForward = [&](const Tensor &x) {
      Tensor h = linear1(x);
      h = dropout(options.activation == "relu" ? relu(h) : gelu(h));
      return dropout2(linear2(h));
    };
    Tensor x = src;
    if (options.norm_first) {
      x = x + attention(norm1(x));
      return x + feedForward(norm2(x));
    }
    x = norm1(x + attention(x));
    return norm2(x + feedForward(x));
  }
  Tensor forward(const Tensor &x) override {
    return encode(x, {}, {}, false, here());
  }
  std::string name() const override { return "TransformerEncoderLayer"; }

  TransformerEncoderLayerOptions options;
  std::shared_ptr<MultiheadAttentionImpl> self_attn;
  Linear linear1, linear2;
  Dropout dropout, dropout1, dropout2;
  LayerNorm norm1, norm2;
};
} // namespace detail

/// torch.nn.MultiheadAttention without weights as a second result: query, key
/// and value [L, N, E] and [S, N, E] (batch_first: [N, L, E]; or without N),
/// projected by in_proj_weight [3 E, E], attended to in `num_heads` heads, and
/// projected by out_proj. Parameters are distributed as PyTorch's at first, but
/// drawn in another order.
struct MultiheadAttention : Handle<detail::MultiheadAttentionImpl> {
  MultiheadAttention() = default;
  MultiheadAttention(int64_t embed_dim, int64_t num_heads,
                     const MultiheadAttentionOptions &options = {},
                     Source source = here())
      : Handle(std::make_shared<detail::MultiheadAttentionImpl>(
            embed_dim, num_heads, options, source)) {}
  /// Masks as PyTorch's: `key_padding_mask` [N, S] and `attn_mask` [L, S] or
  /// [N * num_heads, L, S]; i1, true where a key does not take part (unlike
  /// scaled_dot_product_attention()), or float, added to the scores.
  /// `is_causal` needs no attn_mask.
  Tensor operator()(const Operand &query, const Operand &key,
                    const Operand &value, const Tensor &key_padding_mask = {},
                    const Tensor &attn_mask = {},
                    bool is_causal = false) const {
    return (*this)->attend(graphc::detail::asTensor(query),
                           graphc::detail::asTensor(key),
                           graphc::detail::asTensor(value), key_padding_mask,
                           attn_mask, is_causal, query.source);
  }
};

/// torch.nn.TransformerEncoderLayer: attention of `src` to itself, then two
/// linear layers, each with a residual connection and a LayerNorm after it
/// (norm_first: before it).
struct TransformerEncoderLayer : Handle<detail::TransformerEncoderLayerImpl> {
  TransformerEncoderLayer() = default;
  TransformerEncoderLayer(int64_t d_model, int64_t nhead,
                          const TransformerEncoderLayerOptions &options = {},
                          Source source = here())
      : Handle(std::make_shared<detail::TransformerEncoderLayerImpl>(
            d_model, nhead, options, source)) {}
  /// Masks as MultiheadAttention's.
  Tensor operator()(const Operand &src, const Tensor &src_mask = {},
                    const Tensor &src_key_padding_mask = {},
                    bool is_causal = false) const {
    return (*this)->encode(graphc::detail::asTensor(src), src_mask,
                           src_key_padding_mask, is_causal, src.source);
  }
};

} // namespace graphc::nn

#endif // GRAPHC_TRACE_NN_ATTENTION_HPP
