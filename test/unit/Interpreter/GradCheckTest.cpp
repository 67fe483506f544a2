// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients written by hand, right and wrong: the engine tells which is which.

#include "lib/Interpreter/GradCheck.h"
#include "lib/Interpreter/Kinks.h"
#include "test/unit/Interpreter/Run.h"

#include <cmath>

using namespace graphc::interpreter;
using namespace mlir;

/// loss = sum(c * x * x * w), of which `dx` and `dw` are to be the derivatives.
static std::string makeModule(llvm::StringRef dx, llvm::StringRef dw) {
  return (R"(
    graph.variable @w : tensor<3xf32> = #graph.zeros trainable
    func.func @loss(%x: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<f32> {
      %w = graph.get @w : tensor<3xf32>
      %xx = graph.mul %x, %x : tensor<3xf32>
      %xxw = graph.mul %xx, %w : tensor<3xf32>
      %y = graph.mul %c, %xxw : tensor<3xf32>
      %l = graph.reduce_sum %y axes = [0] : tensor<3xf32> -> tensor<f32>
      return %l : tensor<f32>
    }
    func.func @dloss(%x: tensor<3xf32>, %c: tensor<3xf32>) -> (tensor<f32>, tensor<3xf32>, tensor<3xf32>) {
      %w = graph.get @w : tensor<3xf32>
      %two = graph.constant dense<2.0> : tensor<3xf32>
      %almost = graph.constant dense<2.00001> : tensor<3xf32>
      %l = func.call @loss(%x, %c) : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
      %xx = graph.mul %x, %x : tensor<3xf32>
      %cx = graph.mul %c, %x : tensor<3xf32>
      %cxw = graph.mul %cx, %w : tensor<3xf32>
      %right = graph.mul %two, %cxw : tensor<3xf32>
      %nearly = graph.mul %almost, %cxw : tensor<3xf32>
      %cxx = graph.mul %c, %xx : tensor<3xf32>
      return %l, )" +
          dx + ", " + dw + R"( : tensor<f32>, tensor<3xf32>, tensor<3xf32>
    })")
      .str();
}

static FailureOr<GradCheckReport> check(Parsed &parsed) {
  GradCheckSubject subject;
  subject.module = subject.gradientModule = *parsed.module;
  subject.function = "loss";
  subject.gradient = "dloss";
  subject.inputs = {0};
  subject.variables = {"w"};
  return checkGradients(subject);
}

TEST(GradCheck, AcceptsTheRightGradient) {
  Parsed parsed(makeModule("%right", "%cxx"));
  auto report = check(parsed);
  ASSERT_TRUE(succeeded(report)) << parsed.errors;
  EXPECT_TRUE(report->ok) << report->mismatch;
  EXPECT_EQ(report->checked, 3 * (3 + 3));
  EXPECT_EQ(report->nonZero, report->checked);
  EXPECT_LT(report->maxError, 1e-9);
}

TEST(GradCheck, RefusesAFactorOf1_000005) {
  Parsed parsed(makeModule("%nearly", "%cxx"));
  auto report = check(parsed);
  ASSERT_TRUE(succeeded(report)) << parsed.errors;
  EXPECT_FALSE(report->ok);
  EXPECT_TRUE(llvm::StringRef(report->mismatch)
                  .starts_with("derivative of loss with respect to element 0 "
                               "of input 0: finite differences give "))
      << report->mismatch;
}

TEST(GradCheck, RefusesAWrongDerivativeOfAVariable) {
  Parsed parsed(makeModule("%right", "%right"));
  auto report = check(parsed);
  ASSERT_TRUE(succeeded(report)) << parsed.errors;
  EXPECT_FALSE(report->ok);
  EXPECT_NE(report->mismatch.find("of @w: "), std::string::npos)
      << report->mismatch;
}

TEST(GradCheck, FailsOnResultsThatAreNotGradients) {
  Parsed parsed(makeModule("%right", "%cxx"));
  GradCheckSubject subject;
  subject.module = subject.gradientModule = *parsed.module;
  subject.function = subject.gradient = "loss";
  subject.inputs = {0};
  EXPECT_TRUE(failed(checkGradients(subject)));
  EXPECT_NE(parsed.errors.find("expects 'loss' to have 2 results, but got 1"),
            std::string::npos)
      << parsed.errors;
}

// abs has a kink at 0 and the derivative given is right everywhere else. With
// this many elements most draws are too near it; with 10 million all are.
TEST(GradCheck, KeepsClearOfKinks) {
  const char *text = R"(
    func.func @loss(%x: tensor<1000xf32>) -> tensor<f32> {
      %a = graph.abs %x : tensor<1000xf32>
      %l = graph.reduce_sum %a axes = [0] : tensor<1000xf32> -> tensor<f32>
      return %l : tensor<f32>
    }
    func.func @dloss(%x: tensor<1000xf32>) -> (tensor<f32>, tensor<1000xf32>) {
      %l = func.call @loss(%x) : (tensor<1000xf32>) -> tensor<f32>
      %s = graph.sign %x : tensor<1000xf32>
      return %l, %s : tensor<f32>, tensor<1000xf32>
    })";
  Parsed parsed(text);
  GradCheckSubject subject;
  subject.module = subject.gradientModule = *parsed.module;
  subject.function = "loss";
  subject.gradient = "dloss";
  subject.inputs = {0};
  GradCheckOptions options;
  options.points = 1;
  options.maxElements = 1000;
  auto report = checkGradients(subject, options);
  ASSERT_TRUE(succeeded(report)) << parsed.errors;
  EXPECT_TRUE(report->ok) << report->mismatch;
  EXPECT_EQ(report->checked, 1000);
  // Without the clearance, one of 10,000 steps across 0 is seen.
  options.clearance = 0;
  options.step = 0.01;
  options.points = 10;
  report = checkGradients(subject, options);
  ASSERT_TRUE(succeeded(report));
  EXPECT_FALSE(report->ok);
  options.clearance = 1;
  EXPECT_TRUE(failed(checkGradients(subject, options)));
  EXPECT_NE(parsed.errors.find("'loss' was nearer than 1"), std::string::npos)
      << parsed.errors;
}

