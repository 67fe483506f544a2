// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/TrainStep/Clip.h"
#include "dialects/Graph/IR/GraphBuilders.h"

using namespace mlir;

namespace graphc {

/// All gradients by one factor: min(1, limit / (norm + 1e-6)), as PyTorch has
/// it. The factor of gradients that are not finite is not finite either, so
/// that they are seen.
static llvm::SmallVector<Value> clipByNorm(OpBuilder &builder, Location loc,
                                           double limit, ValueRange gradients) {
  bool anyF64 = llvm::any_of(gradients, [](Value gradient) {
    return graph::elementTypeOf(gradient).isF64();
  });
  Type wide = anyF64 ? builder.getF64Type() : builder.getF32Type();
  auto scalarType = RankedTensorType::get({}, wide);
  Value sum;
  for (Value gradient : gradients) {
    Value x = graph::castTo(builder, loc, gradient, wide);
    Value squares = builder.create<graph::MulOp>(loc, x, x);
    Value part = builder.create<graph::ReduceSumOp>(loc, squares,
                                                    graph::allAxes(squares));
    sum = sum ? builder.create<graph::AddOp>(loc, sum, part) : part;
  }
  Value norm = builder.create<graph::SqrtOp>(loc, sum);
  Value divisor = builder.create<graph::AddOp>(
      loc, norm, graph::splat(builder, loc, scalarType, 1e-6));
  Value factor = builder.create<graph::MinimumOp>(
      loc,
      builder.create<graph::DivOp>(
          loc, graph::splat(builder, loc, scalarType, limit), divisor),
      graph::splat(builder, loc, scalarType, 1.0));
  llvm::SmallVector<Value> clipped;
  for (Value gradient : gradients) {
    // Rounded once, as the product: a factor of 1e-8 is 0 in f16.
    RankedTensorType type = graph::tensorTypeOf(gradient);
    Value product = builder.create<graph::MulOp>(
        loc, graph::castTo(builder, loc, gradient, wide),
        graph::broadcastScalar(builder, loc, factor, type.getShape()));
    clipped.push_back(
        graph::castTo(builder, loc, product, type.getElementType()));
  }
  return clipped;
}

llvm::SmallVector<Value> clipGradients(OpBuilder &builder, graph::TrainOp op,
                                       ValueRange gradients) {
  Location loc = op.getLoc();
  if (auto limit = op.getClipNormAttr())
    return clipByNorm(builder, loc, limit.getValueAsDouble(), gradients);
  auto limit = op.getClipValueAttr();
  if (!limit)
    return llvm::to_vector(gradients);
  auto high = builder.getF64FloatAttr(limit.getValueAsDouble());
  auto low = builder.getF64FloatAttr(-limit.getValueAsDouble());
  llvm::SmallVector<Value> clipped;
  for (Value gradient : gradients)
    clipped.push_back(builder.create<graph::ClampOp>(loc, gradient.getType(),
                                                     gradient, low, high));
  return clipped;
}

} // namespace graphc
