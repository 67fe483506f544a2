// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function on its way from values to a table: tensors by number, and the
// steps that read and write them.
//
// - readFunction: the steps in the order of the function, with every copy that
//   may be needed; outputs and new values of variables are bound to their place
//   where a launch may write there itself.
// - orderSteps: the order in which they run; state is written after all that
//   may fail and after all readers of the old value.
// - assignBuffers: places in the arena; copies that became idle are dropped.
#ifndef GRAPHC_PASSES_PLAN_SCHEDULE_H
#define GRAPHC_PASSES_PLAN_SCHEDULE_H

#include "dialects/Graph/IR/Graph.h"
#include "dialects/Plan/IR/Plan.h"

namespace graphc::planning {

using TensorId = unsigned;

/// One tensor value. It is *bound* if its place is known before the arena is
/// laid out: an input, a constant, a variable, or what is computed into an
/// output or a variable.
struct Tensor {
  mlir::RankedTensorType type;
  int64_t bytes = 0;
  plan::Space space = plan::Space::Arena;
  unsigned index = 0; // of the input, output, variable or constant
  int64_t offset = 0; // in the arena
  int firstStep = -1; // the step that writes it; -1: there from the start
  int lastStep = -1;  // the last one that needs it
  unsigned depth = 0; // loops around its definition

  bool isArena() const { return space == plan::Space::Arena; }
};

struct Step {
  plan::EntryKind kind;
  mlir::Operation *op; // what it comes from
  llvm::SmallVector<TensorId, 4> reads;
  llvm::SmallVector<TensorId, 2> writes;
  bool hasWorkspace = false; // the last of `writes` is the workspace
  int loop = -1;             // number of the loop that it begins or ends
  bool isIdle = false;       // a copy within one buffer
};

/// A loop and, for each carried value, the four tensors that are one buffer:
/// what the loop starts from, an iteration's value, the next one, the result.
struct Loop {
  struct Carried {
    TensorId init, argument, next, result;
  };
  llvm::SmallVector<Carried> carried;
  std::optional<TensorId> slot; // the iteration number, if used
  int64_t count = 0;
  int beginStep = -1, endStep = -1;
};

/// What stays together when steps are reordered: one step, or a loop.
struct Node {
  llvm::SmallVector<Step, 1> steps;
  bool mayFail = false;
  bool isOrdered = false; // runs after those before it that are
  llvm::SmallVector<unsigned, 1> variables; // that it writes
};

struct Schedule {
  mlir::func::FuncOp function;
  std::vector<Tensor> tensors;
  std::vector<Loop> loops;
  std::vector<Node> nodes; // until orderSteps
  std::vector<Step> steps; // from then on
  std::vector<mlir::ElementsAttr> constants;
  llvm::DenseMap<unsigned, TensorId> oldValues; // by variable
  int64_t arenaBytes = 0;

  TensorId addTensor(mlir::Type type);
};

/// The variables of the module, numbered in the order of their declaration.
using VariableNumbers = llvm::DenseMap<mlir::StringAttr, unsigned>;

llvm::FailureOr<Schedule> readFunction(mlir::func::FuncOp function,
                                       const VariableNumbers &variables);
void orderSteps(Schedule &schedule);
llvm::LogicalResult assignBuffers(Schedule &schedule);

/// True if output `output` of the launch may be written over `input`, in
/// whatever operands of the launch it is.
bool mayShare(const Step &launch, TensorId output, TensorId input);

} // namespace graphc::planning

#endif // GRAPHC_PASSES_PLAN_SCHEDULE_H
