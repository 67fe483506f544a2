// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop uses from around it, when it becomes a function of its own.

#ifndef GRAPHC_LIB_TARGET_CPU_CAPTURES_H
#define GRAPHC_LIB_TARGET_CPU_CAPTURES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace graphc::cpu {

/// Cheap values (constants, views of memory, index arithmetic) are computed
/// again in the function; others, loaded ones say, travel in an array that
/// starts with the kernel's own i64 arguments.
class Captures {
public:
  /// What `region`, directly inside `kernel`, uses.
  static mlir::FailureOr<Captures> of(mlir::Region &region,
                                      mlir::func::FuncOp kernel);

  /// In the kernel: the array to pass, given the one the kernel got.
  mlir::Value save(mlir::OpBuilder &builder, mlir::Value args) const;

  /// In the function: maps each used value to its like there. `mapping` holds
  /// the kernel's arguments already.
  void restore(mlir::OpBuilder &builder, mlir::Value args,
               mlir::IRMapping &mapping) const;

private:
  /// In an order in which each comes after what it is computed from.
  llvm::SmallVector<mlir::Operation *> recomputed;
  llvm::SmallVector<mlir::Value> passed;
  int64_t argCount = 0;
};

} // namespace graphc::cpu

#endif // GRAPHC_LIB_TARGET_CPU_CAPTURES_H
