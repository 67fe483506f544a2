// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How near a run came to points where its function is not smooth. There a
// finite difference is not a derivative, and two correct programs may differ by
// much more than their rounding.
#ifndef GRAPHC_LIB_INTERPRETER_KINKS_H
#define GRAPHC_LIB_INTERPRETER_KINKS_H

#include "lib/Interpreter/Interpreter.h"

#include <limits>

namespace graphc::interpreter {

/// The smallest change of a float operand that takes `op` over a kink or a
/// jump; infinite for smooth ops. Operands that are exactly at it do not count:
/// they were put there by the graph (relu of a relu, x == max(x)), not by
/// chance.
double kinkDistance(mlir::Operation *op,
                    llvm::ArrayRef<const Tensor *> operands);

/// Remembers the nearest kink of the runs it observes. It must outlive them.
class KinkMeter {
public:
  Observer observer();

  double distance = std::numeric_limits<double>::infinity();
  mlir::Operation *nearest = nullptr; // null if there was none
};

/// The kink nearest to a run of `function` on `inputs`. `prepare` sets variables.
/// Fails where the run does.
mlir::FailureOr<KinkMeter> nearestKink(
    mlir::ModuleOp module, llvm::StringRef function,
    llvm::ArrayRef<Tensor> inputs, Options options = {},
    llvm::function_ref<mlir::LogicalResult(Interpreter &)> prepare = nullptr);

/// Says, at the op of `kink`, that none of `draws` random inputs of `function`
/// kept `clearance` from all kinks. Returns a failure.
mlir::LogicalResult emitTooNear(const KinkMeter &kink, llvm::StringRef function,
                                double clearance, int draws);

} // namespace graphc::interpreter

#endif // GRAPHC_LIB_INTERPRETER_KINKS_H
