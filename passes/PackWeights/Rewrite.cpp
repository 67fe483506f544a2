// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops on stored weights, in place of those on matrices: the same sums in the
// same order.
#include "passes/PackWeights/Groups.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace graphc::packing {
namespace {

SmallVector<int64_t> without(ArrayRef<int64_t> shape, int64_t dim) {
  SmallVector<int64_t> rest(shape);
  rest.erase(rest.begin() + dim);
  return rest;
}

class Rewriter {
public:
  Rewriter(const Group &group, graph::PanelsAttr layout)
      : group(group), layout(layout),
        type(graph::VariableOp(group.variables.front()).getTensorType()),
        stored(layout.getStoredType(type)) {}

  void run() {
    for (graph::VariableOp variable : group.variables)
      variable.setLayoutAttr(layout);
    for (graph::GetOp get : group.gets) {
      OpBuilder builder(get);
      packed[get] = builder.create<graph::GetOp>(get.getLoc(), stored,
                                                 get.getVariableAttr());
    }
    for (Operation *op : group.updates)
      packed[op->getResult(0)] = repeatPacked(op);
    for (graph::SetOp set : group.sets)
      set.getValueMutable().assign(getPacked(set.getValue()));
    for (Operation *op : llvm::reverse(group.updates))
      op->erase();
    for (OpOperand *read : group.reads)
      replaceRead(*read);
    for (graph::GetOp get : group.gets)
      get.erase();
    for (Operation *op : llvm::reverse(dead.getArrayRef())) // users first
      if (op->use_empty())
        op->erase();
  }

private:
  int64_t dim() const { return layout.getDim(); }
  int64_t panels() const { return stored.getDimSize(0); }
  int64_t width() const { return layout.getWidth(); }
  /// From a matrix with dimension dim() as two to what is stored, and back.
  ArrayRef<int64_t> order() const {
    static const int64_t orders[2][3] = {{0, 2, 1}, {1, 0, 2}};
    return orders[dim()];
  }
  bool isFilled() const { return panels() * width() != type.getDimSize(dim()); }

  /// `value` with dimension `at`, of as many elements as there are in all
  /// panels, as two.
  Value split(OpBuilder &builder, Value value, int64_t at) {
    SmallVector<int64_t> shape(graph::tensorTypeOf(value).getShape());
    shape[at] = panels();
    shape.insert(shape.begin() + at + 1, width());
    return graph::reshapeTo(builder, value.getLoc(), value, shape);
  }

  /// The reverse; what fills up the last panel is left out.
  Value join(OpBuilder &builder, Value value, int64_t at) {
    Location loc = value.getLoc();
    SmallVector<int64_t> shape(graph::tensorTypeOf(value).getShape());
    shape.erase(shape.begin() + at);
    shape[at] = panels() * width();
    value = graph::reshapeTo(builder, loc, value, shape);
    if (!isFilled())
      return value;
    shape[at] = type.getDimSize(dim());
    SmallVector<int64_t> starts(shape.size(), 0), strides(shape.size(), 1);
    return builder.create<graph::SliceOp>(loc, value, starts, shape, strides);
  }

  //===--------------------------------------------------------------------===//
  // Updates
  //===--------------------------------------------------------------------===//

  Value getPacked(Value value) {
    if (Value known = packed.lookup(value))
      return known;
    if (group.inRows.contains(value))
      return packed[value] = cutRows(value);
    Operation *op = value.getDefiningOp();
    OpBuilder builder(op);
    auto elements =
        RankedTensorType::get(stored.getShape(), graph::elementTypeOf(value));
    Value result;
    if (auto constant = dyn_cast<graph::ConstantOp>(op)) {
      auto splat = cast<SplatElementsAttr>(constant.getValue());
      result = builder.create<graph::ConstantOp>(
          op->getLoc(), cast<ElementsAttr>(splat.resizeSplat(elements)));
    } else if (auto broadcast = dyn_cast<graph::BroadcastOp>(op)) {
      result = builder.create<graph::BroadcastOp>(
          op->getLoc(), elements, broadcast.getInput(), ArrayRef<int64_t>());
    } else {
      auto transpose = dyn_cast<graph::TransposeOp>(op);
      result =
          makeProduct(getMatrixProduct(value), transpose ? 1 - dim() : dim());
    }
    dead.insert(op);
    return packed[value] = result;
  }

  /// `value`, which is in rows, as it would be stored.
  Value cutRows(Value value) {
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    return builder.create<graph::TransposeOp>(
        value.getLoc(), split(builder, value, dim()), order());
  }

  Value repeatPacked(Operation *op) {
    IRMapping map;
    for (Value operand : op->getOperands())
      map.map(operand, getPacked(operand));
    OpBuilder builder(op);
    Operation *copy = builder.clone(*op, map);
    Value result = copy->getResult(0);
    result.setType(
        RankedTensorType::get(stored.getShape(), graph::elementTypeOf(result)));
    return result;
  }

  /// `op` with dimension `at` of its result in panels: a product for each, of
  /// its rows of one factor and all of the other.
  Value makeProduct(graph::DotGeneralOp op, int64_t at) {
    OpBuilder builder(op);
    Value sides[2] = {op.getLhs(), op.getRhs()};
    SmallVector<int64_t> summed[2] = {
        SmallVector<int64_t>(op.getLhsContracting()),
        SmallVector<int64_t>(op.getRhsContracting())};
    int64_t free =
        graph::freeDims(graph::tensorTypeOf(sides[at]), {}, summed[at])[0];
    Value cut = split(builder, sides[at], free);
    for (int64_t &d : summed[at])
      d += d > free;

    Value other = sides[1 - at];
    SmallVector<int64_t> shape(graph::tensorTypeOf(other).getShape()), dims;
    shape.insert(shape.begin(), panels());
    for (size_t d = 1; d < shape.size(); ++d)
      dims.push_back(d);
    other = graph::broadcastTo(builder, op.getLoc(), other, dims, shape);
    for (int64_t &d : summed[1 - at])
      ++d;
    dead.insert(op);
    return builder.create<graph::DotGeneralOp>(
        op.getLoc(), stored, other, cut,
        /*lhs_batching=*/SmallVector<int64_t>{0},
        /*rhs_batching=*/SmallVector<int64_t>{free}, summed[1 - at],
        summed[at]);
  }

