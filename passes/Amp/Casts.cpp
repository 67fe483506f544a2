// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Amp/Casts.h"
#include "dialects/Graph/IR/GraphBuilders.h"

using namespace mlir;

namespace graphc::amp {

/// The first op of `block` before which something new may stand: variables are
/// read before anything else.
static Operation *afterReads(Block &block) {
  for (Operation &op : block)
    if (!isa<graph::GetOp, graph::ConstantOp>(op))
      return &op;
  return &block.back();
}

/// Where something new that `reader` reads may stand: nothing follows the first
/// write of a variable but other writes.
static Operation *beforeWrites(Operation *reader) {
  if (!isa<graph::SetOp>(reader) && !reader->hasTrait<OpTrait::IsTerminator>())
    return reader;
  while (isa_and_nonnull<graph::SetOp>(reader->getPrevNode()))
    reader = reader->getPrevNode();
  return reader;
}

Value Casts::makeConstant(graph::ConstantOp constant, FloatType type,
                          Operation *reader) {
  std::optional<int> group = regions.groupOf(reader);
  Value &copy = known[{constant, {type, group.value_or(-1)}}];
  if (copy)
    return copy;
  // Where the other constant is, if that is in the same kernel or in none.
  bool isNear = regions.groupOf(constant) == group;
  OpBuilder builder(isNear ? constant.getOperation() : reader);
  bool losesInfo = false;
  auto value =
      cast<SplatElementsAttr>(constant.getValue()).getSplatValue<APFloat>();
  value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  auto made = builder.create<graph::ConstantOp>(
      constant.getLoc(),
      DenseElementsAttr::get(graph::tensorTypeOf(constant).clone(type), value));
  if (group)
    regions.join(made, *group);
  return copy = made;
}

/// The cast beside what makes `value`, so that it is written twice, or right
/// after it.
Value Casts::makeAfter(Value value, FloatType type) {
  Value &copy = known[{value, {type, -1}}];
  if (copy)
    return copy;
  Operation *maker = value.getDefiningOp();
  std::optional<int> group =
      maker ? regions.groupOf(maker) : std::optional<int>();
  bool joins = group && regions.takesCasts(*group);
  OpBuilder builder(value.getContext());
  Operation *after = group && !joins ? regions.lastOf(*group) : maker;
  Operation *first = afterReads(*value.getParentBlock());
  if (after && !after->isBeforeInBlock(first))
    builder.setInsertionPointAfter(after);
  else
    builder.setInsertionPoint(first);
  auto made = builder.create<graph::CastOp>(
      value.getLoc(), graph::tensorTypeOf(value).clone(type), value);
  if (joins)
    regions.join(made, *group);
  else if (regions.areUsed())
    regions.makeGroup(made);
  return copy = made;
}

Value Casts::makeBefore(Value value, FloatType type, Operation *reader,
                        std::optional<int> group) {
  Value &copy = known[{value, {type, group.value_or(-2 - section)}}];
  if (copy)
    return copy;
  OpBuilder builder(beforeWrites(reader));
  auto made = builder.create<graph::CastOp>(
      value.getLoc(), graph::tensorTypeOf(value).clone(type), value);
  if (group)
    regions.join(made, *group);
  return copy = made;
}

Value Casts::get(Value value, FloatType type, Operation *reader) {
  auto from = cast<FloatType>(graph::elementTypeOf(value));
  if (from == type)
    return value;
  auto constant = value.getDefiningOp<graph::ConstantOp>();
  if (constant && isa<SplatElementsAttr>(constant.getValue()))
    return makeConstant(constant, type, reader);
  bool isWider = type.getWidth() > from.getWidth();
  if (type.getWidth() < from.getWidth())
    // What was widened before, which is exact; bf16 as f16 would not be.
    if (auto cast = value.getDefiningOp<graph::CastOp>();
        cast && graph::elementTypeOf(cast.getInput()) == type)
      return cast.getInput();
  std::optional<int> group = regions.groupOf(reader);
  Operation *maker = value.getDefiningOp();
  bool isInside = maker && group && regions.groupOf(maker) == group;
  bool isRegion =
      group && (isWider || (isInside && !regions.takesCasts(*group)));
  if (isRegion || (isWider && !regions.areUsed()))
    return makeBefore(value, type, reader, group);
  return makeAfter(value, type);
}

} // namespace graphc::amp
