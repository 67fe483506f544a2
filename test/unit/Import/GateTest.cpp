// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each module breaks one rule of the gate, and is good without that.
#include "Parse.h"

#include <gtest/gtest.h>

using namespace graphc;

namespace {

struct Case {
  const char *name;
  std::string text;
  const char *error; // "" if the module is good
  ImportLimits limits = {};
};

std::string body(const std::string &ops) {
  return "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n" + ops +
         "\nreturn %x : tensor<4xf32>\n}\n";
}

std::string repeat(const std::string &text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i)
    result += text;
  return result;
}

/// Lines of aliases `#<name>0` to `#<name><count>`, each made of the one
/// before.
std::string aliases(const std::string &name, const std::string &first,
                    const std::string &next, int count) {
  std::string text = "#" + name + "0 = " + first + "\n";
  for (int k = 1; k <= count; ++k) {
    std::string before = "#" + name + std::to_string(k - 1);
    std::string value = next;
    for (size_t at; (at = value.find('@')) != std::string::npos;)
      value.replace(at, 1, before);
    text += "#" + name + std::to_string(k) + " = " + value + "\n";
  }
  return text;
}

ImportLimits withOps(int64_t count) {
  ImportLimits limits;
  limits.maxOps = count;
  return limits;
}
ImportLimits withValues(int64_t count) {
  ImportLimits limits;
  limits.maxValues = count;
  return limits;
}
ImportLimits withRegions(int64_t count) {
  ImportLimits limits;
  limits.maxRegionNesting = count;
  return limits;
}

const std::string kLoop = "%r = graph.for %i = 2 carry(%a = %x) : "
                          "tensor<4xf32> {\n graph.yield %a : tensor<4xf32>\n}";

