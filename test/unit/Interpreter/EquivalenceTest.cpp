// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Interpreter/Equivalence.h"
#include "test/unit/Interpreter/Run.h"

using namespace graphc::interpreter;
using namespace mlir;

static std::string makeModule(llvm::StringRef update) {
  return (R"(
    graph.variable @w : tensor<4xf32> = #graph.normal<0.0, 1.0> trainable
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %w = graph.get @w : tensor<4xf32>
      %y = graph.relu %x : tensor<4xf32>
      )" + update +
          R"(
      graph.set @w, %next : tensor<4xf32>
      return %y : tensor<4xf32>
    })")
      .str();
}

/// Compares @f of `a` and of the text `b`.
static FailureOr<EquivalenceReport> compare(Parsed &a, const std::string &b,
                                            EquivalenceOptions options = {}) {
  auto other = parseSourceString<ModuleOp>(b, &a.context);
  return compareModules(*a.module, *other, "f", options);
}

TEST(Equivalence, HoldsForTwoWaysToSayTheSame) {
  Parsed a(makeModule("%next = graph.sub %w, %y : tensor<4xf32>"));
  std::string b(makeModule("%n = graph.neg %y : tensor<4xf32>\n"
                           "%next = graph.add %n, %w : tensor<4xf32>"));
  auto report = compare(a, b);
  ASSERT_TRUE(succeeded(report)) << a.errors;
  EXPECT_TRUE(report->equal) << report->mismatch;
  EXPECT_EQ(report->compared, 2 * 2 * (4 + 4)); // points, steps, f and @w
  EquivalenceOptions exact;
  exact.mode = Mode::Declared;
  exact.tolerance = Tolerance::exact();
  report = compare(a, b, exact);
  ASSERT_TRUE(succeeded(report));
  EXPECT_TRUE(report->equal) << report->mismatch;
}

TEST(Equivalence, SeesAVariableThatGoesAnotherWay) {
  Parsed a(makeModule("%next = graph.sub %w, %y : tensor<4xf32>"));
  std::string b(makeModule("%next = graph.add %w, %y : tensor<4xf32>"));
  auto report = compare(a, b);
  ASSERT_TRUE(succeeded(report));
  EXPECT_FALSE(report->equal);
  EXPECT_TRUE(llvm::StringRef(report->mismatch).starts_with("step 0, @w: "))
      << report->mismatch;
}

TEST(Equivalence, TellsOneRoundingFromTwoInDeclaredModeOnly) {
  Parsed a(makeModule("%next = graph.mul %w, %y : tensor<4xf32>"));
  std::string b(makeModule(R"(
      %wh = graph.cast %w : tensor<4xf32> -> tensor<4xbf16>
      %v = graph.cast %wh : tensor<4xbf16> -> tensor<4xf32>
      %next = graph.mul %v, %y : tensor<4xf32>)"));
  auto report = compare(a, b);
  EXPECT_TRUE(report->equal) << report->mismatch;
  EquivalenceOptions declared;
  declared.mode = Mode::Declared;
  report = compare(a, b, declared);
  EXPECT_FALSE(report->equal);
}

TEST(Equivalence, FailsWhereAModuleHasNoSuchFunction) {
  Parsed a(makeModule("%next = graph.mul %w, %y : tensor<4xf32>"));
  std::string b("func.func @g() { return }");
  EXPECT_TRUE(failed(compare(a, b)));
  EXPECT_NE(a.errors.find("has no function 'f'"), std::string::npos);
}
