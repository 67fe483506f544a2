// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/unit/Interpreter/Run.h"

#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace graphc::interpreter;
using namespace mlir;

static std::string print(const Tensor &tensor, int maxElements = 1000) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printTensor(os, tensor, {maxElements});
  return text;
}

/// The constant that `text` gives, printed.
static std::string roundTrip(llvm::StringRef text) {
  Parsed parsed(("func.func @f() -> (" + text.split(" : ").second +
                 ") {\n %c = graph.constant " + text +
                 "\n return %c : " + text.split(" : ").second + "\n}")
                    .str());
  auto results = parsed.run();
  return results.empty() ? parsed.errors : print(results[0]);
}

TEST(Tensor, ReadsConstantsOfEveryElementType) {
  EXPECT_EQ(
      roundTrip("dense<[[1.5, -0.0], [0.1, 0x7F800000]]> : tensor<2x2xf32>"),
      "tensor<2x2xf32> [[1.5, -0], [0.1, inf]]");
  EXPECT_EQ(roundTrip("dense<0.1> : tensor<f64>"), "tensor<f64> 0.1");
  EXPECT_EQ(roundTrip("dense<[0.1, 65504.0]> : tensor<2xf16>"),
            "tensor<2xf16> [0.099975586, 65504]");
  EXPECT_EQ(roundTrip("dense<0.1> : tensor<1xbf16>"),
            "tensor<1xbf16> [0.100097656]");
  EXPECT_EQ(roundTrip("dense<[true, false]> : tensor<2xi1>"),
            "tensor<2xi1> [true, false]");
  EXPECT_EQ(roundTrip("dense<true> : tensor<2xi1>"),
            "tensor<2xi1> [true, true]");
  EXPECT_EQ(roundTrip("dense<[-128, 127]> : tensor<2xi8>"),
            "tensor<2xi8> [-128, 127]");
  EXPECT_EQ(roundTrip("dense<[0, 255]> : tensor<2xui8>"),
            "tensor<2xui8> [0, 255]");
  EXPECT_EQ(roundTrip("dense<-7> : tensor<2xi32>"), "tensor<2xi32> [-7, -7]");
  EXPECT_EQ(roundTrip("dense<-9223372036854775808> : tensor<i64>"),
            "tensor<i64> -9223372036854775808");
  EXPECT_EQ(roundTrip("dense<> : tensor<0x3xf32>"), "tensor<0x3xf32> []");
  EXPECT_EQ(roundTrip("dense<0.0> : tensor<2x0xf32>"),
            "tensor<2x0xf32> [[], []]");
}

TEST(Tensor, ReadsResources) {
  const char *text = R"(
    func.func @f() -> tensor<3xf32> {
      %c = graph.constant dense_resource<blob> : tensor<3xf32>
      return %c : tensor<3xf32>
    }
    {-# dialect_resources: { builtin: { blob: "0x040000000000803F00000040000040C0" } } #-})";
  Parsed parsed(text);
  auto results = parsed.run();
  ASSERT_EQ(results.size(), 1u) << parsed.errors;
  EXPECT_EQ(results[0].floats, (std::vector<double>{1, 2, -3}));
}

TEST(Tensor, RefusesResourcesOfTheWrongLength) {
  Parsed parsed(R"(
    func.func @f() -> tensor<3xf32> {
      %c = graph.constant dense_resource<blob> : tensor<3xf32>
      return %c : tensor<3xf32>
    }
    {-# dialect_resources: { builtin: { blob: "0x040000000000803F00000040" } } #-})");
  EXPECT_TRUE(parsed.run().empty());
  EXPECT_NE(parsed.errors.find("has a value that cannot be read"),
            std::string::npos)
      << parsed.errors;
}

TEST(Tensor, PrintsTheEndsOfLongOnes) {
  Parsed parsed("module {}");
  Tensor tensor = parsed.i64({2, 10}, std::vector<int64_t>(20, 7));
  EXPECT_EQ(print(tensor, 5), "tensor<2x10xi64> [[7, 7, 7, ..., 7, 7, 7], "
                              "[7, 7, 7, ..., 7, 7, 7]]");
}

TEST(Tensor, CountsWithoutOverflow) {
  Parsed parsed("module {}");
  Type f32 = Float32Type::get(&parsed.context);
  EXPECT_EQ(countElements(parsed.type({3, 4}, f32)), 12);
  EXPECT_EQ(countElements(parsed.type({}, f32)), 1);
  int64_t big = int64_t{1} << 62;
  EXPECT_EQ(countElements(parsed.type({big, 4}, f32)), std::nullopt);
  EXPECT_EQ(countElements(parsed.type({big, 4, 0}, f32)), 0);
}

TEST(Wrap, GivesTheCongruentValue) {
  EXPECT_EQ(wrapTo(ElementKind::I8, 128), -128);
  EXPECT_EQ(wrapTo(ElementKind::I8, 255), -1);
  EXPECT_EQ(wrapTo(ElementKind::UI8, uint64_t(-1)), 255);
  EXPECT_EQ(wrapTo(ElementKind::I1, 3), 1);
  EXPECT_EQ(wrapTo(ElementKind::I32, uint64_t{1} << 31), INT32_MIN);
  EXPECT_EQ(wrapTo(ElementKind::I64, uint64_t{1} << 63), INT64_MIN);
}
