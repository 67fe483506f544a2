// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules on f16 and bf16 compute in a wider type and round once: they give what
// the same rule gives in f64, from operands and a result of the small type,
// once that is rounded.
#include "Check.h"
#include "dialects/Graph/IR/GraphBuilders.h"

#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace graphc;

namespace {

std::string replaceAll(std::string text, const std::string &what,
                       const std::string &by) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos;
       at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

struct Small {
  Case c; // in f64
  std::string type;
};

std::vector<Small> smallCases() {
  std::vector<Small> cases;
  for (const Case &c : opCases()) {
    std::string text = c.arguments + c.body;
    if (text.find("f16") == std::string::npos &&
        text.find("f32") == std::string::npos)
      for (const char *type : {"f16", "bf16"})
        cases.push_back({c, type});
  }
  return cases;
}

void PrintTo(const Small &s, std::ostream *os) { *os << s.c.name << s.type; }

class SmallFloats : public ::testing::TestWithParam<Small> {};
INSTANTIATE_TEST_SUITE_P(Autodiff, SmallFloats,
                         ::testing::ValuesIn(smallCases()),
                         [](const auto &info) {
                           return info.param.c.name + "_" + info.param.type;
                         });

/// Makes the rule of the f64 op read a result of the small type.
void roundResult(Module &module, Type small) {
  Block &body = module.function("vjp").getBody().front();
  Operation *op = nullptr;
  for (Operation &next : body)
    if (llvm::is_contained(next.getOperands(), body.getArgument(0))) {
      op = &next;
      break;
    }
  ASSERT_TRUE(op);
  OpBuilder builder(op->getBlock(), std::next(op->getIterator()));
  Value result = op->getResult(0);
  Value narrow = graph::castTo(builder, op->getLoc(), result, small);
  Value wide =
      graph::castTo(builder, op->getLoc(), narrow, builder.getF64Type());
  result.replaceAllUsesExcept(wide, narrow.getDefiningOp());
}

TEST_P(SmallFloats, RoundOnce) {
  auto [c, type] = GetParam();
  Case narrowCase = c;
  narrowCase.arguments = replaceAll(c.arguments, "f64", type);
  narrowCase.result = replaceAll(c.result, "f64", type);
  narrowCase.body = replaceAll(c.body, "f64", type);
  Module narrow(functionText(narrowCase)), wide(functionText(c));
  addVjp(narrow);
  addVjp(wide);
  Type small = type == "f16" ? Type(Float16Type::get(&wide.context))
                             : Type(BFloat16Type::get(&wide.context));
  roundResult(wide, small);
  ASSERT_TRUE(succeeded(verify(*narrow.module))) << narrow.errors;
  ASSERT_TRUE(succeeded(verify(*wide.module))) << wide.errors;
  interpreter::FloatFormat format =
      interpreter::getFloatFormat(*interpreter::getElementKind(small));

  std::mt19937_64 random(3);
  int64_t elements = 0, others = 0;
  for (int draw = 0; draw < 20; ++draw) {
    Tensors inputs = randomInputs(narrow.function("f"), c.domain, random);
    inputs.push_back(randomCotangent(
        cast<RankedTensorType>(narrow.function("f").getResultTypes()[0]),
        random));
    Tensors wideInputs;
    for (auto [k, input] : llvm::enumerate(inputs)) {
      input.roundToType();
      auto wideType = wide.function("vjp").getArgumentTypes()[k];
      wideInputs.emplace_back(cast<RankedTensorType>(wideType)).floats =
          input.floats;
    }
    Tensors got = narrow.run("vjp", inputs, interpreter::Mode::Declared);
    Tensors want = wide.run("vjp", wideInputs, interpreter::Mode::Declared);
    ASSERT_EQ(got.size(), want.size()) << narrow.errors << wide.errors;
    for (size_t k = 0; k < got.size(); ++k)
      for (auto [a, exact] : llvm::zip_equal(got[k].floats, want[k].floats)) {
        double b = interpreter::roundToFormat(exact, format);
        // f32 on the way may tip a rounding over.
        ASSERT_LE(std::abs(a - b), format.ulp(b)) << "gradient " << k;
        ++elements;
        others += a != b;
      }
  }
  EXPECT_LE(others, elements / 50)
      << others << " of " << elements << " are rounded more than once";
}

} // namespace
