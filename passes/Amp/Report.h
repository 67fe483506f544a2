// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What was decided, in words.
#ifndef GRAPHC_PASSES_AMP_REPORT_H
#define GRAPHC_PASSES_AMP_REPORT_H

#include "passes/Amp/Decisions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace graphc::amp {

class Report {
public:
  /// Made before the module is changed, printed after.
  Report(mlir::ModuleOp module, const Decisions &decisions);

  void print(mlir::ModuleOp module, llvm::raw_ostream &os) const;

private:
  void print(mlir::func::FuncOp function, llvm::raw_ostream &os) const;
  void printOp(mlir::Operation *op, llvm::raw_ostream &os) const;
  bool isNewCast(mlir::Operation *op) const;

  const Decisions &decisions;
  /// The bytes of its results of floats; all casts that were there.
  llvm::DenseMap<mlir::Operation *, int64_t> bytesBefore;
};

} // namespace graphc::amp

#endif // GRAPHC_PASSES_AMP_REPORT_H
