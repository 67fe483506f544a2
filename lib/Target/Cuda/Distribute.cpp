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

static int64_t lanesOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 0;
}

/// Of a vector in memory; 0 if `op` accesses none.
static int64_t accessedBytes(Operation *op) {
  Type type =
      llvm::TypeSwitch<Operation *, Type>(op)
          .Case([](vector::LoadOp load) { return load.getVectorType(); })
          .Case([](vector::MaskedLoadOp load) { return load.getVectorType(); })
          .Case([](vector::StoreOp s) { return s.getVectorType(); })
          .Case([](vector::MaskedStoreOp s) { return s.getVectorType(); })
          .Default([](Operation *) { return Type(); });
  if (!type)
    return 0;
  return getElementTypeOrSelf(type).getIntOrFloatBitWidth() / 8;
}

/// Indexed by a number that is known at run time only, so not spread.
static bool isTable(Value value) {
  return value.getDefiningOp<arith::ConstantOp>() &&
         llvm::all_of(value.getUsers(), llvm::IsaPred<vector::ExtractElementOp>);
}

Type Layout::convert(Type type) const {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || vector.getNumElements() <= lanes)
    return type;
  return VectorType::get({lanes}, vector.getElementType());
}

constexpr int64_t kMostCarriedWords = 64;

/// Registers, for each lane of a thread, of the vectors that `loop` carries.
static int64_t carriedWords(Operation &loop) {
  int64_t words = 0;
  for (Type type : loop.getResultTypes())
    if (auto vector = dyn_cast<VectorType>(type))
      words += llvm::divideCeil(vector.getElementTypeBitWidth(), 32);
  return words;
}

bool chooseLayout(ArrayRef<Operation *> ops, Layout &layout,
                  std::string &notYet) {
  int64_t most = 1, bytes = 0, others = 1, carried = 1;
  bool isRegular = true;
  auto look = [&](Value value) {
    int64_t count = lanesOf(value.getType());
    if (count == 0 || isTable(value))
      return;
    isRegular &= llvm::isPowerOf2_64(count) &&
                 cast<VectorType>(value.getType()).getRank() == 1;
    most = std::max(most, count);
    Type element = getElementTypeOrSelf(value.getType());
    if (element.isIntOrFloat())
      others = std::max<int64_t>(others, element.getIntOrFloatBitWidth() / 8);
  };
  for (Operation *root : ops)
    root->walk([&](Operation *op) {
      bytes = std::max(bytes, accessedBytes(op));
      llvm::for_each(op->getOperands(), look);
      llvm::for_each(op->getResults(), look);
      if (isa<scf::ForOp>(op))
        carried = std::max(carried, carriedWords(*op));
    });
  if (!isRegular) {
    notYet = "a vector whose lanes are no power of two";
    return false;
  }
  layout.lanes = std::min(most, 16 / (bytes ? bytes : others));
  // What a loop carries has to stay in registers, and leave some.
  while (layout.lanes > 1 && layout.lanes * carried > kMostCarriedWords)
    layout.lanes /= 2;
  layout.group = most / layout.lanes;
  // The threads of a group are of one warp.
  while (layout.group > 32)
    layout.group /= 2, layout.lanes *= 2;
  return true;
}

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

/// `scalar` of the thread number `with`, or of the one whose number differs in
/// the bits of `with`.
Value Distributor::exchange(Value scalar, bool isXor, int64_t with) {
  Location loc = scalar.getLoc();
  Type type = scalar.getType(), i32 = builder.getI32Type();
  bool isNarrow = type.isInteger() && type.getIntOrFloatBitWidth() < 32;
  if (isNarrow)
    scalar = builder.create<arith::ExtUIOp>(loc, i32, scalar);
  auto number = [&](int64_t value) -> Value {
    return builder.create<arith::ConstantIntOp>(loc, value, 32);
  };
  Value result =
      builder
          .create<gpu::ShuffleOp>(
              loc, scalar, number(with), number(layout.group),
              isXor ? gpu::ShuffleMode::XOR : gpu::ShuffleMode::IDX)
          .getShuffleResult();
  return isNarrow ? builder.create<arith::TruncIOp>(loc, type, result) : result;
}

