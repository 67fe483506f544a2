// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph dialect: ops, attributes, interfaces.
#ifndef GRAPHC_DIALECTS_GRAPH_IR_GRAPH_H
#define GRAPHC_DIALECTS_GRAPH_IR_GRAPH_H

#include "dialects/Graph/IR/F64.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace graphc::graph {

/// True for tensor<3xi64>, the type of a random key.
inline bool isKeyType(mlir::Type type) {
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  return tensor && tensor.getShape() == llvm::ArrayRef<int64_t>{3} &&
         tensor.getElementType().isSignlessInteger(64);
}

/// True for tensor<i64>, the type of a start of a dynamic slice.
inline bool isStartType(mlir::Type type) {
  auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  return tensor && tensor.getRank() == 0 &&
         tensor.getElementType().isSignlessInteger(64);
}

/// Marks ops whose output element i depends on element i of each operand only.
template <typename ConcreteType>
class ElementwiseOp
    : public mlir::OpTrait::TraitBase<ConcreteType, ElementwiseOp> {};

/// Checks result types against the inferred ones.
mlir::LogicalResult verifyInferredResults(mlir::Operation *op);

/// Precedes InferTypeOpInterface on an op, whose own check of the result types
/// says less.
template <typename ConcreteType>
class InferredResults
    : public mlir::OpTrait::TraitBase<ConcreteType, InferredResults> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyInferredResults(op);
  }
};

/// The type in which sums, products and statistics of `element` accumulate:
/// f32 for f16 and bf16, else the type itself.
mlir::Type getAccumulationType(mlir::Type element);

/// True for the element types of the dialect's tensors.
bool isElementType(mlir::Type type);

/// In which type mixed precision computes an op, by PyTorch's autocast:
enum class PrecisionClass {
  Low,    // in the low type: the products
  Wide,   // in f32: statistics, exponentials, losses
  Widest, // in the widest type of its operands
  Follow, // in the type of its first operand
};

/// Gives an op the method of PrecisionOpInterface.
template <typename ConcreteType>
class PrecisionFact
    : public mlir::OpTrait::TraitBase<ConcreteType, PrecisionFact> {};

/// The class of `op`; Wide for an op that says nothing.
PrecisionClass getPrecisionClass(mlir::Operation *op);

/// "low", "wide", "widest" or "follow".
llvm::StringRef precisionClassName(PrecisionClass value);

/// What remains of a graph.precision on the ops that were in it, and on those
/// of their gradients: the type that they are computed in.
inline constexpr llvm::StringLiteral kPrecisionAttr = "graph.precision";

/// Which elements of an operand one element of an op's results depends on.
enum class IndexRelation {
  Same,      // the element of the same index
  Broadcast, // one, which other elements of the results depend on as well
  Movement,  // at most one; where it lies, constants say
  Row,       // all that differ in the reduced axes only; the shape stays
  Reduction, // all along the reduced axes, which the results lack
  Product,   // all along the dimensions that a sum of products goes over
  Opaque,    // nothing is known
};

/// How the results of `op` depend on operand `number`; see FusibleOpInterface.
IndexRelation getIndexRelation(mlir::Operation *op, unsigned number);

/// The axes of FusibleOpInterface; none for other ops.
llvm::SmallVector<int64_t> getReducedAxes(mlir::Operation *op);

/// True if each element of the results is computed by itself from at most one
/// element of each operand, opaque operands apart.
bool isComputedByElement(mlir::Operation *op);

/// The elements of all results of `op`, at most 2^63 - 1.
int64_t countResultElements(mlir::Operation *op);

} // namespace graphc::graph

#include "dialects/Graph/IR/GraphDialect.h.inc"
#include "dialects/Graph/IR/GraphEnums.h.inc"

#include "dialects/Graph/IR/GraphAttrInterfaces.h.inc"
#include "dialects/Graph/IR/GraphOpInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Graph/IR/GraphAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/Graph/IR/GraphOps.h.inc"

#endif // GRAPHC_DIALECTS_GRAPH_IR_GRAPH_H