  //===--------------------------------------------------------------------===//
  // Reads
  //===--------------------------------------------------------------------===//

  Value makeDot(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape,
                Value lhs, Value rhs, ArrayRef<int64_t> lhsSummed,
                ArrayRef<int64_t> rhsSummed) {
    return builder.create<graph::DotGeneralOp>(
        loc, RankedTensorType::get(shape, type.getElementType()), lhs, rhs,
        ArrayRef<int64_t>(), ArrayRef<int64_t>(), lhsSummed, rhsSummed);
  }

  void replaceRead(OpOperand &read) {
    Operation *op = read.getOwner();
    OpBuilder builder(op);
    Operation *before = op->getPrevNode();
    Value weight = packed.lookup(read.get()), result;
    bool isWhole = false;
    if (auto embedding = dyn_cast<graph::EmbeddingOp>(op)) {
      Value rows =
          builder.create<graph::TransposeOp>(op->getLoc(), weight, order());
      IRMapping map;
      map.map(read.get(), join(builder, rows, dim()));
      result = builder.clone(*op, map)->getResult(0);
      isWhole = true;
    } else if (auto linear = dyn_cast<graph::LinearOp>(op)) {
      int64_t last = graph::tensorTypeOf(linear).getRank() - 1;
      result = multiply(builder, op->getLoc(), linear.getInput(), last, weight,
                        /*summed=*/1, /*weightIsRight=*/true);
      if (Value bias = linear.getBias())
        result = builder.create<graph::AddOp>(
            op->getLoc(), result,
            graph::broadcastTo(builder, op->getLoc(), bias, last,
                               graph::tensorTypeOf(result).getShape()));
    } else {
      auto dot = cast<graph::DotGeneralOp>(op);
      bool isRight = read.getOperandNumber() == 1;
      result = multiply(
          builder, op->getLoc(), isRight ? dot.getLhs() : dot.getRhs(),
          isRight ? dot.getLhsContracting()[0] : dot.getRhsContracting()[0],
          weight, *getSummedDim(read), isRight);
    }
    // Rows are found among the panels, and a last panel's filling left out,
    // where the op is computed: neither is ever in memory.
    if (isWhole || isFilled())
      result = wrap(before ? before->getNextNode() : &op->getBlock()->front(),
                    result);
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }

  /// The ops from `first` to the one that computes `result` as one kernel.
  Value wrap(Operation *first, Value result) {
    SmallVector<Operation *> ops;
    llvm::SetVector<Value> inputs;
    llvm::SmallPtrSet<Operation *, 8> inside;
    Operation *end = result.getDefiningOp()->getNextNode();
    for (Operation *op = first; op != end; op = op->getNextNode()) {
      for (Value operand : op->getOperands())
        if (!operand.getDefiningOp() ||
            !inside.contains(operand.getDefiningOp()))
          inputs.insert(operand);
      inside.insert(op);
      ops.push_back(op);
    }
    OpBuilder outside(end);
    auto fused = outside.create<graph::FusedOp>(
        result.getLoc(), TypeRange(result.getType()), inputs.getArrayRef());
    OpBuilder builder(fused.getContext());
    Block *body = builder.createBlock(&fused.getBody());
    for (Value input : inputs) {
      Value argument = body->addArgument(input.getType(), input.getLoc());
      for (Operation *op : ops)
        op->replaceUsesOfWith(input, argument);
    }
    for (Operation *op : ops)
      op->moveBefore(body, body->end());
    builder.create<graph::YieldOp>(result.getLoc(), result);
    return fused.getResult(0);
  }

  /// The product of `other`, summed over its dimension `at`, and the matrix that
  /// `weight` stores, summed over its dimension `summed`.
  Value multiply(OpBuilder &builder, Location loc, Value other, int64_t at,
                 Value weight, int64_t summed, bool weightIsRight) {
    SmallVector<int64_t> shape =
        without(graph::tensorTypeOf(other).getShape(), at);
    int64_t place = weightIsRight ? shape.size() : 0;
    SmallVector<int64_t> otherSummed = {at}, weightSummed = {1};
    bool isDirect = summed != dim();
    if (isDirect) {
      shape.insert(shape.begin() + place, {panels(), width()});
    } else {
      other = split(builder, other, at);
      otherSummed.push_back(at + 1);
      weightSummed = {0, 2};
      shape.insert(shape.begin() + place, type.getDimSize(1 - dim()));
    }
    Value product = weightIsRight ? makeDot(builder, loc, shape, other, weight,
                                            otherSummed, weightSummed)
                                  : makeDot(builder, loc, shape, weight, other,
                                            weightSummed, otherSummed);
    return isDirect ? join(builder, product, place) : product;
  }

  const Group &group;
  graph::PanelsAttr layout;
  RankedTensorType type, stored;
  llvm::DenseMap<Value, Value> packed;
  llvm::SmallSetVector<Operation *, 8> dead;
};

} // namespace

void rewrite(const Group &group, graph::PanelsAttr layout) {
  Rewriter(group, layout).run();
}

} // namespace graphc::packing
