// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cotangents of neighbouring slices of one value are zeros but for a part
// each: their sum is the parts side by side.
#include "passes/Autodiff/Sweep.h"

#include "dialects/Graph/IR/GraphBuilders.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace graphc {

/// What one graph.concat joins; more are joined by several, so that many slices
/// do not make lists of all that came before each.
constexpr size_t kMostParts = 32;

/// The only dimension in which the two pads differ, if neither puts anything
/// between elements.
static std::optional<int64_t> onlyDifference(graph::PadOp a, graph::PadOp b) {
  std::optional<int64_t> axis;
  for (int64_t k = 0; k < int64_t(a.getLow().size()); ++k) {
    if (a.getInterior()[k] != 0 || b.getInterior()[k] != 0)
      return std::nullopt;
    if (a.getLow()[k] == b.getLow()[k] && a.getHigh()[k] == b.getHigh()[k])
      continue;
    if (axis)
      return std::nullopt;
    axis = k;
  }
  return axis;
}

/// What `value` is, along `axis`, side by side.
static SmallVector<Value> partsOf(Value value, int64_t axis) {
  auto concat = value.getDefiningOp<graph::ConcatOp>();
  if (concat && int64_t(concat.getAxis()) == axis)
    return SmallVector<Value>(concat.getInputs());
  return {value};
}

/// +0 everywhere: sums of pads with -0 would have +0 or -0 around, as it comes.
static bool isPositiveZeros(Value value) {
  DenseElementsAttr elements;
  return isZeros(value) && matchPattern(value, m_Constant(&elements)) &&
         elements.getSplatValue<APFloat>().isPosZero();
}

Value joinPads(OpBuilder &builder, Location loc, Value a, Value b) {
  auto first = a.getDefiningOp<graph::PadOp>();
  auto last = b.getDefiningOp<graph::PadOp>();
  if (!first || !last || !isPositiveZeros(first.getValue()) ||
      !isPositiveZeros(last.getValue()))
    return {};
  std::optional<int64_t> axis = onlyDifference(first, last);
  if (!axis)
    return {};
  if (first.getLow()[*axis] > last.getLow()[*axis])
    std::swap(first, last);
  int64_t size = graph::tensorTypeOf(first.getInput()).getDimSize(*axis);
  if (first.getLow()[*axis] + size != last.getLow()[*axis])
    return {};

  SmallVector<Value> parts = partsOf(first.getInput(), *axis);
  llvm::append_range(parts, partsOf(last.getInput(), *axis));
  if (parts.size() > kMostParts)
    parts = {first.getInput(), last.getInput()};
  Value joined =
      builder.create<graph::ConcatOp>(loc, ValueRange(parts), uint64_t(*axis));
  SmallVector<int64_t> low(first.getLow()), high(last.getHigh());
  auto isZero = [](int64_t count) { return count == 0; };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero))
    return joined;
  Value padded = builder.create<graph::PadOp>(loc, first.getType(), joined,
                                              first.getValue(), low, high,
                                              first.getInterior());
  return padded;
}

} // namespace graphc
