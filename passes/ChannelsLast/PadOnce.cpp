// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What convolutions read with zeros around it is kept with them: it is written
// so once, by the ops that compute it, and nobody copies it.
#include "dialects/Graph/IR/GraphBuilders.h"
#include "dialects/Graph/IR/Windows.h"
#include "passes/ChannelsLast/Layout.h"

using namespace mlir;

namespace graphc::layout {
namespace {

using Ints = SmallVector<int64_t>;

/// Zeros before and after each spatial dimension.
struct Border {
  Ints low, high;

  bool isNone() const {
    auto isZero = [](int64_t n) { return n == 0; };
    return llvm::all_of(low, isZero) && llvm::all_of(high, isZero);
  }
  void widen(const Border &other) {
    for (size_t k = 0; k < low.size(); ++k) {
      low[k] = std::max(low[k], other.low[k]);
      high[k] = std::max(high[k], other.high[k]);
    }
  }
};

/// The border around operand 0 that `op`, a convolution, adds.
Border borderOf(Operation *op) {
  if (auto conv = dyn_cast<graph::ConvOp>(op))
    return {Ints(conv.getLow()), Ints(conv.getHigh())};
  if (auto conv = dyn_cast<graph::ConvWeightGradOp>(op))
    return {Ints(conv.getLow()), Ints(conv.getHigh())};
  auto conv = cast<graph::ConvTransposeOp>(op);
  Border border;
  graph::getBorder(conv, border.low, border.high);
  return border;
}

/// Tells `op` that `border` is there already.
void takeBorder(Operation *op, const Border &border) {
  Builder builder(op->getContext());
  Ints low, high;
  if (auto conv = dyn_cast<graph::ConvTransposeOp>(op)) {
    for (auto [k, stride] : llvm::enumerate(conv.getStrides())) {
      low.push_back(conv.getLow()[k] + border.low[k] * stride);
      high.push_back(conv.getHigh()[k] + border.high[k] * stride);
    }
  } else {
    low.assign(border.low.size(), 0);
    high = low;
  }
  op->setAttr("low", builder.getDenseI64ArrayAttr(low));
  op->setAttr("high", builder.getDenseI64ArrayAttr(high));
}

bool isConvolution(Operation *op) {
  auto transposed = dyn_cast<graph::ConvTransposeOp>(op);
  return isa<graph::ConvOp, graph::ConvWeightGradOp>(op) ||
         (transposed && transposed.leavesOutZeros() &&
          graph::tensorTypeOf(transposed).getNumElements() != 0);
}

/// A value with channels last, and who reads it as what.
struct Padder {
  Value value;
  SmallVector<std::pair<OpOperand *, graph::TransposeOp>> convolutions;
  Border border;

  int64_t readers = 0; // convolutions, as whatever operand

  /// Looks for convolutions that read `value` through a transpose.
  explicit Padder(Value value) : value(value) {
    int64_t spatial = graph::tensorTypeOf(value).getRank() - 2;
    border = {Ints(spatial, 0), Ints(spatial, 0)};
    for (Operation *user : value.getUsers()) {
      auto transpose = dyn_cast<graph::TransposeOp>(user);
      if (!transpose || !isToFirst(transpose))
        continue;
      for (OpOperand &use : transpose.getResult().getUses()) {
        readers += isConvolution(use.getOwner());
        if (isConvolution(use.getOwner()) && use.getOperandNumber() == 0) {
          convolutions.push_back({&use, transpose});
          border.widen(borderOf(use.getOwner()));
        }
      }
    }
  }

  static bool isToFirst(graph::TransposeOp op) {
    ArrayRef<int64_t> order = op.getPermutation();
    int64_t last = int64_t(order.size()) - 1;
    if (last < 2 || order[0] != 0 || order[1] != last)
      return false;
    for (int64_t k = 2; k <= last; ++k)
      if (order[k] != k - 1)
        return false;
    return true;
  }

  /// True if the zeros cost no pass of their own, and more than one convolution
  /// reads them: one alone may read what another one's kernel has computed.
  bool isWorthIt() const {
    Operation *producer = value.getDefiningOp();
    return !border.isNone() && readers > 1 && producer &&
           producer->hasTrait<graph::ElementwiseOp>();
  }

  /// The elements of `padded` with `wanted` around the value.
  Value take(OpBuilder &builder, Value padded, const Border &wanted) {
    Ints starts(graph::tensorTypeOf(value).getRank(), 0),
        steps(starts.size(), 1);
    Ints limits(graph::tensorTypeOf(padded).getShape());
    for (size_t k = 0; k < wanted.low.size(); ++k) {
      starts[k + 1] = border.low[k] - wanted.low[k];
      limits[k + 1] -= border.high[k] - wanted.high[k];
    }
    if (graph::tensorTypeOf(padded).getShape() == ArrayRef(limits) &&
        llvm::all_of(starts, [](int64_t n) { return n == 0; }))
      return padded;
    return builder.create<graph::SliceOp>(value.getLoc(), padded, starts,
                                          limits, steps);
  }

  void pad() {
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    Location loc = value.getLoc();
    Ints low = {0}, high = {0};
    llvm::append_range(low, border.low);
    llvm::append_range(high, border.high);
    low.push_back(0);
    high.push_back(0);
    Value zero = graph::splat(
        builder, loc, RankedTensorType::get({}, graph::elementTypeOf(value)),
        0.0);
    auto padded = builder.create<graph::PadOp>(loc, value, zero, low, high,
                                               Ints(low.size(), 0));
    // A view for each reader.
    for (auto [use, transpose] : convolutions) {
      Operation *op = use->getOwner();
      Border own = borderOf(op);
      OpBuilder here(op);
      Value input = take(here, padded, own);
      use->set(here.create<graph::TransposeOp>(transpose.getLoc(), input,
                                               transpose.getPermutation()));
      takeBorder(op, own);
    }
    Border none = {Ints(border.low.size(), 0), Ints(border.low.size(), 0)};
    Value inner = take(builder, padded, none);
    value.replaceUsesWithIf(
        inner, [&](OpOperand &use) { return use.getOwner() != padded; });
  }
};

} // namespace

void padOnce(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (op.getNumResults() != 1 || !isa<graph::GraphDialect>(op.getDialect()))
      continue;
    auto type = dyn_cast<RankedTensorType>(op.getResult(0).getType());
    if (!type || type.getRank() < 3)
      continue;
    Padder padder(op.getResult(0));
    if (padder.isWorthIt())
      padder.pad();
  }
}

} // namespace graphc::layout
