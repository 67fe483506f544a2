// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The derivative of a loop is a loop that runs backwards. The forward loop keeps
// what it carries into each iteration; the backward one computes an iteration's
// other values again from that, then walks back over them.
#include "dialects/Graph/IR/GraphBuilders.h"
#include "dialects/Graph/IR/Sizes.h"
#include "passes/Autodiff/Sweep.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace graphc {

/// Values from outside `loop` that its body reads and a gradient is wanted of.
static llvm::SetVector<Value> findCaptured(graph::ForOp loop,
                                           const Activity &activity) {
  llvm::SetVector<Value> captured;
  loop.getBody().walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (!loop.getBody().isAncestor(operand.getParentRegion()) &&
          activity.isActive(operand))
        captured.insert(operand);
  });
  return captured;
}

/// Makes `loop` anew with `more` carried values; `fill` gets the body's new
/// arguments, and a builder at its end, and returns their next values.
static graph::ForOp
carryMore(graph::ForOp loop, ValueRange more,
          llvm::function_ref<llvm::SmallVector<Value>(OpBuilder &, ValueRange)>
              fill) {
  OpBuilder builder(loop);
  llvm::SmallVector<Value> inits(loop.getInits());
  llvm::append_range(inits, more);
  auto wider = builder.create<graph::ForOp>(
      loop.getLoc(), TypeRange(ValueRange(inits)), loop.getCountAttr(), inits);
  wider->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  wider.getBody().takeBody(loop.getBody());
  Block &body = wider.getBody().front();
  unsigned first = body.getNumArguments();
  for (Value value : more)
    body.addArgument(value.getType(), loop.getLoc());
  Operation *yield = body.getTerminator();
  OpBuilder inside(yield);
  llvm::SmallVector<Value> yielded(yield->getOperands());
  llvm::append_range(
      yielded, fill(inside, ValueRange(body.getArguments()).drop_front(first)));
  yield->setOperands(yielded);
  loop.replaceAllUsesWith(wider.getResults().take_front(loop.getNumResults()));
  loop.erase();
  return wider;
}

static Value stackOf(OpBuilder &builder, Location loc, Value value,
                     int64_t count) {
  auto type = graph::tensorTypeOf(value);
  llvm::SmallVector<int64_t> shape = {count};
  llvm::append_range(shape, type.getShape());
  return graph::splat(builder, loc, type.clone(shape), 0.0);
}

/// (row, 0, 0, ...): where row `row` of a stack of values like `value` starts.
static llvm::SmallVector<Value> rowStarts(OpBuilder &builder, Location loc,
                                          Value row, Value value) {
  Value zero = graph::splatLike(builder, loc, row, 0.0);
  llvm::SmallVector<Value> starts(graph::tensorTypeOf(value).getRank() + 1,
                                  zero);
  starts[0] = row;
  return starts;
}

static llvm::SmallVector<int64_t> rowShape(Value value) {
  llvm::SmallVector<int64_t> shape = {1};
  llvm::append_range(shape, graph::tensorTypeOf(value).getShape());
  return shape;
}

/// Makes `loop` return, after its results, what it carried into each iteration,
/// stacked: of carried values `numbers` alone.
static graph::ForOp keepCarried(graph::ForOp loop, ArrayRef<unsigned> numbers) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  llvm::SmallVector<Value> stacks;
  for (unsigned k : numbers)
    stacks.push_back(stackOf(builder, loc, loop.getInits()[k],
                             static_cast<int64_t>(loop.getCount())));
  return carryMore(loop, stacks, [&](OpBuilder &inside, ValueRange arguments) {
    Block *body = inside.getInsertionBlock();
    llvm::SmallVector<Value> next;
    for (auto [k, stack] : llvm::zip_equal(numbers, arguments)) {
      Value value = body->getArgument(k + 1);
      next.push_back(inside.create<graph::DynamicUpdateSliceOp>(
          loc, stack, graph::reshapeTo(inside, loc, value, rowShape(value)),
          rowStarts(inside, loc, body->getArgument(0), value)));
    }
    return next;
  });
}

/// Erases ops of `block` that nothing reads, from the last one on.
static void eraseDead(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (op.use_empty() && !op.hasTrait<OpTrait::IsTerminator>() &&
        isMemoryEffectFree(&op))
      op.erase();
}

namespace {

/// One iteration, computed again inside the backward loop.
struct Iteration {
  llvm::SmallVector<Value> carried; // what it starts with
  llvm::SmallVector<Value> next;    // what it yields
  llvm::SmallVector<Operation *> ops;
};

} // namespace

static Iteration repeat(OpBuilder &builder, Block &body, Value number,
                        ValueRange stacks) {
  Iteration iteration;
  IRMapping mapping;
  Location loc = body.getParentOp()->getLoc();
  mapping.map(body.getArgument(0), number);
  for (auto [k, stack] : llvm::enumerate(stacks)) {
    Value like = body.getArgument(k + 1);
    Value row = builder.create<graph::DynamicSliceOp>(
        loc, stack, rowStarts(builder, loc, number, like), rowShape(like));
    iteration.carried.push_back(graph::reshapeTo(
        builder, loc, row, graph::tensorTypeOf(like).getShape()));
    mapping.map(like, iteration.carried.back());
  }
  for (Operation &op : body.without_terminator())
    iteration.ops.push_back(builder.clone(op, mapping));
  for (Value value :
       body.getTerminator()->getOperands().take_front(stacks.size()))
    iteration.next.push_back(mapping.lookupOrDefault(value));
  return iteration;
}

