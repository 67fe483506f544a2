// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/LowerKernel/Layouts.h"

#include "dialects/Graph/IR/GraphBuilders.h"

using namespace mlir;
namespace graphc::kernel {

graph::FusedOp buildLayoutRegion(graph::VariableOp variable, bool packs,
                                 ModuleOp module) {
  Location loc = variable.getLoc();
  graph::PanelsAttr layout = *variable.getLayout();
  int64_t dim = layout.getDim();
  RankedTensorType type = variable.getTensorType(),
                   stored = variable.getStoredType();
  RankedTensorType from = packs ? type : stored, to = packs ? stored : type;

  OpBuilder outside = OpBuilder::atBlockEnd(module.getBody());
  Value input = module.getBody()->addArgument(from, loc);
  auto fused = outside.create<graph::FusedOp>(loc, TypeRange(to), input);
  OpBuilder builder(module.getContext());
  Block *body = builder.createBlock(&fused.getBody());
  Value value = body->addArgument(from, loc);

  // Whole panels, with the panels' two dimensions in the place of `dim`.
  SmallVector<int64_t> whole(type.getShape()), split;
  whole[dim] = stored.getDimSize(0) * layout.getWidth();
  split = whole;
  split[dim] = stored.getDimSize(0);
  split.insert(split.begin() + dim + 1, layout.getWidth());
  // Its own inverse: the dimension inside a panel and one of those change
  // places.
  SmallVector<int64_t> order = {0, 2, 1};
  if (dim == 1)
    order = {1, 0, 2};
  int64_t filled = whole[dim] - type.getDimSize(dim);
  if (packs) {
    if (filled) {
      auto scalar = RankedTensorType::get({}, type.getElementType());
      SmallVector<int64_t> none(2, 0), high(2, 0);
      high[dim] = filled;
      value = builder.create<graph::PadOp>(
          loc, value, graph::splat(builder, loc, scalar, 0), none, high, none);
    }
    value = graph::reshapeTo(builder, loc, value, split);
    value = builder.create<graph::TransposeOp>(loc, value, order);
  } else {
    value = builder.create<graph::TransposeOp>(loc, value, order);
    value = graph::reshapeTo(builder, loc, value, whole);
    if (filled)
      value = builder.create<graph::SliceOp>(
          loc, value, SmallVector<int64_t>(2, 0), type.getShape(),
          SmallVector<int64_t>(2, 1));
  }
  builder.create<graph::YieldOp>(loc, value);
  return fused;
}

} // namespace graphc::kernel
