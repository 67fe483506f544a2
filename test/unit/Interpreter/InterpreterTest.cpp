// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls, loops, variables, modes and limits.

#include "test/unit/Interpreter/Run.h"

#include <cmath>

using namespace graphc::interpreter;
using namespace mlir;

static bool contains(const std::string &text, llvm::StringRef part) {
  return llvm::StringRef(text).contains(part);
}

TEST(Interpreter, RoundsEachResultOnceInDeclaredModeOnly) {
  Parsed parsed(R"(
    func.func @f(%x: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xbf16>) {
      %y = graph.mul %x, %x : tensor<1xf32>
      %z = graph.cast %y : tensor<1xf32> -> tensor<1xbf16>
      return %y, %z : tensor<1xf32>, tensor<1xbf16>
    })");
  Tensor x = parsed.f32({1}, {0.1});
  auto declared = parsed.run({x});
  float narrow = 0.1f * 0.1f;
  EXPECT_EQ(declared[0].floats[0], narrow);
  EXPECT_EQ(declared[1].floats[0], roundToFormat(narrow, FloatFormat::bf16()));
  Options options;
  options.mode = Mode::F64;
  auto f64 = parsed.run({x}, options);
  EXPECT_EQ(f64[0].floats[0], 0.1 * 0.1);
  EXPECT_EQ(f64[1].floats[0], 0.1 * 0.1);
}

TEST(Interpreter, RoundsHalfSumsToNearestEven) {
  Parsed parsed(R"(
    func.func @f() -> tensor<4xf16> {
      %a = graph.constant dense<[2048.0, 2048.0, 1.0, 1.0]> : tensor<4xf16>
      %b = graph.constant dense<[1.0, 3.0, 0x1000, 0x1001]> : tensor<4xf16>
      %c = graph.add %a, %b : tensor<4xf16>
      return %c : tensor<4xf16>
    })");
  EXPECT_EQ(parsed.run()[0].floats,
            (std::vector<double>{2048, 2052, 1, 1 + 0x1p-10}));
}

TEST(Interpreter, RunsLoopsCallsAndFusedRegions) {
  Parsed parsed(R"(
    func.func private @twice(%x: tensor<i64>) -> tensor<i64> {
      %y = graph.fused(%a = %x) : (tensor<i64>) -> tensor<i64> {
        %b = graph.add %a, %a : tensor<i64>
        graph.yield %b : tensor<i64>
      }
      return %y : tensor<i64>
    }
    func.func @f(%x: tensor<i64>) -> (tensor<i64>, tensor<i64>, tensor<i64>) {
      %zero = graph.constant dense<0> : tensor<i64>
      %p:2 = graph.for %i = 5 carry(%a = %x, %sum = %zero) : tensor<i64>, tensor<i64> {
        %next = func.call @twice(%a) : (tensor<i64>) -> tensor<i64>
        %more = graph.add %sum, %i : tensor<i64>
        %most = graph.add %more, %x : tensor<i64>
        graph.yield %next, %most : tensor<i64>, tensor<i64>
      }
      %none = graph.for %i = 0 carry(%a = %x) : tensor<i64> {
        graph.yield %i : tensor<i64>
      }
      return %p#0, %p#1, %none : tensor<i64>, tensor<i64>, tensor<i64>
    })");
  auto results = parsed.run({parsed.i64({}, {3})});
  ASSERT_EQ(results.size(), 3u) << parsed.errors;
  EXPECT_EQ(results[0].ints[0], 96);
  EXPECT_EQ(results[1].ints[0], 0 + 1 + 2 + 3 + 4 + 5 * 3);
  EXPECT_EQ(results[2].ints[0], 3);
}

static const char *kCounter = R"(
  graph.variable @n : tensor<i64> = #graph.constant<5.0>
  graph.variable @w : tensor<2xf32> = dense<[0.5, 0.1]> : tensor<2xf32>
  graph.variable @key : tensor<3xi64> = #graph.seed {internal}
  graph.variable @r : tensor<2xf32> = #graph.uniform<0.0, 1.0>
  func.func @f(%t: tensor<i64>) -> (tensor<i64>, tensor<f32>) {
    %n = graph.get @n : tensor<i64>
    %next = graph.add %n, %t : tensor<i64>
    graph.set @n, %next : tensor<i64>
    %again = graph.get @n : tensor<i64>
    %x = graph.constant dense<0.0> : tensor<1x2xf32>
    %index = graph.reshape %t : tensor<i64> -> tensor<1xi64>
    %l = graph.cross_entropy %x, %index : tensor<1x2xf32>, tensor<1xi64> -> tensor<f32>
    return %again, %l : tensor<i64>, tensor<f32>
  })";

TEST(Interpreter, SetsVariablesOnlyIfTheWholeCallSucceeds) {
  Parsed parsed(kCounter);
  Interpreter interpreter(*parsed.module);
  ASSERT_TRUE(succeeded(interpreter.initializeVariables()));
  EXPECT_EQ(interpreter.getVariable("n")->ints[0], 5);
  auto results = interpreter.run("f", {parsed.i64({}, {1})});
  ASSERT_TRUE(succeeded(results)) << parsed.errors;
  EXPECT_EQ((*results)[0].ints[0], 6) << "a set is seen by later reads";
  EXPECT_EQ(interpreter.getVariable("n")->ints[0], 6);

  EXPECT_TRUE(failed(interpreter.run("f", {parsed.i64({}, {2})})));
  EXPECT_TRUE(contains(parsed.errors, "expects target 0 to be a class"));
  EXPECT_EQ(interpreter.getVariable("n")->ints[0], 6);
}

