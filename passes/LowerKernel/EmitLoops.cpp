// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops, and what decides about them.
#include "dialects/Graph/IR/Graph.h"
#include "dialects/Plan/IR/Plan.h"
#include "passes/LowerKernel/Emitter.h"
#include "passes/LowerKernel/Groups.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
namespace graphc::kernel {

Value Emitter::constantIndex(Scope &scope, int64_t value) {
  return scope.builder.create<arith::ConstantIndexOp>(nest->loc, value);
}

Value Emitter::offset(Scope &scope, Value base, int64_t by) {
  return scope.builder.createOrFold<arith::AddIOp>(nest->loc, base,
                                                   constantIndex(scope, by));
}

Value Emitter::scaled(Scope &scope, Value item, int64_t by, int64_t base) {
  return offset(scope,
                scope.builder.createOrFold<arith::MulIOp>(
                    nest->loc, item, constantIndex(scope, by)),
                base);
}

Value Emitter::scratch(Type type, int64_t elements) {
  auto builder = OpBuilder::atBlockBegin(scratchBlock);
  return builder.create<memref::AllocaOp>(nest->loc,
                                          MemRefType::get({elements}, type),
                                          builder.getI64IntegerAttr(64));
}

unsigned Emitter::addLocalLoop(int64_t size) {
  nest->variables.push_back({Variable::Loop, size});
  return nest->variables.size() - 1;
}

/// From here on, what is hoisted to `scope` goes before `op`.
static void hoistBefore(Scope &scope, Operation *op) {
  scope.builder.setInsertionPoint(op);
}

static void continueAfter(Scope &scope, Operation *op) {
  scope.builder.setInsertionPointAfter(op);
}

void Emitter::loop(Scope &scope, int64_t count, bool isParallel, Body body) {
  Location loc = nest->loc;
  if (count <= 0)
    return;
  Value zero = constantIndex(scope, 0);
  if (count == 1) {
    Scope inner(&scope);
    body(inner, zero);
    return;
  }
  Value end = constantIndex(scope, count);
  if (Value isIdle = std::exchange(idle, {}))
    end = scope.builder.create<arith::SelectOp>(loc, isIdle, zero, end);
  Value one = constantIndex(scope, 1);
  Operation *op;
  Block *block;
  Value iv;
  if (isParallel) {
    auto parallelOp =
        scope.builder.create<scf::ParallelOp>(loc, zero, end, one);
    parallelOp->setAttr(plan::PlanDialect::getParallelAttrName(),
                        scope.builder.getUnitAttr());
    parallel = true;
    op = parallelOp, block = parallelOp.getBody();
    iv = parallelOp.getInductionVars().front();
  } else {
    auto forOp = scope.builder.create<scf::ForOp>(loc, zero, end, one);
    op = forOp, block = forOp.getBody(), iv = forOp.getInductionVar();
  }
  hoistBefore(scope, op);
  OpBuilder builder(block->getTerminator());
  Scope inner(scope, builder);
  Block *outside = scratchBlock;
  if (isParallel)
    scratchBlock = block;
  body(inner, iv);
  scratchBlock = outside;
  continueAfter(scope, op);
}

SmallVector<Value> Emitter::carry(Scope &scope, int64_t count, ValueRange init,
                                  Carried body) {
  Location loc = nest->loc;
  if (count <= 0)
    return llvm::to_vector(init);
  Value zero = constantIndex(scope, 0);
  if (count == 1) {
    Scope inner(&scope);
    return body(inner, zero, init);
  }
  Value end = constantIndex(scope, count);
  Value one = constantIndex(scope, 1);
  auto op = scope.builder.create<scf::ForOp>(loc, zero, end, one, init);
  hoistBefore(scope, op);
  auto builder = OpBuilder::atBlockEnd(op.getBody());
  Scope inner(scope, builder);
  SmallVector<Value> values =
      body(inner, op.getInductionVar(), op.getRegionIterArgs());
  inner.builder.create<scf::YieldOp>(loc, values);
  continueAfter(scope, op);
  return llvm::to_vector(ValueRange(op.getResults()));
}

void Emitter::nestLoops(Scope &scope, ArrayRef<unsigned> variables,
                        int64_t blocks, bool isParallel, Body body) {
  if (blocks <= 0 || llvm::any_of(variables, [&](unsigned v) {
        return nest->variables[v].size <= 0;
      }))
    return;
  // A parallel loop needs enough items for all threads, but no more: each item
  // of a loop over several dimensions costs divisions.
  constexpr int64_t enough = 64;
  size_t flat = variables.empty() ? 0 : 1;
  int64_t count = 1;
  if (flat)
    count = nest->variables[variables[0]].size;
  if (isParallel)
    while (flat < variables.size() && count < enough)
      count *= nest->variables[variables[flat++]].size;
  bool takesBlocks = flat == variables.size() &&
                     (variables.empty() || (isParallel && count < enough));
  if (takesBlocks)
    count *= blocks;

  loop(scope, count, isParallel, [&](Scope &inner, Value item) {
    Location loc = nest->loc;
    OpBuilder &b = inner.builder;
    Value rest = item, block;
    auto split = [&](int64_t size, bool last) {
      if (last)
        return rest;
      Value by = b.create<arith::ConstantIndexOp>(loc, size);
      Value value = b.createOrFold<arith::RemUIOp>(loc, rest, by);
      rest = b.createOrFold<arith::DivUIOp>(loc, rest, by);
      return value;
    };
    if (takesBlocks)
      block = split(blocks, flat == 0);
    for (size_t k = flat; k-- > 0;)
      inner.bind(variables[k],
                 split(nest->variables[variables[k]].size, k == 0));
    ArrayRef<unsigned> others = variables.drop_front(flat);
    if (!others.empty())
      nestLoops(inner, others, blocks, false, body);
    else if (takesBlocks)
      body(inner, block);
    else
      loop(inner, blocks, false, body);
  });
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// True for numbers of places and what they are compared with, such as classes:
/// wider than what is computed with them, and not computed with themselves.
static bool isPlace(const Expr &expr) {
  return isa<IntegerType>(expr.elementType) &&
         (expr.kind == Expr::IndexOf || expr.kind == Expr::Load ||
          expr.kind == Expr::Constant);
}

int64_t Emitter::lanesFor(ArrayRef<Expr *> exprs, int64_t size,
                          std::optional<unsigned> lane) const {
  unsigned width = 8, ofFloats = 0;
  bool areFloats = true;
  for (Expr *expr : reachableFrom(exprs)) {
    bool isStored = llvm::is_contained(exprs, expr);
    if (lane && !(expr->loops >> *lane & 1) && !isStored)
      continue; // a scalar, computed outside of the loop
    Type type = getComputeType(expr->elementType);
    unsigned own = type.isInteger(1) ? 0 : type.getIntOrFloatBitWidth();
    if (expr->kind == Expr::IndexOf || expr->kind == Expr::Random)
      own = std::max(own, 32u);
    width = std::max(width, own);
    if (isa<FloatType>(type))
      ofFloats = std::max(ofFloats, own);
    areFloats &= isa<FloatType>(type) || type.isInteger(1) || isPlace(*expr);
  }
  if (areFloats && ofFloats)
    width = ofFloats;
  int64_t lanes = options.vectorBits / width;
  return lanes < 2 || size < 2 ? 0 : lanes;
}

int64_t Emitter::lanesAbreast(ArrayRef<Expr *> exprs, unsigned lane,
                              int64_t lanes, bool isLong) const {
  bool isPlain = lanes > 0 && isContiguous(*nest, lane);
  for (Expr *expr : reachableFrom(exprs)) {
    if (!(expr->loops >> lane & 1))
      continue;
    Type type = getComputeType(expr->elementType);
    isPlain &= isa<FloatType>(type) || type.isInteger(1);
    isPlain &= expr->kind != Expr::Choose && expr->kind != Expr::Random &&
               expr->kind != Expr::IndexOf;
    if (expr->kind == Expr::Apply) {
      isLong |= isLongChain(expr->op);
      isPlain &= !isa<graph::SinOp, graph::CosOp, graph::PowOp, graph::RemOp>(
          expr->op);
    }
  }
  // As many as there are registers for: 32 of 512 bits, 16 of fewer. Longer ones
  // are of a target that spreads a vector over threads.
  int64_t vectors = options.vectorBits > 512    ? 1
                    : options.vectorBits == 512 ? 4
                                                : 2;
  return isLong && isPlain ? vectors * lanes : lanes;
}

bool Emitter::isWorthThreads(double count, ArrayRef<Expr *> exprs) const {
  if (rowLoops)
    return false;
  double flops = costOf(exprs), bytes = 0;
  for (Expr *expr : reachableFrom(exprs)) {
    if (expr->kind == Expr::Load && expr->loops != 0)
      bytes += getStorageType(expr->elementType).getIntOrFloatBitWidth() / 8;
  }
  auto addStores = [&](ArrayRef<Store> stores) {
    for (const Store &s : stores)
      bytes += getStorageType(s.value->elementType).getIntOrFloatBitWidth() / 8;
  };
  addStores(nest->stores);
  addStores(nest->termStores);
  return count * flops >= double(options.parallelFlops) ||
         count * bytes >= double(options.parallelBytes);
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

SmallVector<unsigned> Emitter::openLoops(unsigned role) const {
  SmallVector<unsigned> loops = nest->loopsOf(role);
  llvm::erase_if(loops, [&](unsigned v) { return v < rowLoops; });
  return loops;
}

void Emitter::emitNest() {
  for (unsigned v = 0; v < nest->loopCount; ++v)
    if (unsigned role = nest->variables[v].role;
        nest->variables[v].size == 0 && role != Reduced &&
        role != OuterReduced && role != K)
      return;
  switch (nest->kind) {
  case Nest::Map:
    return emitMap();
  case Nest::RowReduce:
    return emitRowReduce();
  case Nest::ColumnReduce:
    return emitColumnReduce();
  case Nest::ArgReduce:
    return emitArgReduce();
  case Nest::Product:
    return emitProduct();
  case Nest::Check:
    return emitCheck();
  case Nest::Scatter:
    return emitScatter();
  case Nest::Scan:
    return emitScan();
  case Nest::Sort:
    return emitSort();
  case Nest::Blocks:
    return emitBlocks();
  }
}

/// Chooses the outputs that are stored past the caches, and computes whether
/// each is: not in place, where a line that was just read would be written in
/// parts; and only from an aligned address on.
void Emitter::chooseStreamed(OpBuilder &b, Location loc) {
  // What is larger than a thread's part of the last cache, and not read again.
  constexpr int64_t enoughBytes = 16 << 20;
  llvm::SmallPtrSet<Buffer *, 4> streamed;
  for (Buffer *output : kernel.outputs)
    if (output->bytes() >= enoughBytes)
      streamed.insert(output);
  for (Nest &n : kernel.nests)
    forEachAccess(n, [&](Buffer *buffer, Index &, bool isWrite) {
      if (!isWrite)
        streamed.erase(buffer);
    });
  if (streamed.empty())
    return;
  auto address = [&](Buffer *buffer) -> Value {
    return b.create<memref::ExtractAlignedPointerAsIndexOp>(loc,
                                                            memoryOf(buffer));
  };
  Value zero = b.create<arith::ConstantIndexOp>(loc, 0);
  Value below = b.create<arith::ConstantIndexOp>(loc, 63);
  for (Buffer *output : kernel.outputs)
    if (streamed.contains(output))
      streams[output] = b.create<arith::CmpIOp>(
          loc, arith::CmpIPredicate::eq,
          b.create<arith::AndIOp>(loc, address(output), below), zero);
  for (auto [output, input] : findInPlacePairs(kernel))
    if (streamed.contains(output)) {
      Value isApart = b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne,
                                              address(output), address(input));
      streams[output] = b.create<arith::AndIOp>(loc, streams[output], isApart);
    }
}

void Emitter::emit(Block *block) {
  entry = scratchBlock = block;
  unsigned argument = 0;
  auto b = OpBuilder::atBlockBegin(block);
  Scope scope(b);
  for (Buffer *input : kernel.inputs)
    memory[input] = block->getArgument(argument++);
  Value workspace;
  if (kernel.workspaceBytes)
    workspace = block->getArgument(argument++);
  for (Buffer *output : kernel.outputs)
    memory[output] = block->getArgument(argument++);
  Location loc = block->getParentOp()->getLoc();
  chooseStreamed(b, loc);
  for (Buffer &buffer : kernel.buffers) {
    if (buffer.place != Buffer::Workspace)
      continue;
    Value offset = b.create<arith::ConstantIndexOp>(loc, buffer.offset);
    memory[&buffer] = b.create<memref::ViewOp>(
        loc,
        MemRefType::get({buffer.elements}, getStorageType(buffer.elementType)),
        workspace, offset, ValueRange());
  }
  bufferArguments = argument;
  for (Group &group : kernel.groups) {
    Scope inner(&scope);
    top = &inner;
    emitGroup(group);
  }
}

} // namespace graphc::kernel
