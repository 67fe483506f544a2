// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Target/Cpu/Kernels.h"
#include "lib/Target/Cpu/Retype.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace graphc::cpu {
namespace {

bool isBool(Type type) { return getElementTypeOrSelf(type).isInteger(1); }

Type withElement(Type type, Type element) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.clone(element)) : element;
}

/// After a load: any byte but 0 is true.
void testLoaded(Value loaded) {
  OpBuilder builder(loaded.getContext());
  builder.setInsertionPointAfterValue(loaded);
  Location loc = loaded.getLoc();
  Type bytes = withElement(loaded.getType(), builder.getI8Type());
  loaded.setType(bytes);
  Value zero =
      builder.create<arith::ConstantOp>(loc, builder.getZeroAttr(bytes));
  auto test = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ne,
                                            loaded, zero);
  loaded.replaceAllUsesExcept(test, test);
}

/// Before a store, or for the value a masked load falls back to.
void extend(OpOperand &operand) {
  Operation *op = operand.getOwner();
  OpBuilder builder(op);
  Value value = operand.get();
  Type bytes = withElement(value.getType(), builder.getI8Type());
  operand.set(builder.create<arith::ExtUIOp>(op->getLoc(), bytes, value));
}

/// The operand that `op` writes to memory as it is, if it is a store.
OpOperand *storedValue(Operation *op) {
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return &store.getValueMutable();
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return &store.getValueToStoreMutable();
  if (auto store = dyn_cast<vector::MaskedStoreOp>(op))
    return &store.getValueToStoreMutable();
  if (auto scatter = dyn_cast<vector::ScatterOp>(op))
    return &scatter.getValueToStoreMutable();
  return nullptr;
}

/// What a masked load gives where its mask is off.
OpOperand *passThrough(Operation *op) {
  if (auto load = dyn_cast<vector::MaskedLoadOp>(op))
    return &load.getPassThruMutable();
  if (auto gather = dyn_cast<vector::GatherOp>(op))
    return &gather.getPassThruMutable();
  return nullptr;
}

} // namespace

LogicalResult widenBoolMemory(ModuleOp module) {
  SmallVector<Operation *> accesses;
  module.walk([&](Operation *op) {
    if (isa<memref::LoadOp, vector::LoadOp, vector::MaskedLoadOp,
            vector::GatherOp>(op)) {
      if (isBool(op->getResult(0).getType()))
        accesses.push_back(op);
    } else if (OpOperand *stored = storedValue(op)) {
      if (isBool(stored->get().getType()))
        accesses.push_back(op);
    }
  });
  for (Operation *op : accesses) {
    if (OpOperand *stored = storedValue(op)) {
      extend(*stored);
      continue;
    }
    if (OpOperand *fallback = passThrough(op))
      extend(*fallback);
    testLoaded(op->getResult(0));
  }
  return retype(module, [](Type type) -> Type {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref || !memref.getElementType().isInteger(1))
      return type;
    return MemRefType::Builder(memref).setElementType(
        IntegerType::get(type.getContext(), 8));
  });
}

} // namespace graphc::cpu
