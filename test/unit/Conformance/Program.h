// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function @f from text, which tests run before and after a rewrite.
#ifndef GRAPHC_TEST_UNIT_CONFORMANCE_PROGRAM_H
#define GRAPHC_TEST_UNIT_CONFORMANCE_PROGRAM_H

#include "dialects/Graph/IR/Graph.h"
#include "lib/Interpreter/Bounds.h"
#include "lib/Interpreter/Compare.h"
#include "lib/Interpreter/RandomInputs.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace graphc::conformance {

/// `text` with each `T` that stands for an element type replaced.
inline std::string withType(llvm::StringRef text, llvm::StringRef type) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == 'T' && i + 1 < text.size() && text[i + 1] == '>')
      out += type;
    else
      out += text[i];
  return out;
}

class Program {
public:
  explicit Program(llvm::StringRef text) {
    context.loadDialect<graph::GraphDialect, mlir::func::FuncDialect>();
    context.getDiagEngine().registerHandler(
        [this](mlir::Diagnostic &d) { errors += d.str() + "\n"; });
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << errors << text.str();
  }

  mlir::func::FuncOp function() {
    return module->lookupSymbol<mlir::func::FuncOp>("f");
  }

  /// The results of @f; none, and `errors`, if it fails.
  std::vector<interpreter::Tensor>
  run(llvm::ArrayRef<interpreter::Tensor> inputs,
      interpreter::Options options = {}) {
    interpreter::Interpreter interpreter(*module, std::move(options));
    auto results = interpreter.run("f", inputs);
    return succeeded(results) ? *results : std::vector<interpreter::Tensor>();
  }

  void decompose() {
    llvm::SmallVector<graph::DecomposableOpInterface> composites;
    module->walk(
        [&](graph::DecomposableOpInterface op) { composites.push_back(op); });
    ASSERT_FALSE(composites.empty());
    for (graph::DecomposableOpInterface op : composites) {
      mlir::OpBuilder builder(op);
      op->replaceAllUsesWith(op.decompose(builder));
      op->erase();
    }
    module->walk([&](mlir::Operation *op) {
      EXPECT_FALSE(mlir::isa<graph::DecomposableOpInterface>(op));
    });
    EXPECT_TRUE(succeeded(mlir::verify(*module))) << errors;
  }

  mlir::MLIRContext context;
  std::string errors;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace graphc::conformance

#endif // GRAPHC_TEST_UNIT_CONFORMANCE_PROGRAM_H
