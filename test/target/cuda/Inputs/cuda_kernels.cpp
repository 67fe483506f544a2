// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda-kernels MODULE...: prints the kernels of modules that LowerKernel and
// ExpandMath have been through, compiles them with NVRTC, and says for each
// what it takes of a GPU. A kernel without a CUDA form is listed and counted;
// one with a form that does not compile, or spills, is an error.
//
//   --text           the CUDA C++ instead
//   --ptx            the PTX instead
//   --program=FILE   instead, a C++ program that runs the module's functions on
//                    the emulator in Inputs/
//   --summary        the last line only
//   --sample=K/N     compiles the Kth of each N kernels; prints the others only

#include "test/target/cuda/Inputs/HostProgram.h"

#include "dialects/Graph/IR/Graph.h"
#include "dialects/Plan/IR/Plan.h"
#include "lib/Target/Cuda/Cuda.h"
#include "lib/Target/Cuda/Nvrtc.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace graphc;
using namespace graphc::cuda;
namespace cl = llvm::cl;

static cl::list<std::string> inputs(cl::Positional, cl::OneOrMore,
                                    cl::desc("<module.mlir>..."));
static cl::opt<bool> printsText("text", cl::desc("Print CUDA C++"));
static cl::opt<bool> printsPtx("ptx", cl::desc("Print PTX"));
static cl::opt<bool> summaryOnly("summary",
                                 cl::desc("Print the last line only"));
static cl::opt<std::string>
    program("program", cl::value_desc("file"),
            cl::desc("Write a program for the emulator"));
static cl::opt<std::string> sample("sample", cl::init("0/1"),
                                   cl::value_desc("k/n"),
                                   cl::desc("Compile the Kth of each N only"));
static cl::opt<std::string> arch("arch", cl::init("sm_90"),
                                 cl::desc("What NVRTC compiles for"));

namespace {

struct Counts {
  int64_t kernels = 0, compiled = 0, notYet = 0, failed = 0, launches = 0,
          exchanging = 0, wide = 0, cubinBytes = 0, printed = 0;
};

int64_t countOf(StringRef text, StringRef what) {
  int64_t count = 0;
  for (size_t at = text.find(what); at != StringRef::npos;
       at = text.find(what, at + 1))
    ++count;
  return count;
}

/// Accesses of 16 bytes in PTX.
int64_t wideAccesses(StringRef ptx, StringRef op) {
  int64_t count = 0;
  for (StringRef type :
       {"v4.u32", "v4.b32", "v4.f32", "v2.u64", "v2.b64", "v2.f64"})
    count += countOf(ptx, (op + ".global." + type).str());
  return count;
}

/// False if the kernel is wrong.
bool compile(const Nvrtc &nvrtc, const KernelText &kernel, Counts &counts,
             llvm::raw_ostream &os) {
  auto compiled = nvrtc.compile(kernel.text, kernel.name + ".cu", arch);
  if (!compiled) {
    os << "error: " << kernel.name << ": "
       << llvm::toString(compiled.takeError()) << "\n";
    return false;
  }
  int64_t registers = 0, spills = 0, stack = 0;
  for (const Resources &each : compiled->kernels) {
    registers = std::max(registers, each.registers);
    spills += each.spillBytes;
    stack += each.stackBytes;
  }
  int64_t loads = wideAccesses(compiled->ptx, "ld"),
          stores = wideAccesses(compiled->ptx, "st");
  if (printsPtx)
    llvm::outs() << compiled->ptx;
  counts.wide += loads && stores;
  counts.cubinBytes += compiled->cubin.size();
  bool exchanges = llvm::any_of(
      kernel.launches, [](const KernelLaunch &l) { return l.exchanges; });
  counts.exchanging += exchanges;
  counts.launches += kernel.launches.size();
  os << kernel.name << ": " << kernel.launches.size() << " launches, "
     << (exchanges ? "rows" : "elements") << ", " << registers << " registers, "
     << spills << " bytes of spills, " << stack << " bytes of stack, " << loads
     << " loads and " << stores << " stores of 16 bytes, cubin of "
     << compiled->cubin.size() << " bytes\n";
  if (compiled->kernels.size() != kernel.launches.size()) {
    os << "error: " << kernel.name << ": ptxas names "
       << compiled->kernels.size() << " kernels\n";
    return false;
  }
  bool hasScratch = llvm::any_of(
      kernel.launches, [](const KernelLaunch &l) { return l.hasLocalScratch; });
  if (spills || (stack && !hasScratch)) {
    os << "error: " << kernel.name << ": uses local memory\n";
    return false;
  }
  return true;
}

} // namespace

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "prints and compiles kernels\n");
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, gpu::GPUDialect,
                  graph::GraphDialect, math::MathDialect, memref::MemRefDialect,
                  NVVM::NVVMDialect, plan::PlanDialect, scf::SCFDialect,
                  vector::VectorDialect>();
  MLIRContext context(registry);
  context.loadAllAvailableDialects();

  std::optional<Nvrtc> nvrtc;
  if (!printsText && program.empty()) {
    auto loaded = Nvrtc::load();
    if (!loaded) {
      llvm::errs() << "cuda-kernels: " << llvm::toString(loaded.takeError())
                   << "\n";
      return 77;
    }
    nvrtc = *loaded;
  }
  int64_t chosen = 0, each = 1;
  auto [first, of] = StringRef(sample).split('/');
  if (first.getAsInteger(10, chosen) || of.getAsInteger(10, each) || each < 1 ||
      chosen < 0 || chosen >= each) {
    llvm::errs() << "cuda-kernels: --sample expects k/n with 0 <= k < n\n";
    return 2;
  }
  Counts counts;
  bool isQuiet = summaryOnly || printsPtx || printsText;
  llvm::raw_ostream &os = isQuiet ? llvm::nulls() : llvm::outs();
  for (const std::string &input : inputs) {
    OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(input, &context);
    if (!module)
      return 1;
    llvm::StringMap<KernelText> kernels;
    for (auto function : llvm::to_vector(module->getOps<func::FuncOp>())) {
      if (!plan::isKernel(function))
        continue;
      KernelText &kernel = kernels[function.getSymName()];
      kernel = printKernel(function);
      ++counts.kernels;
      if (!kernel.notYet.empty()) {
        ++counts.notYet;
        os << "not yet: " << kernel.name << ": " << kernel.notYet << "\n";
      } else if (printsText) {
        llvm::outs() << kernel.text;
      } else if (nvrtc && counts.kernels % each != chosen) {
        ++counts.printed;
      } else if (nvrtc) {
        std::string line;
        llvm::raw_string_ostream lines(line);
        bool isRight = compile(*nvrtc, kernel, counts, lines);
        (isRight ? os : llvm::outs()) << line;
        ++(isRight ? counts.compiled : counts.failed);
      }
    }
    if (!program.empty()) {
      std::error_code code;
      llvm::raw_fd_ostream file(program, code);
      writeHostProgram(*module, kernels, file, llvm::outs());
    }
  }
  if (nvrtc && !printsPtx)
    llvm::outs() << counts.kernels << " kernels: " << counts.compiled
                 << " compiled for " << arch << " (" << counts.exchanging
                 << " with rows, " << counts.wide
                 << " with loads and stores of 16 bytes), " << counts.notYet
                 << " not yet, " << counts.printed << " printed only, "
                 << counts.failed << " failed; " << counts.launches
                 << " launches, " << counts.cubinBytes << " bytes of cubins\n";
  return counts.failed ? 1 : 0;
}
