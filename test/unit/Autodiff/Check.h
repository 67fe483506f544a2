// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients by a rule, by the pass, and by central differences, all evaluated
// by the interpreter in f64.
#ifndef GRAPHC_TEST_UNIT_AUTODIFF_CHECK_H
#define GRAPHC_TEST_UNIT_AUTODIFF_CHECK_H

#include "Cases.h"
#include "lib/Interpreter/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <random>

namespace graphc {

using interpreter::Tensor;
using Tensors = std::vector<Tensor>;

/// A module in a context with the derivative rules.
class Module {
public:
  explicit Module(const std::string &text);

  /// Runs passes. False, with `errors`, if they fail.
  bool runAutodiff();
  /// The results of a function; none, with `errors`, if it fails.
  Tensors run(llvm::StringRef function, const Tensors &inputs,
              interpreter::Mode mode = interpreter::Mode::F64);
  mlir::func::FuncOp function(llvm::StringRef name) {
    return module->lookupSymbol<mlir::func::FuncOp>(name);
  }
  mlir::RankedTensorType type(const std::string &text);
  Tensor tensor(const std::string &type, const std::vector<double> &values);

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  std::string errors;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// `text` of `func.func @f` for a case, public or private.
std::string functionText(const Case &c, const std::string &visibility = "");

/// Random values for the arguments of a function.
Tensors randomInputs(mlir::func::FuncOp function, Domain domain,
                     std::mt19937_64 &random);
/// Random cotangents of magnitude about 1.
Tensor randomCotangent(mlir::RankedTensorType type, std::mt19937_64 &random);

/// d sum(cotangent * result 0 of `function`) / d each input, by central
/// differences. `cotangent` null: of the sum itself.
Tensors centralDifferences(Module &module, llvm::StringRef function,
                           const Tensors &inputs, const Tensor *cotangent);

/// Whether all elements agree within 1e-6 relative to 1 or to the value. Says
/// where not in `why`.
bool agree(const Tensors &got, const Tensors &want, std::string &why);

/// Whether each element is the one wanted, NaN where that is.
bool isExactly(const Tensors &got, const std::vector<std::vector<double>> &want,
               std::string &why);

/// Whether @vjp gives zeros for a cotangent of zeros, whatever f's inputs are:
/// NaN, infinite, 0 or 1.
bool passesZeros(Module &module, std::string &why);

/// Whether a matrix product is among the ops that a rule built.
bool isProduct(llvm::ArrayRef<mlir::Operation *> built);

/// Adds a function @vjp to the module of @f: f's arguments and a cotangent to
/// the gradient of each argument, by the rule of the op that makes f's result.
/// Returns the ops the rule built.
llvm::SmallVector<mlir::Operation *> addVjp(Module &module);

} // namespace graphc

#endif // GRAPHC_TEST_UNIT_AUTODIFF_CHECK_H
