// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/FuseProblem.h"

#include "dialects/Graph/IR/GraphBuilders.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace graphc::fuse {
namespace {

/// LLVM takes minutes over a kernel of thousands of arguments.
constexpr size_t kMaxInputs = 48;

/// Joins in rounds of at most kMaxInputs what `concat` joins at once.
void splitConcat(graph::ConcatOp concat) {
  SmallVector<Value> parts(concat.getInputs());
  OpBuilder builder(concat);
  while (parts.size() > 1) {
    SmallVector<Value> joined;
    for (ArrayRef<Value> rest = parts; !rest.empty();) {
      ArrayRef<Value> group = rest.take_front(kMaxInputs);
      rest = rest.drop_front(group.size());
      joined.push_back(builder.create<graph::ConcatOp>(
          concat.getLoc(), ValueRange(group), concat.getAxisAttr()));
    }
    parts = std::move(joined);
  }
  concat.replaceAllUsesWith(parts.front());
  concat.erase();
}

/// Gradients read the result of `attention` through the transpose or reshape of
/// it that the model goes on with: so that alone is stored.
void readStored(graph::AttentionOp attention) {
  SmallVector<Operation *> views, readers;
  Value stored = attention;
  auto nextView = [&]() -> Operation * {
    Operation *view = nullptr;
    for (Operation *user : stored.getUsers()) {
      if (views.empty() && isa<graph::AttentionGradOp>(user))
        readers.push_back(user);
      else if (!view && isa<graph::TransposeOp, graph::ReshapeOp>(user))
        view = user;
      else
        return nullptr;
    }
    return view;
  };
  while (Operation *view = nextView()) {
    views.push_back(view);
    stored = view->getResult(0);
  }
  if (views.empty())
    return;
  for (Operation *reader : readers) {
    if (reader->getBlock() != views.back()->getBlock() ||
        !views.back()->isBeforeInBlock(reader))
      continue;
    OpBuilder builder(reader);
    Value back = stored;
    for (Operation *view : llvm::reverse(views)) {
      if (auto transpose = dyn_cast<graph::TransposeOp>(view))
        back = builder.create<graph::TransposeOp>(
            reader->getLoc(), back,
            invertPermutationVector(transpose.getPermutation()));
      else
        back = graph::reshapeTo(
            builder, reader->getLoc(), back,
            graph::tensorTypeOf(view->getOperand(0)).getShape());
    }
    reader->replaceUsesOfWith(attention, back);
  }
}

/// True if `value` is one number, or few that are repeated.
bool isRepeated(Value value) {
  constexpr int64_t few = 16;
  if (getSplatConstant(value))
    return true;
  auto broadcast = value.getDefiningOp<graph::BroadcastOp>();
  return broadcast &&
         graph::tensorTypeOf(broadcast.getInput()).getNumElements() * few <=
             graph::tensorTypeOf(value).getNumElements();
}

/// True if `value` is computed from `from`, by no more than some ops.
bool dependsOn(Value value, Value from) {
  constexpr size_t some = 16;
  llvm::SetVector<Value> seen;
  seen.insert(value);
  for (size_t k = 0; k < seen.size() && k < some; ++k) {
    if (seen[k] == from)
      return true;
    if (Operation *op = seen[k].getDefiningOp())
      seen.insert(op->operand_begin(), op->operand_end());
  }
  return false;
}

/// A sum, a difference or a product of one value and a repeated one, as where
/// a mean is taken off: but for a bias, which a product adds to what it has.
bool isShiftOrScale(Operation *op) {
  if (!isa<graph::AddOp, graph::SubOp, graph::MulOp>(op) ||
      isRepeated(op->getOperand(0)) == isRepeated(op->getOperand(1)))
    return false;
  bool isFirst = isRepeated(op->getOperand(0));
  Value repeated = op->getOperand(isFirst ? 0 : 1);
  Value value = op->getOperand(isFirst ? 1 : 0), made = value;
  while (made.getDefiningOp<graph::TransposeOp>() ||
         made.getDefiningOp<graph::ReshapeOp>())
    made = made.getDefiningOp()->getOperand(0);
  return !isa_and_nonnull<graph::DotGeneralOp, graph::LinearOp, graph::ConvOp,
                          graph::ConvTransposeOp, graph::ConvWeightGradOp>(
             made.getDefiningOp()) ||
         dependsOn(repeated, value);
}

/// True if reading the operand of `op` costs no more than reading its result,
/// and next to nothing is computed: a clone of it in a kernel never adds
/// traffic.
bool isFreeToClone(Operation *op) {
  // That is how the result is stored.
  if (isa<graph::TransposeOp, graph::ReshapeOp>(op) &&
      isOfAttention(op->getOperand(0)))
    return false;
  if (isShiftOrScale(op))
    return true;
  // It says how the convolution stores its result.
  if (isa<graph::TransposeOp>(op) &&
      isa_and_nonnull<graph::ConvOp, graph::ConvTransposeOp>(
          op->getOperand(0).getDefiningOp()) &&
      op->getOperand(0).hasOneUse())
    return false;
  if (isa<graph::BroadcastOp, graph::IotaOp, graph::ReshapeOp,
          graph::TransposeOp, graph::ReverseOp, graph::SliceOp>(op))
    return true;
  auto cast = dyn_cast<graph::CastOp>(op);
  return cast && graph::elementTypeOf(cast.getInput()).getIntOrFloatBitWidth() <
                     graph::elementTypeOf(cast).getIntOrFloatBitWidth();
}

/// More shifts and scales of each other than a norm has are computed once.
constexpr int kMostShifts = 4;

/// How many shifts and scales a clone of `op` computes, where those of `depths`
/// are cloned. Where both operands of one would be cloned, clones of clones
/// would double: then more than are allowed.
int depthOf(Operation *op, const llvm::DenseMap<Operation *, int> &depths) {
  int most = 0, cloned = 0;
  for (Value operand : op->getOperands()) {
    int depth = depths.lookup(operand.getDefiningOp());
    most = std::max(most, depth);
    cloned += depth > 0;
  }
  if (!isShiftOrScale(op))
    return most;
  return cloned > 1 ? kMostShifts + 1 : most + 1;
}

} // namespace

