// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference interpreter of the graph dialect: slow, obvious, and apart from
// everything it is to check.
#ifndef GRAPHC_LIB_INTERPRETER_INTERPRETER_H
#define GRAPHC_LIB_INTERPRETER_INTERPRETER_H

#include "lib/Interpreter/Tensor.h"

#include "dialects/Graph/IR/Graph.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

#include <functional>
#include <memory>
#include <vector>

namespace graphc::interpreter {

enum class Mode {
  /// Every float is a double, whatever its declared type.
  F64,
  /// Each op computes in f64 (sums wider) from its typed inputs and rounds its
  /// result once to the declared type.
  Declared
};

/// Sees each op of the graph dialect after it has been evaluated.
using Observer = std::function<void(
    mlir::Operation *, llvm::ArrayRef<const Tensor *>, llvm::ArrayRef<Tensor>)>;

/// Gives the initial value of a variable whose initializer draws numbers or
/// reads a file: #graph.uniform, #graph.normal, #graph.file.
using Initializer =
    std::function<mlir::FailureOr<Tensor>(graph::VariableOp variable)>;

struct Options {
  Mode mode = Mode::Declared;
  /// Element 0 of variables that start as #graph.seed.
  int64_t seed = 0;
  /// Limits, each an error when passed. 0: no limit.
  int64_t maxOps = 0;
  double maxSeconds = 0;
  /// Elements of one tensor, and scalar multiplications of one product.
  int64_t maxElements = int64_t{1} << 28;
  int64_t maxProducts = int64_t{1} << 32;
  /// Calls, loops and regions inside one another.
  int maxDepth = 200;
  Initializer initializer;
  Observer observer;
  /// Whether run() leaves the variables as they were.
  bool keepVariables = false;
};

/// Evaluates the functions of a verified module and holds its variables. All
/// failures are diagnostics at the op's location; nothing aborts. The module
/// must not change while the interpreter lives.
class Interpreter {
public:
  explicit Interpreter(mlir::ModuleOp module, Options options = {});
  ~Interpreter();

  /// Gives variables their initial values, in declaration order. run() does it
  /// if nobody has; those set before keep their value. A variable that needs an
  /// initializer and has none stays without a value, which is an error where it
  /// is read.
  mlir::LogicalResult initializeVariables();

  /// The value of a variable, or null.
  const Tensor *getVariable(llvm::StringRef name) const;
  /// Fails, with a diagnostic, if there is no such variable of that type.
  mlir::LogicalResult setVariable(llvm::StringRef name, Tensor value);

  /// Calls a function. Variables change only if all of it succeeds.
  mlir::FailureOr<std::vector<Tensor>> run(llvm::StringRef function,
                                           llvm::ArrayRef<Tensor> inputs);

  mlir::ModuleOp getModule() const { return module; }

private:
  mlir::ModuleOp module;
  Options options;
  bool initialized = false;
  using Value = std::shared_ptr<const Tensor>;
  llvm::StringMap<Value> variables;
  std::unique_ptr<mlir::SymbolTable> symbols;
  friend class Evaluation;
};

/// Evaluates one op that needs no variables, functions or regions, on operands
/// of its types; `result` receives its first result.
mlir::LogicalResult evaluateOp(mlir::Operation *op,
                               llvm::ArrayRef<const Tensor *> operands,
                               Tensor &result, const Options &options = {});

} // namespace graphc::interpreter

#endif // GRAPHC_LIB_INTERPRETER_INTERPRETER_H
