// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Target/Cuda/Distribute.h"

#include "lib/Target/Cuda/Synchronize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace graphc::cuda {

//===----------------------------------------------------------------------===//
// Small steps
//===----------------------------------------------------------------------===//

bool Distributor::isSpread(Value tileValue) const {
  return layout.group > 1 && lanesOf(tileValue.getType()) > layout.lanes;
}

Value Distributor::constant(int64_t value) {
  return builder.create<arith::ConstantIndexOp>(builder.getUnknownLoc(), value);
}

Value Distributor::firstLane(int64_t count) {
  Location loc = builder.getUnknownLoc();
  int64_t owners = layout.owners(count);
  Value which = thread;
  if (owners < layout.group)
    which = builder.create<arith::RemUIOp>(loc, which, constant(owners));
  return builder.create<arith::MulIOp>(loc, which, constant(layout.lanes));
}

void Distributor::inThreads(int64_t count, llvm::function_ref<void()> body) {
  if (count >= layout.group)
    return body();
  Location loc = builder.getUnknownLoc();
  Value isOne = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ult,
                                              thread, constant(count));
  auto ifOp = builder.create<scf::IfOp>(loc, isOne, /*withElseRegion=*/false);
  ifOp->setAttr(kSomeThreads, builder.getUnitAttr());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  body();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// The same op on as many lanes as a thread has.
void Distributor::copyPlain(Operation &op) {
  Operation *copied = builder.clone(op, map);
  for (Value result : copied->getResults())
    result.setType(layout.convert(result.getType()));
}

namespace {
struct TileAccess {
  Value memory, index; // no index in memory of one element
  Value value;         // what is loaded or stored
  bool stores;
};
} // namespace

static TileAccess accessOf(Operation &op) {
  auto first = [](ValueRange indices) {
    return indices.empty() ? Value() : indices.front();
  };
  return llvm::TypeSwitch<Operation *, TileAccess>(&op)
      .Case([&](memref::LoadOp load) {
        return TileAccess{load.getMemRef(), first(load.getIndices()), load,
                          false};
      })
      .Case<vector::LoadOp, vector::MaskedLoadOp>([&](auto load) {
        return TileAccess{load.getBase(), first(load.getIndices()), load,
                          false};
      })
      .Case([&](memref::StoreOp store) {
        return TileAccess{store.getMemRef(), first(store.getIndices()),
                          store.getValue(), true};
      })
      .Case<vector::StoreOp, vector::MaskedStoreOp>([&](auto store) {
        return TileAccess{store.getBase(), first(store.getIndices()),
                          store.getValueToStore(), true};
      });
}

/// Loads and stores: of a vector, each thread its lanes; of a scalar, one
/// thread stores it.
bool Distributor::copyMemory(Operation &op) {
  TileAccess access = accessOf(op);
  Value index = access.index, value = access.value;
  Location loc = op.getLoc();
  auto copyAt = [&] {
    Operation *copied = builder.clone(op, map);
    for (Value result : copied->getResults())
      result.setType(layout.convert(result.getType()));
    if (!index)
      return;
    Value at = map.lookupOrDefault(index);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(copied);
    if (isSpread(value))
      at = builder.create<arith::AddIOp>(loc, at,
                                         firstLane(lanesOf(value.getType())));
    if (Value first = firstElement.lookup(access.memory))
      at = builder.create<arith::AddIOp>(loc, at, first);
    if (at == map.lookupOrDefault(index))
      return;
    for (OpOperand &operand : copied->getOpOperands())
      if (operand.get().getType().isIndex())
        operand.set(at);
  };
  if (access.stores)
    inThreads(layout.owners(lanesOf(value.getType())), copyAt);
  else
    copyAt();
  return true;
}