void normalize(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isa<graph::StopGradientOp>(op)) {
      op.replaceAllUsesWith(op.getOperands());
      op.erase();
    } else if (auto concat = dyn_cast<graph::ConcatOp>(op);
               concat && concat.getInputs().size() > kMaxInputs) {
      splitConcat(concat);
    } else if (auto attention = dyn_cast<graph::AttentionOp>(op)) {
      readStored(attention);
    }
  }
}

llvm::MapVector<Operation *, Operation *> cloneViews(Block &block) {
  llvm::MapVector<Operation *, Operation *> originals;
  SmallVector<Operation *> views;
  llvm::DenseMap<Operation *, int> depths;
  for (Operation &op : block)
    if (isCompute(&op) && isFreeToClone(&op)) {
      int depth = depthOf(&op, depths);
      if (depth > kMostShifts)
        continue;
      depths[&op] = depth;
      views.push_back(&op);
    }
  // Readers first: the clone of a view of a view reads a clone.
  for (Operation *view : llvm::reverse(views)) {
    llvm::SetVector<Operation *> users(view->getUsers().begin(),
                                       view->getUsers().end());
    Operation *original = originals.lookup(view) ? originals[view] : view;
    // The first one keeps the original; uses are listed last first.
    for (Operation *user : users.getArrayRef().drop_back(!users.empty())) {
      if (user->getBlock() != &block || !isCompute(user))
        continue;
      OpBuilder builder(user);
      Operation *clone = builder.clone(*view);
      user->replaceUsesOfWith(view->getResult(0), clone->getResult(0));
      originals[clone] = original;
    }
  }
  return originals;
}

} // namespace graphc::fuse
