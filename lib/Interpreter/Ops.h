// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How an op family tells the interpreter what its ops mean.
#ifndef GRAPHC_LIB_INTERPRETER_OPS_H
#define GRAPHC_LIB_INTERPRETER_OPS_H

#include "lib/Interpreter/Interpreter.h"

namespace graphc::interpreter {

/// One execution of an op. Results start as zeros of their declared types and
/// are rounded to them afterwards, so a handler computes in double and never
/// rounds.
struct Call {
  mlir::Operation *op;
  llvm::ArrayRef<const Tensor *> operands;
  llvm::MutableArrayRef<Tensor> results;
  const Options &options;

  const Tensor &operand(unsigned i = 0) const { return *operands[i]; }
  Tensor &result(unsigned i = 0) const { return results[i]; }
  /// Fails the execution at the op's location.
  mlir::InFlightDiagnostic error() const { return op->emitOpError(); }
};

using Handler = std::function<mlir::LogicalResult(Call &)>;

/// The handler of each op, by op name.
class OpTable {
public:
  /// The handlers of all families.
  static const OpTable &get();

  template <typename Op> void add(Handler handler) {
    handlers[Op::getOperationName()] = std::move(handler);
  }
  /// The same for a handler that also wants the typed op.
  template <typename Op>
  void add(mlir::LogicalResult (*handler)(Op op, Call &call)) {
    handlers[Op::getOperationName()] = [handler](Call &call) {
      return handler(mlir::cast<Op>(call.op), call);
    };
  }
  const Handler *find(llvm::StringRef name) const {
    auto it = handlers.find(name);
    return it == handlers.end() ? nullptr : &it->second;
  }

private:
  OpTable();
  llvm::StringMap<Handler> handlers;
};

void addElementwise(OpTable &table);
void addMath(OpTable &table);
void addCompare(OpTable &table);
void addActivations(OpTable &table);
void addAttention(OpTable &table);
void addShape(OpTable &table);
void addReductions(OpTable &table);
void addProducts(OpTable &table);
void addSoftmax(OpTable &table);
void addLosses(OpTable &table);
void addRandom(OpTable &table);
void addIndexing(OpTable &table);
void addConvolutions(OpTable &table);
void addNormalizations(OpTable &table);

/// Evaluates an op of the table; fails if it is not one of them. Results are
/// rounded as `options` say.
mlir::LogicalResult evaluate(mlir::Operation *op,
                             llvm::ArrayRef<const Tensor *> operands,
                             llvm::SmallVectorImpl<Tensor> &results,
                             const Options &options);

/// Fails once options.maxSeconds are over.
mlir::LogicalResult checkDeadline(mlir::Operation *op, const Options &options);

// Scalars that several families share.

/// The larger (smaller) of two; NaN if either is; +0 is larger than -0.
double maximum(double a, double b);
double minimum(double a, double b);

/// A handler that gives each float element f(x).
Handler mapFloats(double (*f)(double));
/// A handler that gives each pair of float elements f(a, b).
Handler mapFloatPairs(double (*f)(double, double));

} // namespace graphc::interpreter

#endif // GRAPHC_LIB_INTERPRETER_OPS_H
