// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Interpreter/Bounds.h"
#include "lib/Interpreter/Compare.h"
#include "lib/Interpreter/RandomInputs.h"
#include "test/unit/Interpreter/Run.h"

#include <cmath>

using namespace graphc::interpreter;
using namespace mlir;

/// Bounds of the last op of @f of `text`, and what it gave.
struct Bounded {
  std::vector<double> bounds;
  Tensor reference;
};

static Bounded boundsOf(llvm::StringRef text) {
  Parsed parsed(text);
  Bounded out;
  Options options;
  options.observer = [&](Operation *op, ArrayRef<const Tensor *> operands,
                         ArrayRef<Tensor> results) {
    out.bounds = errorBounds(op, operands, results[0]);
    out.reference = results[0];
  };
  parsed.run({}, options);
  EXPECT_EQ(parsed.errors, "");
  // The type lives in `parsed`'s context.
  out.reference.type = {};
  return out;
}

TEST(Bounds, AreZeroForExactOpsAndAbsentForIntegers) {
  EXPECT_EQ(boundsOf(R"(func.func @f() {
    %x = graph.constant dense<[1.0, 3.0]> : tensor<2xf16>
    %y = graph.div %x, %x : tensor<2xf16>
    return })")
                .bounds,
            (std::vector<double>{0, 0}));
  EXPECT_TRUE(boundsOf(R"(func.func @f() {
    %x = graph.constant dense<[1, 3]> : tensor<2xi8>
    %y = graph.reduce_sum %x axes = [0] : tensor<2xi8> -> tensor<i8>
    return })")
                  .bounds.empty());
}

TEST(Bounds, OfFunctionsAreUnitsOfTheResult) {
  EXPECT_EQ(boundsOf(R"(func.func @f() {
    %x = graph.constant dense<[0.0, 1.0]> : tensor<2xf32>
    %y = graph.exp %x : tensor<2xf32>
    return })")
                .bounds,
            (std::vector<double>{2 * 0x1p-23, 2 * 0x1p-22}));
  // In f16: two units of f32, and one of f16 because the rounding may tip over.
  EXPECT_EQ(boundsOf(R"(func.func @f() {
    %x = graph.constant dense<0.0> : tensor<1xf16>
    %y = graph.exp %x : tensor<1xf16>
    return })")
                .bounds,
            (std::vector<double>{2 * 0x1p-23 + 0x1p-10}));
}

// The terms' magnitudes count, not the sum's.
TEST(Bounds, OfSumsFollowTheirTerms) {
  Bounded sum = boundsOf(R"(func.func @f() {
    %x = graph.constant dense<[1000.0, -1000.0, 1.0, -1.0]> : tensor<4xf32>
    %y = graph.reduce_sum %x axes = [0] : tensor<4xf32> -> tensor<f32>
    return })");
  EXPECT_EQ(sum.reference.floats[0], 0);
  EXPECT_DOUBLE_EQ(sum.bounds[0], (4.0 / 64 + 8) * 0x1p-23 * 2002);
  EXPECT_DOUBLE_EQ(boundsOf(R"(func.func @f() {
    %x = graph.constant dense<[[1.0, -2.0]]> : tensor<1x2xf32>
    %w = graph.constant dense<[[3.0, 4.0]]> : tensor<1x2xf32>
    %b = graph.constant dense<-5.0> : tensor<1xf32>
    %y = graph.linear %x, %w, %b : tensor<1x2xf32>, tensor<1x2xf32>, tensor<1xf32> -> tensor<1x1xf32>
    return })")
                       .bounds[0],
                   (3.0 / 64 + 8) * 0x1p-23 * (3 + 8 + 5));
  // Products of bf16 may round after each term.
  EXPECT_DOUBLE_EQ(boundsOf(R"(func.func @f() {
    %x = graph.constant dense<1.0> : tensor<100xbf16>
    %y = graph.dot_general %x, %x batching = [] x [] contracting = [0] x [0] : tensor<100xbf16>, tensor<100xbf16> -> tensor<f32>
    return })")
                       .bounds[0],
                   108 * 0x1p-23 * 100);
}

/// Computes softmax and cross entropy as an f32 program would.
static float softmaxInF32(const std::vector<double> &x, size_t i) {
  float max = -INFINITY, sum = 0;
  for (double v : x)
    max = std::max(max, static_cast<float>(v));
  for (double v : x)
    sum += std::exp(static_cast<float>(v) - max);
  return std::exp(static_cast<float>(x[i]) - max) / sum;
}

