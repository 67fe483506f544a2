// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nn::Embedding. Include graphc/trace.hpp.
#ifndef GRAPHC_TRACE_NN_EMBEDDING_HPP
#define GRAPHC_TRACE_NN_EMBEDDING_HPP

#include "graphc/trace/index.hpp"
#include "graphc/trace/nn.hpp"

namespace graphc::nn {

namespace detail {
struct EmbeddingImpl final : LibraryModule {
  EmbeddingImpl(int64_t rows, int64_t width, std::optional<int64_t> padding,
                graphc_dtype dtype, Source source)
      : rows(rows), width(width), padding(padding) {
    if (rows < 0 || width < 0)
      raise(source, "Embedding expects sizes of 0 or more, but got " +
                        std::to_string(rows) + " and " + std::to_string(width));
    std::string zeroRow;
    if (padding) {
      if (*padding < -rows || *padding >= rows)
        raise(source, "Embedding expects padding_idx in [" +
                          std::to_string(-rows) + ", " + std::to_string(rows) +
                          "), but got " + std::to_string(*padding));
      if (*padding < 0)
        *this->padding += rows;
      zeroRow = ", zero_row = " + std::to_string(*this->padding);
    }
    weight = register_parameter(
        "weight",
        Parameter({rows, width}, "#graph.normal<0.0, 1.0" + zeroRow + ">",
                  dtype, true, source));
  }
  Tensor forward(const Tensor &x) override {
    return embedding(x, weight, padding);
  }
  std::string name() const override { return "Embedding"; }
  std::string extra_repr() const override {
    std::string text = std::to_string(rows) + ", " + std::to_string(width);
    return padding ? text + ", padding_idx=" + std::to_string(*padding) : text;
  }
  int64_t rows, width;
  std::optional<int64_t> padding;
  Parameter weight;
};
} // namespace detail

/// Rows of weight [num_embeddings, embedding_dim], which is standard normal,
/// with row `padding_idx` 0 at the start and without a gradient.
struct Embedding : Handle<detail::EmbeddingImpl> {
  Embedding() = default;
  Embedding(int64_t num_embeddings, int64_t embedding_dim,
            std::optional<int64_t> padding_idx = {}, graphc_dtype dtype = f32,
            Source source = here())
      : Handle(std::make_shared<detail::EmbeddingImpl>(
            num_embeddings, embedding_dim, padding_idx, dtype, source)) {}
};

} // namespace graphc::nn

#endif // GRAPHC_TRACE_NN_EMBEDDING_HPP
