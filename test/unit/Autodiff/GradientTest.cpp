// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// First and second derivatives against central differences.
#include "Check.h"

#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace graphc;

namespace {

std::vector<Case> allCases() {
  std::vector<Case> cases = opCases();
  cases.insert(cases.end(), graphCases().begin(), graphCases().end());
  return cases;
}

std::string nameOf(const ::testing::TestParamInfo<Case> &info) {
  return info.param.name;
}

/// "%a: t0, %b: t1" as types and as names.
std::pair<std::string, std::string> split(const std::string &arguments) {
  std::string types, names;
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(arguments).split(parts, ", ");
  for (llvm::StringRef part : parts) {
    auto [name, type] = part.split(": ");
    names += (names.empty() ? "" : ", ") + name.str();
    types += (types.empty() ? "" : ", ") + type.str();
  }
  return {types, names};
}

/// Adds to the text of @f: @loss, the scalar sum(ct * f); @first, its gradient;
/// @second_loss, a random combination of the first gradients; @second, the
/// gradient of that.
std::string withDerivatives(const Case &c) {
  auto [types, names] = split(c.arguments);
  llvm::SmallVector<llvm::StringRef> each, eachName;
  llvm::StringRef(types).split(each, ", ");
  llvm::StringRef(names).split(eachName, ", ");
  std::string resultElement =
      c.result.find("bf16") != std::string::npos  ? "bf16"
      : c.result.find("f32") != std::string::npos ? "f32"
                                                  : "f64";
  // Rank of the result: one "x" for each dimension of tensor<2x3xf64>.
  std::string axes;
  for (int64_t k = 0, n = llvm::StringRef(c.result).count('x'); k < n; ++k)
    axes += (k ? ", " : "") + std::to_string(k);
  std::string scalar = "tensor<" + resultElement + ">";

  std::string text = functionText(c);
  text += "func.func @loss(" + c.arguments + ", %ct: " + c.result + ") -> " +
          scalar + " {\n%y0 = call @f(" + names + ") : (" + types + ") -> " +
          c.result + "\n%p0 = graph.mul %y0, %ct : " + c.result +
          "\n%l0 = graph.reduce_sum %p0 axes = [" + axes + "] : " + c.result +
          " -> " + scalar + "\nreturn %l0 : " + scalar + "\n}\n";

  std::string inputs, gradientTypes = types + ", " + c.result, results;
  for (size_t k = 0; k <= each.size(); ++k) {
    inputs += (k ? ", " : "") + std::to_string(k);
    results += (k ? ", %d" : "%d") + std::to_string(k);
  }
  std::string grad = "%l0, " + results + " = graph.value_and_grad @loss(" +
                     names + ", %ct) inputs = [" + inputs + "] : (" +
                     gradientTypes + ") -> (" + scalar + ", " + gradientTypes +
                     ")\n";
  text += "func.func @first(" + c.arguments + ", %ct: " + c.result + ") -> (" +
          gradientTypes + ") {\n" + grad + "return " + results + " : " +
          gradientTypes + "\n}\n";

  std::string weights, sums, total;
  for (size_t k = 0; k < each.size(); ++k) {
    std::string n = std::to_string(k), type = each[k].str();
    std::string wide = type.substr(0, type.rfind('x') == std::string::npos
                                          ? type.find('<') + 1
                                          : type.rfind('x') + 1) +
                       "f64>";
    std::string from;
    for (int64_t d = 0, rank = each[k].count('x'); d < rank; ++d)
      from += (d ? ", " : "") + std::to_string(d);
    weights += ", %v" + n + ": " + type;
    sums += "%m" + n + " = graph.mul %d" + n + ", %v" + n + " : " + type +
            "\n%w" + n + " = graph.cast %m" + n + " : " + type + " -> " + wide +
            "\n%s" + n + " = graph.reduce_sum %w" + n + " axes = [" + from +
            "] : " + wide + " -> tensor<f64>\n";
    if (k == 0) {
      total = "%s0";
    } else {
      sums +=
          "%t" + n + " = graph.add " + total + ", %s" + n + " : tensor<f64>\n";
      total = "%t" + n;
    }
  }
  std::string secondArguments = c.arguments + ", %ct: " + c.result + weights;
  auto [secondTypes, secondNames] = split(secondArguments);
  text += "func.func @second_loss(" + secondArguments + ") -> tensor<f64> {\n" +
          grad + sums + "return " + total + " : tensor<f64>\n}\n";
  text += "func.func @second(" + secondArguments + ") -> (" + gradientTypes +
          ") {\n%l1, " + results + " = graph.value_and_grad @second_loss(" +
          secondNames + ") inputs = [" + inputs + "] : (" + secondTypes +
          ") -> (tensor<f64>, " + gradientTypes + ")\nreturn " + results +
          " : " + gradientTypes + "\n}\n";
  return text;
}

class Rule : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Autodiff, Rule, ::testing::ValuesIn(opCases()),
                         nameOf);

TEST_P(Rule, IsTheDerivative) {
  Module module(functionText(GetParam()));
  addVjp(module);
  ASSERT_TRUE(succeeded(verify(*module.module))) << module.errors;
  std::mt19937_64 random(1);
  func::FuncOp f = module.function("f");
  Tensors inputs = randomInputs(f, GetParam().domain, random);
  Tensor cotangent =
      randomCotangent(cast<RankedTensorType>(f.getResultTypes()[0]), random);
  Tensors want = centralDifferences(module, "f", inputs, &cotangent);
  inputs.push_back(cotangent);
  std::string why;
  EXPECT_TRUE(agree(module.run("vjp", inputs), want, why))
      << why << module.errors;
}

class Pass : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Autodiff, Pass, ::testing::ValuesIn(allCases()),
                         nameOf);

TEST_P(Pass, GivesFirstAndSecondDerivatives) {
  std::string text = withDerivatives(GetParam());
  Module module(text);
  ASSERT_TRUE(module.runAutodiff()) << module.errors << text;
  std::mt19937_64 random(2);
  func::FuncOp loss = module.function("loss"),
               second = module.function("second");
  Tensors inputs = randomInputs(loss, GetParam().domain, random);
  std::string why;
  Tensors want = centralDifferences(module, "loss", inputs, nullptr);
  EXPECT_TRUE(agree(module.run("first", inputs), want, why))
      << why << module.errors;

  Tensors all = inputs;
  for (Type type : second.getArgumentTypes().drop_front(inputs.size()))
    all.push_back(randomCotangent(cast<RankedTensorType>(type), random));
  want = centralDifferences(module, "second_loss", all, nullptr);
  want.resize(inputs.size());
  why.clear();
  EXPECT_TRUE(agree(module.run("second", all), want, why))
      << why << module.errors;
}

} // namespace
