// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between the threads of a group: who waits for whose memory.

#ifndef GRAPHC_LIB_TARGET_CUDA_SYNCHRONIZE_H
#define GRAPHC_LIB_TARGET_CUDA_SYNCHRONIZE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"

namespace graphc::cuda {

/// Pairs of a kernel's arguments, by number, that may be the same memory.
using InPlaceArguments = llvm::DenseSet<std::pair<unsigned, unsigned>>;
/// Those that some launch of `kernel` in its module allows.
InPlaceArguments inPlaceArguments(mlir::func::FuncOp kernel);

/// Bytes [begin, end) of `base`, an argument of the kernel or scratch memory.
struct MemoryPart {
  mlir::Value base;
  int64_t begin, end;

  bool overlaps(const MemoryPart &other, const InPlaceArguments &pairs) const;
};
MemoryPart memoryPartOf(mlir::Value memory);

struct Access {
  MemoryPart part;
  mlir::Operation *op;
  bool writes;
};
/// Appends what `root` and the ops inside it read and write.
void collectAccesses(mlir::Operation *root, llvm::SmallVectorImpl<Access> &all);
/// True if the order of both matters.
bool conflict(const Access &a, const Access &b, const InPlaceArguments &pairs);

/// Marks an scf.if that some of the threads of a group enter, not all or none.
inline constexpr llvm::StringLiteral kSomeThreads = "some_threads";

/// Adds a nvvm.bar.warp.sync of `mask`, an i32, before each op of `body` that
/// may touch memory of the group or the device which another thread of the
/// group has written, or that may write what another has still to read.
/// All threads of the group reach all ops together. Equal addresses should be
/// equal values: then what each thread reads and writes by itself is seen.
void synchronizeGroup(mlir::Block &body, mlir::Value mask,
                      const InPlaceArguments &pairs);

} // namespace graphc::cuda

#endif // GRAPHC_LIB_TARGET_CUDA_SYNCHRONIZE_H