const std::vector<Case> &cases() {
  static const std::vector<Case> all = {
      {"good", body(kLoop), ""},
      // Ops and where they stand.
      {"dialect", body("%c = arith.constant 1.0 : f32"),
       "2: expects ops of the graph dialect, func.func, func.call and "
       "func.return, but got 'arith.constant'"},
      // Its default flags are an attribute of its dialect.
      {"dialect_before_attributes",
       body("%c = arith.addf %x, %x : tensor<4xf32>"),
       "2: expects ops of the graph dialect"},
      {"func_constant",
       body("%c = func.constant @f : (tensor<4xf32>) -> tensor<4xf32>"),
       "2: expects ops of the graph dialect"},
      {"module_in_module", "module { module { } }",
       "1: expects ops of the graph dialect"},
      {"fused",
       body("%r = graph.fused(%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {\n"
            "graph.yield %a : tensor<4xf32>\n}"),
       "2: expects no graph.fused: the compiler makes them"},
      {"function_in_function", body("func.func @g() { return }"),
       "2: expects 'func.func' to stand in the module itself"},
      {"op_in_module", "%c = graph.constant dense<1.0> : tensor<f32>",
       "1: expects 'graph.constant' to stand in a function"},
      {"yield_in_function", "func.func @f() {\n\"graph.yield\"() : () -> ()\n}",
       "2: expects 'func.func' to end in 'func.return', but got 'graph.yield'"},
      {"return_in_loop",
       body("\"graph.for\"(%x) <{count = 1}> ({\n^bb0(%i: tensor<i64>, %a: "
            "tensor<4xf32>):\nfunc.return %a : tensor<4xf32>\n}) : "
            "(tensor<4xf32>) -> tensor<4xf32>"),
       "4: expects 'graph.for' to end in 'graph.yield', but got 'func.return'"},
      {"return_first",
       body("return %x : tensor<4xf32>\nreturn %x : "
            "tensor<4xf32>"),
       "expects to be the last op of its body"},
      {"no_return",
       "\"func.func\"() <{function_type = () -> (), sym_name = \"f\"}> ({\n"
       "%c = graph.constant dense<1.0> : tensor<f32>\n}) : () -> ()",
       "1: expects its body to end in a return or a yield"},
      {"declaration", "func.func private @f(tensor<4xf32>)",
       "1: expects a body"},
      {"two_blocks", "func.func @f() {\nreturn\n^bb1:\nreturn\n}",
       "1: expects a body of one block, but got 2"},
      {"successor",
       body("\"graph.for\"(%x) <{count = 1}> ({\n^bb0(%i: tensor<i64>, %a: "
            "tensor<4xf32>):\n\"graph.yield\"(%a)[^bb0] : (tensor<4xf32>) -> "
            "()\n}) : (tensor<4xf32>) -> tensor<4xf32>"),
       "4: expects no successors"},
      // Values.
      {"own_result", body("%a = graph.add %a, %x : tensor<4xf32>"),
       "2: expects not to use its own result"},
      {"later_result",
       body("%a = graph.add %b, %x : tensor<4xf32>\n"
            "%b = graph.add %x, %x : tensor<4xf32>"),
       "2: expects operands to be defined before it"},
      {"two_loops",
       body("%r = graph.for %i = 2 carry(%a = %x) : tensor<4xf32> {\n"
            "%b = graph.add %a, %a : tensor<4xf32>\n"
            "graph.yield %b : tensor<4xf32>\n}\n"
            "%c = graph.for %j = 2 carry(%a = %r) : tensor<4xf32> {\n"
            "graph.yield %a : tensor<4xf32>\n}"),
       ""},
      {"values",
       body("%c = graph.concat %x, %x, %x axis = 0 : tensor<4xf32>, "
            "tensor<4xf32>, tensor<4xf32> -> tensor<12xf32>"),
       "2: expects at most 2 operands and results, but got 3 and 1",
       withValues(2)},
      // Types.
      {"not_a_tensor", "func.func @f(%x: f32) {\nreturn\n}",
       "1: expects values to be ranked tensors"},
      {"tuple", "func.func @f(%x: tuple<tuple<f32>>) {\nreturn\n}",
       "1: expects values to be ranked tensors"},
      {"dynamic", "func.func @f(%x: tensor<?xf32>) {\nreturn\n}",
       "1: expects tensors of static shape, but got 'tensor<?xf32>'"},
      {"encoding", "func.func @f(%x: tensor<4xf32, 1>) {\nreturn\n}",
       "1: expects tensors without an encoding"},
      {"element", "func.func @f(%x: tensor<4xi17>) {\nreturn\n}",
       "1: expects elements of f64"},
      {"rank",
       "func.func @f(%x: tensor<" + repeat("1x", 17) + "f32>) {\nreturn\n}",
       "1: expects tensors of rank at most 16, but got rank 17"},
      {"rank_16",
       "func.func @f(%x: tensor<" + repeat("1x", 16) + "f32>) {\nreturn\n}",
       ""},
      {"elements", "func.func @f(%x: tensor<1099511627777xi1>) {\nreturn\n}",
       "1: expects tensors of at most 1099511627776 elements"},
      {"overflow",
       "func.func @f(%x: tensor<4611686018427387904x4xf32>) {\nreturn\n}",
       "1: expects tensors of at most 1099511627776 elements"},
      {"overflow_beside_0",
       "func.func @f(%x: tensor<4611686018427387904x4x0xf32>) {\nreturn\n}",
       "1: expects tensors of at most 1099511627776 elements"},
      {"bytes", "func.func @f(%x: tensor<1099511627776xf64>) {\nreturn\n}",
       "1: expects tensors of at most 1099511627776 bytes"},
      {"variable_type",
       "graph.variable @v : tensor<1099511627776xf64> = #graph.zeros",
       "1: expects tensors of at most 1099511627776 bytes"},
      // Attributes.
      {"attribute",
       body("%y = graph.neg %x {a = strided<[1]>} : "
            "tensor<4xf32>"),
       "2: expects attributes of the builtin kinds and of the graph dialect"},
      {"attribute_inside",
       body("%y = graph.neg %x {a = [{b = strided<[1]>}]} : "
            "tensor<4xf32>"),
       "2: expects attributes of the builtin kinds"},
      {"sparse",
       body("%c = graph.constant sparse<[[0]], [1.0]> : tensor<4xf32>"),
       "2: expects constants to be dense or dense_resource"},
      {"vector",
       body("%y = graph.neg %x {a = dense<1.0> : vector<4xf32>} : "
            "tensor<4xf32>"),
       "2: expects constants to be ranked tensors"},
      {"resource",
       body("%c = graph.constant dense_resource<data> : tensor<2xf32>") +
           "{-# dialect_resources: { builtin: { data: \"0x04000000"
           "0000803F00000040\" } } #-}",
       ""},
      {"resource_length",
       body("%c = graph.constant dense_resource<data> : tensor<4xf32>") +
           "{-# dialect_resources: { builtin: { data: \"0x04000000"
           "0000803F00000040\" } } #-}",
       "2: expects 16 bytes of data for 'tensor<4xf32>', but got 8"},
      {"resource_missing",
       body("%c = graph.constant dense_resource<data> : tensor<4xf32>"),
       "2: expects data for the resource 'data'"},
      // Attributes that nobody reads: misspelt ones.
      {"unknown_of_op",
       body("%a = graph.neg %x : tensor<4xf32>\n"
            "%y = graph.softmax %a axis = 0 {axs = 1} : tensor<4xf32>"),
       "3: expects no attribute \"axs\" on 'graph.softmax'; did you mean "
       "\"axis\"?"},
      {"unknown_of_plain_op",
       body("%y = graph.neg %x {foo = 1} : tensor<4xf32>"),
       "2: expects no attribute \"foo\" on 'graph.neg'"},
      {"unknown_of_function",
       "func.func @f() attributes {graph.specialises = @g} {\nreturn\n}",
       "1: expects no attribute \"graph.specialises\" on 'func.func'; did you "
       "mean \"graph.specializes\"?"},
      {"unknown_of_variable",
       "graph.variable @v : tensor<f32> = #graph.zeros {trainabel}",
       "1: expects no attribute \"trainabel\" on 'graph.variable'; did you "
       "mean \"trainable\"?"},
      {"unknown_of_module", "module attributes {graph.foo = 1} { }",
       "1: expects no attribute \"graph.foo\" on 'builtin.module'"},
      {"unknown_of_argument",
       "func.func @f(%x: tensor<f32>, %y: tensor<f32> {graph.nam = \"y\"}) "
       "{\nreturn\n}",
       "1: expects no attribute \"graph.nam\" on argument 1; did you mean "
       "\"graph.name\"?"},
      {"unknown_of_result",
       "func.func @f(%x: tensor<f32>) -> (tensor<f32> {name = \"y\"}) {\n"
       "return %x : tensor<f32>\n}",
       "1: expects no attribute \"name\" on result 0"},
      {"unknown_with_control",
       body("%y = graph.neg %x {\"a\\1Bb\" = 1} : tensor<4xf32>"),
       "2: expects no attribute \"a\\1Bb\" on 'graph.neg'"},
      {"compilers_kind",
       "func.func @f() attributes {graph.kind = \"grad\"} {\nreturn\n}",
       "1: expects no attribute \"graph.kind\" on 'func.func': it is for the "
       "compiler to set"},
      {"compilers_family",
       "func.func @f() attributes {graph.family = \"g\"} {\nreturn\n}",
       "1: expects no attribute \"graph.family\" on 'func.func': it is for "
       "the compiler to set"},
      {"specializes_number",
       "func.func @f() attributes {graph.specializes = 1} {\nreturn\n}",
       "1: expects graph.specializes to be a symbol"},
      {"checkpoint_text",
       body("%y = graph.neg %x {graph.checkpoint = \"a\"} : tensor<4xf32>"),
       "2: expects graph.checkpoint to be an i64"},
      {"checkpoint_number",
       body("%y = graph.neg %x {graph.checkpoint = 1} : tensor<4xf32>"), ""},
      {"precision_type",
       body("%y = graph.neg %x {graph.precision = f16} : tensor<4xf32>"),
       "2: expects graph.precision to be f32"},
      {"precision_f32",
       body("%y = graph.neg %x {graph.precision = f32} : tensor<4xf32>"), ""},
      {"name_number",
       "func.func @f(%x: tensor<f32> {graph.name = 5}) {\nreturn\n}",
       "1: expects graph.name on argument 0 to be a string"},
      {"name_zero_byte",
       "func.func @f(%x: tensor<f32> {graph.name = \"a\\00b\"}) "
       "{\nreturn\n}",
       "1: expects graph.name on argument 0 to have no zero bytes"},
      {"name_twice",
       "func.func @f(%x: tensor<f32> {graph.name = \"a\"}, %y: tensor<f32> "
       "{graph.name = \"a\"}) {\nreturn\n}",
       "1: expects names of arguments to differ, but got \"a\" again, on "
       "argument 1"},
      {"name_of_argument_and_result",
       "func.func @f(%x: tensor<f32> {graph.name = \"a\"}) -> (tensor<f32> "
       "{graph.name = \"a\"}) {\nreturn %x : tensor<f32>\n}",
       ""},
      // Attributes and locations that are short in text only.
      {"attribute_parts",
       aliases("a", "[1]", "[@, @]", 60) +
           "func.func @f() attributes {a = #a60} {\nreturn\n}",
       "62: expects attributes of at most 1000000 parts"},
      {"attribute_nesting",
       aliases("a", "[1]", "[@]", 70) +
           "func.func @f() attributes {a = #a70} {\nreturn\n}",
       "72: expects attributes at most 64 deep"},
      {"attribute_shared",
       aliases("a", "[1]", "[@, @]", 15) +
           "func.func @f() attributes {a = #a15} {\nreturn\n}",
       "17: expects no attribute \"a\" on 'func.func'"},
      {"location_parts",
       aliases("l", "loc(\"x\")", "loc(callsite(@ at @))", 60) +
           "func.func @f() {\nreturn loc(#l60)\n}",
       "expects attributes of at most 1000000 parts"},
      {"location_nesting",
       aliases("l", "loc(\"x\")", "loc(\"y\"(@))", 70) +
           "func.func @f() {\nreturn loc(#l70)\n}",
       "expects attributes at most 64 deep"},
      // Names.
      {"name_characters",
       "graph.variable @\"a/b\" : tensor<f32> = "
       "#graph.zeros",
       "1: expects a name of letters, digits, '_', '.', '$' and '-', but got "
       "\"612f62\" (hex)"},
      {"name_length",
       "graph.variable @" + repeat("a", 257) + " : tensor<f32> = #graph.zeros",
       "1: expects a name of at most 256 bytes, but got 257"},
      {"name_empty", "graph.variable @\"\" : tensor<f32> = #graph.zeros",
       "1: expects a name that is not empty"},
      {"name_of_module", "module @\"a b\" { }", "1: expects a name of letters"},
      {"nested_symbol", body("%y = graph.neg %x {a = @b::@c} : tensor<4xf32>"),
       "2: expects symbols without '::'"},
      // Counts.
      {"ops", body(repeat("%c = graph.neg %x : tensor<4xf32>\n", 1)),
       "expects at most 2 ops", withOps(2)},
      {"regions", body(kLoop), "2: expects regions at most 2 deep",
       withRegions(2)},
      {"regions_3", body(kLoop), "", withRegions(3)},
      // MLIR's verifier runs too.
      {"verifier",
       body("%y = \"graph.neg\"(%x) : (tensor<4xf32>) -> "
            "tensor<5xf32>"),
       "2: 'graph.neg' op requires the same type"},
  };
  return all;
}

