// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each folder against the interpreter: an op of constants folds to the bits
// that the op gives.
#include "test/unit/Conformance/Program.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace graphc::conformance;
using namespace graphc::interpreter;

namespace {

/// A constant of the elements of `tensor`.
DenseElementsAttr toAttribute(const Tensor &tensor) {
  Type element = tensor.type.getElementType();
  if (auto floatType = dyn_cast<FloatType>(element)) {
    SmallVector<APFloat> values;
    for (double x : tensor.floats) {
      APFloat value(x);
      bool losesInfo = false;
      value.convert(floatType.getFloatSemantics(), APFloat::rmTowardZero,
                    &losesInfo);
      EXPECT_TRUE(std::isnan(x) || !losesInfo);
      values.push_back(value);
    }
    return DenseElementsAttr::get(tensor.type, values);
  }
  SmallVector<APInt> values;
  for (int64_t x : tensor.ints)
    values.push_back(APInt(element.getIntOrFloatBitWidth(), x, true));
  return DenseElementsAttr::get(tensor.type, values);
}

/// Random elements, edges of the type among them.
Tensor drawEdges(RankedTensorType type, RandomStream &stream) {
  const double inf = std::numeric_limits<double>::infinity();
  const double edges[] = {0.0,     -0.0,   1.0,    -1.0,        inf,
                          -inf,    65504., 3.0,    1.0e-40,     6.0e-8,
                          3.0e38,  127.5,  -128.5, 255.0,       256.0,
                          -32769., 2.5,    9.3e18, std::nan("")};
  Tensor tensor(type);
  for (double &x : tensor.floats)
    x = stream.integer(0, 2) ? stream.uniform(-300, 300)
                             : edges[stream.integer(0, std::size(edges) - 1)];
  tensor.roundToType();
  for (int64_t &x : tensor.ints) {
    int64_t low = getMinimum(tensor.kind()), high = getMaximum(tensor.kind());
    const int64_t near[] = {low, high, 0, 1, -1, low + 1, 7, 8, 31, 32, 63, 64};
    x = stream.integer(0, 2)
            ? stream.integer(low, high)
            : wrapTo(tensor.kind(), near[stream.integer(0, 11)]);
  }
  return tensor;
}

/// Folds @f of `text` on constants and compares with the op's own values.
void expectFolds(StringRef text) {
  SCOPED_TRACE(text.str());
  for (uint64_t seed = 0; seed < 3; ++seed) {
    Program program(text);
    ASSERT_TRUE(program.module);
    func::FuncOp function = program.function();
    RandomStream stream(seed);
    std::vector<Tensor> inputs;
    for (Type type : function.getArgumentTypes())
      inputs.push_back(drawEdges(cast<RankedTensorType>(type), stream));
    std::vector<Tensor> expected = program.run(inputs);
    ASSERT_FALSE(expected.empty()) << program.errors;

    OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
    for (auto [argument, input] :
         llvm::zip_equal(function.getArguments(), inputs))
      argument.replaceAllUsesWith(builder.create<graphc::graph::ConstantOp>(
          function.getLoc(), input.type, toAttribute(input)));
    ASSERT_TRUE(succeeded(applyPatternsAndFoldGreedily(
        function,
        FrozenRewritePatternSet(RewritePatternSet(&program.context)))));
    Operation *terminator = function.front().getTerminator();
    for (auto [k, value] : llvm::enumerate(terminator->getOperands())) {
      auto constant = value.getDefiningOp<graphc::graph::ConstantOp>();
      ASSERT_TRUE(constant) << "result " << k << " is not folded";
      auto folded = Tensor::fromAttribute(constant.getValue());
      ASSERT_TRUE(succeeded(folded));
      Comparison comparison =
          compareTensors(*folded, expected[k], Tolerance::exact());
      EXPECT_TRUE(comparison.equal)
          << "seed " << seed << ": " << comparison.describe();
    }
  }
}

/// One op on operands of `type`.
std::string oneOp(StringRef op, int operands, StringRef type,
                  StringRef signature, StringRef result) {
  std::string arguments, names;
  for (int k = 0; k < operands; ++k) {
    std::string name = "%" + std::string(1, "abc"[k]), comma = k ? ", " : "";
    arguments += comma + name + ": " + type.str();
    names += comma + name;
  }
  return ("func.func @f(" + arguments + ") -> " + result + " {\n  %0 = graph." +
          op + names + signature + "\n  return %0 : " + result + "\n}")
      .str();
}

const char *kFloats[] = {"f64", "f32", "f16", "bf16"};
const char *kInts[] = {"i8", "ui8", "i32", "i64"};
const char *kAll[] = {"f64", "f32", "f16", "bf16", "i1",
                      "i8",  "ui8", "i32", "i64"};

void expectElementwise(StringRef op, int operands, StringRef element) {
  std::string type = ("tensor<6x9x" + element + ">").str();
  expectFolds(oneOp((op + " ").str(), operands, type, " : " + type, type));
}

TEST(Fold, Arithmetic) {
  for (ArrayRef<const char *> types :
       {ArrayRef<const char *>(kFloats), ArrayRef<const char *>(kInts)})
    for (const char *type : types) {
      for (const char *op : {"neg", "abs"})
        expectElementwise(op, 1, type);
      for (const char *op :
           {"add", "sub", "mul", "div", "rem", "maximum", "minimum"})
        expectElementwise(op, 2, type);
    }
  for (const char *type : kFloats)
    expectElementwise("sqrt", 1, type);
}

TEST(Fold, Bits) {
  for (const char *type : {"i1", "i8", "ui8", "i32", "i64"}) {
    for (const char *op : {"and", "or", "xor"})
      expectElementwise(op, 2, type);
    expectElementwise("not", 1, type);
  }
  for (const char *type : kInts)
    for (const char *op : {"shift_left", "shift_right"})
      expectElementwise(op, 2, type);
}

TEST(Fold, Compare) {
  for (StringRef element : kAll)
    for (const char *predicate : {"eq", "ne", "lt", "le", "gt", "ge"}) {
      std::string type = ("tensor<54x" + element + ">").str();
      expectFolds(oneOp(std::string("compare ") + predicate + ", ", 2, type,
                        " : " + type, "tensor<54xi1>"));
    }
}

TEST(Fold, Select) {
  for (StringRef element : kAll)
    expectFolds(
        withType("func.func @f(%c: tensor<6x9xi1>, %a: tensor<6x9xT>, %b: "
                 "tensor<6x9xT>) -> tensor<6x9xT> {\n"
                 "  %0 = graph.select %c, %a, %b : tensor<6x9xT>\n"
                 "  return %0 : tensor<6x9xT>\n}",
                 element));
}

TEST(Fold, Casts) {
  for (StringRef from : kAll)
    for (StringRef to : kAll) {
      std::string a = ("tensor<54x" + from + ">").str(),
                  b = ("tensor<54x" + to + ">").str();
      expectFolds(oneOp("cast ", 1, a, " : " + a + " -> " + b, b));
    }
}

// A chain of casts has the same value whether the folder meets it as a pair,
// from the front, or as constants, from the back.
TEST(Fold, CastPairsKeepTheirValue) {
  for (StringRef from : kAll)
    for (StringRef middle : kAll)
      for (StringRef to : kAll) {
        std::string a = ("tensor<54x" + from + ">").str(),
                    b = ("tensor<54x" + middle + ">").str(),
                    c = ("tensor<54x" + to + ">").str();
        std::string text = "func.func @f(%a: " + a + ") -> " + c +
                           " {\n  %0 = graph.cast %a : " + a + " -> " + b +
                           "\n  %1 = graph.cast %0 : " + b + " -> " + c +
                           "\n  return %1 : " + c + "\n}";
        SCOPED_TRACE(text);
        Program program(text);
        ASSERT_TRUE(program.module);
        RandomStream stream(1);
        std::vector<Tensor> inputs = {drawEdges(
            cast<RankedTensorType>(program.function().getArgumentTypes()[0]),
            stream)};
        std::vector<Tensor> expected = program.run(inputs);
        ASSERT_TRUE(succeeded(applyPatternsAndFoldGreedily(
            program.function(),
            FrozenRewritePatternSet(RewritePatternSet(&program.context)))));
        std::vector<Tensor> actual = program.run(inputs);
        ASSERT_EQ(actual.size(), expected.size());
        Comparison comparison =
            compareTensors(actual[0], expected[0], Tolerance::exact());
        EXPECT_TRUE(comparison.equal) << comparison.describe();
      }
}

TEST(Fold, DataMovement) {
  const char *ops[] = {
      R"(func.func @f(%a: tensor<2x3x4xT>) -> tensor<4x2x3xT> {
        %0 = graph.transpose %a permutation = [2, 0, 1] : tensor<2x3x4xT> -> tensor<4x2x3xT>
        return %0 : tensor<4x2x3xT>
      })",
      R"(func.func @f(%a: tensor<2x3xT>) -> tensor<5x2x4x3xT> {
        %0 = graph.broadcast %a dims = [1, 3] : tensor<2x3xT> -> tensor<5x2x4x3xT>
        return %0 : tensor<5x2x4x3xT>
      })",
      R"(func.func @f(%a: tensor<2x3x4xT>) -> tensor<4x6xT> {
        %0 = graph.reshape %a : tensor<2x3x4xT> -> tensor<4x6xT>
        return %0 : tensor<4x6xT>
      })",
      R"(func.func @f(%a: tensor<5x7xT>) -> tensor<2x3xT> {
        %0 = graph.slice %a starts = [1, 0] limits = [4, 7] strides = [2, 3] : tensor<5x7xT> -> tensor<2x3xT>
        return %0 : tensor<2x3xT>
      })",
      R"(func.func @f(%a: tensor<2x3x4xT>, %b: tensor<2x1x4xT>, %c: tensor<2x0x4xT>) -> tensor<2x4x4xT> {
        %0 = graph.concat %a, %c, %b axis = 1 : tensor<2x3x4xT>, tensor<2x0x4xT>, tensor<2x1x4xT> -> tensor<2x4x4xT>
        return %0 : tensor<2x4x4xT>
      })"};
  for (const char *text : ops)
    for (StringRef element : kAll)
      expectFolds(withType(text, element));
}

TEST(Fold, IntegerSums) {
  for (StringRef element : kInts)
    for (StringRef text :
         {"func.func @f(%a: tensor<3x4x5xT>) -> tensor<4xT> {\n"
          "  %0 = graph.reduce_sum %a axes = [0, 2] : tensor<3x4x5xT> -> "
          "tensor<4xT>\n  return %0 : tensor<4xT>\n}",
          "func.func @f(%a: tensor<3x4xT>) -> tensor<3xT> {\n"
          "  %0 = graph.reduce_sum %a axes = [1] : tensor<3x4xT> -> "
          "tensor<3xT>\n  return %0 : tensor<3xT>\n}"})
      expectFolds(withType(text, element));
}

} // namespace
