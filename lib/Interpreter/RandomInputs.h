// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random arguments for a function, such that its results can be compared.
#ifndef GRAPHC_LIB_INTERPRETER_RANDOMINPUTS_H
#define GRAPHC_LIB_INTERPRETER_RANDOMINPUTS_H

#include "lib/Interpreter/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace graphc::interpreter {

/// A stream of numbers that a seed determines on every machine.
class RandomStream {
public:
  explicit RandomStream(uint64_t seed) : seed(seed) {}
  uint32_t word();
  /// In [low, high).
  double uniform(double low, double high);
  /// In [low, high]; low <= high.
  int64_t integer(int64_t low, int64_t high);

private:
  uint64_t seed, next = 0;
};

/// What the elements of an argument may be.
struct Range {
  double low, high;
};

/// The range that the ops which read `value` ask for, through calls, fused
/// regions and loops: classes of a cross entropy, limits of a check_index,
/// probabilities, the domain of log and its like. Floats are otherwise in [-2,
/// 2), integers in [-4, 4].
Range inferRange(mlir::Value value);

/// A tensor of `type` with elements of `range`; 0 or 1 for i1.
Tensor drawTensor(mlir::RankedTensorType type, Range range,
                  RandomStream &stream);

/// One argument of each type of `function`.
mlir::FailureOr<std::vector<Tensor>> drawInputs(mlir::func::FuncOp function,
                                                uint64_t seed);

/// Draws the initial values that #graph.uniform and #graph.normal ask for, each
/// variable from `seed` and its own name: not the runtime's numbers, but enough
/// to compare programs. Files are an error.
Initializer drawInitialValues(uint64_t seed);

} // namespace graphc::interpreter

#endif // GRAPHC_LIB_INTERPRETER_RANDOMINPUTS_H
