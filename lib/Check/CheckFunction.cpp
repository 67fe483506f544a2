// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Check/CheckFunction.h"

#include "dialects/Graph/IR/GradientLoc.h"
#include "dialects/Graph/IR/Graph.h"
#include "graphc/runtime.h"
#include "lib/Check/HostTensor.h"
#include "lib/Driver/Compile.h"
#include "lib/Interpreter/Bounds.h"
#include "lib/Interpreter/Compare.h"
#include "lib/Interpreter/RandomInputs.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using graphc::interpreter::Tensor;

namespace graphc::check {

void plantError(ModuleOp module, StringRef plant) {
  auto [from, to] = plant.split(':');
  SmallVector<Operation *> found;
  module.walk([&, from = from](Operation *op) {
    if (op->getName().getStringRef() == from)
      found.push_back(op);
  });
  for (Operation *op : found) {
    OpBuilder b(op);
    OperationState state(op->getLoc(), to);
    state.addOperands(op->getOperands());
    state.addTypes(op->getResultTypes());
    op->replaceAllUsesWith(b.create(state));
    op->erase();
  }
}

namespace {

/// Makes every result of every op at the top of `function` a result of it.
void exposeValues(func::FuncOp function) {
  Operation *ret = function.getBody().front().getTerminator();
  SmallVector<Value> values;
  for (Operation &op : function.getBody().front().without_terminator())
    llvm::append_range(values, op.getResults());
  ret->setOperands(values);
  function.setFunctionType(
      FunctionType::get(function.getContext(), function.getArgumentTypes(),
                        llvm::to_vector(ValueRange(values).getTypes())));
}

/// What `function` reads of variables becomes arguments; what it writes is
/// dropped.
void makeStateInputs(func::FuncOp function) {
  Block &body = function.getBody().front();
  function.removeArgAttrsAttr();
  llvm::DenseMap<Attribute, Value> read;
  function.walk([&](Operation *op) {
    if (auto get = dyn_cast<graph::GetOp>(op)) {
      Value &value = read[get.getVariableAttr()];
      if (!value)
        value = body.addArgument(get.getType(), get.getLoc());
      get.replaceAllUsesWith(value);
      get.erase();
    } else if (auto set = dyn_cast<graph::SetOp>(op)) {
      set.erase();
    }
  });
  function.setFunctionType(FunctionType::get(function.getContext(),
                                             body.getArgumentTypes(),
                                             function.getResultTypes()));
}

/// A module with `function` alone, as "f".
OwningOpRef<ModuleOp> isolate(func::FuncOp function) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(function.getLoc(), "random");
  func::FuncOp copy = function.clone();
  copy.setSymName("f");
  copy.setPublic();
  for (StringRef name : {"graph.kind", "graph.family"})
    copy->removeAttr(name);
  copy.removeResAttrsAttr(); // There will be other results.
  makeStateInputs(copy);
  module->push_back(copy);
  return module;
}

/// Runs `module`'s "f", compiled at `level` and by `rung`, on `inputs`.
std::string runCompiled(ModuleOp module, unsigned level, int rung,
                        const CheckOptions &check, ArrayRef<Tensor> inputs,
                        TypeRange resultTypes,
                        std::vector<HostTensor> &results) {
  OwningOpRef<ModuleOp> copy = module.clone();
  CompileOptions options;
  options.optLevel = level;
  options.remat.rung = rung;
  options.cpu = "x86-64-v3";
  // A gradient draws again what its forward ops drew: import would refuse it.
  options.startsAfterAutodiff = true;
  options.fuse = check.fuse;
  options.onTempFolder = check.onTempFolder;
  FailureOr<SmallVector<char, 0>> bytes = compileModel(*copy, options);
  if (failed(bytes))
    return "it does not compile";
  SmallString<128> path;
  int file = -1;
  if (llvm::sys::fs::createTemporaryFile("graphc-check", "so", file, path))
    return "cannot make a temporary file";
  llvm::raw_fd_ostream(file, /*shouldClose=*/true)
      .write(bytes->data(), bytes->size());
  graphc_model *model = nullptr;
  graphc_status status = graphc_model_load(path.c_str(), nullptr, &model);
  llvm::sys::fs::remove(path);
  if (status != GRAPHC_OK)
    return std::string("it does not load: ") + graphc_error_message();
  std::vector<HostTensor> hostInputs(inputs.begin(), inputs.end());
  results.clear();
  for (Type type : resultTypes)
    results.emplace_back(cast<RankedTensorType>(type));
  std::vector<graphc_tensor> in, out;
  for (HostTensor &tensor : hostInputs)
    in.push_back(tensor.view());
  for (HostTensor &tensor : results)
    out.push_back(tensor.view());
  status = graphc_model_run(model, "f", in.data(), in.size(), out.data(),
                            out.size());
  std::string problem =
      status == GRAPHC_OK ? ""
                          : std::string("it fails: ") + graphc_error_message();
  graphc_model_destroy(model);
  return problem;
}

/// Counts the compute ops and regions of "f" as fusion leaves it.
void countFusion(ModuleOp module, int rung, FusionCounts &counts) {
  OwningOpRef<ModuleOp> copy = module.clone();
  CompileOptions options;
  options.emit = Emit::Mlir;
  options.stopAfter = Phase::Fuse;
  options.startsAfterAutodiff = true;
  options.remat.rung = rung;
  if (failed(compileModel(*copy, options)))
    return;
  copy->walk([&](graph::RecomputeBarrierOp) { ++counts.barriers; });
  copy->walk([&](graph::FusedOp fused) {
    ++counts.kernels;
    for (Operation &op : fused.getBody().front().without_terminator())
      counts.ops += !op.hasTrait<OpTrait::ConstantLike>();
  });
}

interpreter::Tolerance toleranceBetweenBuilds(const CheckOptions &options) {
  return options.tolerance > 0
             ? interpreter::Tolerance::of(options.tolerance, 0)
             : interpreter::Tolerance::exact();
}

/// Compares the results of `whole`, which may share kernels, with those of the
/// same values in `exposed`, which is compiled without.
std::string compareFused(ModuleOp whole, func::FuncOp exposed,
                         const CheckOptions &options, ArrayRef<Value> returned,
                         ArrayRef<Tensor> inputs, ArrayRef<HostTensor> apart,
                         StringRef plant) {
  llvm::DenseMap<Value, size_t> places;
  for (Operation &op : exposed.getBody().front().without_terminator())
    for (Value result : op.getResults())
      places.try_emplace(result, places.size());
  OwningOpRef<ModuleOp> copy = whole.clone();
  if (!plant.empty())
    plantError(*copy, plant);
  std::vector<HostTensor> together;
  if (std::string problem = runCompiled(
          *copy, 2, options.rung, options, inputs,
          llvm::to_vector(ValueRange(returned).getTypes()), together);
      !problem.empty())
    return "with shared kernels " + problem;
  for (auto [k, value] : llvm::enumerate(returned)) {
    auto place = places.find(value);
    if (place == places.end())
      continue;
    auto same = interpreter::compareTensors(together[k].toTensor(),
                                            apart[place->second].toTensor(),
                                            toleranceBetweenBuilds(options));
    if (!same.equal)
      return "with shared kernels result " + std::to_string(k) +
             " is another: " + same.describe();
  }
  return "";
}

/// What `op` and its regions read from around them.
SmallVector<Value> valuesReadBy(Operation *op) {
  SmallVector<Value> values(op->getOperands());
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  llvm::append_range(values, captured);
  return values;
}

/// Evaluates `op` alone; `operands` are of valuesReadBy(op).
FailureOr<std::vector<Tensor>> evaluate(Operation *op,
                                        ArrayRef<Tensor> operands) {
  Location loc = op->getLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  SmallVector<Value> values = valuesReadBy(op);
  auto function = func::FuncOp::create(
      loc, "op",
      FunctionType::get(op->getContext(), TypeRange(ValueRange(values)),
                        op->getResultTypes()));
  module->push_back(function);
  Block *block = function.addEntryBlock();
  OpBuilder b = OpBuilder::atBlockEnd(block);
  IRMapping mapping;
  for (auto [operand, argument] :
       llvm::zip_equal(values, block->getArguments()))
    if (!mapping.contains(operand))
      mapping.map(operand, argument);
  Operation *copy = b.clone(*op, mapping);
  b.create<func::ReturnOp>(loc, copy->getResults());
  return interpreter::Interpreter(*module).run("op", operands);
}

/// `units` of the largest finite element of `want`, in its type.
double loopBound(const Tensor &want, double units) {
  double largest = 0;
  for (double value : want.floats)
    if (std::isfinite(value))
      largest = std::max(largest, std::abs(value));
  auto type = cast<FloatType>(want.type.getElementType());
  int digits = llvm::APFloat::semanticsPrecision(type.getFloatSemantics());
  return largest * std::ldexp(units, 1 - digits);
}

/// Holds `actual` to `want`, result `number` of `op` by the interpreter.
interpreter::Comparison compareToReference(Operation *op,
                                           ArrayRef<const Tensor *> operands,
                                           const Tensor &actual,
                                           const Tensor &want, unsigned number,
                                           const CheckOptions &options) {
  bool isLoop = op->getNumRegions() != 0;
  bool isExact = isLoop && options.loopUnits == 0;
  std::vector<double> bounds;
  if (actual.isFloat() && !isLoop)
    bounds = interpreter::errorBounds(op, operands, want, number);
  if (actual.isFloat() && isLoop && !isExact)
    bounds.assign(want.floats.size(), loopBound(want, options.loopUnits));
  if (actual.isFloat() && options.tolerance > 0) {
    bounds.resize(want.floats.size(), 0);
    for (auto [bound, value] : llvm::zip_equal(bounds, want.floats))
      if (bound != interpreter::kAnyValue)
        bound = std::max(bound, options.tolerance * std::abs(value));
  }
  if (actual.isFloat() && (!isExact || options.tolerance > 0))
    return interpreter::compareTensors(actual, want, bounds);
  return interpreter::compareTensors(actual, want,
                                     interpreter::Tolerance::exact());
}

std::string describe(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, OpPrintingFlags().skipRegions());
  if (std::string place = graph::placeOf(op->getLoc()); !place.empty())
    text = place + ": " + text;
  if (StringRef forward = graph::gradientOf(op->getLoc()); !forward.empty())
    text += " (gradient of " + forward.str() + ")";
  return text;
}

} // namespace