/// The part of `vector` that the thread at `distance` has.
Value Distributor::partner(Value vector, int64_t distance) {
  Value &known = exchanged[{vector, distance}];
  if (known && known.getParentBlock() == builder.getInsertionBlock())
    return known;
  Location loc = vector.getLoc();
  SmallVector<Value> elements;
  for (int64_t k = 0; k < lanesOf(vector.getType()); ++k)
    elements.push_back(
        exchange(builder.create<vector::ExtractOp>(loc, vector, k),
                 /*isXor=*/true, distance));
  known =
      builder.create<vector::FromElementsOp>(loc, vector.getType(), elements);
  return known;
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

bool Distributor::copyConstant(Operation &op, std::string &notYet) {
  auto elements = dyn_cast<DenseElementsAttr>(
      cast<arith::ConstantOp>(op).getValue());
  Value tile = op.getResult(0);
  if (!elements || isTable(tile) || !isSpread(tile)) {
    builder.clone(op, map);
    return true;
  }
  Location loc = op.getLoc();
  auto type = cast<VectorType>(layout.convert(tile.getType()));
  if (elements.isSplat()) {
    auto part = DenseElementsAttr::get(type, elements.getSplatValue<Attribute>());
    map.map(tile, builder.create<arith::ConstantOp>(loc, part).getResult());
    return true;
  }
  // first + lane * step, as in iota.
  auto integer = dyn_cast<IntegerType>(type.getElementType());
  SmallVector<APInt> values;
  if (integer)
    llvm::append_range(values, elements.getValues<APInt>());
  bool isLinear = integer != nullptr;
  for (size_t k = 2; isLinear && k < values.size(); ++k)
    isLinear = values[k] - values[k - 1] == values[1] - values[0];
  if (!isLinear) {
    notYet = "a vector constant that is neither a splat nor linear";
    return false;
  }
  APInt step = values[1] - values[0];
  auto own = DenseElementsAttr::get(
      type, ArrayRef(values).take_front(type.getNumElements()));
  Value lane = builder.create<arith::IndexCastOp>(
      loc, integer, firstLane(lanesOf(tile.getType())));
  Value start = builder.create<arith::MulIOp>(
      loc, lane,
      builder.create<arith::ConstantOp>(loc, IntegerAttr::get(integer, step)));
  Value sum = builder.create<arith::AddIOp>(
      loc, builder.create<vector::BroadcastOp>(loc, type, start),
      builder.create<arith::ConstantOp>(loc, own));
  map.map(tile, sum);
  return true;
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
      at = builder.create<arith::AddIOp>(
          loc, at, firstLane(lanesOf(value.getType())));
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

void Distributor::copySlice(Operation &op) {
  auto slice = cast<vector::ExtractStridedSliceOp>(op);
  Value from = slice.getVector();
  if (!isSpread(from)) {
    builder.clone(op, map);
    return;
  }
  int64_t all = lanesOf(from.getType()), count = lanesOf(op.getResult(0).getType());
  int64_t offset =
      cast<IntegerAttr>(slice.getOffsets()[0]).getInt();
  Value own = map.lookup(from);
  Location loc = op.getLoc();
  if (2 * count == all && count >= layout.lanes &&
      (offset == 0 || offset == count)) {
    // Both halves at once: each thread has one, its partner has the other.
    int64_t half = layout.owners(all) / 2;
    Value other = partner(own, half);
    Value bit = builder.create<arith::AndIOp>(loc, thread, constant(half));
    Value isLow = builder.create<arith::CmpIOp>(
        loc, arith::CmpIPredicate::eq, bit, constant(0));
    Value low = offset == 0 ? own : other, high = offset == 0 ? other : own;
    map.map(op.getResult(0),
            builder.create<arith::SelectOp>(loc, isLow, low, high).getResult());
    return;
  }
  SmallVector<Value> elements;
  for (int64_t k = offset; k < offset + count; ++k)
    elements.push_back(exchange(
        builder.create<vector::ExtractOp>(loc, own, k % layout.lanes),
        /*isXor=*/false, k / layout.lanes));
  auto tile = cast<VectorType>(op.getResult(0).getType());
  // Every thread has all of them now; a slice that is itself spread is made
  // of those that are the thread's.
  if (count <= layout.lanes) {
    map.map(op.getResult(0),
            builder.create<vector::FromElementsOp>(loc, tile, elements).getResult());
    return;
  }
  SmallVector<Value> mine;
  for (int64_t k = 0; k < layout.lanes; ++k) {
    Value value = elements[k];
    Value which = builder.create<arith::RemUIOp>(
        loc, thread, constant(layout.owners(count)));
    for (int64_t o = 1; o < layout.owners(count); ++o)
      value = builder.create<arith::SelectOp>(
          loc,
          builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, which,
                                        constant(o)),
          elements[o * layout.lanes + k], value);
    mine.push_back(value);
  }
  map.map(op.getResult(0), builder
                               .create<vector::FromElementsOp>(
                                   loc, layout.convert(tile), mine)
                               .getResult());
}

void Distributor::copyExtract(Operation &op) {
  auto extract = cast<vector::ExtractOp>(op);
  Value from = extract.getVector();
  if (!isSpread(from)) {
    builder.clone(op, map);
    return;
  }
  int64_t lane = extract.getStaticPosition().front();
  Value own = builder.create<vector::ExtractOp>(op.getLoc(), map.lookup(from),
                                                lane % layout.lanes);
  map.map(op.getResult(0), exchange(own, /*isXor=*/false, lane / layout.lanes));
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
  if (auto mask = dyn_cast<vector::ConstantMaskOp>(op)) {
    if (!isSpread(mask)) {
      builder.clone(op, map);
      return true;
    }
    int64_t active =
        cast<IntegerAttr>(mask.getMaskDimSizes()[0]).getInt();
    Value rest = builder.create<arith::SubIOp>(
        op.getLoc(), constant(active), firstLane(lanesOf(mask.getType())));
    map.map(mask.getResult(), builder
                                  .create<vector::CreateMaskOp>(
                                      op.getLoc(), layout.convert(mask.getType()),
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
