// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Target/Cpu/Cpu.h"
#include "lib/Target/Cpu/Kernels.h"
#include "lib/Target/Cpu/ScaleByPower.h"

#include "dialects/Plan/IR/Plan.h"
#include "lib/Support/OptBisect/OptBisect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Threading.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;

namespace graphc::cpu {
namespace {

// LLVM's fixed cost per module is a few milliseconds; beyond these sizes it no
// longer matters, and more modules keep more threads busy.
constexpr int64_t kernelsPerChunk = 16, opsPerChunk = 2000;

/// Copies the kernels into modules, `opsPerChunk` or so each, inside one.
OwningOpRef<ModuleOp> copyKernels(ModuleOp module, StringRef dataLayout) {
  OpBuilder builder(module.getContext());
  OwningOpRef<ModuleOp> all = ModuleOp::create(module.getLoc());
  (*all)->setAttr(LLVM::LLVMDialect::getDataLayoutAttrName(),
                  builder.getStringAttr(dataLayout));
  ModuleOp chunk;
  int64_t kernels = 0, ops = 0;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!plan::isKernel(function))
      continue;
    // A bisection asks of each kernel whether to optimise it.
    int64_t most =
        module.getContext()->hasActionHandler() ? 1 : kernelsPerChunk;
    if (!chunk || kernels == most || ops >= opsPerChunk) {
      builder.setInsertionPointToEnd(all->getBody());
      chunk = builder.create<ModuleOp>(module.getLoc());
      chunk->setAttr(LLVM::LLVMDialect::getDataLayoutAttrName(),
                     builder.getStringAttr(dataLayout));
      kernels = ops = 0;
    }
    builder.setInsertionPointToEnd(chunk.getBody());
    builder.clone(*function);
    ++kernels;
    function.walk([&](Operation *) { ++ops; });
  }
  return all;
}

LogicalResult
lowerChunks(ModuleOp all, const Level &level,
            llvm::function_ref<LogicalResult(PassManager &)> configure) {
  PassManager passes(all.getContext(), ModuleOp::getOperationName());
  if (configure && failed(configure(passes)))
    return failure();
  addKernelsToLLVM(passes.nest<ModuleOp>(), level.convertsF16,
                   level.machine->storeFence);
  return passes.run(all);
}

/// Renames the kernels for `level` and tells LLVM what their code may use.
void specialize(llvm::Module &module, const Level &level) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", level.name);
    // Without these LLVM splits vectors of 512 bits, as old processors like.
    std::string width = std::to_string(level.vectorBits);
    function.addFnAttr("prefer-vector-width", width);
    function.addFnAttr("min-legal-vector-width", width);
    function.addFnAttr(llvm::Attribute::NoUnwind);
    if (level.vectorBits == 512)
      scaleByPowers(function);
    if (!function.hasLocalLinkage()) {
      function.setName(kernelSymbol(function.getName(), level.name));
      function.setVisibility(llvm::GlobalValue::HiddenVisibility);
      function.setDSOLocal(true);
    }
  }
}

LogicalResult compileChunk(ModuleOp chunk, ArrayRef<Level> levels,
                           const CodegenOptions &options,
                           MutableArrayRef<Code> results) {
  CodegenOptions codegen = options;
  auto kernels = chunk.getOps<LLVM::LLVMFuncOp>();
  if (options.optLevel > 0 && !kernels.empty() &&
      !takeOptionalStep(chunk.getContext(), "optimise in LLVM",
                        (*kernels.begin()).getSymName()))
    codegen.optLevel = 0;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module =
      translateModuleToLLVMIR(chunk, context, "kernels");
  if (!module)
    return failure();
  for (auto [level, result] : llvm::zip_equal(levels, results)) {
    std::unique_ptr<llvm::Module> copy = llvm::CloneModule(*module);
    specialize(*copy, level);
    auto bytes = generate(*copy, level, codegen);
    if (!bytes)
      return chunk.emitError(llvm::toString(bytes.takeError()));
    result = {level.name, std::move(*bytes)};
  }
  return success();
}

} // namespace

std::string kernelSymbol(StringRef kernel, StringRef level) {
  return (kernel + "." + level).str();
}

FailureOr<std::vector<Code>>
compileKernels(ModuleOp module, ArrayRef<Level> levels,
               const CodegenOptions &options,
               llvm::function_ref<LogicalResult(PassManager &)> configure) {
  DialectRegistry translations;
  registerBuiltinDialectTranslation(translations);
  registerLLVMDialectTranslation(translations);
  module.getContext()->appendDialectRegistry(translations);

  std::vector<Code> results;
  for (bool convertsF16 : {true, false}) {
    SmallVector<Level> alike;
    for (const Level &level : levels)
      if (level.convertsF16 == convertsF16)
        alike.push_back(level);
    if (alike.empty())
      continue;
    OwningOpRef<ModuleOp> all =
        copyKernels(module, levels.front().machine->dataLayout);
    if (failed(lowerChunks(*all, alike.front(), configure)))
      return failure();
    auto chunks = llvm::to_vector(all->getOps<ModuleOp>());
    std::vector<Code> codes(chunks.size() * alike.size());
    LogicalResult compiled = failableParallelForEachN(
        module.getContext(), 0, chunks.size(), [&](size_t index) {
          MutableArrayRef<Code> part(codes);
          return compileChunk(chunks[index], alike, options,
                              part.slice(index * alike.size(), alike.size()));
        });
    if (failed(compiled))
      return failure();
    std::move(codes.begin(), codes.end(), std::back_inserter(results));
  }
  return results;
}

} // namespace graphc::cpu
