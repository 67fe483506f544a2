// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of addresses: an access of 16 bytes needs a multiple of 16.
#include "lib/Target/Cuda/Print.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace graphc::cuda {

static constexpr int64_t kMost = int64_t(1) << 20;
/// Of every buffer that a kernel is given.
static constexpr int64_t kBufferAlignment = 16;

static int64_t powerIn(int64_t number) {
  return number == 0 ? kMost : std::min(kMost, number & -number);
}

int64_t knownDivisor(Value index) {
  APInt number;
  if (matchPattern(index, m_ConstantInt(&number)))
    return powerIn(number.getSExtValue());
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument != loop.getInductionVar())
      return 1;
    return std::min(knownDivisor(loop.getLowerBound()),
                    knownDivisor(loop.getStep()));
  }
  auto of = [](Operation *op, unsigned k) {
    return knownDivisor(op->getOperand(k));
  };
  return llvm::TypeSwitch<Operation *, int64_t>(index.getDefiningOp())
      .Case([&](arith::MulIOp op) {
        return std::min(kMost, of(op, 0) * of(op, 1));
      })
      // a mod b is a less a multiple of b.
      .Case<arith::AddIOp, arith::SubIOp, arith::RemUIOp, arith::RemSIOp,
            arith::MinSIOp, arith::MaxSIOp>(
          [&](Operation *op) { return std::min(of(op, 0), of(op, 1)); })
      .Case([&](arith::SelectOp op) { return std::min(of(op, 1), of(op, 2)); })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp>(
          [&](Operation *op) { return of(op, 0); })
      .Default([](Operation *) { return 1; });
}

int64_t knownAlignment(Value memory, Value index) {
  auto type = cast<MemRefType>(memory.getType());
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  int64_t known = kBufferAlignment;
  if (index)
    known = std::min(known, knownDivisor(index) * bytes);
  while (auto view = memory.getDefiningOp<memref::ViewOp>()) {
    known = std::min(known, knownDivisor(view.getByteShift()));
    memory = view.getSource();
  }
  return known;
}

} // namespace graphc::cuda
