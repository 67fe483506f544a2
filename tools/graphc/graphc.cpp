// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler's program: a model's text in, a model.so (or a stage) out.
#include "lib/Check/Bisect.h"
#include "lib/Driver/Child.h"
#include "lib/Driver/Compile.h"
#include "lib/Driver/CpuLevels.h"
#include "lib/Driver/LoadPlugins.h"
#include "lib/Driver/NumberOption.h"
#include "lib/Driver/RegisterAll.h"
#include "lib/Driver/SourceDiagnostics.h"
#include "lib/Driver/Tool.h"
#include "lib/Driver/WriteFile.h"
#include "lib/Support/OptBisect/OptBisect.h"
#include "tools/graphc/Progress.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace graphc;
namespace cl = llvm::cl;

static constexpr unsigned kMostThreads = 1024;

namespace {
/// Made in main(): LLVM's library brings an option of one of these names, which
/// has to go first.
struct Options {
  cl::OptionCategory category{"graphc options"};
  cl::opt<std::string> input{cl::Positional,
                             cl::desc("<model.mlir, or - for standard input>"),
                             cl::Required, cl::cat(category)};
  cl::opt<std::string> output{"o",
                              cl::desc("Output file; - for standard output"),
                              cl::value_desc("file"), cl::cat(category)};
  cl::opt<Emit> emit{
      "emit", cl::desc("What to write"), cl::init(Emit::So), cl::cat(category),
      cl::values(
          clEnumValN(Emit::Mlir, "mlir", "the module after --stop-after"),
          clEnumValN(Emit::Dot, "dot",
                     "a drawing for graphviz of the module after --stop-after "
                     "(default fuse)"),
          clEnumValN(Emit::Llvm, "llvm", "LLVM IR of the kernels and tables"),
          clEnumValN(Emit::Asm, "asm", "assembly"),
          clEnumValN(Emit::Obj, "obj", "an object file"),
          clEnumValN(Emit::So, "so", "the compiled model"))};
  cl::opt<Phase> stopAfter{
      "stop-after",
      cl::desc("Last phase to run, with --emit=mlir or --emit=dot"),
      cl::cat(category), cl::init(Phase::Plan),
      cl::values(
          clEnumValN(Phase::Import, "import", "inlined, modes resolved"),
          clEnumValN(Phase::Autodiff, "autodiff", "forward and backward ops"),
          clEnumValN(Phase::Amp, "amp", "mixed precision, with --amp"),
          clEnumValN(Phase::Fuse, "fuse", "ops grouped into kernels"),
          clEnumValN(Phase::Plan, "plan", "plans and kernels"))};
  cl::opt<std::string> triple{
      "target-triple", cl::init("x86_64-linux-gnu"), cl::value_desc("triple"),
      cl::desc("Machine to compile for: x86_64-linux-gnu (the default) or "
               "aarch64-linux-gnu"),
      cl::cat(category)};
  cl::opt<std::string> cpu{
      "cpu",
      cl::desc("CPU levels, separated by commas: x86-64-v2, x86-64-v3, "
               "x86-64-v4, native (default x86-64-v3); of aarch64 generic "
               "(the default), neoverse-n1"),
      cl::value_desc("levels"), cl::cat(category)};
  NumberOption<unsigned> optLevel{
      "O", cl::desc("Optimization: -O0 to -O3 (default -O2)"), cl::Prefix,
      cl::init(2), cl::cat(category)};
  cl::opt<std::string> amp{
      "amp",
      cl::cat(category),
      cl::init("off"),
      cl::ValueOptional,
      cl::value_desc("bf16|f16|off"),
      cl::desc("Mixed precision, as PyTorch's autocast: the type of products "
               "(--amp alone: bf16; default off). f16 scales the loss of "
               "training steps")};
  cl::opt<bool> ampReport{
      "amp-report", cl::cat(category),
      cl::desc("With --amp: print the precision of each op and why, the casts "
               "and the bytes saved, on the error output")};
  cl::opt<std::string> fuse{
      "fuse", cl::cat(category), cl::init("on"),
      cl::value_desc("on|off|limits"),
      cl::desc("Whether ops share kernels, or at most how: max-groups=<n>, "
               "max-ops=<n>, max-buffers=<n>, with commas (default on)")};
  cl::opt<std::string> mergeTiny{
      "merge-tiny", cl::cat(category), cl::init("on"), cl::value_desc("on|off"),
      cl::desc("Whether kernels in a row that do very little are called as one "
               "(default on)")};
  cl::opt<bool> strictMath{
      "strict-math", cl::cat(category),
      cl::desc("Call libm for exp, log, sin, tanh, erf, pow and their like: "
               "its values, most of them slower")};
  cl::opt<std::string> packWeights{
      "pack-weights", cl::cat(category), cl::init("off"),
      cl::value_desc("on|off"),
      cl::desc("Whether weights are stored between calls as products read them "
               "(default off)")};
  cl::opt<std::string> remat{
      "remat", cl::cat(category), cl::init("regions"),
      cl::value_desc("regions|off|auto|n"),
      cl::desc(
          "What is computed again in the backward pass instead of kept: the "
          "insides of graph.checkpoint (the default), nothing, what "
          "--mem-budget asks for, or a rung of the ladder, 0 to 7")};
  cl::opt<std::string> memoryBudget{
      "mem-budget", cl::cat(category), cl::value_desc("bytes"),
      cl::desc("Bytes that the model may take when it runs, with --remat=auto: "
               "300000000, 512MiB, 2GiB")};
  NumberOption<unsigned> maxThreads{
      "max-threads", cl::desc("Most threads that a step may use (default 64)"),
      cl::init(64), cl::cat(category)};
  cl::list<Number<int64_t>> batches{
      "batch", cl::CommaSeparated, cl::cat(category),
      cl::desc("Also compile each function for these sizes of its "
               "inputs' leading dimension"),
      cl::value_desc("sizes")};
  cl::opt<bool> summary{
      "summary", cl::cat(category),
      cl::desc("Print each op's output, parameters, FLOPs and bytes; nothing "
               "is compiled without -o")};
  cl::opt<std::string> report{
      "report", cl::cat(category), cl::value_desc("json"),
      cl::desc("Write times, planned memory and kernels: --report=json")};
  cl::opt<std::string> reportFile{
      "report-file", cl::cat(category), cl::init("-"), cl::value_desc("file"),
      cl::desc("Where --report goes (default -, standard output)")};
  cl::opt<bool> bisect{
      "bisect", cl::cat(category),
      cl::desc("Compare with the interpreter after each pass and each kernel, "
               "and say which is the first to change a result")};
  cl::opt<std::string> bisectPlant{
      "bisect-plant", cl::cat(category), cl::Hidden,
      cl::desc("Make a mistake after a pass, to see it found: "
               "cse:graph.add:graph.sub")};
  NumberOption<int64_t> bisectLimit{
      "opt-bisect-limit", cl::cat(category), cl::init(-1), cl::value_desc("n"),
      cl::desc("Make only the first n choices that may be left out, and list "
               "them; all of them with -1")};
  NumberOption<double> progressAfter{
      "progress-after",
      cl::cat(category),
      cl::init(2.0),
      cl::Hidden,
      cl::value_desc("seconds"),
      cl::desc("When to begin saying on a terminal what is being done "
               "(default 2)")};
  cl::list<std::string> plugins{
      "load-dialect-plugin", cl::cat(category),
      cl::desc("A library with ops and optimizers of its own; may be repeated"),
      cl::value_desc("file")};
  NumberOption<uint64_t> memoryLimit{
      "memory-limit", cl::cat(category), cl::init(4096),
      cl::desc("MiB of address space for the compile; 0: no limit "
               "(default 4096)"),
      cl::value_desc("MiB")};
  NumberOption<uint64_t> timeLimit{
      "time-limit", cl::cat(category), cl::init(600),
      cl::desc("Seconds of CPU time for the compile; 0: no limit "
               "(default 600)"),
      cl::value_desc("seconds")};
  cl::opt<bool> noChild{"no-child", cl::cat(category),
                        cl::desc("Compile in this process, for debuggers")};
};
} // namespace

