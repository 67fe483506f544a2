// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Exacts.h"

#include <cmath>

namespace graphc {
namespace {

const double inf = INFINITY, nan_ = NAN;

std::string v(int n) { return "tensor<" + std::to_string(n) + "xf32>"; }
std::string unary(const std::string &op, int n) {
  return "%y = graph." + op + " %a0 : " + v(n);
}
std::string binary(const std::string &op, int n) {
  return "%y = graph." + op + " %a0, %a1 : " + v(n);
}
/// where(a0 > 0, op(a0), 0), written with a branch that may be inf or NaN.
std::string guarded(const std::string &ops, int n) {
  return "%z = graph.constant dense<0.0> : " + v(n) +
         "\n%c = graph.compare gt, %a0, %z : " + v(n) + "\n" + ops +
         "\n%y = graph.select %c, %b, %z : " + v(n);
}
std::string entropy(const std::string &attributes, const std::string &targets) {
  return "%t = graph.constant dense<" + targets +
         "> : tensor<2xi64>\n%y = graph.cross_entropy %a0, %t " + attributes +
         " : tensor<2x2xf32>, tensor<2xi64> -> tensor<f32>";
}
std::string reduce(const std::string &op, int n) {
  return "%y = graph." + op + " %a0 axes = [0] : " + v(n) + " -> tensor<f32>";
}
std::string maxPool(const std::string &how, const std::string &type,
                    const std::string &result) {
  return "%y = graph.max_pool %a0 " + how + " : " + type + " -> " + result;
}
std::string dropout(const std::string &p) {
  return "%k = graph.constant dense<[1, 2, 0]> : tensor<3xi64>\n"
         "%y = graph.dropout %a0 key %k p = " +
         p + " op_id = 0 mode = train : " + v(3);
}

} // namespace

const std::vector<Exact> &exacts() {
  static const std::vector<Exact> all = {
      {"relu",
       v(5),
       v(5),
       unary("relu", 5),
       {{-1, -0.0, 0, 2, inf}},
       {3, 3, 3, 3, 3},
       {{0, 0, 0, 3, 3}}},
      {"relu_nan", v(1), v(1), unary("relu", 1), {{nan_}}, {3}, {{3}}},
      {"abs",
       v(4),
       v(4),
       unary("abs", 4),
       {{-2, 0, 2, nan_}},
       {3, 3, 3, 0},
       {{-3, 0, 3, 0}}},
      {"clamp",
       v(5),
       v(5),
       "%y = graph.clamp %a0 low = -1.0 high = 2.0 : " + v(5),
       {{-1.5, -1, 0, 2, 2.5}},
       {1, 2, 3, 4, 5},
       {{0, 2, 3, 4, 0}}},
      {"maximum",
       v(4),
       v(4),
       binary("maximum", 4),
       {{1, 2, 3, -0.0}, {2, 2, 2, 0.0}},
       {4, 4, 4, 4},
       {{0, 2, 4, 2}, {4, 2, 0, 2}}},
      {"maximum_nan",
       v(2),
       v(2),
       binary("maximum", 2),
       {{nan_, 1}, {1, nan_}},
       {4, 4},
       {{4, 4}, {4, 4}}},
      {"clamp_nan",
       v(1),
       v(1),
       "%y = graph.clamp %a0 low = -1.0 high = 2.0 : " + v(1),
       {{nan_}},
       {3},
       {{0}}},
      {"minimum",
       v(4),
       v(4),
       binary("minimum", 4),
       {{1, 2, 3, nan_}, {2, 2, 2, 2}},
       {4, 4, 4, 4},
       {{4, 2, 0, 4}, {0, 2, 4, 4}}},
      {"amax_ties",
       v(4),
       "tensor<f32>",
       reduce("reduce_max", 4),
       {{7, 1, 7, 7}},
       {6},
       {{2, 0, 2, 2}}},
      {"amax_infinities",
       v(3),
       "tensor<f32>",
       reduce("reduce_max", 3),
       {{inf, 1, inf}},
       {6},
       {{3, 0, 3}}},
      {"amax_nan",
       v(3),
       "tensor<f32>",
       reduce("reduce_max", 3),
       {{1, nan_, 2}},
       {6},
       {{nan_, nan_, nan_}}},
      {"amax_nan_without_cotangent",
       v(3),
       "tensor<f32>",
       reduce("reduce_max", 3),
       {{1, nan_, 2}},
       {0},
       {{0, 0, 0}}},
      {"amin_nan",
       v(3),
       "tensor<f32>",
       reduce("reduce_min", 3),
       {{1, nan_, 2}},
       {6},
       {{nan_, nan_, nan_}}},
      {"amin_ties",
       v(4),
       "tensor<f32>",
       reduce("reduce_min", 4),
       {{1, 1, 7, 7}},
       {6},
       {{3, 3, 0, 0}}},
      {"prod_3",
       v(3),
       "tensor<f32>",
       reduce("reduce_prod", 3),
       {{2, 3, 5}},
       {1},
       {{15, 10, 6}}},
      {"prod_4",
       v(4),
       "tensor<f32>",
       reduce("reduce_prod", 4),
       {{2, 3, 5, 7}},
       {1},
       {{105, 70, 42, 30}}},
      {"prod_one_zero",
       v(4),
       "tensor<f32>",
       reduce("reduce_prod", 4),
       {{2, 0, 3, 5}},
       {1},
       {{0, 30, 0, 0}}},
      {"prod_two_zeros",
       v(3),
       "tensor<f32>",
       reduce("reduce_prod", 3),
       {{2, 0, 0}},
       {1},
       {{0, 0, 0}}},
      {"prod_inf",
       v(3),
       "tensor<f32>",
       reduce("reduce_prod", 3),
       {{2, 3, inf}},
       {0},
       {{0, 0, 0}}},
      {"sqrt", v(2), v(2), unary("sqrt", 2), {{0, 0}}, {1, 0}, {{inf, 0}}},
      {"log", v(2), v(2), unary("log", 2), {{0, 0}}, {1, 0}, {{inf, 0}}},
      {"log1p", v(2), v(2), unary("log1p", 2), {{-1, -1}}, {2, 0}, {{inf, 0}}},
      {"rsqrt", v(2), v(2), unary("rsqrt", 2), {{0, 0}}, {1, 0}, {{-inf, 0}}},
      {"reciprocal",
       v(2),
       v(2),
       unary("reciprocal", 2),
       {{0, 0}},
       {1, 0},
       {{-inf, 0}}},
      {"exp_overflow",
       v(2),
       v(2),
       unary("exp", 2),
       {{1000, 1000}},
       {1, 0},
       {{inf, 0}}},
      {"div_by_0", v(1), v(1), binary("div", 1), {{0}, {0}}, {0}, {{0}, {0}}},
      {"mul_inf",
       v(2),
       v(2),
       binary("mul", 2),
       {{inf, nan_}, {2, 3}},
       {0, 0},
       {{0, 0}, {0, 0}}},
      {"sin_inf", v(1), v(1), unary("sin", 1), {{inf}}, {0}, {{0}}},
      {"gelu_inf",
       v(2),
       v(2),
       unary("gelu", 2),
       {{inf, -inf}},
       {0, 0},
       {{0, 0}}},
      // The cube of x is inf.
      {"gelu_tanh_large",
       v(2),
       v(2),
       "%y = graph.gelu %a0 approximate = tanh : " + v(2),
       {{1e15, -1e15}},
       {3, 3},
       {{3, 0}}},
      // d x^y / dx is 0 for y = 0 and 1 for y = 1, at x = 0 too; d x^y / dy is
      // 0 at x = 0.
      {"pow_at_0",
       v(4),
       v(4),
       binary("pow", 4),
       {{0, 0, 0, 0}, {0, 1, 2, 3}},
       {5, 5, 5, 5},
       {{0, 5, 0, 0}, {0, 0, 0, 0}}},
      {"pow_pole",
       v(1),
       v(1),
       binary("pow", 1),
       {{0}, {-1}},
       {1},
       {{-inf}, {-inf}}},
      {"pow_negative",
       v(2),
       v(2),
       binary("pow", 2),
       {{-2, -2}, {3, 2}},
       {1, 0},
       {{12, 0}, {nan_, 0}}},
      // mul_no_nan's own gradient with respect to its first operand is there
      // even where that is 0.
      {"mul_no_nan",
       v(3),
       v(3),
       binary("mul_no_nan", 3),
       {{0, 0, 2}, {3, inf, 5}},
       {1, 0, 1},
       {{3, 0, 5}, {0, 0, 2}}},
      // Branches not taken.
      {"guarded_log",
       v(3),
       v(3),
       guarded("%b = graph.log %a0 : " + v(3), 3),
       {{-1, 0, 2}},
       {1, 1, 1},
       {{0, 0, 0.5}}},
      {"guarded_sqrt",
       v(3),
       v(3),
       guarded("%b = graph.sqrt %a0 : " + v(3), 3),
       {{-1, 0, 4}},
       {1, 1, 1},
       {{0, 0, 0.25}}},
      {"guarded_division",
       v(2),
       v(2),
       guarded("%b = graph.div %a0, %a0 : " + v(2), 2),
       {{0, 2}},
       {1, 1},
       {{0, 0}}},
      {"guarded_product_of_inf",
       v(2),
       v(2),
       guarded("%m = graph.neg %a0 : " + v(2) +
                   "\n%k = graph.constant "
                   "dense<1000.0> : " +
                   v(2) + "\n%n = graph.mul %m, %k : " + v(2) +
                   "\n%e = graph.exp %n : " + v(2) +
                   "\n%b = graph.mul %e, %a0 : " + v(2),
               2),
       {{-1, 1}},
       {1, 1},
       {{0, 0}}},
      {"guarded_softmax",
       v(2),
       v(2),
       guarded("%i = graph.constant dense<0xFF800000> : " + v(2) +
                   "\n%m = graph.add %a0, %i : " + v(2) +
                   "\n%b = graph.softmax %m axis = 0 : " + v(2),
               2),
       {{-1, -1}},
       {1, 1},
       {{0, 0}}},
      {"guarded_bf16",
       v(2),
       v(2),
       guarded("%m = graph.cast %a0 : " + v(2) +
                   " -> tensor<2xbf16>\n"
                   "%n = graph.log %m : tensor<2xbf16>\n"
                   "%b = graph.cast %n : tensor<2xbf16> -> " +
                   v(2),
               2),
       {{0, 4}},
       {1, 1},
       {{0, 0.25}}},
      // Losses.
      {"entropy_ignored",
       "tensor<2x2xf32>",
       "tensor<f32>",
       entropy("{ignore_index = 1 : i64}", "[1, 0]"),
       {{5, 5, 1, 1}},
       {1},
       {{0, 0, -0.5, 0.5}}},
      {"entropy_all_ignored",
       "tensor<2x2xf32>",
       "tensor<f32>",
       entropy("{ignore_index = 1 : i64}", "[1, 1]"),
       {{5, 5, 1, 1}},
       {1},
       {{0, 0, 0, 0}}},
      {"entropy_large",
       "tensor<2x2xf32>",
       "tensor<f32>",
       entropy("reduction = sum", "[0, 0]"),
       {{1000, 0, 0, 1000}},
       {1},
       {{0, 0, -1, 1}}},
      {"bce_at_the_ends",
       v(4),
       v(4),
       "%y = graph.binary_cross_entropy %a0, %a1 reduction = none : " + v(4) +
           ", " + v(4) + " -> " + v(4),
       {{0, 1, 0, 1}, {0, 1, 1, 0}},
       {1, 1, 0, 0},
       {{0, 0, 0, 0}, {100, -100, 0, 0}}},
      // The variance p (1 - p) is at least 1e-12.
      {"bce_large",
       v(2),
       v(2),
       "%y = graph.binary_cross_entropy %a0, %a1 reduction = none : " + v(2) +
           ", " + v(2) + " -> " + v(2),
       {{0, 1}, {1, 0}},
       {1, 1},
       {{-1.0f / 1e-12f, 1.0f / 1e-12f}, {100, -100}}},
      {"dropout_all",
       v(3),
       v(3),
       dropout("1.0"),
       {{1, 2, 3}},
       {1, 1, 1},
       {{0, 0, 0}}},
      {"dropout_none",
       v(3),
       v(3),
       dropout("0.0"),
       {{1, 2, 3}},
       {1, 2, 3},
       {{1, 2, 3}}},
      // A score of -inf, the only one: the query gives 0, and no gradient.
      {"attention_of_nothing",
       "tensor<1x1xf32>",
       "tensor<1x1xf32>",
       "%y = graph.attention %a0, %a1, %a2 : tensor<1x1xf32>, "
       "tensor<1x1xf32>, tensor<1x1xf32> -> tensor<1x1xf32>",
       {{-inf}, {1}, {5}},
       {2},
       {{0}, {0}, {0}}},
      // Ruled out by the mask.
      {"attention_masked_out",
       "tensor<1x1xf32>",
       "tensor<1x1xf32>",
       "%y = graph.attention %a0, %a1, %a2, %a3 : tensor<1x1xf32>, "
       "tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32> -> tensor<1x1xf32>",
       {{3}, {1}, {5}, {-inf}},
       {2},
       {{0}, {0}, {0}, {0}}},
      {"attention_grad_masked_out",
       "tensor<1x1xf32>",
       "tensor<1x1xf32>",
       "%y, %dk, %dv = graph.attention_grad %a0, %a1, %a2, %a3, %a4, %a5 : "
       "tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>, "
       "tensor<1x1xf32>, tensor<1x1xf32>",
       {{3}, {1}, {5}, {0}, {7}, {-inf}},
       {2},
       {{0}, {0}, {0}, {0}, {0}, {0}}},
      {"attention_masked_out_causal",
       "tensor<1x1xf32>",
       "tensor<1x1xf32>",
       "%y = graph.attention %a0, %a1, %a2, %a3 causal : tensor<1x1xf32>, "
       "tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32> -> tensor<1x1xf32>",
       {{3}, {1}, {5}, {-inf}},
       {2},
       {{0}, {0}, {0}, {0}}},
      {"attention_grad_masked_out_causal",
       "tensor<1x1xf32>",
       "tensor<1x1xf32>",
       "%y, %dk, %dv = graph.attention_grad %a0, %a1, %a2, %a3, %a4, %a5 "
       "causal : "
       "tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>, "
       "tensor<1x1xf32>, tensor<1x1xf32>",
       {{3}, {1}, {5}, {0}, {7}, {-inf}},
       {2},
       {{0}, {0}, {0}, {0}, {0}, {0}}},
      // Weights of 1 and 0, however large the scores are.
      {"attention_of_large_scores",
       "tensor<2x1xf32>",
       "tensor<2x1xf32>",
       "%y = graph.attention %a0, %a1, %a2 : tensor<2x1xf32>, "
       "tensor<2x1xf32>, tensor<2x1xf32> -> tensor<2x1xf32>",
       {{100, -100}, {100, -100}, {3, 5}},
       {1, 2},
       {{0, 0}, {0, 0}, {1, 2}}},
      // Rows read twice, and a padding row that is worth nothing.
      {"embedding",
       "tensor<3x1xf32>",
       "tensor<5x1xf32>",
       "%i = graph.constant dense<[2, 0, 2, 1, 0]> : tensor<5xi64>\n"
       "%y = graph.embedding %a0, %i padding_idx = 0 : tensor<3x1xf32>, "
       "tensor<5xi64> -> tensor<5x1xf32>",
       {{nan_, 1, 2}},
       {1, nan_, 3, 4, inf},
       {{0, 4, 4}}},
      // Added in order of position, and so nothing is lost.
      {"gather_order",
       v(2),
       v(3),
       "%i = graph.constant dense<0> : tensor<3xi64>\n"
       "%y = graph.gather %a0, %i axis = 0 : tensor<2xf32>, tensor<3xi64> -> "
       "tensor<3xf32>",
       {{1, 2}},
       {1e8, -1e8, 1},
       {{1, 0}}},
      // What a scatter wrote over, or a slice left out, may be anything.
      {"dynamic_update_slice",
       v(3),
       v(3),
       "%i = graph.constant dense<5> : tensor<i64>\n"
       "%u = graph.slice %a1 starts = [0] limits = [2] strides = [1] : "
       "tensor<3xf32> -> tensor<2xf32>\n"
       "%y = graph.dynamic_update_slice %a0, %u, %i : tensor<3xf32>, "
       "tensor<2xf32> -> tensor<3xf32>",
       {{1, inf, nan_}, {4, 5, inf}},
       {1, 2, 3},
       {{1, 0, 0}, {2, 3, 0}}},
      // The gradient follows the element, the first of equals first.
      {"sort_ties",
       v(4),
       v(4),
       "%y, %i = graph.sort %a0 axis = 0 descending : tensor<4xf32> -> "
       "tensor<4xf32>, tensor<4xi64>",
       {{2, nan_, 2, 3}},
       {1, 2, 3, 4},
       {{3, 1, 4, 2}}},
      {"top_k_ties",
       v(4),
       "tensor<2xf32>",
       "%y, %i = graph.top_k %a0 k = 2 axis = 0 : tensor<4xf32> -> "
       "tensor<2xf32>, tensor<2xi64>",
       {{2, 2, 1, 2}},
       {5, 7},
       {{5, 7, 0, 0}}},
      // Padding ties with -inf, but the first element inside is taken.
      {"max_pool_lowest",
       v(4),
       v(4),
       maxPool("kernel = [3] strides = [1] low = [1] high = [1] dilation = [1]",
               v(4), v(4)),
       {{-inf, -inf, -inf, 1}},
       {1, 2, 4, 8},
       {{3, 0, 0, 12}}},
      {"max_pool_lowest_dilated",
       v(7),
       v(4),
       maxPool("kernel = [3] strides = [1] low = [1] high = [0] dilation = [2]",
               v(7), v(4)),
       {{-inf, -inf, -inf, -inf, -inf, -inf, 0}},
       {1, 2, 4, 8},
       {{2, 5, 0, 0, 0, 0, 8}}},
      {"max_pool_lowest_2d",
       "tensor<3x3xf32>",
       "tensor<3x3xf32>",
       maxPool("kernel = [2, 2] strides = [1, 1] low = [1, 1] high = [0, 0] "
               "dilation = [1, 1]",
               "tensor<3x3xf32>", "tensor<3x3xf32>"),
       {{-inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf}},
       {1, 2, 4, 8, 16, 32, 64, 128, 256},
       {{27, 36, 0, 192, 256, 0, 0, 0, 0}}},
      {"max_pool_of_padding",
       v(1),
       v(1),
       maxPool("kernel = [2] strides = [1] low = [1] high = [1] dilation = [2]",
               v(1), v(1)),
       {{3}},
       {5},
       {{0}}},
      {"max_pool_nan",
       v(4),
       v(3),
       maxPool("kernel = [2] strides = [2] low = [1] high = [1] dilation = [1]",
               v(4), v(3)),
       {{nan_, 1, nan_, -inf}},
       {1, 2, 4},
       {{1, 0, 2, 4}}},
      {"tril",
       "tensor<2x2xf32>",
       "tensor<2x2xf32>",
       "%y = graph.tril %a0 : tensor<2x2xf32>",
       {{1, nan_, 3, 4}},
       {1, nan_, 3, 4},
       {{1, 0, 3, 4}}},
      {"rem_by_0", v(1), v(1), binary("rem", 1), {{1}, {0}}, {0}, {{0}, {0}}},
      {"stop_gradient",
       v(2),
       v(2),
       "%s = graph.stop_gradient %a0 : " + v(2) +
           "\n%y = graph.mul %s, %a0 : " + v(2),
       {{2, 3}},
       {1, 1},
       {{2, 3}}},
  };
  return all;
}

Case toCase(const Exact &e) {
  std::string arguments;
  for (size_t k = 0; k < e.inputs.size(); ++k)
    arguments += (k ? ", %a" : "%a") + std::to_string(k) + ": " + e.type;
  return {e.name, arguments, e.result, e.body};
}

void PrintTo(const Exact &e, std::ostream *os) { *os << e.name; }

} // namespace graphc
