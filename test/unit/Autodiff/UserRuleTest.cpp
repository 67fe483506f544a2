// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rule from outside the pass: a user's library attaches it through the
// registry. graph.fused, which has no rule of ours, stands for the user's op.
#include "Check.h"
#include "dialects/Graph/IR/GraphBuilders.h"

#include "mlir/IR/DialectRegistry.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace graphc;

namespace {

/// Gives 7 times the cotangent, in the operand's type or in f64.
template <bool rightType>
struct UserRule
    : graph::DifferentiableOpInterface::ExternalModel<UserRule<rightType>,
                                                      graph::FusedOp> {
  LogicalResult vjp(Operation *op, OpBuilder &builder,
                    ArrayRef<Value> cotangents, ArrayRef<bool> wanted,
                    MutableArrayRef<Value> gradients) const {
    Value g = cotangents[0];
    Value seven = graph::splatLike(builder, op->getLoc(), g, 7.0);
    gradients[0] = builder.create<graph::MulOp>(op->getLoc(), g, seven);
    if (!rightType)
      gradients[0] = graph::castTo(builder, op->getLoc(), gradients[0],
                                   builder.getF64Type());
    return success();
  }
};

const char *text = R"(
func.func private @loss(%x: tensor<f32>) -> tensor<f32> {
  %y = graph.fused(%a = %x) : (tensor<f32>) -> tensor<f32> {
    graph.yield %a : tensor<f32>
  }
  return %y : tensor<f32>
}
func.func @grad(%x: tensor<f32>) -> tensor<f32> {
  %l, %dx = graph.value_and_grad @loss(%x) inputs = [0]
      : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %dx : tensor<f32>
}
)";

template <bool rightType> void attach(Module &module) {
  DialectRegistry registry;
  registry.addExtension(+[](MLIRContext *context, graph::GraphDialect *) {
    graph::FusedOp::attachInterface<UserRule<rightType>>(*context);
  });
  module.context.appendDialectRegistry(registry);
}

TEST(UserRule, IsUsed) {
  Module module(text);
  attach<true>(module);
  ASSERT_TRUE(module.runAutodiff()) << module.errors;
  Tensors got = module.run("grad", {Tensor(module.type("tensor<f32>"))});
  ASSERT_EQ(got.size(), 1u) << module.errors;
  EXPECT_EQ(got[0].floats, std::vector<double>{7.0});
}

TEST(UserRule, OfTheWrongTypeIsAnError) {
  Module module(text);
  attach<false>(module);
  EXPECT_FALSE(module.runAutodiff());
  EXPECT_NE(module.errors.find("expects its derivative rule to give type "
                               "'tensor<f32>' for operand 0, but got "
                               "'tensor<f64>'"),
            std::string::npos)
      << module.errors;
}

} // namespace
