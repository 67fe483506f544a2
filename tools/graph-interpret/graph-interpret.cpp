// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates a function of a model in the reference interpreter.

#include "lib/Driver/NumberOption.h"
#include "lib/Driver/RegisterAll.h"
#include "lib/Driver/SourceDiagnostics.h"
#include "lib/Driver/Tool.h"
#include "lib/Interpreter/Bounds.h"
#include "lib/Interpreter/Compare.h"
#include "lib/Interpreter/RandomInputs.h"
#include "tools/graph-interpret/Checks.h"
#include "tools/graph-interpret/Files.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

#include <climits>

using namespace mlir;
using namespace graphc::interpreter;
namespace cl = llvm::cl;

static cl::OptionCategory category("graph-interpret options");
#define OPTION(type, name, flag, text, ...)                                    \
  static cl::opt<type> name(flag, cl::desc(text), cl::cat(category),           \
                            ##__VA_ARGS__)
#define NUMBER(type, name, flag, text, ...)                                    \
  static graphc::NumberOption<type> name(flag, cl::desc(text),                 \
                                         cl::cat(category), ##__VA_ARGS__)

static cl::opt<std::string> modelPath(cl::Positional, cl::desc("<model.mlir>"),
                                      cl::Required, cl::cat(category));
OPTION(std::string, functionName, "function",
       "Function to call (default: the only public one)");
OPTION(bool, allFunctions, "all",
       "Call every public function, each with the values of the variables that "
       "the one before left",
       cl::init(false));
static cl::list<std::string>
    inputs("input", cl::cat(category),
           cl::desc("Next argument: a .npy file, or elements as MLIR writes "
                    "them (dense<[1.0, 2.0]> : tensor<2xf32>)"));
NUMBER(double, splat, "splat", "Value of every element of the other arguments");
NUMBER(int64_t, randomInputs, "random-inputs",
       "Seed that the other arguments are drawn from");
static cl::opt<Mode>
    mode("mode", cl::cat(category), cl::desc("How floats are kept:"),
         cl::init(Mode::Declared),
         cl::values(clEnumValN(Mode::Declared, "declared",
                               "each result is rounded to its type (default)"),
                    clEnumValN(Mode::F64, "f64", "every float is an f64")));
NUMBER(int64_t, seed, "seed", "Seed of initial values and random draws",
       cl::init(0));
NUMBER(int64_t, steps, "steps", "How often to call the function", cl::init(1));
OPTION(std::string, stateIn, "state-in",
       "Safetensors file with values of variables");
OPTION(std::string, stateOut, "state-out",
       "Safetensors file to write all variables to");
OPTION(std::string, outputFolder, "output",
       "Folder to write results to, as 0.npy, 1.npy, ...");
static cl::list<std::string>
    expects("expect", cl::cat(category),
            cl::desc("npy file that the next result must equal"));
NUMBER(double, relativeTolerance, "rtol", "Relative tolerance of --expect",
       cl::init(0));
NUMBER(double, absoluteTolerance, "atol", "Absolute tolerance of --expect",
       cl::init(0));
OPTION(
    bool, opBounds, "op-bounds",
    "Hold each result of --expect to the error bound of the op that gives it, "
    "in place of the tolerances",
    cl::init(false));
OPTION(
    std::string, against, "against",
    "Other model: run both on the same random arguments for --steps steps and "
    "compare results and variables by --rtol and --atol");
OPTION(std::string, gradCheck, "gradcheck",
       "The model after autodiff: hold what became of each graph.grad of this "
       "one (or of the one --function names) to finite differences");
OPTION(bool, print, "print", "Print results even with --output or --expect",
       cl::init(false));
OPTION(bool, printOps, "print-ops", "Print every value as it is computed",
       cl::init(false));
OPTION(bool, printState, "print-state", "Print the variables at the end",
       cl::init(false));
NUMBER(int64_t, maxOps, "max-ops", "Stop after so many ops (0: no limit)",
       cl::init(0));
NUMBER(double, maxSeconds, "max-seconds", "Stop after so long (0: no limit)",
       cl::init(0));

/// Remembers what the ops of a function read.
struct OperandKeeper {
  llvm::DenseMap<Operation *, std::vector<Tensor>> operands;

  void operator()(Operation *op, ArrayRef<const Tensor *> values) {
    std::vector<Tensor> &copies = operands[op];
    copies.clear();
    for (const Tensor *value : values)
      copies.push_back(*value);
  }
};

static LogicalResult fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return failure();
}

static FailureOr<func::FuncOp> findFunction(ModuleOp module) {
  if (!functionName.empty()) {
    // A name of anything else is the interpreter's to explain.
    if (auto found = module.lookupSymbol<func::FuncOp>(functionName))
      return found;
    (void)Interpreter(module).run(functionName, {});
    return failure();
  }
  func::FuncOp only;
  std::string names;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isPrivate())
      continue;
    only = names.empty() ? function : func::FuncOp();
    names += (" " + function.getSymName()).str();
  }
  if (only)
    return only;
  return fail("expects --function to name one of:" + names);
}