bool Distributor::copyLoop(Operation &op, std::string &notYet) {
  auto loop = cast<scf::ForOp>(op);
  SmallVector<Value> init;
  for (Value value : loop.getInitArgs())
    init.push_back(map.lookupOrDefault(value));
  auto copied = builder.create<scf::ForOp>(
      op.getLoc(), map.lookupOrDefault(loop.getLowerBound()),
      map.lookupOrDefault(loop.getUpperBound()),
      map.lookupOrDefault(loop.getStep()), init);
  map.map(loop.getInductionVar(), copied.getInductionVar());
  for (auto [from, to] :
       llvm::zip_equal(loop.getRegionIterArgs(), copied.getRegionIterArgs()))
    map.map(from, to);
  for (auto [from, to] : llvm::zip_equal(op.getResults(), copied.getResults()))
    map.map(from, to);
  return copyBlock(*loop.getBody(), *copied.getBody(), notYet);
}

bool Distributor::copyIf(Operation &op, std::string &notYet) {
  auto ifOp = cast<scf::IfOp>(op);
  SmallVector<Type> types;
  for (Type type : op.getResultTypes())
    types.push_back(layout.convert(type));
  bool hasElse = !ifOp.getElseRegion().empty();
  auto copied = builder.create<scf::IfOp>(
      op.getLoc(), types, map.lookupOrDefault(ifOp.getCondition()),
      /*addThenBlock=*/true, hasElse);
  for (auto [from, to] : llvm::zip_equal(op.getResults(), copied.getResults()))
    map.map(from, to);
  return copyBlock(*ifOp.thenBlock(), *copied.thenBlock(), notYet) &&
         (!hasElse ||
          copyBlock(*ifOp.elseBlock(), *copied.elseBlock(), notYet));
}

bool Distributor::copyBlock(Block &from, Block &to, std::string &notYet) {
  OpBuilder::InsertionGuard guard(builder);
  // Without results the builders of loops have ended the block already.
  bool isEnded = !to.empty() && to.back().hasTrait<OpTrait::IsTerminator>();
  if (isEnded)
    builder.setInsertionPoint(&to.back());
  else
    builder.setInsertionPointToEnd(&to);
  for (Operation &op : from.without_terminator())
    if (!copy(op, notYet))
      return false;
  if (!isEnded)
    builder.clone(from.back(), map);
  return true;
}

bool Distributor::copy(Operation &op, std::string &notYet) {
  auto isPlain = [&] {
    return isa<arith::ArithDialect, math::MathDialect>(op.getDialect()) ||
           isa<vector::BroadcastOp, memref::ViewOp,
               memref::ExtractAlignedPointerAsIndexOp,
               vector::ExtractElementOp>(op);
  };
  if (isa<arith::ConstantOp>(op))
    return copyConstant(op, notYet);
  if (isa<memref::LoadOp, memref::StoreOp, vector::LoadOp, vector::StoreOp,
          vector::MaskedLoadOp, vector::MaskedStoreOp>(op))
    return copyMemory(op);
  if (isa<scf::ForOp>(op))
    return copyLoop(op, notYet);
  if (isa<scf::IfOp>(op))
    return copyIf(op, notYet);
  if (isa<vector::ExtractStridedSliceOp>(op)) {
    copySlice(op);
    return true;
  }
  if (isa<vector::ExtractOp>(op)) {
    copyExtract(op);
    return true;
  }
  if (isa<vector::FromElementsOp>(op)) {
    copyFromElements(op);
    return true;
  }
  if (isa<vector::ReductionOp>(op))
    return copyAny(op, notYet);
  if (auto mask = dyn_cast<vector::ConstantMaskOp>(op)) {
    if (!isSpread(mask)) {
      builder.clone(op, map);
      return true;
    }
    int64_t active = cast<IntegerAttr>(mask.getMaskDimSizes()[0]).getInt();
    Value rest = builder.create<arith::SubIOp>(
        op.getLoc(), constant(active), firstLane(lanesOf(mask.getType())));
    map.map(mask.getResult(),
            builder
                .create<vector::CreateMaskOp>(op.getLoc(),
                                              layout.convert(mask.getType()),
                                              ValueRange(rest))
                .getResult());
    return true;
  }
  if (auto table = dyn_cast<vector::ExtractElementOp>(op);
      table && !isTable(table.getVector())) {
    notYet = "a lane chosen at run time";
    return false;
  }
  if (!isPlain()) {
    notYet = ("'" + op.getName().getStringRef() + "'").str();
    return false;
  }
  copyPlain(op);
  return true;
}

} // namespace graphc::cuda
