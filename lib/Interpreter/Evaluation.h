// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One run of a function: its frames, the variables it has set, its limits.
#ifndef GRAPHC_LIB_INTERPRETER_EVALUATION_H
#define GRAPHC_LIB_INTERPRETER_EVALUATION_H

#include "lib/Interpreter/Deadline.h"
#include "lib/Interpreter/Ops.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace graphc::interpreter {

class Evaluation {
public:
  using Shared = std::shared_ptr<const Tensor>;
  using Values = llvm::SmallVector<Shared>;

  explicit Evaluation(Interpreter &interpreter);

  /// Takes ownership of a tensor, which counts against the limit while it
  /// lives.
  Shared hold(Tensor tensor);
  /// Fails if a tensor of `type` would pass the limit of elements.
  mlir::LogicalResult checkRoom(mlir::Operation *op,
                                mlir::RankedTensorType type);

  /// Runs `function`, whose argument types `arguments` have.
  mlir::FailureOr<Values> callFunction(mlir::Operation *caller,
                                       mlir::func::FuncOp function,
                                       Values arguments);
  /// Makes the variables that were set the interpreter's.
  void commit();

private:
  /// The values of one function call, those of nested bodies among them.
  using Frame = llvm::DenseMap<mlir::Value, Shared>;

  mlir::LogicalResult runBlock(mlir::Block &block, Frame &frame,
                               Values &results);
  mlir::LogicalResult runOp(mlir::Operation *op, Frame &frame);
  mlir::LogicalResult runCall(mlir::Operation *op, llvm::StringRef function,
                              Frame &frame);
  mlir::LogicalResult runFor(graph::ForOp op, Frame &frame);
  mlir::LogicalResult runRegion(mlir::Operation *op, Frame &frame);
  mlir::LogicalResult runGet(graph::GetOp op, Frame &frame);
  void runSet(graph::SetOp op, Frame &frame);
  mlir::LogicalResult runPlain(mlir::Operation *op, Frame &frame);
  mlir::LogicalResult checkBudget(mlir::Operation *op);
  /// Values of `block` that no op after `op` reads.
  llvm::ArrayRef<mlir::Value> getDeadAfter(mlir::Operation *op);

  Interpreter &interpreter;
  const Options &options;
  std::shared_ptr<int64_t> liveElements;
  llvm::StringMap<Shared> written;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value, 2>>
      deadAfter;
  llvm::DenseSet<mlir::Block *> analysedBlocks;
  int64_t opCount = 0;
  int depth = 0;
  Deadline deadline;
};

} // namespace graphc::interpreter

#endif // GRAPHC_LIB_INTERPRETER_EVALUATION_H
