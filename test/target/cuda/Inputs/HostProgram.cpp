// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/target/cuda/Inputs/HostProgram.h"

#include "dialects/Graph/IR/Graph.h"
#include "dialects/Plan/IR/Plan.h"
#include "lib/Target/Cuda/Print.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace graphc;

static int64_t bytesOf(Type type) {
  auto tensor = cast<ShapedType>(type);
  return tensor.getNumElements() *
         llvm::divideCeil(tensor.getElementTypeBitWidth(), 8);
}

namespace {

class FunctionWriter {
public:
  FunctionWriter(func::FuncOp function, ModuleOp module,
                 const llvm::StringMap<cuda::KernelText> &kernels)
      : function(function), module(module), kernels(kernels) {}

  std::string text;

  /// Memory for `type`, with the elements of `value` if there are any.
  std::string buffer(Type type) {
    std::string name = "b" + std::to_string(count++);
    os << "  Buffer " << name << "(" << bytesOf(type) << ");\n";
    return name + ".data";
  }

  std::string writeConstant(graph::ConstantOp constant) {
    std::string name = buffer(constant.getType());
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (!elements || constant.getType().getElementType().isInteger(1))
      return "a constant of this kind";
    ArrayRef<char> raw = elements.getRawData();
    std::vector<std::string> bytes;
    for (char byte : raw)
      bytes.push_back(std::to_string(int(byte)));
    if (bytes.empty())
      bytes.push_back("0");
    os << "  static const signed char c" << count << "[] = {"
       << llvm::join(bytes, ",") << "};\n  for (size_t k = 0; k < "
       << bytesOf(constant.getType()) << "; ++k)\n    " << name << "[k] = c"
       << count << "[k % " << raw.size() << "];\n";
    ++count;
    names[constant.getResult()] = name;
    return "";
  }

  /// For each output the input in whose memory it may lie, or -1.
  static std::vector<int64_t> chooseShared(plan::LaunchOp launch) {
    std::vector<int64_t> inputs(launch.getOutputs().size(), -1);
    for (plan::InPlacePair pair : launch.getInPlacePairs())
      if (inputs[pair.output] < 0 && !llvm::is_contained(inputs, pair.input))
        inputs[pair.output] = pair.input;
    return inputs;
  }

  std::string writeLaunch(plan::LaunchOp launch) {
    const cuda::KernelText &kernel = kernels.find(launch.getKernel())->second;
    if (!kernel.notYet.empty())
      return kernel.name + " has no text";
    auto type =
        module.lookupSymbol<func::FuncOp>(launch.getKernel()).getFunctionType();
    std::vector<std::string> arguments;
    for (Value input : launch.getInputs())
      arguments.push_back(names.lookup(input));
    std::vector<int64_t> sharedWith = chooseShared(launch);
    size_t memrefs =
        llvm::count_if(type.getInputs(), llvm::IsaPred<MemRefType>);
    if (memrefs > arguments.size() + launch.getOutputs().size())
      arguments.push_back(buffer(type.getInput(arguments.size())));
    for (auto [output, input] : llvm::zip(launch.getOutputs(), sharedWith)) {
      names[output] = buffer(output.getType());
      arguments.push_back(names[output]);
      if (input >= 0)
        arguments[input] = "inPlace(" + arguments[input] + ", " +
                           names[output] + ", " +
                           std::to_string(bytesOf(output.getType())) + ")";
    }
    for (auto [argument, input] : llvm::zip(arguments, type.getInputs())) {
      std::string name = "p" + std::to_string(count++);
      std::string element = cuda::typeName(
          cast<MemRefType>(input).getElementType(), /*wideIndex=*/false);
      os << "  " << element << " *" << name << " = (" << element << " *)"
         << argument << ";\n";
      argument = name;
    }
    for (int64_t argument : launch.getArgs())
      arguments.push_back(std::to_string(argument) + "ll");
    for (const cuda::KernelLaunch &each : kernel.launches)
      os << "  gc_emu::launch(" << each.blocks << ", " << each.threads << ", "
         << (each.exchanges ? "true" : "false") << ", [&] { " << each.function
         << "(" << llvm::join(arguments, ", ") << "); });\n";
    return "";
  }

  /// Why not, or "".
  std::string write() {
    os << "\nstatic void run_" << function.getSymName()
       << "(const std::vector<char *> &in, const std::vector<char *> &out) {\n";
    for (auto [k, argument] : llvm::enumerate(function.getArguments()))
      names[argument] = "in[" + std::to_string(k) + "]";
    for (Operation &op : function.getBody().front()) {
      std::string reason;
      if (auto launch = dyn_cast<plan::LaunchOp>(op))
        reason = writeLaunch(launch);
      else if (auto constant = dyn_cast<graph::ConstantOp>(op))
        reason = writeConstant(constant);
      else if (isa<func::ReturnOp>(op))
        for (auto [k, value] : llvm::enumerate(op.getOperands()))
          os << "  std::memcpy(out[" << k << "], " << names.lookup(value)
             << ", " << bytesOf(value.getType()) << ");\n";
      else
        reason = "'" + op.getName().getStringRef().str() + "'";
      if (!reason.empty())
        return reason;
    }
    os << "}\n";
    return "";
  }

private:
  func::FuncOp function;
  ModuleOp module;
  const llvm::StringMap<cuda::KernelText> &kernels;
  llvm::raw_string_ostream os{text};
  llvm::DenseMap<Value, std::string> names;
  int64_t count = 0;
};

} // namespace

void writeHostProgram(ModuleOp module,
                      const llvm::StringMap<cuda::KernelText> &kernels,
                      llvm::raw_ostream &os, llvm::raw_ostream &report) {
  os << "#include \"gc_main.h\"\n";
  std::string table;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (plan::isKernel(function) || function.isExternal())
      continue;
    FunctionWriter writer(function, module, kernels);
    if (std::string reason = writer.write(); !reason.empty()) {
      report << "not run: " << function.getSymName() << ": " << reason << "\n";
      continue;
    }
    // Each text once, before the first function that uses it.
    report << "runs: " << function.getSymName() << "\n";
    table += writer.text;
    auto sizes = [](TypeRange types) {
      std::vector<std::string> all;
      for (Type type : types)
        all.push_back(std::to_string(bytesOf(type)));
      return "{" + llvm::join(all, ", ") + "}";
    };
    std::string name = function.getSymName().str();
    table += "static const Function f_" + name + " = {\"" + name + "\", " +
             sizes(function.getArgumentTypes()) + ", " +
             sizes(function.getResultTypes()) + ", run_" + name + "};\n";
  }
  for (auto function : module.getOps<func::FuncOp>())
    if (plan::isKernel(function))
      os << kernels.find(function.getSymName())->second.text;
  os << table << "\nint main(int argc, char **argv) {\n  return emulate({";
  for (auto function : module.getOps<func::FuncOp>()) {
    std::string name = "f_" + function.getSymName().str();
    if (StringRef(table).contains("Function " + name + " ="))
      os << name << ", ";
  }
  os << "}, argc, argv);\n}\n";
}
