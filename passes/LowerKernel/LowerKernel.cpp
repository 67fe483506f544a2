// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans and emits a kernel for each region, shares equal ones, and replaces the
// regions by launches.
#include "passes/LowerKernel/LowerKernel.h"
#include "dialects/Plan/IR/Plan.h"
#include "lib/Analysis/TargetModel.h"
#include "lib/Support/OptBisect/OptBisect.h"
#include "passes/LowerKernel/Emitter.h"
#include "passes/LowerKernel/Groups.h"
#include "passes/LowerKernel/Layouts.h"
#include "passes/LowerKernel/LowerHost.h"
#include "passes/LowerKernel/NameOps.h"
#include "passes/LowerKernel/Planner.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace graphc {
#define GEN_PASS_DEF_LOWERKERNEL
#include "passes/LowerKernel/LowerKernel.h.inc"

namespace {

using namespace kernel;

/// What a launch needs to know of a kernel.
struct KernelInfo {
  FlatSymbolRefAttr symbol;
  SmallVector<plan::InPlacePair> inplace;
  bool mayFail = false;
  bool isParallel = false;
};

/// A text that two regions share if they have the same ops, op ids apart; those
/// go to `args`.
std::string describe(graph::FusedOp fused, SmallVectorImpl<int64_t> &args) {
  std::string text;
  auto append = [&](const void *pointer) {
    text.append(reinterpret_cast<const char *>(&pointer), sizeof(pointer));
  };
  llvm::DenseMap<Value, size_t> numbers;
  auto define = [&](Value value) {
    numbers.try_emplace(value, numbers.size());
    append(value.getType().getAsOpaquePointer());
  };
  Block &body = fused.getBody().front();
  for (Value argument : body.getArguments())
    define(argument);
  for (Operation &op : body) {
    DictionaryAttr attributes = op.getAttrDictionary();
    if (auto random = dyn_cast<graph::RandomUniformOp>(op)) {
      args.push_back(random.getOpId());
      attributes = {};
    }
    append(op.getName().getAsOpaquePointer());
    append(attributes ? attributes.getAsOpaquePointer() : nullptr);
    for (Value operand : op.getOperands())
      append(reinterpret_cast<void *>(numbers.lookup(operand) + 1));
    append(nullptr);
    for (Value result : op.getResults())
      define(result);
  }
  return text;
}

bool isInfinity(graph::ConstantOp constant) {
  auto elements = dyn_cast<DenseFPElementsAttr>(constant.getValue());
  return elements && elements.isSplat() &&
         elements.getSplatValue<APFloat>().isInfinity();
}

/// Whether an infinity that the model writes into `fused`, such as a mask's
/// constant, can reach a result of it: through floats, not through a comparison.
bool givesInfinity(graph::FusedOp fused) {
  SmallVector<Value> work;
  DenseSet<Value> reached;
  for (auto constant : fused.getBody().getOps<graph::ConstantOp>())
    if (isInfinity(constant))
      work.push_back(constant);
  while (!work.empty())
    for (Operation *user : work.pop_back_val().getUsers()) {
      if (isa<graph::YieldOp>(user))
        return true;
      for (Value result : user->getResults())
        if (isa<FloatType>(getElementTypeOrSelf(result.getType())) &&
            reached.insert(result).second)
          work.push_back(result);
    }
  return false;
}

/// The op a reader of a profile would look for: the product at the region's
/// place, or the last op there, or the last one of all.
Operation *findNamedOp(graph::FusedOp fused) {
  Block &body = fused.getBody().front();
  for (Operation &op : body.without_terminator())
    if (op.getLoc() == fused.getLoc() && op.getNumOperands() > 0 &&
        graph::getIndexRelation(&op, 0) == graph::IndexRelation::Product)
      return &op;
  for (Operation &op : llvm::reverse(body.without_terminator()))
    if (op.getLoc() == fused.getLoc() && !isa<graph::ConstantOp>(op))
      return &op;
  return body.getTerminator()->getPrevNode();
}

/// A region, and what its launch says of the ops that were in it.
struct Named {
  Named(graph::FusedOp fused)
      : fused(fused), names(nameOps(fused)), givesInf(givesInfinity(fused)) {
    Operation *op = findNamedOp(fused);
    opName = op ? op->getName().getIdentifier()
                : StringAttr::get(fused.getContext(), "graph.fused");
  }
  graph::FusedOp fused;
  StringAttr opName, names;
  bool givesInf;
};

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

struct LowerKernelPass : impl::LowerKernelBase<LowerKernelPass> {
  using LowerKernelBase::LowerKernelBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    if (failed(lowerHostCalls(getOperation(), symbols)))
      return signalPassFailure();
    // All are taken apart before any is gone: one may hold another's indices to
    // their range.
    std::vector<Named> regions;
    getOperation()->walk([&](graph::FusedOp op) { regions.push_back(op); });
    for (const Named &region : regions)
      if (failed(decomposeRegion(region.fused)))
        return signalPassFailure();
    bits = vectorBits < 0 ? getTargetModel(getOperation()).vectorBits
                          : int64_t(vectorBits);
    for (const Named &region : regions)
      if (failed(lower(region, symbols)))
        return signalPassFailure();
    for (auto variable : getOperation().getOps<graph::VariableOp>())
      if (variable.getLayout() && failed(lowerLayout(variable, symbols)))
        return signalPassFailure();
  }

private:
  LogicalResult lower(const Named &region, SymbolTable &symbols) {
    graph::FusedOp fused = region.fused;
    SmallVector<int64_t> args;
    KernelInfo &info = byRegion[describe(fused, args)];
    if (!info.symbol && failed(build(fused, region.opName, symbols, info)))
      return failure();

    OpBuilder builder(fused);
    auto launch = builder.create<plan::LaunchOp>(
        fused.getLoc(), fused.getResultTypes(), info.symbol, fused.getInputs(),
        args, info.inplace, region.names, info.mayFail, info.isParallel);
    launch.setGivesInf(region.givesInf);
    fused.replaceAllUsesWith(launch);
    fused.erase();
    return success();
  }

