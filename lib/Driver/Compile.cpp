// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Driver/Compile.h"

#include "dialects/Graph/IR/Graph.h"
#include "dialects/Plan/IR/Plan.h"
#include "lib/Analysis/GraphDot.h"
#include "lib/Analysis/PeakModel.h"
#include "lib/Analysis/Summary.h"
#include "lib/Driver/RegisterAll.h"
#include "lib/Import/Files.h"
#include "lib/Import/Import.h"
#include "lib/Import/Specialize.h"
#include "lib/Package/Package.h"
#include "lib/Target/Cpu/Cpu.h"
#include "lib/Target/Cpu/Tables.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace mlir;

namespace graphc {

std::unique_ptr<MLIRContext> createContext(bool threads) {
  DialectRegistry registry;
  registerAll(registry);
  auto context = std::make_unique<MLIRContext>(
      registry, threads ? MLIRContext::Threading::ENABLED
                        : MLIRContext::Threading::DISABLED);
  context->printOpOnDiagnostic(false);
  return context;
}

static LogicalResult runPasses(ModuleOp module, const CompileOptions &options) {
  PassManager manager(module.getContext());
  if (options.configure && failed(options.configure(manager)))
    return failure();
  PipelineOptions pipeline;
  pipeline.stopAfter = options.stopAfter;
  pipeline.startsAfterAutodiff = options.startsAfterAutodiff;
  pipeline.amp = options.amp;
  pipeline.ampReport = options.ampReport;
  pipeline.cleanUp = options.optLevel > 0;
  pipeline.fuse = options.fuse;
  pipeline.fuse.isOn &= options.optLevel > 0;
  pipeline.remat = options.remat;
  pipeline.mergeTiny = options.mergeTiny && options.optLevel > 0;
  pipeline.strictMath = options.strictMath;
  pipeline.packWeights = options.packWeights && options.optLevel > 0;
  buildPipeline(manager, pipeline);
  if (options.log)
    manager.addInstrumentation(options.log->watch(
        options.startsAfterAutodiff ? Phase::Autodiff : Phase::Import,
        options.stopAfter, !options.amp.empty()));
  return manager.run(module);
}

/// Says on the module what it is compiled for, for the passes that ask.
static void setTargets(ModuleOp module, ArrayRef<cpu::Level> levels,
                       const CompileOptions &options) {
  module.getContext()->loadDialect<plan::PlanDialect>();
  SmallVector<Attribute> targets;
  for (const cpu::Level &level : levels)
    targets.push_back(plan::TargetAttr::get(module.getContext(), "cpu",
                                            level.name, options.maxThreads));
  module->setAttr(plan::PlanDialect::getTargetsAttrName(),
                  ArrayAttr::get(module.getContext(), targets));
}

/// The module up to the plan, by each rung in turn until one does with the
/// budget: the fastest first. Each is planned in full, on a copy.
static FailureOr<int> fitBudget(ModuleOp module, ArrayRef<cpu::Level> levels,
                                const CompileOptions &options) {
  CompileOptions trial = options;
  trial.log = nullptr;
  trial.configure = nullptr;
  trial.ampReport = false;
  trial.stopAfter = Phase::Autodiff;
  OwningOpRef<ModuleOp> joint = module.clone();
  setTargets(*joint, levels, options);
  if (!options.startsAfterAutodiff && failed(runPasses(*joint, trial)))
    return failure();
  trial.startsAfterAutodiff = true;
  trial.stopAfter = Phase::Plan;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (int rung = 0; rung < countRematRungs(); ++rung) {
    OwningOpRef<ModuleOp> copy = joint->clone();
    trial.remat.rung = rung;
    if (failed(runPasses(*copy, trial)))
      return failure();
    int64_t bytes = plan::plannedBytes(*copy);
    if (bytes <= options.memoryBudget)
      return rung;
    least = std::min(least, bytes);
  }
  return emitError(module.getLoc(),
                   "expects a memory budget that the model can "
                   "do with, but got ")
         << options.memoryBudget << "; smallest feasible budget is " << least
         << " bytes";
}

static llvm::SmallVector<char, 0> print(ModuleOp module, Emit emit) {
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream os(text);
  if (emit == Emit::Dot) {
    printDot(module, os);
    return text;
  }
  module.print(os);
  os << "\n";
  return text;
}

using Bytes = llvm::SmallVector<char, 0>;

/// The tables of `module` in the form that `emit` asks for.
static FailureOr<Bytes> emitTables(ModuleOp module, ArrayRef<cpu::Level> levels,
                                   const CompileOptions &options,
                                   const cpu::CodegenOptions &codegen) {
  llvm::LLVMContext context;
  cpu::TableOptions tables;
  tables.maxThreads = options.maxThreads;
  tables.compilerVersion = GRAPHC_VERSION;
  std::unique_ptr<llvm::Module> root =
      cpu::buildTables(module, levels, tables, context);
  if (!root)
    return failure();
  // Constants only: any level can load them.
  llvm::Expected<Bytes> bytes = cpu::generate(*root, levels.back(), codegen);
  if (!bytes)
    return emitError(module.getLoc(), llvm::toString(bytes.takeError()));
  return std::move(*bytes);
}

static FailureOr<Bytes> emitTarget(ModuleOp module, ArrayRef<cpu::Level> levels,
                                   const CompileOptions &options) {
  cpu::CodegenOptions codegen;
  codegen.optLevel = options.optLevel;
  codegen.emit = options.emit == Emit::Llvm  ? cpu::Emit::LLVMIR
                 : options.emit == Emit::Asm ? cpu::Emit::Assembly
                                             : cpu::Emit::Object;
  // An empty std::function would make a reference that is not null.
  llvm::function_ref<LogicalResult(PassManager &)> configure;
  if (options.configure)
    configure = options.configure;
  auto enter = [&](StringRef phase) {
    if (options.log)
      options.log->enter(phase);
  };
  enter("kernels");
  FailureOr<std::vector<cpu::Code>> kernels =
      cpu::compileKernels(module, levels, codegen, configure);
  if (failed(kernels))
    return failure();
  enter("tables");
  FailureOr<Bytes> tables = emitTables(module, levels, options, codegen);
  if (failed(tables))
    return failure();

  if (options.emit == Emit::Llvm || options.emit == Emit::Asm) {
    Bytes text;
    for (const cpu::Code &code : *kernels)
      text.append(code.bytes);
    text.append(*tables);
    return text;
  }
  enter("link");
  SmallVector<StringRef> objects;
  for (const cpu::Code &code : *kernels)
    objects.emplace_back(code.bytes.data(), code.bytes.size());
  objects.emplace_back(tables->data(), tables->size());
  PackageOptions package;
  package.onTempFolder = options.onTempFolder;
  llvm::Expected<Bytes> linked = options.emit == Emit::Obj
                                     ? mergeObjects(objects, package)
                                     : packageModel(objects, package);
  if (!linked)
    return emitError(module.getLoc(), llvm::toString(linked.takeError()));
  return std::move(*linked);
}

static LogicalResult import(ModuleOp module, const CompileOptions &options) {
  return success(succeeded(checkModule(module)) &&
                 succeeded(readFiles(module, options.folder)) &&
                 succeeded(specializeBatches(module, options.batches)) &&
                 succeeded(importModule(module)));
}

/// A library without a function is of no use: more likely the text is not what
/// was meant.
static LogicalResult checkCanRun(ModuleOp module) {
  bool canRun = llvm::any_of(module.getOps(), [](Operation &op) {
    auto function = dyn_cast<func::FuncOp>(op);
    return (function && function.isPublic()) ||
           isa<graph::TrainOp, graph::GradOp>(op);
  });
  return canRun ? success()
                : emitError(module.getLoc(),
                            "expects a public function, a graph.train or a "
                            "graph.grad, but the model has none");
}

LogicalResult summarizeModel(ModuleOp module, const CompileOptions &options,
                             raw_ostream &os) {
  if (failed(checkModule(module)))
    return failure();
  OwningOpRef<ModuleOp> copy = module.clone();
  CompileOptions first = options;
  first.stopAfter = Phase::Autodiff;
  first.log = nullptr;
  first.ampReport = false;
  if (failed(import(*copy, first)) || failed(runPasses(*copy, first)))
    return failure();
  printSummary(*copy, os);
  return success();
}

FailureOr<llvm::SmallVector<char, 0>>
compileModel(ModuleOp module, const CompileOptions &options) {
  if (options.log)
    options.log->enter(phaseName(options.startsAfterAutodiff ? Phase::Autodiff
                                                             : Phase::Import));
  if (!options.startsAfterAutodiff && failed(import(module, options)))
    return failure();
  bool isText = options.emit == Emit::Mlir || options.emit == Emit::Dot;
  if (!isText && failed(checkCanRun(module)))
    return failure();
  llvm::Expected<const cpu::Machine *> machine =
      cpu::parseMachine(options.triple);
  if (!machine)
    return emitError(module.getLoc(), "the target triple ")
           << llvm::toString(machine.takeError());
  llvm::Expected<std::vector<cpu::Level>> levels = cpu::parseLevels(
      options.cpu.value_or((*machine)->defaultLevel), **machine);
  if (!levels)
    return emitError(module.getLoc(), llvm::toString(levels.takeError()));
  if (options.log) {
    options.log->triple = (*machine)->triple;
    for (const cpu::Level &level : *levels)
      options.log->levels.push_back(level.name);
    options.log->strictMath = options.strictMath;
  }
  // Earlier phases are the same for every target, and so is their text.
  if (options.stopAfter == Phase::Plan)
    setTargets(module, *levels, options);
  CompileOptions chosen = options;
  if (options.memoryBudget != 0) {
    FailureOr<int> rung = fitBudget(module, *levels, options);
    if (failed(rung))
      return failure();
    chosen.remat.rung = *rung;
  }
  if (failed(runPasses(module, chosen)))
    return failure();
  if (options.memoryBudget != 0 && options.onMemory &&
      options.stopAfter == Phase::Plan)
    options.onMemory(chosen.remat.rung, plan::plannedBytes(module));
  if (options.log && options.stopAfter == Phase::Plan)
    options.log->readPlan(module);
  FailureOr<Bytes> bytes = isText
                               ? FailureOr<Bytes>(print(module, options.emit))
                               : emitTarget(module, *levels, options);
  if (options.log)
    options.log->finish();
  return bytes;
}

} // namespace graphc
