// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses a module from text and runs its functions.
#ifndef GRAPHC_TEST_UNIT_INTERPRETER_RUN_H
#define GRAPHC_TEST_UNIT_INTERPRETER_RUN_H

#include "lib/Interpreter/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace graphc::interpreter {

class Parsed {
public:
  explicit Parsed(llvm::StringRef text) {
    context.loadDialect<graph::GraphDialect, mlir::func::FuncDialect>();
    context.printOpOnDiagnostic(false);
    context.getDiagEngine().registerHandler(
        [this](mlir::Diagnostic &d) { errors += d.str() + "\n"; });
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << errors;
  }

  mlir::RankedTensorType type(llvm::ArrayRef<int64_t> shape,
                              mlir::Type element) {
    return mlir::RankedTensorType::get(shape, element);
  }
  Tensor f32(llvm::ArrayRef<int64_t> shape, std::vector<double> values) {
    Tensor tensor(type(shape, mlir::Float32Type::get(&context)));
    EXPECT_EQ(tensor.floats.size(), values.size());
    tensor.floats = std::move(values);
    return tensor;
  }
  Tensor i64(llvm::ArrayRef<int64_t> shape, std::vector<int64_t> values) {
    Tensor tensor(type(shape, mlir::IntegerType::get(&context, 64)));
    EXPECT_EQ(tensor.ints.size(), values.size());
    tensor.ints = std::move(values);
    return tensor;
  }

  /// The results of @f, or none after an error, which is then in `errors`.
  std::vector<Tensor> run(std::vector<Tensor> inputs = {},
                          Options options = {}) {
    if (!module)
      return {};
    Interpreter interpreter(*module, std::move(options));
    auto results = interpreter.run("f", inputs);
    return succeeded(results) ? *results : std::vector<Tensor>();
  }

  mlir::MLIRContext context;
  std::string errors;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace graphc::interpreter

#endif // GRAPHC_TEST_UNIT_INTERPRETER_RUN_H