std::string checkFunction(ModuleOp module, StringRef name,
                          const CheckOptions &options) {
  auto original = module.lookupSymbol<func::FuncOp>(name);
  if (!original)
    return "there is no function " + name.str();
  OwningOpRef<ModuleOp> reference = isolate(original);
  auto function = reference->lookupSymbol<func::FuncOp>("f");
  auto inputs = interpreter::drawInputs(function, options.seed);
  if (failed(inputs))
    return "no inputs can be drawn";
  OwningOpRef<ModuleOp> whole = reference->clone();
  auto returned = llvm::to_vector(
      function.getBody().front().getTerminator()->getOperands());
  exposeValues(function);

  OwningOpRef<ModuleOp> compiled = reference->clone();
  StringRef plant = options.plant, fusedPlant = plant;
  if (fusedPlant.consume_front("fused:"))
    plant = "";
  else
    fusedPlant = "";
  if (!plant.empty())
    plantError(*compiled, plant);
  std::vector<HostTensor> slow, fast;
  TypeRange types = function.getResultTypes();
  if (std::string problem =
          runCompiled(*compiled, 0, 0, options, *inputs, types, slow);
      !problem.empty())
    return "at -O0 " + problem;
  if (std::string problem =
          runCompiled(*compiled, 3, 0, options, *inputs, types, fast);
      !problem.empty())
    return "at -O3 " + problem;

  // What the compiled code made of each value; exact between the two levels.
  llvm::DenseMap<Value, Tensor> values;
  for (auto [argument, tensor] :
       llvm::zip_equal(function.getArguments(), *inputs))
    values[argument] = tensor;
  size_t next = 0;
  for (Operation &op : function.getBody().front().without_terminator()) {
    std::vector<Tensor> operands;
    std::vector<const Tensor *> pointers;
    for (Value operand : valuesReadBy(&op))
      operands.push_back(values.at(operand));
    for (const Tensor &tensor : operands)
      pointers.push_back(&tensor);
    FailureOr<std::vector<Tensor>> expected = evaluate(&op, operands);
    if (failed(expected))
      return "the interpreter fails on " + describe(&op);
    for (auto [k, result] : llvm::enumerate(op.getResults())) {
      Tensor low = slow[next].toTensor(), high = fast[next].toTensor();
      ++next;
      auto same = interpreter::compareTensors(high, low,
                                              toleranceBetweenBuilds(options));
      if (!same.equal)
        return "-O3 differs from -O0 at " + describe(&op) + ": " +
               same.describe();
      const Tensor &want = (*expected)[k];
      auto comparison =
          compareToReference(&op, pointers, low, want, k, options);
      if (!comparison.equal)
        return describe(&op) + ": " + comparison.describe();
      values[result] = std::move(low);
    }
  }
  if (options.counts)
    countFusion(*whole, options.rung, *options.counts);
  return plant.empty() ? compareFused(*whole, function, options, returned,
                                      *inputs, slow, fusedPlant)
                       : "";
}

} // namespace graphc::check