// abs of 200 elements, and a derivative of it that is right or not.
static Parsed makeAbs(llvm::StringRef derivative) {
  return Parsed(R"(
    func.func @loss(%x: tensor<200xf32>) -> tensor<f32> {
      %a = graph.abs %x : tensor<200xf32>
      %l = graph.reduce_sum %a axes = [0] : tensor<200xf32> -> tensor<f32>
      return %l : tensor<f32>
    }
    func.func @dloss(%x: tensor<200xf32>) -> (tensor<f32>, tensor<200xf32>) {
      %l = func.call @loss(%x) : (tensor<200xf32>) -> tensor<f32>
      %s = graph.)" +
                derivative.str() +
                R"( %x : tensor<200xf32>
      return %l, %s : tensor<f32>, tensor<200xf32>
    })");
}

// Steps of 0.1 cross 0 from some of the elements, a ten-thousandth of them from
// none.
TEST(GradCheck, RefinesStepsThatCrossKinks) {
  GradCheckSubject subject;
  subject.function = "loss";
  subject.gradient = "dloss";
  subject.inputs = {0};
  GradCheckOptions options;
  options.points = 1;
  options.clearance = 1e-9;
  options.step = 0.1;
  options.absolute = 1e-5;

  Parsed right = makeAbs("sign");
  subject.module = subject.gradientModule = *right.module;
  auto report = checkGradients(subject, options);
  ASSERT_TRUE(succeeded(report)) << right.errors;
  EXPECT_FALSE(report->ok);
  options.refinements = 4;
  report = checkGradients(subject, options);
  ASSERT_TRUE(succeeded(report));
  EXPECT_TRUE(report->ok) << report->mismatch;
  EXPECT_EQ(report->checked + report->atKinks, 200);
  EXPECT_GT(report->checked, 195);

  // A wrong derivative is wrong at each step.
  Parsed wrong = makeAbs("tanh");
  subject.module = subject.gradientModule = *wrong.module;
  report = checkGradients(subject, options);
  ASSERT_TRUE(succeeded(report)) << wrong.errors;
  EXPECT_FALSE(report->ok);

  // All steps cross: both slopes are seen, and neither is held against it.
  options.step = 1000;
  options.refinements = 1;
  report = checkGradients(subject, options);
  ASSERT_TRUE(succeeded(report));
  EXPECT_TRUE(report->ok) << report->mismatch;
  EXPECT_EQ(report->atKinks, 200);
}

/// Distance from a kink of @f of `text` at x.
static double distance(llvm::StringRef op, std::vector<double> x) {
  std::string type = "tensor<" + std::to_string(x.size()) + "xf32>";
  std::string body = op.str();
  for (size_t at; (at = body.find("T")) != std::string::npos;)
    body.replace(at, 1, type);
  Parsed parsed("func.func @f(%x: " + type + ") {\n" + body + "\nreturn\n}");
  KinkMeter meter;
  Options options;
  options.mode = Mode::F64;
  options.observer = meter.observer();
  int64_t size = x.size();
  parsed.run({parsed.f32({size}, x)}, options);
  EXPECT_EQ(parsed.errors, "");
  return meter.distance;
}

TEST(Kinks, AreWhereSlopesOrValuesJump) {
  EXPECT_EQ(distance("%y = graph.relu %x : T", {1, -0.25}), 0.25);
  EXPECT_EQ(distance("%y = graph.relu %x : T", {1, 0}), 1);
  EXPECT_EQ(distance("%y = graph.abs %x : T", {1, -0.25}), 0.25);
  EXPECT_EQ(distance("%y = graph.exp %x : T", {0, 0.25}), INFINITY);
  EXPECT_EQ(distance("%y = graph.floor %x : T", {1.25, 7.5}), 0.25);
  EXPECT_EQ(distance("%y = graph.round %x : T", {1.25, 2.625}), 0.125);
  EXPECT_EQ(
      distance("%y = graph.clamp %x low = -1.0 high = 2.0 : T", {1.5, -0.75}),
      0.25);
  EXPECT_EQ(distance("%n = graph.neg %x : T\n%y = graph.maximum %x, %n : T",
                     {1, -0.25}),
            0.5);
  EXPECT_EQ(distance("%n = graph.neg %x : T\n%y = graph.compare lt, %x, %n : T",
                     {1, -0.25}),
            0.5);
  EXPECT_EQ(distance("%y = graph.reduce_max %x axes = [0] : T -> tensor<f32>",
                     {1, -5, 0.5, 1}),
            0.5);
  EXPECT_EQ(distance("%y = graph.reduce_min %x axes = [0] : T -> tensor<f32>",
                     {1, -5, 0.5, 1}),
            5.5);
  EXPECT_EQ(distance("%y = graph.argmax %x axis = 0 : T -> tensor<i64>",
                     {1, -5, 0.5, 0.75}),
            0.25);
}
