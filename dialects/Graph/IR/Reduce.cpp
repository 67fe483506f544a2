// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Type inference of reductions.
#include "dialects/Graph/IR/Graph.h"

using namespace mlir;
using namespace graphc::graph;

static LogicalResult inferReduced(std::optional<Location> loc, StringRef op,
                                  Value operand, ArrayRef<int64_t> axes,
                                  SmallVectorImpl<Type> &inferred) {
  auto input = cast<RankedTensorType>(operand.getType());
  llvm::SmallVector<int64_t> shape;
  int64_t previous = -1;
  // C1
  for (int64_t axis : axes) {
    if (axis <= previous || axis >= input.getRank())
      return emitOptionalError(
          loc, "'", op,
          "' op expects axes to be strictly increasing dimensions of ", input,
          ", but got [", axes, "]");
    previous = axis;
  }
  // C2
  for (int64_t dim = 0; dim < input.getRank(); ++dim)
    if (!llvm::is_contained(axes, dim))
      shape.push_back(input.getDimSize(dim));
  inferred.push_back(input.clone(shape));
  return success();
}

#define REDUCE_METHODS(Op)                                                     \
  LogicalResult Op::inferReturnTypes(                                          \
      MLIRContext *, std::optional<Location> loc, Op::Adaptor adaptor,         \
      SmallVectorImpl<Type> &inferred) {                                       \
    return inferReduced(loc, getOperationName(), adaptor.getInput(),           \
                        adaptor.getAxes(), inferred);                          \
  }
REDUCE_METHODS(ReduceSumOp)
REDUCE_METHODS(ReduceMeanOp)
REDUCE_METHODS(ReduceMaxOp)
REDUCE_METHODS(ReduceMinOp)
REDUCE_METHODS(ReduceProdOp)
#undef REDUCE_METHODS

static LogicalResult inferArg(std::optional<Location> loc, StringRef op,
                              Value operand, int64_t axis,
                              SmallVectorImpl<Type> &inferred) {
  auto input = cast<RankedTensorType>(operand.getType());
  // C1
  if (axis < 0 || axis >= input.getRank() || input.getDimSize(axis) == 0)
    return emitOptionalError(loc, "'", op,
                             "' op expects axis to be a dimension of ", input,
                             " that is not empty, but got ", axis);
  // C2
  llvm::SmallVector<int64_t> shape(input.getShape());
  shape.erase(shape.begin() + axis);
  inferred.push_back(
      RankedTensorType::get(shape, IntegerType::get(input.getContext(), 64)));
  return success();
}

#define ARG_METHODS(Op)                                                        \
  LogicalResult Op::inferReturnTypes(                                          \
      MLIRContext *, std::optional<Location> loc, Op::Adaptor adaptor,         \
      SmallVectorImpl<Type> &inferred) {                                       \
    return inferArg(loc, getOperationName(), adaptor.getInput(),               \
                    adaptor.getAxis(), inferred);                              \
  }
ARG_METHODS(ArgmaxOp)
ARG_METHODS(ArgminOp)
#undef ARG_METHODS
