// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that share a layout, and the ops that compute in it.
#ifndef GRAPHC_PASSES_PACKWEIGHTS_GROUPS_H
#define GRAPHC_PASSES_PACKWEIGHTS_GROUPS_H

#include "dialects/Graph/IR/GraphBuilders.h"

#include "llvm/ADT/SetVector.h"

#include <string>
#include <vector>

namespace graphc::packing {

/// A weight, its optimizer's state, and whatever else elementwise ops compute
/// from one of them for another.
struct Group {
  llvm::SmallVector<graph::VariableOp, 4> variables;
  llvm::SmallVector<graph::GetOp, 4> gets;
  llvm::SmallVector<graph::SetOp, 4> sets;
  /// Elementwise ops between the reads and the sets, in order.
  llvm::SmallVector<mlir::Operation *> updates;
  /// Operands of products, or of graph.embedding, that are a variable.
  llvm::SmallVector<mlir::OpOperand *> reads;
  /// What updates and sets read that is in rows: it is no product that they
  /// alone read.
  llvm::SetVector<mlir::Value> inRows;
  /// Why it has no layout; empty if it may have one.
  std::string fault;
};

/// All variables of `module`, in groups.
std::vector<Group> findGroups(mlir::ModuleOp module);

/// The dimension of a weight that its reader `operand` sums over, or nothing if
/// it does not.
std::optional<int64_t> getSummedDim(mlir::OpOperand &operand);

/// The product of two matrices that `value` is, maybe transposed, or null.
graph::DotGeneralOp getMatrixProduct(mlir::Value value);

/// Gives the variables of `group` the layout.
void rewrite(const Group &group, graph::PanelsAttr layout);

} // namespace graphc::packing

#endif // GRAPHC_PASSES_PACKWEIGHTS_GROUPS_H
