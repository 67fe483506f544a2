// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shrinks a module that shows a fault.
#include "lib/Driver/Compile.h"
#include "lib/Driver/LoadPlugins.h"
#include "lib/Driver/NumberOption.h"
#include "lib/Driver/SourceDiagnostics.h"
#include "lib/Driver/Tool.h"
#include "lib/Driver/WriteFile.h"
#include "tools/graph-reduce/Reduce.h"

#include "mlir/IR/Verifier.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace graphc;
namespace cl = llvm::cl;

static cl::OptionCategory category("graph-reduce options");
static cl::opt<std::string> input(cl::Positional, cl::Required,
                                  cl::desc("<model.mlir>"), cl::cat(category));
static cl::opt<std::string> output("o", cl::init("-"), cl::cat(category),
                                   cl::value_desc("file"),
                                   cl::desc("Where the smaller module goes"));
static cl::opt<std::string>
    test("test", cl::cat(category), cl::value_desc("command"),
         cl::desc("A module is interesting if this command, given a file of "
                  "its text, exits with 0"));
static cl::opt<std::string>
    oracleName("oracle", cl::cat(category), cl::value_desc("accuracy"),
               cl::desc("Instead of --test: a module is interesting if "
                        "compiled code differs from the interpreter at the "
                        "same pass or op as that of the whole one"));
static cl::opt<std::string>
    function("function", cl::cat(category), cl::value_desc("name"),
             cl::desc("The only function or training step that "
                      "--oracle=accuracy runs"));
static NumberOption<uint64_t> seed("seed", cl::init(1), cl::cat(category),
                                   cl::desc("Chooses the inputs of "
                                            "--oracle=accuracy (default 1)"));
static NumberOption<double>
    tolerance("tolerance", cl::init(0), cl::cat(category),
              cl::desc("For --oracle=accuracy, floats also count as equal if "
                       "they are no further apart than this many times the "
                       "expected one (default 0: each op's own bound)"));
static cl::opt<std::string> plant("plant", cl::cat(category), cl::Hidden,
                                  cl::desc("A mistake for --oracle=accuracy: "
                                           "kernel:graph.add:graph.sub"));
static cl::list<std::string> plugins(
    "load-dialect-plugin", cl::cat(category), cl::value_desc("file"),
    cl::desc("A library with ops and optimizers of its own; may be repeated"));
static NumberOption<int64_t> maxTests("max-tests", cl::init(2000),
                                      cl::cat(category),
                                      cl::desc("Give up after so many modules "
                                               "(default 2000)"));

static int fail(const llvm::Twine &message) {
  llvm::errs() << "graph-reduce: error: " << message << "\n";
  return 1;
}

int main(int argc, char **argv) {
  startTool("graph-reduce");
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv, "Leaves out of a module what its fault does not need\n");
  // Copies: lld resets every option of the process to its default.
  const std::string inputPath = input, outputPath = output, command = test,
                    asked = oracleName;
  const int64_t most = maxTests;
  check::BisectOptions bisect;
  bisect.function = function;
  bisect.seed = seed;
  bisect.tolerance = tolerance;
  bisect.plant = plant;
  bisect.compile.folder = llvm::sys::path::parent_path(inputPath).str();
  if (command.empty() == asked.empty())
    return fail("expects either --test=<command> or --oracle=accuracy");
  if (!asked.empty() && asked != "accuracy")
    return fail("expects --oracle to be accuracy, but got '" + asked + "'");
  if (asked.empty() &&
      (function.getNumOccurrences() || seed.getNumOccurrences() ||
       tolerance.getNumOccurrences()))
    return fail("expects --function, --seed and --tolerance with "
                "--oracle=accuracy only");
  if (!(bisect.tolerance >= 0 && bisect.tolerance < 1))
    return fail("expects --tolerance from 0 to less than 1");
  if (most < 1)
    return fail("expects --max-tests of 1 or more");

  std::unique_ptr<mlir::MLIRContext> context = createContext(/*threads=*/false);
  std::string message;
  if (!loadDialectPlugins(*context, plugins, message))
    return fail(message);
  std::unique_ptr<llvm::MemoryBuffer> buffer = readText(inputPath, message);
  if (!buffer)
    return fail(message);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  SourceDiagnostics diagnostics(sources, context.get());
  mlir::OwningOpRef<mlir::ModuleOp> module = readModel(sources, *context);
  if (!module || failed(mlir::verify(*module)))
    return 1;

  reduce::Oracle oracle;
  if (!command.empty()) {
    oracle = reduce::commandOracle(command);
    if (!oracle(*module))
      return fail("the module is not interesting: the command does not exit "
                  "with 0 for it");
  } else {
    if (!bisect.function.empty() && !module->lookupSymbol(bisect.function))
      return fail("there is no function '" + bisect.function + "'");
    std::string whyNot;
    oracle = reduce::accuracyOracle(*module, bisect, whyNot);
    if (!oracle)
      return fail("the module is not interesting: " + whyNot);
  }
  int64_t before = reduce::countOps(*module);
  mlir::OwningOpRef<mlir::ModuleOp> smaller =
      reduce::reduce(*module, oracle, most, llvm::errs());
  llvm::errs() << "graph-reduce: from " << before << " ops to "
               << reduce::countOps(*smaller) << "\n";
  std::string text;
  llvm::raw_string_ostream os(text);
  smaller->print(os);
  os << "\n";
  llvm::Error error = outputPath == "-" ? writeStandardOutput(text)
                                        : writeFile(outputPath, text);
  if (error)
    return fail("cannot write '" + outputPath +
                "': " + llvm::toString(std::move(error)));
  return 0;
}