void PrintTo(const Case &c, std::ostream *os) { *os << c.name; }

class Gate : public ::testing::TestWithParam<Case> {};

TEST_P(Gate, Rejects) {
  const Case &c = GetParam();
  Parse parse(c.text, c.limits);
  ASSERT_TRUE(parse.module) << parse.errors;
  bool good = succeeded(checkModule(*parse.module, c.limits));
  EXPECT_EQ(good, std::string(c.error).empty()) << parse.errors;
  EXPECT_NE(parse.errors.find(c.error), std::string::npos) << parse.errors;
  if (good) {
    EXPECT_EQ(parse.errors, "");
  }
}

INSTANTIATE_TEST_SUITE_P(Import, Gate, ::testing::ValuesIn(cases()),
                         [](const ::testing::TestParamInfo<Case> &info) {
                           return info.param.name;
                         });

// Ten functions that each call the next ten times: refused before any is built.
TEST(ImportLimits, ExpandedCalls) {
  std::string text = "func.func private @f0(%x: tensor<f32>) -> tensor<f32> {\n"
                     "%y = graph.neg %x : tensor<f32>\n"
                     "return %y : tensor<f32>\n}\n";
  for (int k = 1; k <= 10; ++k) {
    std::string callee = std::to_string(k - 1);
    text += "func.func @f" + std::to_string(k) +
            "(%x: tensor<f32>) -> tensor<f32> {\n";
    for (int i = 0; i < 10; ++i)
      text += "%" + std::to_string(i) + " = call @f" + callee +
              "(%x) : (tensor<f32>) -> tensor<f32>\n";
    text += "return %x : tensor<f32>\n}\n";
  }
  Parse parse(text);
  ASSERT_TRUE(parse.module) << parse.errors;
  EXPECT_TRUE(failed(importModule(*parse.module)));
  EXPECT_NE(parse.errors.find("ops once all calls and gradients are expanded"),
            std::string::npos)
      << parse.errors;
}