static FailureOr<Tensor> readInput(const std::string &text,
                                   RankedTensorType type) {
  if (StringRef(text).ends_with(".npy"))
    return readNpy(text, type, mode);
  auto elements = dyn_cast_if_present<ElementsAttr>(
      parseAttribute(text, type.getContext()));
  if (!elements)
    return fail("expects --input to be an .npy file or elements, but got " +
                text);
  FailureOr<Tensor> tensor = Tensor::fromAttribute(elements);
  if (failed(tensor))
    return fail("cannot read elements " + text);
  if (tensor->type != type) {
    llvm::errs() << "error: --input: expects " << type << ", but got "
                 << tensor->type << "\n";
    return failure();
  }
  return tensor;
}

/// The interpreter bounds what it computes; arguments are made before.
static LogicalResult checkSizes(func::FuncOp function) {
  const int64_t limit = Options().maxElements;
  int64_t sum = 0;
  for (Type type : function.getArgumentTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      continue; // Refused with the other types.
    std::optional<int64_t> count = countElements(tensor);
    bool fits = count && *count <= limit - sum &&
                llvm::all_of(tensor.getShape(),
                             [&](int64_t dim) { return dim <= limit; });
    if (!fits)
      return function.emitError("expects arguments of at most ")
             << limit << " elements, but got " << tensor;
    sum += *count;
  }
  return success();
}

static FailureOr<std::vector<Tensor>> makeInputs(func::FuncOp function) {
  size_t count = function.getNumArguments();
  if (inputs.size() > count)
    return fail("expects at most " + llvm::Twine(count) + " inputs, but got " +
                llvm::Twine(inputs.size()));
  if (failed(checkSizes(function)))
    return failure();
  std::vector<Tensor> tensors;
  if (randomInputs.getNumOccurrences()) {
    FailureOr<std::vector<Tensor>> drawn =
        drawInputs(function, static_cast<uint64_t>(randomInputs));
    if (failed(drawn))
      return failure();
    tensors = std::move(*drawn);
  }
  for (size_t i = 0; i < count; ++i) {
    auto type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[i]);
    if (!type || !getElementKind(type.getElementType()) || !countElements(type))
      return fail("expects tensor arguments");
    if (i < inputs.size()) {
      FailureOr<Tensor> tensor = readInput(inputs[i], type);
      if (failed(tensor))
        return failure();
      if (i < tensors.size())
        tensors[i] = std::move(*tensor);
      else
        tensors.push_back(std::move(*tensor));
    } else if (i < tensors.size()) {
      continue; // drawn
    } else if (splat.getNumOccurrences()) {
      Tensor tensor(type);
      tensor.floats.assign(tensor.floats.size(), splat);
      tensor.ints.assign(tensor.ints.size(),
                         wrapTo(tensor.kind(), static_cast<int64_t>(splat)));
      tensors.push_back(std::move(tensor));
    } else {
      return fail("expects " + llvm::Twine(count) + " inputs, but got " +
                  llvm::Twine(inputs.size()) +
                  ": give --input, --splat or --random-inputs");
    }
  }
  return tensors;
}

