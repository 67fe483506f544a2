// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites what ChooseLayout has chosen.
#include "passes/ChannelsLast/ChannelsLast.h"
#include "dialects/Graph/IR/GraphBuilders.h"
#include "passes/ChannelsLast/Layout.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace graphc {
#define GEN_PASS_DEF_CHANNELSLAST
#include "passes/ChannelsLast/ChannelsLast.h.inc"

namespace {

using Ints = SmallVector<int64_t>;

/// The place, with channels last, of dimension `dim` of `rank`.
int64_t placeOf(int64_t dim, int64_t rank) {
  return dim == 0 ? 0 : dim == 1 ? rank - 1 : dim - 1;
}

/// `list`, of an entry for each dimension, in the order of channels last.
Ints permuted(ArrayRef<int64_t> list) {
  Ints result(list.size());
  for (auto [dim, value] : llvm::enumerate(list))
    result[placeOf(int64_t(dim), int64_t(list.size()))] = value;
  return result;
}

RankedTensorType lastType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.clone(permuted(tensor.getShape()));
}

class Rewriter {
public:
  explicit Rewriter(Block &block)
      : block(block), chosen(layout::chooseChannelsLast(block)) {}

  void run() {
    for (Value argument : block.getArguments())
      if (chosen.contains(argument))
        leaveFirst(lastOf(argument), argument);
    for (Operation &op : llvm::make_early_inc_range(block))
      rewrite(&op);
    for (Operation *op : llvm::reverse(replaced))
      op->erase();
    // Where nobody needs channels in their old place.
    for (Operation *op : llvm::reverse(made))
      if (op->use_empty())
        op->erase();
  }

private:
  /// `value` with its channels last.
  Value lastOf(Value value) {
    if (Value known = last.lookup(value))
      return known;
    OpBuilder builder = atEndOf(value);
    return last[value] = transpose(builder, value, lastOrder(value));
  }

  static Ints lastOrder(Value value) { return permuted(graph::allAxes(value)); }

  static OpBuilder atEndOf(Value value) {
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    return builder;
  }

  Value transpose(OpBuilder &builder, Value value, ArrayRef<int64_t> order) {
    auto op = builder.create<graph::TransposeOp>(value.getLoc(), value, order);
    made.push_back(op);
    return op;
  }

  /// What reads `value` from here on reads a transpose of `valueLast`, unless
  /// it is rewritten too.
  void leaveFirst(Value valueLast, Value value) {
    OpBuilder builder = atEndOf(valueLast);
    Ints order;
    int64_t rank = graph::tensorTypeOf(value).getRank();
    for (int64_t dim = 0; dim < rank; ++dim)
      order.push_back(placeOf(dim, rank));
    Value first = transpose(builder, valueLast, order);
    value.replaceAllUsesExcept(first, valueLast.getDefiningOp());
    last[first] = valueLast;
    chosen.insert(first);
  }

  void rewrite(Operation *op) {
    bool isResult =
        op->getNumResults() == 1 && chosen.contains(op->getResult(0));
    if (isResult) {
      layout::Port port = layout::portOfResult(op);
      if (port == layout::Port::Alike || port == layout::Port::Any)
        return turn(op);
      leaveFirst(lastOf(op->getResult(0)), op->getResult(0));
    }
    if (op->getNumOperands() != 0 && chosen.contains(op->getOperand(0)) &&
        layout::portOf(op, 0) == layout::Port::Any)
      reduce(op);
  }