/// The error of importing `text` within 1,000 ops.
std::string importedWithin1000(const std::string &text) {
  Parse parse(text);
  EXPECT_TRUE(parse.module) << parse.errors;
  ImportLimits limits;
  limits.maxOps = 1000;
  EXPECT_TRUE(!parse.module || failed(importModule(*parse.module, limits)));
  return parse.errors;
}

// Each gradient takes a copy of its function, and more.
TEST(ImportLimits, ExpandedGradients) {
  std::string text = "func.func private @f0(%x: tensor<f32>) -> tensor<f32> {\n"
                     "%y = graph.neg %x : tensor<f32>\n"
                     "return %y : tensor<f32>\n}\n";
  for (int k = 1; k <= 10; ++k)
    text += "func.func @f" + std::to_string(k) +
            "(%x: tensor<f32>) -> tensor<f32> {\n%y, %d = "
            "graph.value_and_grad @f" +
            std::to_string(k - 1) +
            "(%x) inputs = [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)\n"
            "return %y : tensor<f32>\n}\n";
  EXPECT_NE(importedWithin1000(text).find("calls and gradients are expanded"),
            std::string::npos);
}

// So does each training step.
TEST(ImportLimits, CopiesForSteps) {
  std::string text =
      "graph.variable @w : tensor<f32> = #graph.zeros trainable\n"
      "func.func private @loss() -> tensor<f32> {\n"
      "%0 = graph.get @w : tensor<f32>\n";
  for (int k = 0; k < 20; ++k)
    text += "%" + std::to_string(k + 1) + " = graph.neg %" + std::to_string(k) +
            " : tensor<f32>\n";
  text += "return %20 : tensor<f32>\n}\n";
  for (int k = 0; k < 40; ++k)
    text += "graph.train @step" + std::to_string(k) +
            " loss(@loss) optimizer(#graph.sgd<lr = 0.5>)\n";
  EXPECT_NE(importedWithin1000(text).find("calls and gradients are expanded"),
            std::string::npos);
}