static Options &options() {
  static Options all;
  return all;
}

/// Of MLIR's options, which register themselves.
static bool isGiven(llvm::StringRef name) {
  return cl::getRegisteredOptions().lookup(name)->getNumOccurrences() != 0;
}
template <typename T> static T getOption(llvm::StringRef name) {
  return static_cast<cl::opt<T> *>(cl::getRegisteredOptions().lookup(name))
      ->getValue();
}

/// "bf16", "f16", "" for no mixed precision, or what was given instead.
static llvm::StringRef ampType() {
  llvm::StringRef type = options().amp;
  if (type == "off")
    return "";
  return type.empty() ? "bf16" : type;
}

/// "512MiB" or "300000000" as a number; 0 if it is none.
static int64_t parseBytes(llvm::StringRef text) {
  unsigned shift = text.consume_back("GiB")   ? 30
                   : text.consume_back("MiB") ? 20
                   : text.consume_back("KiB") ? 10
                                              : 0;
  int64_t number = 0;
  if (text.getAsInteger(10, number) || number <= 0 ||
      number > (INT64_MAX >> shift))
    return 0;
  return number << shift;
}

/// Reads --remat; false if it is wrong.
static bool parseRemat(llvm::StringRef text, RematSettings &settings) {
  settings = {};
  settings.isOn = text != "off";
  return text == "off" || text == "regions" || text == "auto" ||
         (!text.getAsInteger(10, settings.rung) && settings.rung >= 0 &&
          settings.rung < countRematRungs());
}

