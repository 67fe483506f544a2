// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cases.h"

#include <ostream>

namespace graphc {

void PrintTo(const Case &c, std::ostream *os) { *os << c.name; }

static const std::string kVector = "tensor<5xf64>";
static const std::string kMatrix = "tensor<3x4xf64>";

static Case unary(const std::string &op, Domain domain = Domain::Any) {
  return {op, "%a: " + kVector, kVector,
          "%y = graph." + op + " %a : " + kVector, domain};
}
static Case binary(const std::string &op, Domain domain = Domain::Any) {
  return {op, "%a: " + kVector + ", %b: " + kVector, kVector,
          "%y = graph." + op + " %a, %b : " + kVector, domain};
}
static Case pairLoss(const std::string &op, const std::string &reduction,
                     Domain domain) {
  std::string result = reduction == "none" ? kMatrix : "tensor<f64>";
  return {op + "_" + reduction, "%a: " + kMatrix + ", %b: " + kMatrix, result,
          "%y = graph." + op + " %a, %b reduction = " + reduction + " : " +
              kMatrix + ", " + kMatrix + " -> " + result,
          domain};
}
static Case reduction(const std::string &name, const std::string &op,
                      const std::string &axes, const std::string &from,
                      const std::string &to) {
  return {name, "%a: tensor<" + from + ">", "tensor<" + to + ">",
          "%y = graph." + op + " %a axes = [" + axes + "] : tensor<" + from +
              "> -> tensor<" + to + ">"};
}
/// A case of one operand that is all in its text: `op`, `attributes`, types.
static Case move(const std::string &name, const std::string &op,
                 const std::string &from, const std::string &to) {
  return {name, "%a: tensor<" + from + ">", "tensor<" + to + ">",
          "%y = graph." + op + " : tensor<" + from + "> -> tensor<" + to + ">"};
}
static Case product(const std::string &name, const std::string &dims,
                    const std::string &lhs, const std::string &rhs,
                    const std::string &result) {
  return {name, "%a: tensor<" + lhs + ">, %b: tensor<" + rhs + ">",
          "tensor<" + result + ">",
          "%y = graph.dot_general %a, %b " + dims + " : tensor<" + lhs +
              ">, tensor<" + rhs + "> -> tensor<" + result + ">"};
}
/// `operands` are arguments of f64 and these shapes, by their names.
using Operands = std::vector<std::pair<std::string, std::string>>;
static Case ofOperands(const std::string &name, const Operands &operands,
                       const std::string &op, const std::string &attributes,
                       const std::string &result, const std::string &constants,
                       Domain domain, const std::string &arrow) {
  std::string arguments, names, types;
  for (const auto &[operand, shape] : operands) {
    std::string comma = names.empty() ? "" : ", ";
    bool isConstant = shape.find("xi1") != std::string::npos;
    std::string type = "tensor<" + shape + (isConstant ? ">" : "f64>");
    if (!isConstant)
      arguments += comma + operand + ": " + type;
    names += comma + operand;
    types += comma + type;
  }
  return {name, arguments, result,
          constants + "graph." + op + " " + names + " " + attributes + " : " +
              types + arrow,
          domain};
}
static Case norm(const std::string &name, const std::string &op,
                 const std::string &attributes, const Operands &operands,
                 Domain domain = Domain::Any) {
  bool isBatch = op == "batch_norm";
  return ofOperands(name, operands, op, attributes,
                    "tensor<" + operands[0].second + "f64>",
                    isBatch ? "%y, %nm, %nv = " : "%y = ", domain, "");
}
/// `mask` is the text of a constant of shape `maskShape`.
static Case attention(const std::string &name, const std::string &attributes,
                      Operands operands, const std::string &result,
                      const std::string &mask = "",
                      const std::string &maskShape = "") {
  std::string constants;
  if (!mask.empty()) {
    operands.emplace_back("%c", maskShape + "xi1");
    constants = "%c = graph.constant dense<" + mask + "> : tensor<" +
                maskShape + "xi1>\n";
  }
  std::string type = "tensor<" + result + "f64>";
  return ofOperands("attention" + name, operands, "attention", attributes, type,
                    constants + "%y = ", Domain::Any, " -> " + type);
}
/// Its gradient with respect to the query, key or value.
static Case attentionGrad(const std::string &name, const std::string &which,
                          const std::string &attributes,
                          const Operands &operands, unsigned of) {
  std::string results[3] = {"%r0", "%r1", "%r2"};
  results[of] = "%y";
  return ofOperands("attention_grad" + name + which, operands, "attention_grad",
                    attributes, "tensor<" + operands[of].second + "f64>",
                    results[0] + ", " + results[1] + ", " + results[2] + " = ",
                    Domain::Any, "");
}
static const Operands kAttentionGrad = {{"%q", "1x2x3x2x"},
                                        {"%k", "1x1x3x2x"},
                                        {"%v", "1x1x3x2x"},
                                        {"%o", "1x2x3x2x"},
                                        {"%g", "1x2x3x2x"}};
static const Operands kBiasedGrad = {{"%q", "3x2x"}, {"%k", "2x2x"},
                                     {"%v", "2x3x"}, {"%o", "3x3x"},
                                     {"%g", "3x3x"}, {"%m", "1x2x"}};
/// A convolution: `op` with `attributes` of two operands, maybe a bias.
static Case conv(const std::string &name, const std::string &op,
                 const std::string &attributes, const std::string &lhs,
                 const std::string &rhs, const std::string &result,
                 const std::string &bias = "") {
  std::string b = "tensor<" + bias + ">";
  return {name,
          "%a: tensor<" + lhs + ">, %b: tensor<" + rhs + ">" +
              (bias.empty() ? "" : ", %c: " + b),
          "tensor<" + result + ">",
          "%y = graph." + op + " %a, %b" + (bias.empty() ? "" : ", %c") + " " +
              attributes + " : tensor<" + lhs + ">, tensor<" + rhs + ">" +
              (bias.empty() ? "" : ", " + b) + " -> tensor<" + result + ">"};
}
static Case crossEntropy(const std::string &name, const std::string &reduction,
                         const std::string &attributes) {
  std::string result = reduction == "none" ? "tensor<4xf64>" : "tensor<f64>";
  return {"cross_entropy_" + name, "%a: tensor<4x3xf64>", result,
          "%t = graph.constant dense<[2, 0, 1, 0]> : tensor<4xi64>\n"
          "%y = graph.cross_entropy %a, %t reduction = " +
              reduction + attributes + " : tensor<4x3xf64>, tensor<4xi64> -> " +
              result};
}

const std::vector<Case> &opCases() {
  const std::string mask =
      "%c = graph.constant dense<[1, 0, 0, 1, 1]> : tensor<5xi1>\n";
  static const std::vector<Case> cases = {
      unary("neg"),
      unary("abs"),
      binary("add"),
      binary("sub"),
      binary("mul"),
      binary("div"),
      binary("rem"),
      binary("maximum"),
      binary("minimum"),
      unary("sign"),
      unary("floor"),
      unary("ceil"),
      unary("round"),
      binary("mul_no_nan"),
      unary("sqrt", Domain::Positive),
      unary("exp"),
      unary("expm1"),
      unary("log", Domain::Positive),
      unary("log1p", Domain::Positive),
      unary("rsqrt", Domain::Positive),
      unary("reciprocal"),
      unary("sin"),
      unary("cos"),
      unary("tanh"),
      unary("erf"),
      binary("pow", Domain::Positive),
      {"select", "%a: " + kVector + ", %b: " + kVector, kVector,
       mask + "%y = graph.select %c, %a, %b : " + kVector},
      move("cast_narrow", "cast %a", "5xf64", "5xf32"),
      move("cast_wide", "cast %a", "5xbf16", "5xf64"),
      unary("relu"),
      unary("sigmoid"),
      unary("silu"),
      unary("gelu"),
      {"gelu_tanh", "%a: " + kVector, kVector,
       "%y = graph.gelu %a approximate = tanh : " + kVector},
      {"clamp", "%a: " + kVector, kVector,
       "%y = graph.clamp %a low = -0.7 high = 0.9 : " + kVector},
      // A low-precision type takes the wide path; f64 mode ignores rounding.
      {"gelu_bf16", "%a: tensor<5xbf16>", "tensor<5xbf16>",
       "%y = graph.gelu %a : tensor<5xbf16>"},
      {"softmax", "%a: " + kMatrix, kMatrix,
       "%y = graph.softmax %a axis = 1 : " + kMatrix},
      {"softmax_0", "%a: " + kMatrix, kMatrix,
       "%y = graph.softmax %a axis = 0 : " + kMatrix},
      {"log_softmax", "%a: " + kMatrix, kMatrix,
       "%y = graph.log_softmax %a axis = 0 : " + kMatrix},
      {"dropout", "%a: " + kMatrix, kMatrix,
       "%k = graph.constant dense<[5, 0, 0]> : tensor<3xi64>\n"
       "%y = graph.dropout %a key %k p = 0.4 op_id = 3 mode = train : " +
           kMatrix},
      // Data movement.
      move("broadcast", "broadcast %a dims = [1]", "3xf64", "2x3x2xf64"),
      move("broadcast_scalar", "broadcast %a dims = []", "f64", "2x3xf64"),
      move("reshape", "reshape %a", "2x6xf64", "3x4xf64"),
      move("transpose", "transpose %a permutation = [2, 0, 1]", "2x3x4xf64",
           "4x2x3xf64"),
      move("slice", "slice %a starts = [1, 0] limits = [4, 5] strides = [1, 3]",
           "5x6xf64", "3x2xf64"),
      move("slice_empty", "slice %a starts = [3] limits = [3] strides = [1]",
           "5xf64", "0xf64"),
      {"pad", "%a: tensor<2x3xf64>, %b: tensor<f64>", "tensor<6x6xf64>",
       "%y = graph.pad %a, %b low = [1, 0] high = [2, 1] interior = [1, 1] : "
       "tensor<2x3xf64> -> tensor<6x6xf64>"},
      {"concat",
       "%a: tensor<2x1xf64>, %b: tensor<2x3xf64>, %c: tensor<2x2xf64>",
       "tensor<2x6xf64>",
       "%y = graph.concat %a, %b, %c axis = 1 : tensor<2x1xf64>, "
       "tensor<2x3xf64>, tensor<2x2xf64> -> tensor<2x6xf64>"},
      // Reductions.
      reduction("sum", "reduce_sum", "0, 2", "2x3x2xf64", "3xf64"),
      reduction("sum_none", "reduce_sum", "", "2x3xf64", "2x3xf64"),
      reduction("mean", "reduce_mean", "1", "3x4xf64", "3xf64"),
      reduction("mean_bf16", "reduce_mean", "1", "3x4xbf16", "3xbf16"),
      reduction("max", "reduce_max", "1", "3x4xf64", "3xf64"),
      reduction("max_all", "reduce_max", "0, 1", "3x4xf64", "f64"),
      reduction("min", "reduce_min", "0", "3x4xf64", "4xf64"),
      reduction("prod", "reduce_prod", "1", "2x4xf64", "2xf64"),
      reduction("prod_0_2", "reduce_prod", "0, 2", "3x2x2xf64", "2xf64"),
      reduction("prod_7", "reduce_prod", "0", "7xf64", "f64"),
      reduction("prod_1", "reduce_prod", "0", "1x3xf64", "3xf64"),
      // Without elements.
      reduction("sum_empty", "reduce_sum", "0", "0x3xf64", "3xf64"),
      reduction("prod_empty", "reduce_prod", "1", "2x0xf64", "2xf64"),
      move("broadcast_empty", "broadcast %a dims = [1]", "3xf64", "0x3xf64"),
      {"concat_empty", "%a: tensor<2x0xf64>, %b: tensor<2x3xf64>",
       "tensor<2x3xf64>",
       "%y = graph.concat %a, %b axis = 1 : tensor<2x0xf64>, tensor<2x3xf64> "
       "-> tensor<2x3xf64>"},
      {"pad_empty", "%a: tensor<0xf64>, %b: tensor<f64>", "tensor<3xf64>",
       "%y = graph.pad %a, %b low = [1] high = [2] interior = [1] : "
       "tensor<0xf64> -> tensor<3xf64>"},
      {"softmax_empty", "%a: tensor<0x3xf64>", "tensor<0x3xf64>",
       "%y = graph.softmax %a axis = 1 : tensor<0x3xf64>"},
      product("dot_empty", "batching = [] x [] contracting = [1] x [0]",
              "2x0xf64", "0x3xf64", "2x3xf64"),
      {"linear_empty",
       "%a: tensor<0x3xf64>, %b: tensor<4x3xf64>, %c: tensor<4xf64>",
       "tensor<0x4xf64>",
       "%y = graph.linear %a, %b, %c : tensor<0x3xf64>, tensor<4x3xf64>, "
       "tensor<4xf64> -> tensor<0x4xf64>"},
      // Indices.
      {"gather", "%a: tensor<5x3xf64>", "tensor<2x3x3xf64>",
       "%i = graph.constant dense<[[4, 0, 4], [1, 1, 4]]> : tensor<2x3xi64>\n"
       "%y = graph.gather %a, %i axis = 0 : tensor<5x3xf64>, tensor<2x3xi64> "
       "-> tensor<2x3x3xf64>"},
      {"gather_batched", "%a: tensor<2x2x4xf64>", "tensor<2x2x3xf64>",
       "%i = graph.constant dense<[[3, 0, 3], [1, 1, 2]]> : tensor<2x3xi32>\n"
       "%y = graph.gather %a, %i axis = 2 batch_dims = 1 : "
       "tensor<2x2x4xf64>, tensor<2x3xi32> -> tensor<2x2x3xf64>"},
      {"gather_bf16", "%a: tensor<4xbf16>", "tensor<bf16>",
       "%i = graph.constant dense<2> : tensor<i64>\n"
       "%y = graph.gather %a, %i axis = 0 : tensor<4xbf16>, tensor<i64> "
       "-> tensor<bf16>"},
      {"scatter_add", "%a: tensor<3x2xf64>, %b: tensor<4x2xf64>",
       "tensor<3x2xf64>",
       "%i = graph.constant dense<[2, 0, 2, 2]> : tensor<4xi64>\n"
       "%y = graph.scatter_add %a, %i, %b axis = 0 : tensor<3x2xf64>, "
       "tensor<4xi64>, tensor<4x2xf64> -> tensor<3x2xf64>"},
      {"scatter_add_batched", "%a: tensor<2x3xf64>, %b: tensor<2x2xf64>",
       "tensor<2x3xf64>",
       "%i = graph.constant dense<[[2, 2], [0, 1]]> : tensor<2x2xi64>\n"
       "%y = graph.scatter_add %a, %i, %b axis = 1 batch_dims = 1 : "
       "tensor<2x3xf64>, tensor<2x2xi64>, tensor<2x2xf64> -> tensor<2x3xf64>"},
      {"embedding", "%a: tensor<4x3xf64>", "tensor<2x2x3xf64>",
       "%i = graph.constant dense<[[3, 0], [3, 1]]> : tensor<2x2xi64>\n"
       "%y = graph.embedding %a, %i : tensor<4x3xf64>, tensor<2x2xi64> -> "
       "tensor<2x2x3xf64>"},
      {"dynamic_slice", "%a: tensor<4x5xf64>", "tensor<2x3xf64>",
       "%i = graph.constant dense<1> : tensor<i64>\n"
       "%j = graph.constant dense<7> : tensor<i64>\n"
       "%y = graph.dynamic_slice %a, %i, %j sizes = [2, 3] : tensor<4x5xf64> "
       "-> tensor<2x3xf64>"},
      {"dynamic_update_slice", "%a: tensor<4x5xf64>, %b: tensor<2x3xf64>",
       "tensor<4x5xf64>",
       "%i = graph.constant dense<1> : tensor<i64>\n"
       "%j = graph.constant dense<-3> : tensor<i64>\n"
       "%y = graph.dynamic_update_slice %a, %b, %i, %j : tensor<4x5xf64>, "
       "tensor<2x3xf64> -> tensor<4x5xf64>"},
      {"cumsum", "%a: " + kMatrix, kMatrix,
       "%y = graph.cumsum %a axis = 1 : " + kMatrix},
      {"cumsum_reverse", "%a: " + kMatrix, kMatrix,
       "%y = graph.cumsum %a axis = 0 reverse : " + kMatrix},
      {"sort", "%a: " + kMatrix, kMatrix,
       "%y, %i = graph.sort %a axis = 1 : tensor<3x4xf64> -> tensor<3x4xf64>, "
       "tensor<3x4xi64>"},
      {"sort_descending", "%a: tensor<4x3x2xf64>", "tensor<4x3x2xf64>",
       "%y, %i = graph.sort %a axis = 0 descending : tensor<4x3x2xf64> -> "
       "tensor<4x3x2xf64>, tensor<4x3x2xi64>"},
      {"top_k", "%a: " + kMatrix, "tensor<3x2xf64>",
       "%y, %i = graph.top_k %a k = 2 axis = 1 : tensor<3x4xf64> -> "
       "tensor<3x2xf64>, tensor<3x2xi64>"},
      {"top_k_smallest", "%a: " + kMatrix, "tensor<2x4xf64>",
       "%y, %i = graph.top_k %a k = 2 axis = 0 smallest : tensor<3x4xf64> -> "
       "tensor<2x4xf64>, tensor<2x4xi64>"},
      {"tril", "%a: " + kMatrix, kMatrix,
       "%y = graph.tril %a diagonal = 1 : " + kMatrix},
      {"triu", "%a: tensor<2x3x3xf64>", "tensor<2x3x3xf64>",
       "%y = graph.triu %a : tensor<2x3x3xf64>"},
      // Products.
      product("dot", "batching = [] x [] contracting = [1] x [0]", "2x3xf64",
              "3x4xf64", "2x4xf64"),
      product("dot_transposed", "batching = [] x [] contracting = [0] x [1]",
              "3x2xf64", "4x3xf64", "2x4xf64"),
      product("dot_batched", "batching = [1] x [2] contracting = [2] x [0]",
              "2x3x4xf64", "4x5x3xf64", "3x2x5xf64"),
      product("dot_two", "batching = [] x [] contracting = [2, 0] x [0, 2]",
              "2x5x3xf64", "3x4x2xf64", "5x4xf64"),
      product("dot_outer", "batching = [] x [] contracting = [] x []", "2xf64",
              "3xf64", "2x3xf64"),
      product("dot_inner", "batching = [] x [] contracting = [0] x [0]",
              "4xf64", "4xf64", "f64"),
      product("dot_widening", "batching = [0] x [0] contracting = [2] x [1]",
              "2x3x4xbf16", "2x4x2xbf16", "2x3x2xf32"),
      {"linear", "%a: tensor<2x3xf64>, %b: tensor<4x3xf64>, %c: tensor<4xf64>",
       "tensor<2x4xf64>",
       "%y = graph.linear %a, %b, %c : tensor<2x3xf64>, tensor<4x3xf64>, "
       "tensor<4xf64> -> tensor<2x4xf64>"},
      {"linear_vector", "%a: tensor<3xf64>, %b: tensor<4x3xf64>",
       "tensor<4xf64>",
       "%y = graph.linear %a, %b : tensor<3xf64>, tensor<4x3xf64> -> "
       "tensor<4xf64>"},
      {"linear_mixed",
       "%a: tensor<2x2x3xbf16>, %b: tensor<4x3xbf16>, %c: tensor<4xf32>",
       "tensor<2x2x4xbf16>",
       "%y = graph.linear %a, %b, %c : tensor<2x2x3xbf16>, tensor<4x3xbf16>, "
       "tensor<4xf32> -> tensor<2x2x4xbf16>"},
      // Convolutions and pooling.
      conv("conv", "conv",
           "strides = [1] low = [1] high = [1] dilation = [1] groups = 1",
           "2x2x5xf64", "3x2x3xf64", "2x3x5xf64", "3xf64"),
      conv("conv_grouped", "conv",
           "strides = [2] low = [1] high = [2] dilation = [2] groups = 2",
           "2x4x6xf64", "4x2x2xf64", "2x4x4xf64"),
      conv("conv_2d", "conv",
           "strides = [2, 1] low = [0, 1] high = [1, 0] dilation = [1, 2] "
           "groups = 1",
           "1x2x5x4xf64", "2x2x2x2xf64", "1x2x3x3xf64", "2xf64"),
      conv("conv_bf16", "conv",
           "strides = [1] low = [0] high = [0] dilation = [1] groups = 1",
           "1x1x4xbf16", "2x1x2xbf16", "1x2x3xbf16", "2xf32"),
      conv("conv_wide", "conv",
           "strides = [1] low = [0] high = [0] dilation = [1] groups = 1",
           "1x1x4xbf16", "2x1x2xbf16", "1x2x3xf32"),
      conv("conv_empty", "conv",
           "strides = [1] low = [1] high = [1] dilation = [1] groups = 1",
           "0x2x5xf64", "3x2x3xf64", "0x3x5xf64", "3xf64"),
      conv("conv_transpose", "conv_transpose",
           "strides = [2] low = [1] high = [1] dilation = [1] output_padding = "
           "[1] groups = 1",
           "2x2x3xf64", "2x3x3xf64", "2x3x6xf64", "3xf64"),
      conv("conv_transpose_grouped", "conv_transpose",
           "strides = [1] low = [0] high = [2] dilation = [3] output_padding = "
           "[2] groups = 2",
           "1x4x3xf64", "4x1x2xf64", "1x2x6xf64"),
      conv("conv_transpose_crop", "conv_transpose",
           "strides = [1] low = [2] high = [1] dilation = [1] output_padding = "
           "[0] groups = 1",
           "1x1x5xf64", "1x1x1xf64", "1x1x2xf64"),
      conv("conv_weight_grad", "conv_weight_grad",
           "strides = [2] low = [1] high = [2] dilation = [2] groups = 2",
           "2x4x6xf64", "2x4x4xf64", "4x2x2xf64"),
      {"reverse", "%a: tensor<2x3x2xf64>", "tensor<2x3x2xf64>",
       "%y = graph.reverse %a axes = [0, 2] : tensor<2x3x2xf64>"},
      move("unfold", "unfold %a kernel = [2] strides = [2] dilation = [3]",
           "2x8xf64", "2x3x2xf64"),
      move("unfold_2d",
           "unfold %a kernel = [2, 3] strides = [1, 1] dilation = [1, 1]",
           "4x5xf64", "3x3x2x3xf64"),
      move("fold", "fold %a strides = [2] dilation = [1]", "2x3x3xf64",
           "2x8xf64"),
      move("max_pool",
           "max_pool %a kernel = [2, 2] strides = [2, 2] low = [0, 1] high = "
           "[0, 1] dilation = [1, 1]",
           "2x4x4xf64", "2x2x3xf64"),
      move("max_pool_1d",
           "max_pool %a kernel = [3] strides = [1] low = [1] high = [0] "
           "dilation = [2]",
           "2x7xf64", "2x4xf64"),
      move("avg_pool",
           "avg_pool %a kernel = [2, 2] strides = [1, 2] low = [1, 0] high = "
           "[0, 0] dilation = [1, 1]",
           "2x3x4xf64", "2x3x2xf64"),
      move("avg_pool_exclude",
           "avg_pool %a kernel = [3] strides = [2] low = [1] high = [1] "
           "dilation = [1] exclude_padding",
           "2x6xf64", "2x3xf64"),
      // Normalisations. A large eps, so that it shows.
      norm("layer_norm", "layer_norm", "normalized_rank = 1 eps = 0.1",
           {{"%a", "3x4x"}, {"%w", "4x"}, {"%b", "4x"}}),
      norm("layer_norm_plain", "layer_norm", "normalized_rank = 2 eps = 0.1",
           {{"%a", "2x3x2x"}}),
      norm("layer_norm_2", "layer_norm", "normalized_rank = 2 eps = 0.1",
           {{"%a", "2x3x2x"}, {"%w", "3x2x"}}),
      norm("layer_norm_empty", "layer_norm", "normalized_rank = 1 eps = 0.1",
           {{"%a", "0x3x"}, {"%w", "3x"}, {"%b", "3x"}}),
      norm("rms_norm", "rms_norm", "normalized_rank = 1 eps = 0.1",
           {{"%a", "3x4x"}, {"%w", "4x"}}),
      norm("rms_norm_plain", "rms_norm", "normalized_rank = 2 eps = 0.1",
           {{"%a", "2x3x2x"}}),
      norm("group_norm", "group_norm", "groups = 2 eps = 0.1",
           {{"%a", "2x4x3x"}, {"%w", "4x"}, {"%b", "4x"}}),
      norm("group_norm_plain", "group_norm", "groups = 1 eps = 0.1",
           {{"%a", "3x4x"}}),
      norm("batch_norm", "batch_norm", "momentum = 0.1 eps = 0.1 mode = train",
           {{"%a", "3x2x2x"},
            {"%m", "2x"},
            {"%v", "2x"},
            {"%w", "2x"},
            {"%b", "2x"}}),
      norm("batch_norm_plain", "batch_norm",
           "momentum = 0.1 eps = 0.1 mode = train",
           {{"%a", "4x3x"}, {"%m", "3x"}, {"%v", "3x"}}),
      norm("batch_norm_eval", "batch_norm",
           "momentum = 0.1 eps = 0.1 mode = eval",
           {{"%a", "3x2x2x"},
            {"%m", "2x"},
            {"%v", "2x"},
            {"%w", "2x"},
            {"%b", "2x"}},
           Domain::Positive),
      norm("batch_norm_eval_plain", "batch_norm",
           "momentum = 0.1 eps = 0.1 mode = eval",
           {{"%a", "4x3x"}, {"%m", "3x"}, {"%v", "3x"}}, Domain::Positive),
      // Attention.
      attention("", "", {{"%q", "2x3x4x"}, {"%k", "2x5x4x"}, {"%v", "2x5x3x"}},
                "2x3x3x"),
      attention("_grouped", "scale = 0.7",
                {{"%q", "1x4x2x3x"}, {"%k", "1x2x3x3x"}, {"%v", "1x2x3x2x"}},
                "1x4x2x2x"),
      attention("_causal", "causal",
                {{"%q", "2x3x2x"}, {"%k", "1x3x2x"}, {"%v", "1x3x2x"}},
                "2x3x2x"),
      attention("_causal_long", "causal",
                {{"%q", "3x2x"}, {"%k", "5x2x"}, {"%v", "5x2x"}}, "3x2x"),
      // The first two queries see no key.
      attention("_causal_short", "causal",
                {{"%q", "4x2x"}, {"%k", "2x2x"}, {"%v", "2x2x"}}, "4x2x"),
      attention("_mask", "",
                {{"%q", "2x3x2x"}, {"%k", "2x3x2x"}, {"%v", "2x3x2x"}},
                "2x3x2x", "[[1, 0, 1], [0, 0, 0], [1, 1, 0]]", "3x3"),
      attention("_mask_causal", "causal",
                {{"%q", "2x3x2x"}, {"%k", "2x3x2x"}, {"%v", "2x3x2x"}},
                "2x3x2x", "[[[0, 1, 1]], [[1, 1, 0]]]", "2x1x3"),
      attention("_bias", "",
                {{"%q", "2x2x3x2x"},
                 {"%k", "2x2x3x2x"},
                 {"%v", "2x2x3x2x"},
                 {"%m", "2x1x3x"}},
                "2x2x3x2x"),
      attention("_bias_batch", "causal",
                {{"%q", "2x4x2x2x"},
                 {"%k", "2x2x2x2x"},
                 {"%v", "2x2x2x2x"},
                 {"%m", "2x4x1x2x"}},
                "2x4x2x2x"),
      attentionGrad("", "_query", "causal", kAttentionGrad, 0),
      attentionGrad("", "_key", "causal", kAttentionGrad, 1),
      attentionGrad("", "_value", "causal", kAttentionGrad, 2),
      attentionGrad("_bias", "_query", "scale = 0.7", kBiasedGrad, 0),
      attentionGrad("_bias", "_key", "scale = 0.7", kBiasedGrad, 1),
      attentionGrad("_bias", "_value", "scale = 0.7", kBiasedGrad, 2),
      attention("_empty", "", {{"%q", "3x2x"}, {"%k", "0x2x"}, {"%v", "0x2x"}},
                "3x2x"),
      // Losses.
      pairLoss("mse_loss", "mean", Domain::Any),
      pairLoss("mse_loss", "sum", Domain::Any),
      pairLoss("mse_loss", "none", Domain::Any),
      pairLoss("binary_cross_entropy", "mean", Domain::Unit),
      pairLoss("binary_cross_entropy", "sum", Domain::Unit),
      pairLoss("binary_cross_entropy", "none", Domain::Unit),
      pairLoss("binary_cross_entropy_with_logits", "mean", Domain::Unit),
      pairLoss("binary_cross_entropy_with_logits", "sum", Domain::Any),
      pairLoss("binary_cross_entropy_with_logits", "none", Domain::Any),
      crossEntropy("mean", "mean", ""),
      crossEntropy("sum", "sum", " {label_smoothing = 0.2}"),
      crossEntropy("none", "none", ""),
      crossEntropy("ignore", "mean",
                   " {ignore_index = 0 : i64, label_smoothing = 0.1}"),
      crossEntropy("ignore_none", "none", " {ignore_index = 0 : i64}"),
      {"cross_entropy_vector", "%a: tensor<3xf64>", "tensor<f64>",
       "%t = graph.constant dense<1> : tensor<i32>\n"
       "%y = graph.cross_entropy %a, %t : tensor<3xf64>, tensor<i32> -> "
       "tensor<f64>"},
  };
  return cases;
}

const std::vector<Case> &graphCases() {
  static const std::vector<Case> cases = {
      {"shared", "%a: tensor<5xf64>", "tensor<5xf64>",
       "%s = graph.sin %a : tensor<5xf64>\n"
       "%p = graph.mul %s, %a : tensor<5xf64>\n"
       "%q = graph.mul %p, %s : tensor<5xf64>\n"
       "%y = graph.mul %q, %q : tensor<5xf64>"},
      {"mlp",
       "%a: tensor<2x3xf64>, %w: tensor<4x3xf64>, %b: tensor<4xf64>, "
       "%v: tensor<3x4xf64>",
       "tensor<f64>",
       "%h = graph.linear %a, %w, %b : tensor<2x3xf64>, tensor<4x3xf64>, "
       "tensor<4xf64> -> tensor<2x4xf64>\n"
       "%g = graph.gelu %h : tensor<2x4xf64>\n"
       "%l = graph.linear %g, %v : tensor<2x4xf64>, tensor<3x4xf64> -> "
       "tensor<2x3xf64>\n"
       "%t = graph.constant dense<[2, 1]> : tensor<2xi64>\n"
       "%y = graph.cross_entropy %l, %t : tensor<2x3xf64>, tensor<2xi64> -> "
       "tensor<f64>"},
      {"loop", "%a: tensor<3xf64>, %b: tensor<3xf64>", "tensor<3xf64>",
       "%y, %n = graph.for %i = 3 carry(%p = %a, %q = %b) : tensor<3xf64>, "
       "tensor<3xf64> {\n"
       "%f = graph.cast %i : tensor<i64> -> tensor<f64>\n"
       "%g = graph.broadcast %f dims = [] : tensor<f64> -> tensor<3xf64>\n"
       "%r = graph.mul %p, %g : tensor<3xf64>\n"
       "%s = graph.sin %r : tensor<3xf64>\n"
       "%u = graph.add %s, %q : tensor<3xf64>\n"
       "%v = graph.mul %p, %b : tensor<3xf64>\n"
       "graph.yield %u, %v : tensor<3xf64>, tensor<3xf64>\n}"},
      {"swap", "%a: tensor<2xf64>, %b: tensor<2xf64>", "tensor<2xf64>",
       "%y, %n = graph.for %i = 3 carry(%p = %a, %q = %b) : tensor<2xf64>, "
       "tensor<2xf64> {\n"
       "graph.yield %q, %p : tensor<2xf64>, tensor<2xf64>\n}"},
      {"argument", "%y: tensor<2xf64>", "tensor<2xf64>", ""},
  };
  return cases;
}

} // namespace graphc
