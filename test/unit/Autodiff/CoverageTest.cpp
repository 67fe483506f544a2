// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every op that could be differentiated has a rule, and every rule a case.
#include "Check.h"

#include "llvm/ADT/StringSet.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace graphc;

namespace {

/// Ops with a reason to have no rule.
bool needsNoRule(StringRef name) {
  static const llvm::StringSet<> names = {
      // no float goes in, or none comes out
      "graph.and", "graph.argmax", "graph.argmin", "graph.check_index",
      "graph.compare", "graph.constant", "graph.get", "graph.iota",
      "graph.is_finite", "graph.is_nan", "graph.is_training", "graph.not",
      "graph.one_hot", "graph.or", "graph.random_uniform", "graph.set",
      "graph.shift_left", "graph.shift_right", "graph.xor",
      // stops gradients
      "graph.stop_gradient",
      // expanded before, or made after
      "graph.checkpoint", "graph.for", "graph.fused", "graph.precision",
      "graph.recompute_barrier", "graph.value_and_grad", "graph.yield",
      // not in a function
      "graph.grad", "graph.train", "graph.variable"};
  return names.contains(name);
}

TEST(Coverage, EveryOpHasARule) {
  Module module("");
  int64_t rules = 0;
  for (RegisteredOperationName op : module.context.getRegisteredOperations()) {
    if (op.getDialectNamespace() != "graph")
      continue;
    bool hasRule = op.hasInterface<graph::DifferentiableOpInterface>();
    rules += hasRule;
    EXPECT_NE(hasRule, needsNoRule(op.getStringRef()))
        << op.getStringRef().str();
  }
  EXPECT_GE(rules, 45);
}

TEST(Coverage, EveryRuleHasACase) {
  // Their rules are functions of the model's own: test/e2e/custom.test.
  llvm::StringSet<> tested = {"graph.custom", "graph.custom_vjp"};
  for (const Case &c : opCases()) {
    Module module(functionText(c));
    Block &body = module.function("f").getBody().front();
    tested.insert(body.getTerminator()
                      ->getOperand(0)
                      .getDefiningOp()
                      ->getName()
                      .getStringRef());
  }
  Module module("");
  for (RegisteredOperationName op : module.context.getRegisteredOperations())
    if (op.hasInterface<graph::DifferentiableOpInterface>()) {
      EXPECT_TRUE(tested.contains(op.getStringRef()))
          << op.getStringRef().str();
    }
}

} // namespace