  /// Replaces `op`, which computes a value whose channels are to be last.
  void turn(Operation *op) {
    Value old = op->getResult(0);
    OpBuilder builder(op);
    Operation *copy = builder.clone(*op);
    Value result = copy->getResult(0);
    result.setType(lastType(old.getType()));
    auto permuteList = [&](StringRef name) {
      auto list = op->getAttrOfType<DenseI64ArrayAttr>(name);
      copy->setAttr(name, builder.getDenseI64ArrayAttr(permuted(list)));
    };
    int64_t rank = graph::tensorTypeOf(old).getRank();
    if (auto constant = dyn_cast<graph::ConstantOp>(op)) {
      auto splat = cast<SplatElementsAttr>(constant.getValue());
      copy->setAttr(constant.getValueAttrName(),
                    splat.resizeSplat(lastType(old.getType())));
    } else if (auto broadcast = dyn_cast<graph::BroadcastOp>(op)) {
      turnBroadcast(broadcast, copy);
    } else {
      for (OpOperand &operand : copy->getOpOperands())
        if (chosen.contains(operand.get()))
          operand.set(lastOf(operand.get()));
      if (isa<graph::PadOp>(op))
        for (StringRef name : {"low", "high", "interior"})
          permuteList(name);
      if (isa<graph::SliceOp>(op))
        for (StringRef name : {"starts", "limits", "strides"})
          permuteList(name);
      if (auto reverse = dyn_cast<graph::ReverseOp>(op)) {
        Ints axes;
        for (int64_t axis : reverse.getAxes())
          axes.push_back(placeOf(axis, rank));
        llvm::sort(axes);
        cast<graph::ReverseOp>(copy).setAxes(axes);
      }
      if (auto concat = dyn_cast<graph::ConcatOp>(op))
        cast<graph::ConcatOp>(copy).setAxis(
            placeOf(int64_t(concat.getAxis()), rank));
    }
    last[old] = result;
    leaveFirst(result, old);
    replaced.push_back(op);
  }

  /// Dimensions of the input follow those of the result that they become.
  void turnBroadcast(graph::BroadcastOp op, Operation *copy) {
    int64_t rank = graph::tensorTypeOf(op).getRank();
    SmallVector<std::pair<int64_t, int64_t>> places; // in the result, input
    for (auto [k, dim] : llvm::enumerate(op.getDims()))
      places.push_back({placeOf(dim, rank), int64_t(k)});
    llvm::sort(places);
    Ints dims, order;
    for (auto [place, k] : places) {
      dims.push_back(place);
      order.push_back(k);
    }
    OpBuilder builder(copy);
    if (!llvm::is_sorted(order))
      copy->setOperand(0, transpose(builder, op.getInput(), order));
    cast<graph::BroadcastOp>(copy).setDims(dims);
  }

  /// Lets a reduction read what has its channels last.
  void reduce(Operation *op) {
    auto axes = op->getAttrOfType<DenseI64ArrayAttr>("axes").asArrayRef();
    Value input = op->getOperand(0);
    int64_t rank = graph::tensorTypeOf(input).getRank();
    Ints places, kept;
    for (int64_t axis : axes)
      places.push_back(placeOf(axis, rank));
    llvm::sort(places);
    // Dimension k of the old result is dimension order[k] of the new one.
    for (int64_t dim = 0; dim < rank; ++dim)
      if (!llvm::is_contained(axes, dim))
        kept.push_back(placeOf(dim, rank));
    Ints sorted(kept), order, shape;
    llvm::sort(sorted);
    for (int64_t place : kept)
      order.push_back(llvm::find(sorted, place) - sorted.begin());
    Value inputLast = lastOf(input);
    for (int64_t place : sorted)
      shape.push_back(graph::tensorTypeOf(inputLast).getDimSize(place));
    op->setOperand(0, inputLast);
    op->setAttr("axes", Builder(op->getContext()).getDenseI64ArrayAttr(places));
    Value result = op->getResult(0);
    if (llvm::is_sorted(order))
      return;
    result.setType(graph::tensorTypeOf(result).clone(shape));
    OpBuilder builder = atEndOf(result);
    Value restored = transpose(builder, result, order);
    result.replaceAllUsesExcept(restored, restored.getDefiningOp());
  }

  Block &block;
  llvm::DenseSet<Value> chosen;
  llvm::DenseMap<Value, Value> last;
  SmallVector<Operation *> made;
  // Kept until the end: the sets above know their results.
  SmallVector<Operation *> replaced;
};

struct ChannelsLastPass : impl::ChannelsLastBase<ChannelsLastPass> {
  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Operation *op) {
      if (op != getOperation() && !isa<graph::FusedOp>(op->getParentOp()))
        for (Region &region : op->getRegions())
          for (Block &block : region)
            blocks.push_back(&block);
    });
    for (Block *block : blocks) {
      if (!layout::hasConvolution(*block))
        continue;
      layout::openComposites(*block);
      Rewriter(*block).run();
      layout::padOnce(*block);
      layout::shareSums(*block);
    }
  }
};

} // namespace
} // namespace graphc