/// Compares result `i` of `function` by the bound of the op that gives it,
/// whose operands `keeper` saw.
static Comparison compareByBounds(func::FuncOp function, size_t i,
                                  const Tensor &result, const Tensor &expected,
                                  OperandKeeper &keeper) {
  Value value = function.getBody().front().getTerminator()->getOperand(i);
  Operation *op = value.getDefiningOp();
  while (auto fused = dyn_cast_if_present<graphc::graph::FusedOp>(op)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    value = fused.getBody().front().getTerminator()->getOperand(number);
    op = value.getDefiningOp();
  }
  auto it = keeper.operands.find(op);
  if (!result.isFloat() || !op || it == keeper.operands.end())
    return compareTensors(expected, result, Tolerance::of(0, 0));
  llvm::SmallVector<const Tensor *> operands;
  for (const Tensor &operand : it->second)
    operands.push_back(&operand);
  return compareTensors(expected, result,
                        errorBounds(op, operands, result,
                                    cast<OpResult>(value).getResultNumber()));
}

static LogicalResult checkExpected(func::FuncOp function,
                                   ArrayRef<Tensor> results,
                                   OperandKeeper &keeper) {
  if (expects.size() > results.size())
    return fail("expects at most " + llvm::Twine(results.size()) +
                " files to compare with, but got " +
                llvm::Twine(expects.size()));
  bool allClose = true;
  for (size_t i = 0; i < expects.size(); ++i) {
    FailureOr<Tensor> expected = readNpy(expects[i], results[i].type, mode);
    if (failed(expected))
      return failure();
    // With bounds, ours is the reference and the file holds what is tested.
    Comparison comparison =
        opBounds ? compareByBounds(function, i, results[i], *expected, keeper)
                 : compareTensors(
                       results[i], *expected,
                       Tolerance::of(relativeTolerance, absoluteTolerance));
    allClose &= comparison.equal;
    llvm::outs() << "result " << i << ": " << comparison.describe() << "\n";
  }
  return success(allClose);
}

static LogicalResult writeResults(ArrayRef<Tensor> results) {
  if (std::error_code error =
          llvm::sys::fs::create_directories(outputFolder.getValue()))
    return fail(outputFolder + ": " + error.message());
  for (size_t i = 0; i < results.size(); ++i) {
    llvm::SmallString<128> path(outputFolder);
    llvm::sys::path::append(path, llvm::Twine(i) + ".npy");
    if (failed(writeNpy(path.str().str(), results[i], mode)))
      return failure();
  }
  return success();
}

static void printOp(Operation *op, ArrayRef<Tensor> results) {
  for (const Tensor &result : results) {
    llvm::outs() << op->getName() << " : ";
    printTensor(llvm::outs(), result);
    llvm::outs() << "\n";
  }
}

static void printVariables(Interpreter &interpreter) {
  for (auto variable :
       interpreter.getModule().getOps<graphc::graph::VariableOp>())
    if (const Tensor *value = interpreter.getVariable(variable.getSymName())) {
      llvm::outs() << "@" << variable.getSymName() << " : ";
      printTensor(llvm::outs(), *value);
      llvm::outs() << "\n";
    }
}

/// Calls `function` --steps times, prints, writes and compares its results.
static LogicalResult call(Interpreter &interpreter, func::FuncOp function,
                          OperandKeeper &keeper) {
  FailureOr<std::vector<Tensor>> arguments = makeInputs(function);
  if (failed(arguments))
    return failure();
  if (allFunctions)
    llvm::outs() << "@" << function.getSymName() << "\n";
  std::vector<Tensor> results;
  for (int64_t step = 0; step < steps; ++step) {
    FailureOr<std::vector<Tensor>> stepResults =
        interpreter.run(function.getSymName(), *arguments);
    if (failed(stepResults))
      return failure();
    results = std::move(*stepResults);
    if (!print && (!outputFolder.empty() || !expects.empty()))
      continue;
    for (auto [i, result] : llvm::enumerate(results)) {
      if (steps > 1)
        llvm::outs() << "step " << step << ", ";
      llvm::outs() << "result " << i << " : ";
      printTensor(llvm::outs(), result);
      llvm::outs() << "\n";
    }
  }
  if (!outputFolder.empty() && failed(writeResults(results)))
    return failure();
  return checkExpected(function, results, keeper);
}

