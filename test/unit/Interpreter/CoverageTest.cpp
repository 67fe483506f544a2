// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every op has a meaning in the interpreter.
#include "dialects/Graph/IR/Graph.h"
#include "lib/Interpreter/Ops.h"

#include "llvm/ADT/StringSet.h"

#include <gtest/gtest.h>

using namespace graphc;
using namespace mlir;

namespace {

/// Ops that are run without a handler, or not at all.
bool needsNoHandler(StringRef name) {
  static const llvm::StringSet<> names = {
      // run by Evaluation.cpp: they have regions, state or functions
      "graph.checkpoint", "graph.custom", "graph.custom_vjp", "graph.for",
      "graph.fused", "graph.get", "graph.precision", "graph.set", "graph.yield",
      // expanded by passes before
      "graph.value_and_grad",
      // not in a function
      "graph.grad", "graph.train", "graph.variable"};
  return names.contains(name);
}

TEST(Coverage, EveryOpHasAHandlerOrAReason) {
  MLIRContext context;
  context.loadDialect<graph::GraphDialect>();
  int64_t handlers = 0;
  for (RegisteredOperationName op : context.getRegisteredOperations()) {
    if (op.getDialectNamespace() != "graph")
      continue;
    const auto *handler = interpreter::OpTable::get().find(op.getStringRef());
    handlers += handler != nullptr;
    EXPECT_NE(handler != nullptr, needsNoHandler(op.getStringRef()))
        << op.getStringRef().str();
  }
  EXPECT_GE(handlers, 90);
}

} // namespace
