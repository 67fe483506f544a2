// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Target/Cuda/Synchronize.h"

#include "dialects/Plan/IR/Plan.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace graphc::cuda {

InPlaceArguments inPlaceArguments(func::FuncOp kernel) {
  InPlaceArguments pairs;
  unsigned memrefs =
      llvm::count_if(kernel.getArgumentTypes(), llvm::IsaPred<MemRefType>);
  auto add = [&](auto op, size_t outputs) {
    for (plan::InPlacePair pair : op.getInPlacePairs()) {
      unsigned input = pair.input, output = memrefs - outputs + pair.output;
      pairs.insert({input, output});
      pairs.insert({output, input});
    }
  };
  kernel->getParentOfType<ModuleOp>().walk([&](Operation *op) {
    StringRef name = kernel.getSymName();
    if (auto launch = dyn_cast<plan::LaunchOp>(op);
        launch && launch.getKernel() == name)
      add(launch, launch.getOutputs().size());
    if (auto entry = dyn_cast<plan::EntryOp>(op);
        entry && entry.getKernel() == name)
      add(entry, llvm::range_size(entry.getOutputRefs()));
  });
  return pairs;
}

bool MemoryPart::overlaps(const MemoryPart &other,
                          const InPlaceArguments &pairs) const {
  if (begin >= other.end || other.begin >= end)
    return false;
  auto a = dyn_cast<BlockArgument>(base),
       b = dyn_cast<BlockArgument>(other.base);
  return base == other.base ||
         (a && b && pairs.contains({a.getArgNumber(), b.getArgNumber()}));
}

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

bool conflict(const Access &a, const Access &b, const InPlaceArguments &pairs) {
  // An op does not write the same element in two rounds of a loop unless
  // something reads it in between.
  return (a.writes || b.writes) && a.part.overlaps(b.part, pairs) &&
         !(a.writes && b.writes && a.op == b.op);
}

namespace {

/// Where a thread's own lanes of a vector are; null of anything else.
struct Lanes {
  Value index;
  int64_t count = 0, bits = 0;

  explicit Lanes(Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<vector::LoadOp, vector::StoreOp, vector::MaskedLoadOp,
              vector::MaskedStoreOp>([&](auto access) {
          index = access.getIndices().front();
          count = access.getVectorType().getNumElements();
          bits = access.getVectorType().getElementTypeBitWidth();
        });
    // Else threads share lanes, of which one of them stores.
    auto parent = dyn_cast<scf::IfOp>(op->getParentOp());
    if (parent && parent->hasAttr(kSomeThreads))
      index = {};
  }
};

/// True of an input and what takes its place if each thread replaces the lanes
/// that it has read: no element of an output is written twice.
bool isOfOneThread(const Access &a, const Access &b) {
  Lanes first(a.op), second(b.op);
  return a.part.base != b.part.base && first.index &&
         first.index == second.index && first.count == second.count &&
         first.bits == second.bits;
}

struct Synchronizer {
  Value mask;
  const InPlaceArguments &pairs;
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
              return conflict(access, before, pairs) &&
                     !isOfOneThread(access, before);
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

void synchronizeGroup(Block &body, Value mask, const InPlaceArguments &pairs) {
  SmallVector<Access, 8> pending;
  Synchronizer{mask, pairs}.run(body, pending);
}

} // namespace graphc::cuda
