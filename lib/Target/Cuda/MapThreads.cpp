// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Target/Cuda/MapThreads.h"

#include "dialects/Plan/IR/Plan.h"
#include "lib/Target/Cuda/Distribute.h"
#include "lib/Target/Cuda/Synchronize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace graphc::cuda {

static constexpr StringLiteral kGroupSize = "group_size";

Launch launchOf(gpu::GPUFuncOp function) {
  return {function.getKnownGridSize().value()[0],
          function.getKnownBlockSize().value()[0],
          function->getAttrOfType<IntegerAttr>(kGroupSize).getInt()};
}

namespace {

bool isParallelLoop(Operation &op) {
  return isa<scf::ParallelOp>(op) &&
         op.hasAttr(plan::PlanDialect::getParallelAttrName());
}

bool writes(Operation &op) {
  return op
      .walk([](Operation *inner) {
        return hasEffect<MemoryEffects::Write>(inner) ||
                       isa<plan::FailIndexOp>(inner)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The largest number that a loop's end can be: a constant, or one of two.
std::optional<int64_t> mostOf(Value end) {
  APInt number;
  if (matchPattern(end, m_ConstantInt(&number)))
    return number.getSExtValue();
  auto select = end.getDefiningOp<arith::SelectOp>();
  if (!select)
    return std::nullopt;
  auto a = mostOf(select.getTrueValue()), b = mostOf(select.getFalseValue());
  if (!a || !b)
    return std::nullopt;
  return std::max(*a, *b);
}

/// A product's sum: an fma on a value that the loop carries. Products are for
/// a library or kernels of their own.
bool isProductLoop(scf::ForOp loop) {
  Operation *yield = loop.getBody()->getTerminator();
  for (auto [next, carried] :
       llvm::zip_equal(yield->getOperands(), loop.getRegionIterArgs()))
    if (auto fma = next.getDefiningOp<math::FmaOp>();
        fma && fma.getC() == carried)
      return true;
  return false;
}

class Mapper {
public:
  Mapper(func::FuncOp kernel, std::string &notYet)
      : kernel(kernel), notYet(notYet), builder(kernel.getContext()),
        inPlace(inPlaceArguments(kernel)) {}

  gpu::GPUModuleOp run() {
    auto outer = kernel->getParentOfType<ModuleOp>();
    builder.setInsertionPointToEnd(outer.getBody());
    module = builder.create<gpu::GPUModuleOp>(
        kernel.getLoc(), (kernel.getSymName() + "_cuda").str());
    if (!check() || !mapAll()) {
      module.erase();
      return {};
    }
    // Before as after: equal addresses are equal values.
    mergeEqual();
    for (auto function : module.getOps<gpu::GPUFuncOp>())
      if (int64_t group = launchOf(function).group; group > 1)
        synchronize(function, group);
    mergeEqual();
    return module;
  }

private:
  void mergeEqual() {
    IRRewriter rewriter(kernel.getContext());
    DominanceInfo dominance(module);
    eliminateCommonSubExpressions(rewriter, dominance, module);
  }

  bool fail(const Twine &reason) {
    notYet = reason.str();
    return false;
  }

  bool check() {
    kernel.walk([&](Operation *op) {
      if (isa<plan::FailIndexOp>(op))
        fail("a check of indices");
      else if (auto loop = dyn_cast<scf::ForOp>(op);
               loop && isProductLoop(loop))
        fail("a sum of products");
      else if (isa<vector::ShuffleOp>(op))
        fail("a transpose in registers");
    });
    if (kernel.isExternal())
      fail("a host function");
    return notYet.empty();
  }

  /// Loops that are parallel have a launch of their own, what writes memory
  /// between them runs in one group.
  bool mapAll() {
    SmallVector<Operation *> serial;
    auto flush = [&] {
      bool done = serial.empty() || mapPhase(serial, {});
      serial.clear();
      return done;
    };
    for (Operation &op : kernel.getBody().front().without_terminator()) {
      if (isParallelLoop(op)) {
        auto loop = cast<scf::ParallelOp>(op);
        if (!flush() || !mapPhase({&op}, loop))
          return false;
      } else if (writes(op)) {
        serial.push_back(&op);
      }
    }
    return flush();
  }

  /// What `roots` use of the kernel's code, in order. Loads are made again, so
  /// nothing may have written there.
  bool collect(ArrayRef<Operation *> roots, SmallVectorImpl<Operation *> &all) {
    llvm::SetVector<Operation *> needed;
    Block *block = &kernel.getBody().front();
    SmallVector<Operation *> work(roots);
    while (!work.empty()) {
      Operation *op = work.pop_back_val();
      if (!needed.insert(op))
        continue;
      auto use = [&](Value value) {
        Operation *def = value.getDefiningOp();
        if (def && def->getBlock() == block)
          work.push_back(def);
      };
      llvm::for_each(op->getOperands(), use);
      llvm::SetVector<Value> above;
      getUsedValuesDefinedAbove(op->getRegions(), above);
      llvm::for_each(above, use);
    }
    all = needed.takeVector();
    llvm::sort(
        all, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    for (Operation *op : all) {
      if (llvm::is_contained(roots, op))
        continue;
      if (writes(*op))
        return fail("a value from a loop that writes memory");
      SmallVector<Access> reads, later;
      collectAccesses(op, reads);
      if (reads.empty())
        continue;
      for (Operation *next = op;
           next != roots.front() && op->isBeforeInBlock(roots.front());
           next = next->getNextNode())
        collectAccesses(next, later);
      // In a loop of its own launch, some threads are ahead of others.
      if (isParallelLoop(*roots.front()))
        collectAccesses(roots.front(), later);
      for (const Access &read : reads)
        if (llvm::any_of(later,
                         [&](auto &a) { return conflict(read, a, inPlace); }))
          return fail("a value loaded before the memory changes");
    }
    return true;
  }

  bool mapPhase(ArrayRef<Operation *> roots, scf::ParallelOp loop) {
    SmallVector<Operation *> ops;
    Layout layout;
    if (!collect(roots, ops) || !chooseLayout(ops, layout, notYet))
      return false;
    int64_t iterations = 1;
    if (loop) {
      auto most = mostOf(loop.getUpperBound().front());
      if (loop.getInductionVars().size() != 1 || !most)
        return fail("a parallel loop without a constant size");
      iterations = *most;
    }
    int64_t scratchBytes = 0;
    for (Operation *op : ops)
      op->walk([&](memref::AllocaOp alloca) {
        MemRefType type = alloca.getType();
        scratchBytes += llvm::alignTo(
            type.getNumElements() *
                llvm::divideCeil(type.getElementTypeBitWidth(), 8),
            16);
      });
    int64_t groups = kBlockThreads / layout.group;
    if (layout.group > 1 && scratchBytes)
      groups = std::min(groups, kSharedBytes / scratchBytes);
    if (groups == 0 || (layout.group == 1 && scratchBytes > 16 * 1024))
      return fail(Twine(scratchBytes) + " bytes of scratch memory");
    groups = std::min(groups, iterations);
    if (groups <= 0)
      return true;
    if (llvm::divideCeil(iterations, groups) > INT32_MAX)
      return fail("more than 2^31 blocks");
    emit(ops, loop, layout, groups, iterations);
    return notYet.empty();
  }

  Value index(int64_t value) {
    return builder.create<arith::ConstantIndexOp>(kernel.getLoc(), value);
  }

  void emit(ArrayRef<Operation *> ops, scf::ParallelOp loop, Layout layout,
            int64_t groups, int64_t iterations) {
    Location loc = loop ? loop.getLoc() : ops.front()->getLoc();
    builder.setInsertionPoint(module.getBody(0)->getTerminator());
    SmallVector<Operation *> scratch;
    SmallVector<Type> shared;
    if (layout.group > 1)
      for (Operation *op : ops)
        op->walk([&](memref::AllocaOp alloca) {
          scratch.push_back(alloca);
          MemRefType type = alloca.getType();
          shared.push_back(MemRefType::get(
              {type.getNumElements() * groups}, type.getElementType(),
              MemRefLayoutAttrInterface(),
              gpu::AddressSpaceAttr::get(kernel.getContext(),
                                         gpu::AddressSpace::Workgroup)));
        });
    auto function = builder.create<gpu::GPUFuncOp>(
        loc, (kernel.getSymName() + "_" + Twine(phases++)).str(),
        kernel.getFunctionType(), shared);
    function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                      builder.getUnitAttr());
    int32_t threads = groups * layout.group;
    function.setKnownBlockSize(ArrayRef<int32_t>{threads, 1, 1});
    function.setKnownGridSize(
        ArrayRef<int32_t>{int32_t(llvm::divideCeil(iterations, groups)), 1, 1});
    function->setAttr(kGroupSize, builder.getI64IntegerAttr(layout.group));

    builder.setInsertionPointToStart(&function.getBody().front());
    Distributor copy(builder, layout);
    for (auto [from, to] :
         llvm::zip(kernel.getArguments(), function.getArguments()))
      copy.map.map(from, to);
    Value id = builder.create<gpu::ThreadIdOp>(loc, gpu::Dimension::x);
    Value group = id;
    if (layout.group > 1) {
      copy.thread =
          builder.create<arith::RemUIOp>(loc, id, index(layout.group));
      group = builder.create<arith::DivUIOp>(loc, id, index(layout.group));
    }
    for (auto [op, memory] :
         llvm::zip_equal(scratch, function.getWorkgroupAttributions())) {
      Value alloca = op->getResult(0);
      copy.map.map(alloca, memory);
      copy.firstElement[alloca] = builder.create<arith::MulIOp>(
          loc, group,
          index(cast<MemRefType>(alloca.getType()).getNumElements()));
    }
    auto copyAll = [&](auto range) {
      for (Operation &op : range)
        if (!isa<memref::AllocaOp>(op) || layout.group == 1)
          if (!copy.copy(op, notYet))
            return;
    };
    auto pointees = llvm::make_pointee_range(ops);
    if (!loop) {
      copyAll(pointees);
    } else {
      copyAll(llvm::make_pointee_range(ArrayRef(ops).drop_back()));
      if (!notYet.empty())
        return;
      // iteration = block * groups + group, as far as there are so many.
      Value block = builder.create<gpu::BlockIdOp>(loc, gpu::Dimension::x);
      Value number = builder.createOrFold<arith::AddIOp>(
          loc, builder.createOrFold<arith::MulIOp>(loc, block, index(groups)),
          group);
      auto at = [&](OperandRange range) {
        return copy.map.lookupOrDefault(range.front());
      };
      Value step = at(loop.getStep());
      Value iteration = builder.createOrFold<arith::AddIOp>(
          loc, builder.createOrFold<arith::MulIOp>(loc, number, step),
          at(loop.getLowerBound()));
      Value isInside = builder.create<arith::CmpIOp>(
          loc, arith::CmpIPredicate::ult, iteration, at(loop.getUpperBound()));
      auto inside = builder.create<scf::IfOp>(loc, isInside, false);
      copy.map.map(loop.getInductionVars().front(), iteration);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(inside.thenBlock());
      copyAll(loop.getBody()->without_terminator());
    }
    if (!notYet.empty())
      return;
    builder.setInsertionPointToEnd(&function.getBody().front());
    builder.create<gpu::ReturnOp>(loc);
  }

  /// The mask of a group: its threads' bits in their warp.
  void synchronize(gpu::GPUFuncOp function, int64_t group) {
    Location loc = function.getLoc();
    OpBuilder b = OpBuilder::atBlockBegin(&function.getBody().front());
    Type i32 = b.getI32Type();
    auto number = [&](int64_t value) -> Value {
      return b.create<arith::ConstantOp>(loc, b.getIntegerAttr(i32, value));
    };
    Value mask = number(int32_t(group == 32 ? -1 : (int64_t(1) << group) - 1));
    if (group < 32) {
      Value id = b.create<arith::IndexCastOp>(
          loc, i32, b.create<gpu::ThreadIdOp>(loc, gpu::Dimension::x));
      Value first =
          b.create<arith::AndIOp>(loc, id, number(int32_t(31 & ~(group - 1))));
      mask = b.create<arith::ShLIOp>(loc, mask, first);
    }
    synchronizeGroup(function.getBody().front(), mask, inPlace);
  }

  func::FuncOp kernel;
  std::string &notYet;
  OpBuilder builder;
  InPlaceArguments inPlace;
  gpu::GPUModuleOp module;
  int64_t phases = 0;
};

struct MapThreadsPass : PassWrapper<MapThreadsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MapThreadsPass)
  StringRef getArgument() const override { return "cuda-map-threads"; }
  StringRef getDescription() const override {
    return "Add the thread level of each kernel, as CUDA runs it";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<arith::ArithDialect, gpu::GPUDialect, memref::MemRefDialect,
                NVVM::NVVMDialect, scf::SCFDialect, vector::VectorDialect>();
  }
  void runOnOperation() override {
    for (auto function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      if (!plan::isKernel(function))
        continue;
      std::string notYet;
      if (!mapThreads(function, notYet))
        function.emitRemark("no CUDA code yet: ") << notYet;
    }
  }
};

} // namespace

gpu::GPUModuleOp mapThreads(func::FuncOp kernel, std::string &notYet) {
  return Mapper(kernel, notYet).run();
}

void registerCudaPasses() { PassRegistration<MapThreadsPass>(); }

} // namespace graphc::cuda
