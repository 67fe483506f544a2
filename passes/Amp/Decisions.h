// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In which type each op computes, found before anything is changed.
#ifndef GRAPHC_PASSES_AMP_DECISIONS_H
#define GRAPHC_PASSES_AMP_DECISIONS_H

#include "dialects/Graph/IR/GraphBuilders.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace graphc::amp {

/// Why an op computes as it does; reasonText() says it.
enum class Reason {
  LowList,
  WideList,
  WidestIsWide,
  AllLow,
  FollowsLow,
  FollowsWide,
  Region,
  KeptWide,
  MovesLow,
};
llvm::StringRef reasonText(Reason reason);

struct Decision {
  /// The type of the operands and results that depend on it: the low one, or
  /// f32.
  bool isLow = false;
  /// The result is f32 though its operands are low: a product whose readers
  /// compute in f32.
  bool givesWide = false;
  /// Computed in f32, then rounded to the low type.
  bool isRounded = false;
  Reason reason = Reason::WideList;
};

/// True if operand `number` of `op` has the type that the op computes in. Others
/// (a bias, running statistics) may be wider.
bool isData(mlir::Operation *op, unsigned number);
bool isDataResult(mlir::Operation *op, unsigned number);

/// True for an op that only moves, repeats or drops elements.
bool isMovement(mlir::Operation *op);

/// A constant that is one number, and so of no type of its own where an element
/// meets it, as PyTorch's scalars.
graph::ConstantOp getWeakConstant(mlir::Operation *op, mlir::Value operand);

/// True if the number is a value of `type`.
bool isExactIn(graph::ConstantOp constant, mlir::FloatType type);

class Decisions {
public:
  Decisions(mlir::ModuleOp module, mlir::FloatType low);

  /// Null for an op that stays as it is declared.
  const Decision *lookup(mlir::Operation *op) const;
  mlir::FloatType getLow() const { return low; }

private:
  void decideBlock(mlir::Block &block, bool inRegion);
  void decide(mlir::Operation *op, bool inRegion);
  bool isLowByClass(mlir::Operation *op, Decision &decision) const;
  bool readsWide(mlir::Operation *op) const;
  bool isKeptWide(mlir::Operation *op) const;
  void findPlaces(mlir::Block &block);
  void narrowMoves(mlir::Block &block);
  bool wantsLow(mlir::OpOperand &use) const;
  bool isLow(mlir::Value value) const;

  mlir::FloatType low;
  llvm::DenseMap<mlir::Operation *, Decision> decisions;
  /// Values declared f32 that PyTorch would have in the low type.
  llvm::DenseSet<mlir::Value> lowValues;
  /// Those of them that stay f32, because all that reads them is arithmetic.
  llvm::DenseSet<mlir::Value> keptWide;
  /// Where in a block an op is needed first, counted from the end in ops that are
  /// no arithmetic: what two ops of different places read is in memory between.
  /// So a GELU has another place than its derivative.
  llvm::DenseMap<mlir::Operation *, int64_t> places;
};

} // namespace graphc::amp

#endif // GRAPHC_PASSES_AMP_DECISIONS_H
