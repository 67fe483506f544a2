// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/unit/Cpu/CompiledKernels.h"
#include "lib/Package/Package.h"

#include "dialects/Plan/IR/Plan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ThreadPool.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

using namespace graphc;
using llvm::StringRef;

namespace {

/// The runtime's part, for one thread and a test that watches.
struct Env {
  graphc_env base;
  CompiledKernels *owner;
};

void parallelFor(const graphc_env *env, graphc_body_fn body,
                 void *const *buffers, const int64_t *args, int64_t count) {
  reinterpret_cast<const Env *>(env)->owner->parallelCounts.push_back(count);
  // Backwards and in two parts: nothing may depend on the order.
  body(env, buffers, args, count / 3, count);
  body(env, buffers, args, 0, count / 3);
}

void failIndex(const graphc_env *env, int64_t position, int64_t value,
               int64_t limit) {
  reinterpret_cast<const Env *>(env)->owner->failures.push_back(
      {position, value, limit});
}

/// Object code of a query function that gives the kernels' addresses.
llvm::SmallVector<char, 0> makeQuery(llvm::ArrayRef<std::string> symbols) {
  std::string text, elements;
  for (const std::string &symbol : symbols) {
    text += "declare hidden void @\"" + symbol + "\"()\n";
    elements += (elements.empty() ? "ptr @\"" : ", ptr @\"") + symbol + "\"";
  }
  text += "@table = internal constant [" + std::to_string(symbols.size()) +
          " x ptr] [" + elements +
          "]\ndefine ptr @graphc_model_query(i32 %major) { ret ptr @table }\n";
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(text, diagnostic, context);
  EXPECT_TRUE(module) << diagnostic.getMessage().str();
  return llvm::cantFail(
      cpu::generate(*module, *cpu::findLevel("x86-64-v2"), {}));
}

struct Compiled {
  std::vector<std::string> kernels;
  std::vector<cpu::Code> codes;
};

mlir::FailureOr<Compiled> compile(const std::string &text,
                                  const std::string &level, unsigned optLevel,
                                  unsigned threads = 1) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
  if (threads > 1)
    context.setThreadPool(pool);
  context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect,
                      mlir::LLVM::LLVMDialect, mlir::math::MathDialect,
                      mlir::memref::MemRefDialect, mlir::scf::SCFDialect,
                      mlir::vector::VectorDialect, plan::PlanDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return mlir::failure();
  cpu::CodegenOptions options;
  options.optLevel = optLevel;
  auto codes = cpu::compileKernels(*module, {*cpu::findLevel(level)}, options);
  if (mlir::failed(codes))
    return mlir::failure();
  Compiled compiled;
  for (auto kernel : module->getOps<mlir::func::FuncOp>())
    compiled.kernels.push_back(kernel.getName().str());
  compiled.codes = std::move(*codes);
  return compiled;
}

} // namespace

std::vector<std::string> codeOf(const std::string &text, unsigned threads) {
  auto compiled = compile(text, "x86-64-v3", 2, threads);
  if (mlir::failed(compiled))
    return {};
  std::vector<std::string> codes;
  for (const cpu::Code &code : compiled->codes)
    codes.emplace_back(code.bytes.begin(), code.bytes.end());
  return codes;
}

std::vector<std::string> undefinedSymbols(const std::string &text,
                                          const std::string &level,
                                          unsigned optLevel) {
  auto compiled = compile(text, level, optLevel);
  if (mlir::failed(compiled))
    return {"(no code)"};
  std::vector<std::string> names;
  for (const cpu::Code &code : compiled->codes) {
    auto object = llvm::cantFail(llvm::object::ObjectFile::createObjectFile(
        llvm::MemoryBufferRef({code.bytes.data(), code.bytes.size()}, "")));
    for (const llvm::object::SymbolRef &symbol : object->symbols())
      if (llvm::cantFail(symbol.getFlags()) &
          llvm::object::SymbolRef::SF_Undefined)
        if (auto name = llvm::cantFail(symbol.getName()); !name.empty())
          names.push_back(name.str());
  }
  return names;
}

CompiledKernels::CompiledKernels(const std::string &text,
                                 const std::string &level, unsigned optLevel) {
  load(text, level, optLevel);
}

void CompiledKernels::load(const std::string &text, const std::string &level,
                           unsigned optLevel) {
  auto compiled = compile(text, level, optLevel);
  ASSERT_TRUE(mlir::succeeded(compiled));
  std::vector<std::string> symbols;
  for (const std::string &kernel : compiled->kernels)
    symbols.push_back(cpu::kernelSymbol(kernel, level));
  auto query = makeQuery(symbols);
  std::vector<StringRef> objects = {{query.data(), query.size()}};
  for (const cpu::Code &code : compiled->codes)
    objects.push_back({code.bytes.data(), code.bytes.size()});
  auto library = packageModel(objects);
  ASSERT_TRUE(static_cast<bool>(library))
      << llvm::toString(library.takeError());

  int file;
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("kernels", "so", file, path));
  llvm::raw_fd_ostream(file, /*shouldClose=*/true)
      << StringRef(library->data(), library->size());
  handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_TRUE(handle) << dlerror();
  llvm::sys::fs::remove(path);
  ASSERT_TRUE(handle);
  auto ask = reinterpret_cast<const void *(*)(unsigned)>(
      dlsym(handle, GRAPHC_ABI_QUERY_SYMBOL));
  kernels = static_cast<const graphc_kernel_fn *>(ask(GRAPHC_ABI_MAJOR));
}

CompiledKernels::~CompiledKernels() {
  if (handle)
    dlclose(handle);
}

bool CompiledKernels::canRun(const std::string &level) {
  auto best = cpu::parseLevels("native", cpu::x86Machine);
  if (!best) {
    llvm::consumeError(best.takeError());
    return false;
  }
  uint64_t needed = cpu::findLevel(level)->abiFeatures;
  return (best->front().abiFeatures & needed) == needed;
}

void CompiledKernels::run(size_t index, std::vector<void *> buffers,
                          std::vector<int64_t> args) {
  ASSERT_TRUE(kernels);
  Env env = {{sizeof(graphc_env), 0, parallelFor, failIndex, nullptr}, this};
  kernels[index](&env.base, buffers.data(), args.data());
}
