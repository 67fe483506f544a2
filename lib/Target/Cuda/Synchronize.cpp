// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Target/Cuda/Synchronize.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace graphc::cuda {

MemoryPart memoryPartOf(Value memory) {
  MemoryPart part{memory, 0, INT64_MAX};
  while (auto view = part.base.getDefiningOp<memref::ViewOp>()) {
    APInt shift;
    MemRefType type = view.getType();
    if (part.end == INT64_MAX &&
        matchPattern(view.getByteShift(), m_ConstantInt(&shift))) {
      part.begin = shift.getSExtValue();
      part.end =
          part.begin + type.getNumElements() *
                           llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    } else {
      part.begin = 0, part.end = INT64_MAX;
    }
    part.base = view.getSource();
  }
  return part;
}

void collectAccesses(Operation *root, SmallVectorImpl<Access> &all) {
  root->walk([&](Operation *op) {
    auto interface = dyn_cast<MemoryEffectOpInterface>(op);
    if (!interface)
      return;
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    for (auto &effect : effects) {
      bool isWrite = isa<MemoryEffects::Write>(effect.getEffect());
      if (effect.getValue() &&
          (isWrite || isa<MemoryEffects::Read>(effect.getEffect())))
        all.push_back({memoryPartOf(effect.getValue()), op, isWrite});
    }
  });
}

bool conflict(const Access &a, const Access &b) {
  // An op does not write the same element in two rounds of a loop unless
  // something reads it in between.
  return a.part.overlaps(b.part) && (a.writes || b.writes) &&
         !(a.writes && b.writes && a.op == b.op);
}

namespace {

struct Synchronizer {
  Value mask;
  using Accesses = SmallVector<Access, 8>;

  /// `pending` is what threads may still be doing when the block begins, and
  /// then when it ends.
  void run(Block &block, Accesses &pending) {
    for (Operation &op : block) {
      Accesses accesses;
      collectAccesses(&op, accesses);
      if (accesses.empty())
        continue;
      if (llvm::any_of(accesses, [&](const Access &access) {
            return llvm::any_of(pending, [&](const Access &before) {
              return conflict(access, before);
            });
          })) {
        OpBuilder builder(&op);
        builder.create<NVVM::SyncWarpOp>(op.getLoc(), mask);
        pending.clear();
      }
      if (isa<scf::ForOp>(op)) {
        // At the start of a round the one before may be going on.
        Accesses inside = pending;
        llvm::append_range(inside, accesses);
        run(op.getRegion(0).front(), inside);
      } else if (isa<scf::IfOp>(op) && !op.hasAttr(kSomeThreads)) {
        for (Region &region : op.getRegions()) {
          Accesses inside = pending;
          if (!region.empty())
            run(region.front(), inside);
        }
      }
      llvm::append_range(pending, accesses);
    }
  }
};

} // namespace

void synchronizeGroup(Block &body, Value mask) {
  SmallVector<Access, 8> pending;
  Synchronizer{mask}.run(body, pending);
}

} // namespace graphc::cuda
