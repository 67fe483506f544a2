// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts that the parser must not see.
#include "Parse.h"

#include <gtest/gtest.h>

using namespace graphc;

namespace {

std::string nested(const std::string &open, const std::string &inside,
                   const std::string &close, int depth) {
  std::string text;
  for (int i = 0; i < depth; ++i)
    text += open;
  text += inside;
  for (int i = 0; i < depth; ++i)
    text += close;
  return text;
}

std::string errorsOf(const std::string &text, ImportLimits limits = {}) {
  Parse parse(text, limits);
  EXPECT_FALSE(parse.module);
  return parse.errors;
}

TEST(ImportText, Regions) {
  std::string text = "func.func @f(%x: tensor<f32>) {\n" +
                     nested("graph.for %i = 1 carry() {\n", "", "}\n", 40000) +
                     "return }";
  EXPECT_EQ(errorsOf(text), "201: expects brackets at most 200 deep\n");
}

TEST(ImportText, Types) {
  std::string text =
      "func.func @f(%x: " + nested("tuple<", "f32", ">", 40000) + ")";
  EXPECT_EQ(errorsOf(text), "1: expects brackets at most 200 deep\n");
}

TEST(ImportText, Attributes) {
  std::string text = "module attributes {a = " + nested("[", "", "]", 40000);
  EXPECT_EQ(errorsOf(text), "1: expects brackets at most 200 deep\n");
}

// What is no bracket to the parser does not make up for one.
TEST(ImportText, ClosedByAnotherKind) {
  EXPECT_EQ(errorsOf("module attributes {a = " + nested("[>", "", "]", 40000)),
            "1: expects brackets at most 200 deep\n");
  EXPECT_EQ(errorsOf("module attributes {a = " + nested("[->", "", "]", 40000)),
            "1: expects brackets at most 200 deep\n");
}

// Minus signs nest without brackets.
TEST(ImportText, Affine) {
  EXPECT_EQ(errorsOf("\n#m = affine_map <(d0) -> (" + std::string(100000, '-') +
                     "d0)>"),
            "2: expects no affine maps or sets\n");
}

// Brackets in strings and comments, and arrows, do not count.
TEST(ImportText, NotBrackets) {
  std::string text = "// " + std::string(1000, '(') + "\n" +
                     "module attributes {a = \"" + std::string(1000, '[') +
                     "\\\"" + std::string(1000, '{') + "\"} {\n";
  for (int i = 0; i < 300; ++i)
    text += "func.func private @f" + std::to_string(i) +
            "(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }\n";
  Parse parse(text + "}");
  EXPECT_TRUE(parse.module) << parse.errors;
}

TEST(ImportText, Numbers) {
  EXPECT_EQ(errorsOf("module attributes {a = " + std::string(8000, '9') + "}"),
            "1: expects numbers and dimension lists of at most 2000 "
            "characters\n");
  EXPECT_EQ(errorsOf("func.func private @f(tensor<" +
                     nested("1x", "f32", "", 2000) + ">)"),
            "1: expects numbers and dimension lists of at most 2000 "
            "characters\n");
}

// MLIR allocates with the alignment that stands in the data, whatever it is.
TEST(ImportText, ResourceAlignment) {
  auto module = [](const std::string &data) {
    return "func.func @f() -> tensor<1xf32> {\n"
           "%c = graph.constant dense_resource<k> : tensor<1xf32>\n"
           "return %c : tensor<1xf32>\n}\n"
           "{-# dialect_resources: { builtin: { k: \"" +
           data + "\" } } #-}";
  };
  EXPECT_TRUE(Parse(module("0x040000000000803F")).module);
  EXPECT_EQ(errorsOf(module("0x000000000000803F")),
            "5: expects the alignment of a resource to be a power of 2 up to "
            "4096, but got 0\n");
  EXPECT_EQ(errorsOf(module("0x000000800000803F")),
            "5: expects the alignment of a resource to be a power of 2 up to "
            "4096, but got 2147483648\n");
  EXPECT_EQ(errorsOf(module("0x0400")),
            "5: expects the data of a resource to start with its alignment in "
            "four bytes\n");
}

TEST(ImportText, Size) {
  ImportLimits limits;
  limits.maxTextBytes = 10;
  EXPECT_EQ(errorsOf("module {  }", limits),
            "1: expects a text of at most 10 bytes, but got 11\n");
}

TEST(ImportText, Utf8) {
  EXPECT_EQ(errorsOf("module {\n // \xff\n}"),
            "2: expects UTF-8 text, but got the byte 0xff\n");
  EXPECT_EQ(errorsOf("module { // \xc3"),
            "1: expects UTF-8 text, but got the byte 0xc3\n");
}

TEST(ImportText, Zero) {
  EXPECT_EQ(errorsOf(std::string("module {\n\0}", 11)),
            "2: expects text without zero bytes\n");
}

TEST(ImportText, Bytecode) {
  EXPECT_EQ(errorsOf("ML\xefR\x01"),
            "1: expects MLIR text, but got MLIR bytecode\n");
}

} // namespace
