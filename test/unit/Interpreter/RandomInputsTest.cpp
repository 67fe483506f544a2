// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Interpreter/RandomInputs.h"
#include "test/unit/Interpreter/Run.h"

using namespace graphc::interpreter;
using namespace mlir;

static void expectWithin(const Tensor &tensor, double low, double high) {
  for (double x : tensor.floats) {
    EXPECT_GE(x, low);
    EXPECT_LE(x, high);
  }
  for (int64_t x : tensor.ints) {
    EXPECT_GE(x, low);
    EXPECT_LE(x, high);
  }
}

// Targets are classes and probabilities are probabilities, also where a call, a
// reshape or a fused region lies between.
TEST(RandomInputs, FollowsWhatReadsAnArgument) {
  Parsed parsed(R"(
    func.func @inner(%x: tensor<100x3xf32>, %t: tensor<100xi64>, %p: tensor<100xf32>) -> tensor<f32> {
      %u = graph.fused(%q = %p) : (tensor<100xf32>) -> tensor<f32> {
        %l = graph.binary_cross_entropy %q, %q : tensor<100xf32>, tensor<100xf32> -> tensor<f32>
        graph.yield %l : tensor<f32>
      }
      %v = graph.cross_entropy %x, %t : tensor<100x3xf32>, tensor<100xi64> -> tensor<f32>
      %w = graph.add %u, %v : tensor<f32>
      return %w : tensor<f32>
    }
    func.func @f(%x: tensor<100x3xf32>, %t: tensor<10x10xi64>, %p: tensor<100xf32>, %b: tensor<100xi1>) -> tensor<f32> {
      %s = graph.reshape %t : tensor<10x10xi64> -> tensor<100xi64>
      %r = call @inner(%x, %s, %p) : (tensor<100x3xf32>, tensor<100xi64>, tensor<100xf32>) -> tensor<f32>
      return %r : tensor<f32>
    })");
  auto f = parsed.module->lookupSymbol<func::FuncOp>("f");
  auto inputs = drawInputs(f, 5);
  ASSERT_TRUE(succeeded(inputs));
  ASSERT_EQ(inputs->size(), 4u);
  expectWithin((*inputs)[0], -2, 2);
  expectWithin((*inputs)[1], 0, 2);
  expectWithin((*inputs)[2], 0.1, 0.9);
  expectWithin((*inputs)[3], 0, 1);
  for (int64_t value : {0, 1, 2})
    EXPECT_TRUE(llvm::is_contained((*inputs)[1].ints, value));
  EXPECT_TRUE(llvm::is_contained((*inputs)[3].ints, 0));
  EXPECT_TRUE(llvm::is_contained((*inputs)[3].ints, 1));
  EXPECT_EQ(parsed.run(*inputs).size(), 1u) << parsed.errors;
}

TEST(RandomInputs, DependOnTheSeedAlone) {
  Parsed parsed("func.func @f(%x: tensor<50xf16>) { return }");
  auto f = parsed.module->lookupSymbol<func::FuncOp>("f");
  auto a = drawInputs(f, 5), b = drawInputs(f, 5), c = drawInputs(f, 6);
  EXPECT_EQ((*a)[0].floats, (*b)[0].floats);
  EXPECT_NE((*a)[0].floats, (*c)[0].floats);
  // What is drawn is a value of the type.
  Tensor rounded = (*a)[0];
  rounded.roundToType();
  EXPECT_EQ(rounded.floats, (*a)[0].floats);
}