  /// The kernels that the host's copies of `variable` go through.
  LogicalResult lowerLayout(graph::VariableOp variable, SymbolTable &symbols) {
    for (bool packs : {true, false}) {
      OwningOpRef<ModuleOp> around = ModuleOp::create(variable.getLoc());
      graph::FusedOp region = buildLayoutRegion(variable, packs, *around);
      SmallVector<int64_t> args;
      KernelInfo &info = byRegion[describe(region, args)];
      auto name = StringAttr::get(&getContext(), packs ? "pack" : "unpack");
      if (!info.symbol && failed(build(region, name, symbols, info)))
        return failure();
      variable->setAttr(packs ? plan::PlanDialect::getPackAttrName()
                              : plan::PlanDialect::getUnpackAttrName(),
                        info.symbol);
    }
    return success();
  }

  LogicalResult build(graph::FusedOp fused, StringAttr opName,
                      SymbolTable &symbols, KernelInfo &info) {
    StringRef where = opName.getValue();
    Kernel kernel;
    kernel.vectorBits =
        takeOptionalStep(&getContext(), "vectorize", where) ? bits : 0;
    if (failed(planKernel(fused, kernel)))
      return failure();
    func::FuncOp function = declare(fused.getLoc(), kernel);
    OpBuilder end = OpBuilder::atBlockEnd(function.addEntryBlock());
    end.create<func::ReturnOp>(fused.getLoc());
    bool spreads = takeOptionalStep(&getContext(), "parallelize", where);
    Emitter emitter(kernel,
                    {kernel.vectorBits, spreads ? parallelFlops : kNever,
                     spreads ? parallelBytes : kNever});
    emitter.emit(&function.getBody().front());

    for (auto [output, input] : findInPlacePairs(kernel))
      info.inplace.push_back({output->number, input->number});
    if (!info.inplace.empty() &&
        !takeOptionalStep(&getContext(), "work in place", where))
      info.inplace.clear();
    info.mayFail = kernel.mayFail;
    info.isParallel = emitter.isParallel();

    // Regions that differ may still give one kernel: shapes are flattened.
    std::string text;
    llvm::raw_string_ostream os(text);
    function->print(os, OpPrintingFlags().useLocalScope());
    FlatSymbolRefAttr &symbol = byText[text];
    if (symbol) {
      function->erase();
    } else {
      StringRef name = opName.getValue();
      name.consume_front("graph.");
      function.setName((name + "_" + Twine(byText.size() - 1)).str());
      symbols.insert(function);
      symbol = FlatSymbolRefAttr::get(function.getSymNameAttr());
    }
    info.symbol = symbol;
    return success();
  }

  func::FuncOp declare(Location loc, const Kernel &kernel) {
    SmallVector<Type> types;
    auto add = [&](const Buffer *buffer) {
      types.push_back(MemRefType::get({buffer->elements},
                                      getStorageType(buffer->elementType)));
    };
    llvm::for_each(kernel.inputs, add);
    if (kernel.workspaceBytes)
      types.push_back(MemRefType::get({kernel.workspaceBytes},
                                      IntegerType::get(&getContext(), 8)));
    llvm::for_each(kernel.outputs, add);
    types.append(kernel.args.size(), IntegerType::get(&getContext(), 64));
    auto function = func::FuncOp::create(
        loc, "kernel", FunctionType::get(&getContext(), types, {}));
    function.setPrivate();
    function->setAttr(plan::PlanDialect::getKernelAttrName(),
                      UnitAttr::get(&getContext()));
    return function;
  }

  int64_t bits = 0; // of a vector
  llvm::StringMap<KernelInfo> byRegion;
  llvm::StringMap<FlatSymbolRefAttr> byText;
};

} // namespace
} // namespace graphc