// An honest f32 program is within the bounds, at every scale; a careless one,
// with exp of half the bits, is not.
TEST(Bounds, AdmitAnF32Softmax) {
  for (double scale : {0.1, 3.0, 50.0}) {
    Parsed parsed(R"(func.func @f(%x: tensor<100xf32>) -> tensor<100xf32> {
      %y = graph.softmax %x axis = 0 : tensor<100xf32>
      return %y : tensor<100xf32>
    })");
    RandomStream stream(3);
    Tensor x = drawTensor(parsed.type({100}, Float32Type::get(&parsed.context)),
                          {-scale, scale}, stream);
    auto f = parsed.module->lookupSymbol<func::FuncOp>("f");
    Operation *op = &f.getBody().front().front();
    Tensor reference;
    ASSERT_TRUE(succeeded(evaluateOp(op, {&x}, reference)));
    std::vector<double> bounds = errorBounds(op, {&x}, reference);
    Tensor honest = reference, careless = reference;
    for (size_t i = 0; i < 100; ++i) {
      honest.floats[i] = softmaxInF32(x.floats, i);
      careless.floats[i] *= 1 + 0x1p-11;
    }
    EXPECT_TRUE(
        compareTensors(honest, reference, ArrayRef<double>(bounds)).equal);
    EXPECT_FALSE(
        compareTensors(careless, reference, ArrayRef<double>(bounds)).equal);
  }
}

TEST(Bounds, OfLossesAreFiniteAndSmall) {
  for (const char *reduction : {"none", "sum", "mean"}) {
    std::string result =
        reduction == std::string("none") ? "tensor<2xf32>" : "tensor<f32>";
    std::string r = reduction;
    for (std::string op :
         {"graph.cross_entropy %x, %t reduction = " + r +
              " : tensor<2x3xf32>, tensor<2xi64>",
          "graph.mse_loss %p, %q reduction = " + r +
              " : tensor<2xf32>, tensor<2xf32>",
          "graph.binary_cross_entropy %p, %q reduction = " + r +
              " : tensor<2xf32>, tensor<2xf32>",
          "graph.binary_cross_entropy_with_logits %p, %q reduction = " + r +
              " : tensor<2xf32>, tensor<2xf32>"}) {
      Bounded loss = boundsOf(R"(func.func @f() {
        %x = graph.constant dense<[[1.0, 2.0, 3.0], [-1.0, 0.0, 0.5]]> : tensor<2x3xf32>
        %t = graph.constant dense<[2, 0]> : tensor<2xi64>
        %p = graph.constant dense<[0.25, 0.5]> : tensor<2xf32>
        %q = graph.constant dense<[1.0, 0.125]> : tensor<2xf32>
        %l = )" + op + " -> " +
                              result + "\nreturn }");
      ASSERT_EQ(loss.bounds.size(), loss.reference.floats.size()) << op;
      for (auto [bound, value] :
           llvm::zip_equal(loss.bounds, loss.reference.floats)) {
        EXPECT_GE(bound, 0x1p-24 * std::fabs(value)) << op;
        EXPECT_LE(bound, 100 * 0x1p-23 * (1 + std::fabs(value))) << op;
      }
    }
  }
}

// 1e30 * 1e30 * 1e-30 * 0 is 0 or NaN, as the order has it.
TEST(Bounds, OfProductsWhoseOrderDecidesAreAnyValue) {
  Bounded wide = boundsOf(R"(func.func @f() {
    %x = graph.constant dense<[[1.0e30, 1.0e30, 1.0e-30, 0.0], [2.0, 3.0, 4.0, 0.0]]> : tensor<2x4xf32>
    %y = graph.reduce_prod %x axes = [1] : tensor<2x4xf32> -> tensor<2xf32>
    return })");
  EXPECT_EQ(wide.bounds[0], kAnyValue);
  EXPECT_EQ(wide.bounds[1], 0);
  Parsed parsed("module {}");
  auto isEqual = [&](std::vector<double> actual) {
    return compareTensors(parsed.f32({2}, actual), parsed.f32({2}, {0, 0}),
                          wide.bounds)
        .equal;
  };
  EXPECT_TRUE(isEqual({NAN, 0}));
  EXPECT_FALSE(isEqual({0, NAN}));
}
