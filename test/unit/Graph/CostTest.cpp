// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ops say they cost, by the formulas of a textbook.
#include "dialects/Graph/IR/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace graphc::graph;

namespace {

constexpr int64_t most = std::numeric_limits<int64_t>::max();

/// The cost of the last op of `body`, a function of `arguments`.
int64_t flopsOf(const std::string &arguments, const std::string &body) {
  MLIRContext context;
  context.loadDialect<GraphDialect, func::FuncDialect>();
  auto module = parseSourceString<ModuleOp>(
      "func.func private @f(" + arguments + ") { " + body + "\n return }",
      &context);
  EXPECT_TRUE(module);
  if (!module)
    return -1;
  auto function = *module->getOps<func::FuncOp>().begin();
  Operation *op = function.getBody().front().getTerminator()->getPrevNode();
  auto cost = dyn_cast<CostOpInterface>(op);
  EXPECT_TRUE(cost);
  return cost ? cost.getFlops() : -1;
}

int64_t productFlops(const std::string &lhs, const std::string &rhs,
                     const std::string &result) {
  return flopsOf("%a: " + lhs + ", %b: " + rhs,
                 "%c = graph.dot_general %a, %b batching = [] x [] contracting "
                 "= [1] x [0] : " +
                     lhs + ", " + rhs + " -> " + result);
}

TEST(CostTest, ElementwiseOpsCostOneForEachElement) {
  EXPECT_EQ(
      flopsOf("%a: tensor<3x5xf32>", "%y = graph.exp %a : tensor<3x5xf32>"),
      15);
}

TEST(CostTest, ReductionsCostOneForEachElementTheyRead) {
  EXPECT_EQ(flopsOf("%a: tensor<3x5xf32>",
                    "%y = graph.reduce_max %a axes = [1] : tensor<3x5xf32> -> "
                    "tensor<3xf32>"),
            15);
}

TEST(CostTest, ProductsCostTwoForEachTerm) {
  EXPECT_EQ(
      productFlops("tensor<4x5xf32>", "tensor<5x6xf32>", "tensor<4x6xf32>"),
      2 * 4 * 5 * 6);
  EXPECT_EQ(flopsOf("%x: tensor<8x64xf32>, %w: tensor<32x64xf32>",
                    "%y = graph.linear %x, %w : tensor<8x64xf32>, "
                    "tensor<32x64xf32> -> tensor<8x32xf32>"),
            2 * 8 * 64 * 32);
}

// Queries by keys, then weights by values: 2 T S (D + E) for each head.
TEST(CostTest, AttentionCostsItsTwoProducts) {
  EXPECT_EQ(flopsOf("%q: tensor<2x4x5x8xf32>, %k: tensor<2x2x6x8xf32>, "
                    "%v: tensor<2x2x6x3xf32>",
                    "%y = graph.attention %q, %k, %v : tensor<2x4x5x8xf32>, "
                    "tensor<2x2x6x8xf32>, tensor<2x2x6x3xf32> -> "
                    "tensor<2x4x5x3xf32>"),
            2 * 4 * (2 * 5 * 6 * (8 + 3)));
}

TEST(CostTest, CostsSaturate) {
  // 2^30 squared is 2^60 elements, of 2^30 terms each.
  EXPECT_EQ(productFlops("tensor<1073741824x1073741824xf32>",
                         "tensor<1073741824x1073741824xf32>",
                         "tensor<1073741824x1073741824xf32>"),
            most);
  EXPECT_EQ(flopsOf("%x: tensor<1073741824x1073741824xf32>, "
                    "%w: tensor<1073741824x1073741824xf32>",
                    "%y = graph.linear %x, %w : "
                    "tensor<1073741824x1073741824xf32>, "
                    "tensor<1073741824x1073741824xf32> -> "
                    "tensor<1073741824x1073741824xf32>"),
            most);
  EXPECT_EQ(flopsOf("%a: tensor<4294967296x4294967296xf32>",
                    "%y = graph.exp %a : tensor<4294967296x4294967296xf32>"),
            most);
}

TEST(CostTest, NothingOfAnySizeCostsNothing) {
  EXPECT_EQ(productFlops("tensor<1073741824x1073741824xf32>",
                         "tensor<1073741824x0xf32>",
                         "tensor<1073741824x0xf32>"),
            0);
}

} // namespace