// A copy of an op of 1,000 operands is not as small as one of a neg.
TEST(ImportLimits, CopiesOfWideOps) {
  std::string wide = "%c = graph.concat %x", types = "tensor<1xf32>", calls;
  for (int k = 1; k < 1000; ++k) {
    wide += ", %x";
    types += ", tensor<1xf32>";
  }
  for (int k = 0; k < 20; ++k)
    calls += "%" + std::to_string(k) +
             " = call @wide(%x) : (tensor<1xf32>) -> tensor<1000xf32>\n";
  std::string text =
      "func.func private @wide(%x: tensor<1xf32>) -> tensor<1000xf32> {\n" +
      wide + " axis = 0 : " + types +
      " -> tensor<1000xf32>\nreturn %c : tensor<1000xf32>\n}\n"
      "func.func @main(%x: tensor<1xf32>) -> tensor<1000xf32> {\n" +
      calls + "return %0 : tensor<1000xf32>\n}\n";
  EXPECT_NE(importedWithin1000(text).find("calls and gradients are expanded"),
            std::string::npos);
}

// A chain of calls deeper than a stack would bear.
TEST(ImportLimits, DeepCalls) {
  std::string text = "func.func private @f0(%x: tensor<f32>) -> tensor<f32> {\n"
                     "return %x : tensor<f32>\n}\n";
  for (int k = 1; k <= 5000; ++k)
    text += "func.func private @f" + std::to_string(k) +
            "(%x: tensor<f32>) -> tensor<f32> {\n%0 = call @f" +
            std::to_string(k - 1) +
            "(%x) : (tensor<f32>) -> tensor<f32>\nreturn %0 : tensor<f32>\n}\n";
  text += "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n%0 = call "
          "@f5000(%x) : (tensor<f32>) -> tensor<f32>\n"
          "return %0 : tensor<f32>\n}\n";
  Parse parse(text);
  ASSERT_TRUE(parse.module) << parse.errors;
  EXPECT_TRUE(succeeded(importModule(*parse.module))) << parse.errors;
}

} // namespace
