// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a finished schedule to the table form.
#ifndef GRAPHC_PASSES_PLAN_EMIT_H
#define GRAPHC_PASSES_PLAN_EMIT_H

#include "passes/Plan/Schedule.h"

namespace graphc::planning {

/// The constants of a module: equal bytes are stored once, whatever their
/// types.
class ConstantPool {
public:
  /// The place of `value`, added at the end if it is new.
  int64_t getOffset(mlir::ElementsAttr value);

  /// A constant for which there was no room, and what the others take.
  mlir::ElementsAttr getExcess() const { return excess; }
  int64_t getBytes() const { return end; }

  /// Creates the plan.constant ops.
  void emit(mlir::OpBuilder &builder, mlir::Location loc) const;

private:
  struct Item {
    int64_t offset;
    mlir::ElementsAttr value;
  };
  std::vector<Item> items;
  llvm::DenseMap<mlir::Attribute, int64_t> offsets;
  llvm::DenseMap<uint64_t, llvm::SmallVector<unsigned, 1>> itemsOfHash;
  int64_t end = 0;
  mlir::ElementsAttr excess;
};

/// Creates the plan.program of `schedule`. `stateOffsets` is by variable.
plan::ProgramOp emitProgram(const Schedule &schedule,
                            llvm::ArrayRef<int64_t> stateOffsets,
                            ConstantPool &constants, mlir::OpBuilder &builder);

} // namespace graphc::planning

#endif // GRAPHC_PASSES_PLAN_EMIT_H
