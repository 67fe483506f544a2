// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random graphs through the compiler and the reference interpreter.
#include "dialects/Graph/IR/Graph.h"
#include "lib/Check/CheckFunction.h"
#include "lib/Driver/Compile.h"
#include "lib/Driver/NumberOption.h"
#include "lib/Driver/Tool.h"
#include "lib/Driver/WriteFile.h"
#include "tools/graph-random/Generate.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace graphc;
namespace cl = llvm::cl;

static cl::OptionCategory category("graph-random options");
static NumberOption<double> seconds("seconds", cl::init(30), cl::cat(category),
                                    cl::desc("How long to go on (default 30)"));
static NumberOption<int64_t>
    graphLimit("graphs", cl::init(-1), cl::cat(category),
               cl::desc("How many graphs, however long it takes, instead of "
                        "--seconds"));
static NumberOption<uint64_t> seed("seed", cl::init(1), cl::cat(category),
                                   cl::desc("Chooses the graphs (default 1)"));
static NumberOption<int>
    minCount("min-count", cl::init(3), cl::cat(category),
             cl::desc("How often each op has to be drawn (default 3); by "
                      "--seconds it goes on until then"));
static cl::opt<std::string>
    plant("plant", cl::cat(category), cl::value_desc("graph.add:graph.sub"),
          cl::desc("Compile the one op as the other, to see it found"));
static cl::opt<bool> keepGoing("keep-going", cl::cat(category),
                               cl::desc("Go on after a failure"));
static cl::opt<std::string>
    output("o", cl::cat(category), cl::value_desc("file"),
           cl::desc("Where the module that fails goes, instead of the error "
                    "output"));
static cl::opt<bool> printCounts("print-counts", cl::cat(category),
                                 cl::desc("Print how often each op was drawn"));

/// The module after autodiff, whose `@dloss` is plain ops.
static mlir::OwningOpRef<mlir::ModuleOp> differentiate(mlir::ModuleOp module) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
  CompileOptions options;
  options.emit = Emit::Mlir;
  options.stopAfter = Phase::Autodiff;
  options.optLevel = 0; // No clean-up: more ops to check.
  auto text = compileModel(*copy, options);
  if (failed(text))
    return {};
  return copy;
}

int main(int argc, char **argv) {
  startTool("graph-random");
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "Compares compiled random graphs with the "
                              "reference interpreter\n");
  // lld resets every option of the process to its default, so copies.
  const double limit = seconds;
  const int64_t most = graphLimit;
  const uint64_t firstSeed = seed;
  const int enough = minCount;
  const std::string planted = plant, outputPath = output;
  const bool goesOn = keepGoing, showsCounts = printCounts;

  std::unique_ptr<mlir::MLIRContext> context = createContext(/*threads=*/false);
  context->loadDialect<graph::GraphDialect, mlir::func::FuncDialect>();
  random::Counts counts = random::allOps();
  int64_t graphs = 0, ops = 0, failures = 0;
  check::FusionCounts fusion;
  auto start = std::chrono::steady_clock::now();
  auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
        .count();
  };
  auto least = [&] {
    int64_t low = INT64_MAX;
    for (const auto &count : counts)
      low = std::min(low, count.second);
    return low;
  };
  auto isEnough = [&] {
    if (most >= 0)
      return graphs >= most;
    // Enough of each op takes precedence over the time, up to four times of it.
    return elapsed() >= limit && (least() >= enough || elapsed() >= 4 * limit);
  };
  while (!isEnough()) {
    uint64_t graphSeed = firstSeed * 1000003 + graphs;
    interpreter::RandomStream stream(graphSeed);
    int size = static_cast<int>(stream.integer(5, 60));
    mlir::OwningOpRef<mlir::ModuleOp> module =
        random::generate(context.get(), stream, counts, size);
    ++graphs;
    check::CheckOptions check;
    check.seed = graphSeed;
    check.plant = planted;
    check.rung = static_cast<int>(graphSeed % countRematRungs());
    check.counts = &fusion;
    std::string problem = check::checkFunction(*module, "f", check);
    std::string where = "f";
    auto count = [&](mlir::ModuleOp of, llvm::StringRef name) {
      if (auto function = of.lookupSymbol<mlir::func::FuncOp>(name))
        ops +=
            llvm::range_size(function.getBody().front().without_terminator());
    };
    count(*module, "f");
    if (problem.empty() && random::addGradient(*module, stream)) {
      mlir::OwningOpRef<mlir::ModuleOp> gradient = differentiate(*module);
      where = "dloss";
      if (!gradient)
        problem = "autodiff fails";
      else {
        problem = check::checkFunction(*gradient, "dloss", check);
        count(*gradient, "dloss");
      }
    }
    if (problem.empty())
      continue;
    ++failures;
    llvm::errs() << "graph " << graphs << " of seed " << firstSeed << ", @"
                 << where << ": " << problem << "\n";
    if (goesOn)
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << *module << "\n";
    if (outputPath.empty())
      llvm::errs() << text;
    else if (llvm::Error error = writeFile(outputPath, text))
      llvm::errs() << "graph-random: error: cannot write '" << outputPath
                   << "': " << llvm::toString(std::move(error)) << "\n";
    break;
  }
  if (showsCounts)
    for (const auto &count : counts)
      llvm::outs() << count.first << " " << count.second << "\n";
  if (failures == 0 && planted.empty() && least() < enough) {
    llvm::outs() << "error: an op was drawn " << least() << " times only\n";
    ++failures;
  }
  if (failures == 0 && planted.empty() && graphs > 0 &&
      fusion.kernels >= fusion.ops) {
    llvm::outs() << "error: no two ops shared a kernel\n";
    ++failures;
  }
  // Forward graphs alone would repeat nothing.
  if (failures == 0 && planted.empty() && graphs >= 20 &&
      fusion.barriers == 0) {
    llvm::outs() << "error: nothing was computed again\n";
    ++failures;
  }
  llvm::outs() << "fused " << fusion.ops << " ops into " << fusion.kernels
               << " kernels, with " << fusion.barriers
               << " recompute barriers\n";
  llvm::outs() << "graphs " << graphs << " ops " << ops << " failures "
               << failures << "\n";
  return failures ? 1 : 0;
}