LogicalResult Sweep::differentiateLoop(graph::ForOp loop,
                                       const Activity &activity) {
  Location loc = loop.getLoc();
  llvm::SmallVector<Value> given = takeCotangents(loop);
  if (llvm::none_of(given, [](Value value) { return bool(value); }))
    return success();
  auto count = static_cast<int64_t>(loop.getCount());
  if (count == 0) {
    for (auto [init, g] : llvm::zip_equal(loop.getInits(), given))
      if (g && activity.varies(init))
        add(init, g, loc);
    return success();
  }
  llvm::SetVector<Value> captured = findCaptured(loop, activity);

  // The forward loop, with a stack of everything: what is not needed goes later.
  unsigned results = loop.getNumResults();
  auto all = llvm::to_vector(llvm::seq<unsigned>(0, results));
  graph::ForOp forward = keepCarried(loop, all);
  Block &body = forward.getBody().front();

  // The backward loop carries the cotangents of what the forward one carries,
  // as far as it is active, then the sums for what is captured.
  llvm::SmallVector<Value> inits;
  llvm::SmallVector<unsigned> active;
  for (unsigned k : all) {
    if (!activity.isActive(body.getArgument(k + 1)))
      continue;
    active.push_back(k);
    inits.push_back(
        given[k] ? given[k]
                 : graph::splatLike(builder, loc, forward.getResult(k), 0.0));
  }
  for (Value value : captured)
    inits.push_back(graph::splatLike(builder, loc, value, 0.0));
  auto backward = builder.create<graph::ForOp>(
      loc, TypeRange(ValueRange(inits)), forward.getCountAttr(), inits);
  Block &back = backward.getBody().emplaceBlock();
  back.addArgument(body.getArgument(0).getType(), loc);
  for (Value init : inits)
    back.addArgument(init.getType(), loc);
  ValueRange incoming = ValueRange(back.getArguments()).drop_front();

  OpBuilder inside = OpBuilder::atBlockEnd(&back);
  Value last = graph::splatLike(inside, loc, back.getArgument(0),
                                static_cast<double>(count - 1));
  Value number = inside.create<graph::SubOp>(loc, last, back.getArgument(0));
  Iteration iteration =
      repeat(inside, body, number, forward.getResults().drop_front(results));

  llvm::SmallVector<Value> sources(captured.getArrayRef()), targets;
  for (unsigned k : active) {
    sources.push_back(iteration.carried[k]);
    targets.push_back(iteration.next[k]);
  }
  Activity activityInside(back, sources, targets);
  llvm::SmallVector<Operation *> ops;
  llvm::copy_if(iteration.ops, std::back_inserter(ops),
                [&](Operation *op) { return activityInside.isActive(op); });

  Sweep sweep(inside, owner, budget);
  for (auto [n, target] : llvm::enumerate(targets))
    if (activityInside.varies(target))
      sweep.add(target, incoming[n], loc);
  if (failed(sweep.run(ops, activityInside)))
    return failure();

  llvm::SmallVector<Value> next;
  for (unsigned k : active) {
    Value g = sweep.get(iteration.carried[k]);
    next.push_back(
        g ? g : graph::splatLike(inside, loc, iteration.carried[k], 0.0));
  }
  for (auto [n, value] : llvm::enumerate(captured)) {
    Value sum = incoming[active.size() + n];
    Value g = sweep.get(value);
    next.push_back(g ? addCotangents(inside, loc, sum, g) : sum);
  }
  inside.create<graph::YieldOp>(loc, next);
  eraseDead(back);
  if (failed(budget.spend(owner, copySize(back) + copySize(body))))
    return failure();

  for (auto [n, k] : llvm::enumerate(active))
    if (activity.varies(forward.getInits()[k]))
      add(forward.getInits()[k], backward.getResult(n), loc);
  for (auto [n, value] : llvm::enumerate(captured))
    add(value, backward.getResult(active.size() + n), loc);

  // A stack that nothing reads is not kept.
  llvm::BitVector unread(forward.getNumResults());
  for (unsigned k : all) {
    Value stack = forward.getResult(results + k);
    if (stack.use_empty())
      unread.set(results + k);
    else if (failed(graph::checkInnerShape(
                 forward, "a carried value of all iterations",
                 graph::tensorTypeOf(stack).getShape())))
      return failure();
  }
  dropCarried(forward, unread);
  return success();
}

void dropCarried(graph::ForOp loop, const llvm::BitVector &numbers) {
  if (numbers.none())
    return;
  Block &body = loop.getBody().front();
  Operation *yield = body.getTerminator();
  llvm::SmallVector<Value> inits, yielded, kept;
  for (unsigned k = 0; k < loop.getNumResults(); ++k) {
    if (numbers.test(k))
      continue;
    inits.push_back(loop.getInits()[k]);
    yielded.push_back(yield->getOperand(k));
    kept.push_back(loop.getResult(k));
  }
  OpBuilder builder(loop);
  auto narrower = builder.create<graph::ForOp>(
      loop.getLoc(), TypeRange(ValueRange(inits)), loop.getCountAttr(), inits);
  narrower->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  yield->setOperands(yielded);
  eraseDead(body);
  for (unsigned k = loop.getNumResults(); k-- > 0;)
    if (numbers.test(k))
      body.eraseArgument(k + 1);
  narrower.getBody().takeBody(loop.getBody());
  for (auto [from, to] : llvm::zip_equal(kept, narrower.getResults()))
    from.replaceAllUsesWith(to);
  loop.erase();
}

} // namespace graphc
