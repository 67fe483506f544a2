// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Autodiff/Rules/Rule.h"
#include "passes/Autodiff/Autodiff.h"

using namespace mlir;

namespace graphc {

void Rule::give(unsigned operand, Value gradient) {
  gradients[operand] =
      cast(gradient, graph::elementTypeOf(forward->getOperand(operand)));
}

Value Rule::transpose(Value x, ArrayRef<int64_t> permutation) {
  if (llvm::is_sorted(permutation))
    return x;
  return op<graph::TransposeOp>(x, permutation);
}

void registerAutodiffRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, graph::GraphDialect *) {
    attachActivationRules(context);
    attachArithmeticRules(context);
    attachAttentionRules(context);
    attachConvRules(context);
    attachCustomRules(context);
    attachIndexRules(context);
    attachLossRules(context);
    attachMathRules(context);
    attachNormRules(context);
    attachProductRules(context);
    attachReduceRules(context);
    attachShapeRules(context);
  });
}

} // namespace graphc