/// What the options are expected to be instead; "" if they are right.
static std::string checkOptions() {
  if (options().optLevel > 3)
    return "-O0 to -O3, but got -O" + std::to_string(options().optLevel);
  if (options().bisect && (!options().output.empty() || options().summary ||
                           options().emit.getNumOccurrences()))
    return "--bisect without -o, --emit and --summary: it writes no model";
  bool summarizesOnly =
      (options().summary || options().bisect) && options().output.empty();
  if (summarizesOnly && options().emit.getNumOccurrences())
    return "-o <file> with --summary and --emit";
  if (options().output.empty() && options().emit == Emit::So && !summarizesOnly)
    return "-o <file> for the compiled model";
  if (options().bisect && options().triple.getNumOccurrences())
    return "--bisect without --target-triple: it runs what it compiles";
  llvm::StringRef amp = ampType();
  if (!amp.empty() && amp != "bf16" && amp != "f16")
    return "--amp=bf16, f16 or off, but got '" + options().amp + "'";
  if (amp.empty() && options().ampReport)
    return "--amp with --amp-report";
  if (amp.empty() && options().stopAfter == Phase::Amp)
    return "--amp with --stop-after=amp";
  if (!amp.empty() && options().bisect)
    return "--bisect without --amp, which changes results by design";
  FuseSettings fuse;
  if (std::string fault = parseFuse(options().fuse, fuse); !fault.empty())
    return "--fuse=" + fault;
  if (options().mergeTiny != "on" && options().mergeTiny != "off")
    return "--merge-tiny=on or off, but got '" + options().mergeTiny + "'";
  if (options().packWeights != "on" && options().packWeights != "off")
    return "--pack-weights=on or off, but got '" + options().packWeights + "'";
  RematSettings remat;
  if (!parseRemat(options().remat, remat))
    return "--remat=regions, off, auto or a rung from 0 to " +
           std::to_string(countRematRungs() - 1) + ", but got '" +
           options().remat + "'";
  if ((options().remat == "auto") !=
      (options().memoryBudget.getNumOccurrences() != 0))
    return "--remat=auto and --mem-budget=<bytes> together";
  if (options().memoryBudget.getNumOccurrences() &&
      parseBytes(options().memoryBudget) == 0)
    return "--mem-budget in bytes, as 300000000, 512MiB or 2GiB, but got '" +
           options().memoryBudget + "'";
  if (options().bisectLimit < -1)
    return "an --opt-bisect-limit of -1 or more, but got " +
           std::to_string(options().bisectLimit);
  bool isModule = options().emit == Emit::Mlir || options().emit == Emit::Dot;
  if (options().stopAfter.getNumOccurrences() && !isModule)
    return "--emit=mlir or --emit=dot with --stop-after";
  if (options().emit == Emit::Dot && options().stopAfter.getNumOccurrences() &&
      options().stopAfter == Phase::Plan)
    return "--stop-after=import, autodiff, amp or fuse with --emit=dot, but "
           "got "
           "plan";
  if (options().report.getNumOccurrences() && options().report != "json")
    return "--report=json, but got --report=" + options().report;
  if (options().reportFile.getNumOccurrences() && options().report.empty())
    return "--report=json with --report-file";
  if (!options().report.empty() && summarizesOnly)
    return "-o <file> with --report: nothing is compiled for --summary alone";
  if (!(options().report.empty() && !options().summary) &&
      (options().output == "-" || (isModule && options().output.empty())) &&
      (options().summary || options().reportFile == "-"))
    return "one thing on standard output: give -o <file>, or --report-file";
  if (!options().report.empty() && options().summary &&
      options().reportFile == "-")
    return "one thing on standard output: give --report-file";
  if (options().maxThreads < 1 || options().maxThreads > kMostThreads)
    return "--max-threads from 1 to " + std::to_string(kMostThreads) +
           ", but got " + std::to_string(options().maxThreads);
  if (bool isSame = false;
      !llvm::sys::fs::equivalent(options().input, options().output, isSame) &&
      isSame && llvm::sys::fs::is_regular_file(options().input))
    return "-o to be another file than the model, but got " +
           options().output.getValue();
  for (int64_t size : options().batches)
    if (size < 1)
      return "batch sizes of 1 or more, but got " + std::to_string(size);
  if (options().memoryLimit > (UINT64_MAX >> 20))
    return "a --memory-limit that fits 64 bits in bytes, but got " +
           std::to_string(options().memoryLimit) + " MiB";
  return "";
}

