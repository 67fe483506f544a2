// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Target/Cpu/Captures.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace graphc::cpu {
namespace {

/// Whether computing `value` again elsewhere gives the same and costs little.
bool isCheap(Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->getNumRegions() == 0 && isPure(op) &&
         (isa<MemRefType>(value.getType()) || value.getType().isIndex() ||
          op->hasTrait<OpTrait::ConstantLike>());
}

bool fitsI64(Type type) {
  return type.isIndex() ||
         (type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 64);
}

Value toI64(OpBuilder &builder, Location loc, Value value) {
  Type type = value.getType(), i64 = builder.getI64Type();
  if (type.isIndex())
    return builder.create<arith::IndexCastOp>(loc, i64, value);
  Type bits = builder.getIntegerType(type.getIntOrFloatBitWidth());
  if (isa<FloatType>(type))
    value = builder.create<arith::BitcastOp>(loc, bits, value);
  return bits == i64 ? value : builder.create<arith::ExtUIOp>(loc, i64, value);
}

Value fromI64(OpBuilder &builder, Location loc, Value value, Type type) {
  if (type.isIndex())
    return builder.create<arith::IndexCastOp>(loc, type, value);
  Type bits = builder.getIntegerType(type.getIntOrFloatBitWidth());
  if (bits != value.getType())
    value = builder.create<arith::TruncIOp>(loc, bits, value);
  return isa<FloatType>(type)
             ? builder.create<arith::BitcastOp>(loc, type, value)
             : value;
}

Value elementAt(OpBuilder &builder, Location loc, Value array, int64_t index) {
  return builder.create<LLVM::GEPOp>(
      loc, array.getType(), builder.getI64Type(), array,
      ArrayRef<LLVM::GEPArg>(static_cast<int32_t>(index)));
}

} // namespace

FailureOr<Captures> Captures::of(Region &region, func::FuncOp kernel) {
  Captures captures;
  for (Type type : kernel.getFunctionType().getInputs())
    captures.argCount += type.isInteger(64);

  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(region, region, used);
  // The loop's bounds and step are needed inside as well.
  for (Value bound : region.getParentOp()->getOperands())
    used.insert(bound);

  llvm::SetVector<Operation *> again;
  SmallVector<Value> pending(used.begin(), used.end());
  llvm::SetVector<Value> seen;
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (isa<BlockArgument>(value) && value.getParentBlock() == &kernel.front())
      continue;
    if (!seen.insert(value))
      continue;
    if (isCheap(value)) {
      again.insert(value.getDefiningOp());
      llvm::append_range(pending, value.getDefiningOp()->getOperands());
      continue;
    }
    if (!fitsI64(value.getType()))
      return region.getParentOp()->emitOpError("cannot pass a value of type ")
             << value.getType() << " into a parallel loop";
    captures.passed.push_back(value);
  }
  // All stand in the kernel's entry block, so its order is a valid one.
  captures.recomputed = again.takeVector();
  llvm::sort(captures.recomputed,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return captures;
}

Value Captures::save(OpBuilder &builder, Value args) const {
  if (passed.empty())
    return args;
  Location loc = args.getLoc();
  Type i64 = builder.getI64Type();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  int64_t total = argCount + passed.size();
  Value count = builder.create<LLVM::ConstantOp>(
      loc, i64, builder.getI64IntegerAttr(total));
  Value array = builder.create<LLVM::AllocaOp>(loc, pointer, i64, count);
  for (int64_t i = 0; i < argCount; ++i) {
    Value arg = builder.create<LLVM::LoadOp>(loc, i64,
                                             elementAt(builder, loc, args, i));
    builder.create<LLVM::StoreOp>(loc, arg, elementAt(builder, loc, array, i));
  }
  for (auto [index, value] : llvm::enumerate(passed))
    builder.create<LLVM::StoreOp>(
        loc, toI64(builder, loc, value),
        elementAt(builder, loc, array, argCount + index));
  return array;
}

void Captures::restore(OpBuilder &builder, Value args,
                       IRMapping &mapping) const {
  Location loc = args.getLoc();
  for (auto [index, value] : llvm::enumerate(passed)) {
    Value bits = builder.create<LLVM::LoadOp>(
        loc, builder.getI64Type(),
        elementAt(builder, loc, args, argCount + index));
    mapping.map(value, fromI64(builder, loc, bits, value.getType()));
  }
  for (Operation *op : recomputed)
    builder.clone(*op, mapping);
}

} // namespace graphc::cpu
