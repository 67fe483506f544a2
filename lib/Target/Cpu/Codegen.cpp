// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Target/Cpu/Codegen.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

#include <mutex>

using namespace llvm;

namespace graphc::cpu {
namespace {

void initializeTargetsOnce() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
  });
}

void optimize(Module &module, TargetMachine &machine, unsigned optLevel) {
  const OptimizationLevel levels[] = {
      OptimizationLevel::O0, OptimizationLevel::O1, OptimizationLevel::O2,
      OptimizationLevel::O3};
  // Declared in the order in which their parts point at one another.
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  ModulePassManager passes =
      optLevel == 0 ? builder.buildO0DefaultPipeline(levels[0])
                    : builder.buildPerModuleDefaultPipeline(levels[optLevel]);
  passes.run(module, modules);
}

Expected<std::unique_ptr<TargetMachine>>
createTargetMachine(const Level &level, unsigned optLevel) {
  initializeTargetsOnce();
  std::string error;
  std::string triple = Triple::normalize(level.machine->triple);
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return createStringError(inconvertibleErrorCode(), error);
  TargetOptions options;
  // Only what the IR calls fma is fused.
  options.AllowFPOpFusion = FPOpFusion::Strict;
  options.UseInitArray = true;
  options.DataSections = options.FunctionSections = true;
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      triple, level.name, /*Features=*/"", options, Reloc::PIC_,
      CodeModel::Small, *CodeGenOpt::getLevel(optLevel)));
  if (!machine)
    return createStringError(inconvertibleErrorCode(),
                             "LLVM cannot generate code for '%s'", level.name);
  assert(machine->createDataLayout().getStringRepresentation() ==
         level.machine->dataLayout);
  return machine;
}

} // namespace

Expected<SmallVector<char, 0>> generate(Module &module, const Level &level,
                                        const CodegenOptions &options) {
  auto machine = createTargetMachine(level, options.optLevel);
  if (!machine)
    return machine.takeError();
  module.setTargetTriple((*machine)->getTargetTriple().str());
  module.setDataLayout((*machine)->createDataLayout());
  optimize(module, **machine, options.optLevel);

  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  if (options.emit == Emit::LLVMIR) {
    module.print(stream, nullptr);
    return bytes;
  }
  legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, /*DwoOut=*/nullptr,
                                      options.emit == Emit::Object
                                          ? CodeGenFileType::ObjectFile
                                          : CodeGenFileType::AssemblyFile))
    return createStringError(inconvertibleErrorCode(),
                             "LLVM cannot emit such a file");
  passes.run(module);
  return bytes;
}

} // namespace graphc::cpu