static CompileOptions toCompileOptions(const std::string &folder) {
  CompileOptions compile;
  compile.emit = options().emit;
  compile.stopAfter = options().stopAfter;
  if (options().emit == Emit::Dot && !options().stopAfter.getNumOccurrences())
    compile.stopAfter = Phase::Fuse;
  compile.triple = options().triple;
  if (options().cpu.getNumOccurrences())
    compile.cpu = options().cpu;
  compile.optLevel = options().optLevel;
  compile.amp = ampType().str();
  compile.ampReport = options().ampReport;
  parseFuse(options().fuse, compile.fuse);
  parseRemat(options().remat, compile.remat);
  compile.memoryBudget = parseBytes(options().memoryBudget);
  compile.mergeTiny = options().mergeTiny == "on";
  compile.strictMath = options().strictMath;
  compile.packWeights = options().packWeights == "on";
  compile.maxThreads = options().maxThreads;
  compile.batches.assign(options().batches.begin(), options().batches.end());
  compile.folder = folder;
  compile.configure = [](mlir::PassManager &manager) {
    if (failed(mlir::applyPassManagerCLOptions(manager)))
      return mlir::failure();
    mlir::applyDefaultTimingPassManagerCLOptions(manager);
    return mlir::success();
  };
  return compile;
}

static int writeOutput(llvm::StringRef path, llvm::StringRef bytes) {
  llvm::Error error =
      path == "-" ? writeStandardOutput(bytes) : writeFile(path, bytes);
  if (!error)
    return 0;
  llvm::errs() << "graphc: error: cannot write '" << path
               << "': " << llvm::toString(std::move(error)) << "\n";
  return 1;
}

/// Prints the pass or kernel that changes a result; 1 if there is one.
static int bisectModel(mlir::ModuleOp module, const CompileOptions &compile) {
  check::BisectOptions bisect;
  bisect.compile = compile;
  bisect.plant = options().bisectPlant;
  auto result = check::bisect(module, bisect, llvm::outs());
  if (failed(result))
    return 1;
  if (result->culprit.empty() && result->notCompared)
    llvm::outs() << "bisect: no pass and no kernel changes a result that could "
                    "be compared; "
                 << result->notCompared << " could not\n";
  else if (result->culprit.empty())
    llvm::outs() << "bisect: no pass and no kernel changes a result\n";
  else if (result->culprit == "kernel")
    llvm::outs() << "bisect: a kernel is wrong: " << result->finding << "\n";
  else
    llvm::outs() << "bisect: pass '" << result->culprit
                 << "' is the first to change a result: " << result->finding
                 << "\n";
  return result->culprit.empty() ? 0 : 1;
}

static int compile(const std::function<void(const std::string &)> &tellFolder) {
  // Copies: lld resets every option of the process to its default.
  std::string path = options().output, model = options().input;
  std::string reportPath =
      options().report.empty() ? std::string() : options().reportFile;
  if (path.empty())
    path = "-";
  Progress progress(options().progressAfter);
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer =
      readText(options().input, message);
  if (!buffer) {
    llvm::errs() << "graphc: error: " << message << "\n";
    return 1;
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());

  std::unique_ptr<mlir::MLIRContext> context = createContext(/*threads=*/true);
  if (isGiven("mlir-print-op-on-diagnostic"))
    context->printOpOnDiagnostic(
        getOption<bool>("mlir-print-op-on-diagnostic"));
  if (!loadDialectPlugins(*context, options().plugins, message)) {
    llvm::errs() << "graphc: error: " << message << "\n";
    return 1;
  }
  SourceDiagnostics diagnostics(sources, context.get());
  mlir::OwningOpRef<mlir::ModuleOp> module = readModel(sources, *context);
  if (!module)
    return 1;
  CompileOptions compileOptions =
      toCompileOptions(llvm::sys::path::parent_path(options().input).str());
  compileOptions.onTempFolder = [&](llvm::StringRef folder) {
    tellFolder(folder.str());
  };
  if (options().bisectLimit.getNumOccurrences())
    bisectOptionalSteps(*context, options().bisectLimit, llvm::errs());
  if (options().bisect)
    return bisectModel(*module, compileOptions);
  if (options().summary) {
    std::string text;
    llvm::raw_string_ostream os(text);
    if (failed(summarizeModel(*module, compileOptions, os)) ||
        writeOutput("-", text))
      return 1;
    if (options().output.empty())
      return 0;
  }
  compileOptions.onMemory = [](int rung, int64_t bytes) {
    llvm::errs() << "graphc: planned peak " << bytes << " bytes, remat rung "
                 << rung << "\n";
  };
  CompileLog log;
  log.onPhase = [&](llvm::StringRef phase) { progress.enter(phase.str()); };
  compileOptions.log = &log;
  auto bytes = compileModel(*module, compileOptions);
  if (failed(bytes) || writeOutput(path, {bytes->data(), bytes->size()}))
    return 1;
  if (reportPath.empty())
    return 0;
  std::string text;
  llvm::raw_string_ostream os(text);
  log.print(os, llvm::sys::path::filename(model), int64_t(bytes->size()));
  return writeOutput(reportPath, text);
}

