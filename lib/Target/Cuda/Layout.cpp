// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Target/Cuda/Distribute.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace graphc::cuda {

int64_t lanesOf(Type type) {
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

bool isTable(Value value) {
  return value.getDefiningOp<arith::ConstantOp>() &&
         llvm::all_of(value.getUsers(),
                      llvm::IsaPred<vector::ExtractElementOp>);
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

} // namespace graphc::cuda