static LogicalResult runAgainst(ModuleOp module) {
  FailureOr<func::FuncOp> function = findFunction(module);
  if (failed(function))
    return failure();
  EquivalenceOptions options;
  options.mode = mode;
  options.tolerance = Tolerance::of(relativeTolerance, absoluteTolerance);
  options.seed = static_cast<uint64_t>(randomInputs.getValue());
  options.steps = static_cast<int>(steps.getValue());
  return compareModels(module, against, (*function).getSymName(), options);
}

static LogicalResult runGradCheck(ModuleOp module) {
  GradCheckOptions options;
  options.seed = static_cast<uint64_t>(randomInputs.getValue());
  return checkGrads(module, gradCheck, functionName, options);
}

static LogicalResult interpret(ModuleOp module) {
  Options options;
  options.mode = mode;
  options.seed = seed;
  options.maxOps = maxOps;
  options.maxSeconds = maxSeconds;
  options.initializer =
      makeInitializer(static_cast<uint64_t>(seed.getValue()),
                      llvm::sys::path::parent_path(modelPath).str());
  OperandKeeper keeper;
  if (printOps || opBounds)
    options.observer = [&](Operation *op, ArrayRef<const Tensor *> operands,
                           ArrayRef<Tensor> opResults) {
      if (opBounds)
        keeper(op, operands);
      if (printOps)
        printOp(op, opResults);
    };
  Interpreter interpreter(module, options);
  if (failed(interpreter.initializeVariables()) ||
      (!stateIn.empty() && failed(readState(stateIn, interpreter, mode))))
    return failure();

  if (allFunctions) {
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isPrivate() && failed(call(interpreter, function, keeper)))
        return failure();
  } else {
    FailureOr<func::FuncOp> function = findFunction(module);
    if (failed(function) || failed(call(interpreter, *function, keeper)))
      return failure();
  }
  if (printState)
    printVariables(interpreter);
  if (!stateOut.empty())
    return writeState(stateOut, interpreter, mode);
  return success();
}

/// What the options are expected to be instead; "" if they are right.
static std::string checkOptions() {
  if (steps < 1 || steps > INT_MAX)
    return "--steps from 1 to " + std::to_string(INT_MAX) + ", but got " +
           std::to_string(steps);
  if (maxOps < 0)
    return "--max-ops of 0 or more, but got " + std::to_string(maxOps);
  if (!(maxSeconds >= 0))
    return "--max-seconds of 0 or more, but got " + std::to_string(maxSeconds);
  for (double tolerance :
       {relativeTolerance.getValue(), absoluteTolerance.getValue()})
    if (!(tolerance >= 0))
      return "tolerances of 0 or more, but got " + std::to_string(tolerance);
  if (allFunctions && !functionName.empty())
    return "one of --all and --function";
  if (!against.empty() + !gradCheck.empty() + allFunctions > 1)
    return "one of --against, --gradcheck and --all";
  return "";
}

int main(int argc, char **argv) {
  graphc::startTool("graph-interpret");
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "graphc reference interpreter\n");

  if (std::string problem = checkOptions(); !problem.empty()) {
    (void)fail("expects " + problem);
    return 1;
  }
  DialectRegistry registry;
  graphc::registerAll(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  graphc::SourceDiagnostics diagnostics(sources, &context);
  OwningOpRef<ModuleOp> module = readVerified(modelPath, sources, context);
  if (!module)
    return 1;
  LogicalResult result = !against.empty()     ? runAgainst(*module)
                         : !gradCheck.empty() ? runGradCheck(*module)
                                              : interpret(*module);
  return succeeded(result) ? 0 : 1;
}
