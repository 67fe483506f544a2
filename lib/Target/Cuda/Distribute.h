// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lanes of vectors over the threads of a group.

#ifndef GRAPHC_LIB_TARGET_CUDA_DISTRIBUTE_H
#define GRAPHC_LIB_TARGET_CUDA_DISTRIBUTE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"

#include <string>

namespace graphc::cuda {

/// How many lanes a thread has, and how many threads share the vectors.
///
/// A vector of N lanes lies in the first N / lanes threads of a group, and again
/// in the next as many, and so on; one of at most `lanes` lanes is whole in
/// each thread. So every thread has a part of every vector, and what is a
/// scalar at the tile level is the same in all threads of the group.
struct Layout {
  int64_t lanes = 1, group = 1;

  /// Threads that a vector of `count` lanes is spread over.
  int64_t owners(int64_t count) const {
    return count <= lanes ? 1 : count / lanes;
  }
  mlir::Type convert(mlir::Type type) const;
};

/// The layout in which threads read and write 16 bytes at once of the widest
/// elements that `ops` access as vectors. False with `notYet` set if there is
/// none.
bool chooseLayout(llvm::ArrayRef<mlir::Operation *> ops, Layout &layout,
                  std::string &notYet);

/// The lanes of a vector; 0 of anything else.
int64_t lanesOf(mlir::Type type);

/// True for a vector constant that is indexed by a number known at run time
/// only: it is not spread.
bool isTable(mlir::Value value);

/// Copies code of the tile level to that of one thread.
class Distributor {
public:
  Distributor(mlir::OpBuilder &builder, Layout layout)
      : builder(builder), layout(layout) {}

  /// From values of the tile level to those of the thread.
  mlir::IRMapping map;
  /// The thread's number in its group, an index; unused if that has one.
  mlir::Value thread;
  /// Memory of a group in that of its block: where it begins.
  llvm::DenseMap<mlir::Value, mlir::Value> firstElement;

  /// False with `notYet` set on what has no code yet.
  bool copy(mlir::Operation &op, std::string &notYet);

private:
  bool copyBlock(mlir::Block &from, mlir::Block &to, std::string &notYet);
  bool copyLoop(mlir::Operation &op, std::string &notYet);
  bool copyIf(mlir::Operation &op, std::string &notYet);
  bool copyConstant(mlir::Operation &op, std::string &notYet);
  bool copyMemory(mlir::Operation &op);
  void copySlice(mlir::Operation &op);
  void copyExtract(mlir::Operation &op);
  void copyFromElements(mlir::Operation &op);
  bool copyAny(mlir::Operation &op, std::string &notYet);
  void copyPlain(mlir::Operation &op);

  bool isSpread(mlir::Value tileValue) const;
  mlir::Value constant(int64_t value);
  /// The thread's first lane of a vector of `count`.
  mlir::Value firstLane(int64_t count);
  mlir::Value exchange(mlir::Value scalar, bool isXor, int64_t with);
  mlir::Value partner(mlir::Value vector, int64_t distance);
  /// Calls `body` in the threads below `count` only.
  void inThreads(int64_t count, llvm::function_ref<void()> body);

  mlir::OpBuilder &builder;
  Layout layout;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> exchanged;
};

} // namespace graphc::cuda

#endif // GRAPHC_LIB_TARGET_CUDA_DISTRIBUTE_H
