// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ends of rows without masks. A masked store of AVX2 takes ten times as
// long as a plain one, and what a masked store has written, of any level, cannot
// be loaded before it is in the cache.

#include "lib/Target/Cpu/Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace graphc::cpu {
namespace {

/// How many of the first lanes `mask` lets through, if that is a constant.
std::optional<int64_t> activeLanes(Value mask) {
  auto constant = mask.getDefiningOp<vector::ConstantMaskOp>();
  if (!constant || constant.getMaskDimSizes().size() != 1)
    return std::nullopt;
  return cast<IntegerAttr>(constant.getMaskDimSizes()[0]).getInt();
}

/// Calls `piece` with the first lane and the size of each power of two in
/// `active`, the largest first.
void forPieces(int64_t active,
               llvm::function_ref<void(int64_t, int64_t)> piece) {
  int64_t done = 0;
  for (int64_t size = int64_t(1) << 62; size > 0; size /= 2)
    if (active & size) {
      piece(done, size);
      done += size;
    }
}

SmallVector<Value> moved(OpBuilder &builder, Location loc, ValueRange indices,
                         int64_t by) {
  SmallVector<Value> result(indices);
  result.back() = builder.createOrFold<arith::AddIOp>(
      loc, result.back(), builder.create<arith::ConstantIndexOp>(loc, by));
  return result;
}

void split(vector::MaskedStoreOp store, int64_t active) {
  OpBuilder b(store);
  Location loc = store.getLoc();
  Value value = store.getValueToStore();
  forPieces(active, [&](int64_t first, int64_t size) {
    SmallVector<Value> at = moved(b, loc, store.getIndices(), first);
    if (size == 1)
      b.create<memref::StoreOp>(loc,
                                b.create<vector::ExtractOp>(loc, value, first),
                                store.getBase(), at);
    else
      b.create<vector::StoreOp>(
          loc,
          b.create<vector::ExtractStridedSliceOp>(loc, value, first, size, 1),
          store.getBase(), at);
  });
  store.erase();
}

void split(vector::MaskedLoadOp load, int64_t active) {
  OpBuilder b(load);
  Location loc = load.getLoc();
  Type element = load.getVectorType().getElementType();
  Value value = load.getPassThru();
  forPieces(active, [&](int64_t first, int64_t size) {
    SmallVector<Value> at = moved(b, loc, load.getIndices(), first);
    if (size == 1) {
      Value one = b.create<memref::LoadOp>(loc, load.getBase(), at);
      value = b.create<vector::InsertOp>(loc, one, value, first);
      return;
    }
    Value piece = b.create<vector::LoadOp>(
        loc, VectorType::get({size}, element), load.getBase(), at);
    value = b.create<vector::InsertStridedSliceOp>(loc, piece, value, first, 1);
  });
  load.replaceAllUsesWith(value);
  load.erase();
}

/// Where sums run, one masked load a term is less than several plain ones.
bool isInSum(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  return loop && loop.getNumResults() > 0;
}

} // namespace

void splitMasks(ModuleOp module) {
  module.walk([](Operation *op) {
    if (auto store = dyn_cast<vector::MaskedStoreOp>(op)) {
      if (std::optional<int64_t> active = activeLanes(store.getMask()))
        split(store, *active);
    } else if (auto load = dyn_cast<vector::MaskedLoadOp>(op)) {
      std::optional<int64_t> active = activeLanes(load.getMask());
      if (active && !isInSum(load))
        split(load, *active);
    }
  });
}

} // namespace graphc::cpu