TEST(Interpreter, InitializesVariables) {
  Parsed parsed(kCounter);
  Options options;
  options.seed = 77;
  Interpreter interpreter(*parsed.module, options);
  ASSERT_TRUE(succeeded(interpreter.initializeVariables()));
  EXPECT_EQ(interpreter.getVariable("w")->floats[1], 0.1f);
  EXPECT_EQ(interpreter.getVariable("key")->ints,
            (std::vector<int64_t>{77, 0, 0}));
  EXPECT_EQ(interpreter.getVariable("r"), nullptr) << "nobody can draw it";
  EXPECT_EQ(interpreter.getVariable("none"), nullptr);

  options.initializer = [&](graphc::graph::VariableOp op) -> FailureOr<Tensor> {
    Tensor tensor(op.getTensorType());
    tensor.floats = {0.1, 0.2};
    return tensor;
  };
  Interpreter drawing(*parsed.module, options);
  ASSERT_TRUE(succeeded(drawing.setVariable("n", parsed.i64({}, {9}))));
  ASSERT_TRUE(succeeded(drawing.initializeVariables()));
  EXPECT_EQ(drawing.getVariable("r")->floats[0], 0.1f);
  EXPECT_EQ(drawing.getVariable("n")->ints[0], 9) << "what was set stays";
}

TEST(Interpreter, ReportsAVariableWithoutAValueWhereItIsRead) {
  Parsed parsed(R"(
    graph.variable @r : tensor<2xf32> = #graph.normal<0.0, 1.0>
    func.func @f() -> tensor<2xf32> {
      %r = graph.get @r : tensor<2xf32>
      return %r : tensor<2xf32>
    })");
  EXPECT_TRUE(parsed.run().empty());
  EXPECT_TRUE(contains(parsed.errors, "reads a variable that has no value"));
}

TEST(Interpreter, RefusesWrongValuesOfVariablesAndInputs) {
  Parsed parsed(kCounter);
  Interpreter interpreter(*parsed.module);
  EXPECT_TRUE(failed(interpreter.setVariable("n", parsed.i64({1}, {1}))));
  EXPECT_TRUE(contains(parsed.errors, "expects a value of type 'tensor<i64>'"));
  EXPECT_TRUE(failed(interpreter.setVariable("none", parsed.i64({}, {1}))));
  EXPECT_TRUE(contains(parsed.errors, "has no variable 'none'"));
  Tensor torn = parsed.i64({}, {1});
  torn.ints.clear();
  EXPECT_TRUE(failed(interpreter.setVariable("n", torn)));
  EXPECT_TRUE(failed(interpreter.run("f", {torn})));
  EXPECT_TRUE(failed(interpreter.run("f", {Tensor()})));
  EXPECT_TRUE(failed(interpreter.run("f", {parsed.f32({}, {1})})));
  EXPECT_TRUE(contains(parsed.errors, "expects input 0 of type 'tensor<i64>', "
                                      "but got 'tensor<f32>'"));
  EXPECT_TRUE(failed(interpreter.run("f", {})));
  EXPECT_TRUE(contains(parsed.errors, "expects 1 inputs, but got 0"));
}

TEST(Interpreter, KeepsToItsLimits) {
  const char *text = R"(
    func.func @f(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
      %y = graph.for %i = 100 carry(%a = %x) : tensor<64x64xf32> {
        %b = graph.dot_general %a, %a batching = [] x [] contracting = [1] x [0] : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
        graph.yield %b : tensor<64x64xf32>
      }
      return %y : tensor<64x64xf32>
    })";
  Parsed parsed(text);
  Tensor x = parsed.f32({64, 64}, std::vector<double>(64 * 64, 0.01));
  Options options;
  options.maxProducts = 64 * 64 * 64 - 1;
  EXPECT_TRUE(parsed.run({x}, options).empty());
  EXPECT_TRUE(
      contains(parsed.errors, "needs more than 262143 multiplications"));
  options.maxProducts++;
  // Values die with their last use: 100 rounds fit in the room of three.
  options.maxElements = 64 * 64 * 3 + 16;
  EXPECT_EQ(parsed.run({x}, options).size(), 1u) << parsed.errors;
  options.maxElements = 64 * 64;
  EXPECT_TRUE(parsed.run({x}, options).empty());
  EXPECT_TRUE(contains(parsed.errors, "would keep more than 4096 elements"));
}

TEST(Interpreter, ShowsEachOpToTheObserver) {
  Parsed parsed(R"(
    func.func @f(%x: tensor<f32>) -> tensor<f32> {
      %y = graph.neg %x : tensor<f32>
      %z = graph.exp %y : tensor<f32>
      return %z : tensor<f32>
    })");
  std::string seen;
  Options options;
  options.observer = [&](Operation *op, ArrayRef<const Tensor *> operands,
                         ArrayRef<Tensor> results) {
    seen += op->getName().getStringRef().str() + " " +
            std::to_string(operands[0]->floats[0] == 0) + ";";
    EXPECT_EQ(results.size(), 1u);
  };
  parsed.run({parsed.f32({}, {0})}, options);
  EXPECT_EQ(seen, "graph.neg 1;graph.exp 1;");
}

TEST(Interpreter, RefusesOpsItDoesNotKnow) {
  Parsed parsed(R"(
    func.func @f() {
      %c = func.constant @f : () -> ()
      return
    })");
  EXPECT_TRUE(parsed.run().empty());
  EXPECT_TRUE(
      contains(parsed.errors,
               "'func.constant' op is not an op that the interpreter knows"))
      << parsed.errors;
}