/// `word` as a shell reads it.
static std::string quote(llvm::StringRef word) {
  if (!word.empty() &&
      word.find_first_of(" '\"\\$&;|<>()*?#`~\n") == llvm::StringRef::npos)
    return word.str();
  std::string quoted = "'";
  for (char c : word)
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

/// What the user typed, to be typed again.
static std::string commandLine(int argc, char **argv) {
  std::string text;
  for (int k = 0; k < argc; ++k)
    text += (k ? " " : "") + quote(argv[k]);
  return text;
}

int main(int argc, char **argv) {
  startTool("graphc");
  // LLVM's own: of its code generator's tests, and of its passes alone.
  for (llvm::StringRef name : {"stop-after", "opt-bisect-limit"})
    if (auto it = cl::getRegisteredOptions().find(name);
        it != cl::getRegisteredOptions().end())
      it->second->removeArgument();
  (void)options();
  // So that --mlir-print-ir-after=<pass> and crash reproducers know their
  // names.
  registerAllPasses();
  mlir::registerAsmPrinterCLOptions();
  mlir::registerMLIRContextCLOptions();
  mlir::registerPassManagerCLOptions();
  mlir::registerDefaultTimingManagerCLOptions();
  for (auto &entry : cl::getRegisteredOptions())
    if (!entry.second->Categories.empty() &&
        !llvm::is_contained(entry.second->Categories, &options().category) &&
        !entry.first().starts_with("mlir-") &&
        !entry.first().starts_with("help") && entry.first() != "version")
      entry.second->setHiddenFlag(cl::ReallyHidden);
  cl::ParseCommandLineOptions(
      argc, argv,
      "graphc: compiles a model, its training step included, "
      "to one shared library\n");
  if (std::string problem = checkOptions(); !problem.empty()) {
    llvm::errs() << "graphc: error: expects " << problem << "\n";
    return 1;
  }
  if (llvm::Error error = checkTriple(options().triple)) {
    llvm::errs() << "graphc: error: --target-triple: "
                 << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  if (options().cpu.getNumOccurrences())
    if (llvm::Error error = checkCpuLevels(options().cpu, options().triple)) {
      llvm::errs() << "graphc: error: --cpu: "
                   << llvm::toString(std::move(error)) << "\n";
      return 1;
    }
  if (options().noChild)
    return compile([](const std::string &) {});

  ChildLimits limits;
  limits.memoryBytes = options().memoryLimit << 20;
  limits.cpuSeconds = options().timeLimit;
  ChildResult result = runInChild(
      limits, [](const auto &tellFolder) { return compile(tellFolder); });
  if (result.endedBy.empty())
    return result.exitStatus;
  if (result.isOutOfMemory) {
    llvm::errs() << "graphc: error: the compile needs more memory than "
                    "--memory-limit allows\n";
    return 1;
  }
  llvm::errs() << options().input << ":1:1: error: the compiler was ended by "
               << result.endedBy << "\n"
               << "note: to see where, run: ";
  constexpr llvm::StringLiteral flag = "mlir-pass-pipeline-crash-reproducer";
  std::string file = "reproducer.mlir";
  if (isGiven(flag))
    file = getOption<std::string>(flag);
  else
    llvm::errs() << commandLine(argc, argv) << " --" << flag << "=" << file
                 << ", then ";
  llvm::errs() << "graph-opt --run-reproducer " << quote(file) << "\n";
  return 1;
}
