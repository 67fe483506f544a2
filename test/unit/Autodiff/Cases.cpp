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
