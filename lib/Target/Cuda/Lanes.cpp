// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What depends on which lanes a thread has: constants, and lanes of others.
#include "lib/Target/Cuda/Distribute.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace graphc::cuda {

bool Distributor::copyConstant(Operation &op, std::string &notYet) {
  auto elements =
      dyn_cast<DenseElementsAttr>(cast<arith::ConstantOp>(op).getValue());
  Value tile = op.getResult(0);
  if (!elements || isTable(tile) || !isSpread(tile)) {
    builder.clone(op, map);
    return true;
  }
  Location loc = op.getLoc();
  auto type = cast<VectorType>(layout.convert(tile.getType()));
  if (elements.isSplat()) {
    auto part =
        DenseElementsAttr::get(type, elements.getSplatValue<Attribute>());
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
  Value result = builder
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

void Distributor::copySlice(Operation &op) {
  auto slice = cast<vector::ExtractStridedSliceOp>(op);
  Value from = slice.getVector();
  if (!isSpread(from)) {
    builder.clone(op, map);
    return;
  }
  int64_t all = lanesOf(from.getType()),
          count = lanesOf(op.getResult(0).getType());
  int64_t offset = cast<IntegerAttr>(slice.getOffsets()[0]).getInt();
  Value own = map.lookup(from);
  Location loc = op.getLoc();
  if (2 * count == all && count >= layout.lanes &&
      (offset == 0 || offset == count)) {
    // Both halves at once: each thread has one, its partner has the other.
    int64_t half = layout.owners(all) / 2;
    Value other = partner(own, half);
    Value bit = builder.create<arith::AndIOp>(loc, thread, constant(half));
    Value isLow = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq,
                                                bit, constant(0));
    Value low = offset == 0 ? own : other, high = offset == 0 ? other : own;
    map.map(op.getResult(0),
            builder.create<arith::SelectOp>(loc, isLow, low, high).getResult());
    return;
  }
  SmallVector<Value> elements;
  for (int64_t k = offset; k < offset + count; ++k)
    elements.push_back(
        exchange(builder.create<vector::ExtractOp>(loc, own, k % layout.lanes),
                 /*isXor=*/false, k / layout.lanes));
  auto tile = cast<VectorType>(op.getResult(0).getType());
  // Every thread has all of them now; a slice that is itself spread is made
  // of those that are the thread's.
  if (count <= layout.lanes) {
    map.map(op.getResult(0),
            builder.create<vector::FromElementsOp>(loc, tile, elements)
                .getResult());
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
  map.map(
      op.getResult(0),
      builder.create<vector::FromElementsOp>(loc, layout.convert(tile), mine)
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

/// Whether a condition holds for any lane: the same in all threads of a group.
bool Distributor::copyAny(Operation &op, std::string &notYet) {
  auto reduction = cast<vector::ReductionOp>(op);
  Value from = reduction.getVector();
  if (reduction.getKind() != vector::CombiningKind::OR || reduction.getAcc() ||
      !reduction.getType().isInteger(1)) {
    notYet = "a reduction of lanes";
    return false;
  }
  Location loc = op.getLoc();
  Value own = map.lookupOrDefault(from);
  Value any = builder.create<vector::ExtractOp>(loc, own, 0);
  for (int64_t k = 1; k < lanesOf(own.getType()); ++k)
    any = builder.create<arith::OrIOp>(
        loc, any, builder.create<vector::ExtractOp>(loc, own, k));
  if (isSpread(from))
    for (int64_t far = 1; far < layout.owners(lanesOf(from.getType()));
         far *= 2)
      any = builder.create<arith::OrIOp>(loc, any,
                                         exchange(any, /*isXor=*/true, far));
  map.map(op.getResult(0), any);
  return true;
}

} // namespace graphc::cuda
