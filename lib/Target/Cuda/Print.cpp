// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions and control flow. Each value is a variable; what an op comes to is
// said in PrintOps.cpp.
#include "lib/Target/Cuda/Print.h"

#include "lib/Target/Cuda/MapThreads.h"
#include "lib/Target/Cuda/PrintOps.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace graphc::cuda {

std::string typeName(Type type, bool wideIndex) {
  if (auto vector = dyn_cast<VectorType>(type))
    return "gc::vec<" + typeName(vector.getElementType(), wideIndex) + ", " +
           std::to_string(vector.getNumElements()) + ">";
  if (auto memory = dyn_cast<MemRefType>(type))
    return typeName(memory.getElementType(), wideIndex) + " *";
  if (type.isIndex())
    return wideIndex ? "long long" : "int";
  if (type.isF16())
    return "gc::half";
  if (type.isBF16())
    return "gc::bfloat16";
  if (type.isF32())
    return "float";
  if (type.isF64())
    return "double";
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return "bool";
  case 8:
    return "signed char";
  case 16:
    return "short";
  case 32:
    return "int";
  default:
    return "long long";
  }
}

namespace {

class FunctionPrinter {
public:
  FunctionPrinter(gpu::GPUFuncOp function, llvm::raw_ostream &tables,
                  llvm::raw_ostream &os)
      : function(function), os(os),
        names(needsWideIndex(function), function.getName(), tables) {}

  bool print(std::string &notYet) {
    // As many registers as it takes: of itself ptxas spills to fit more blocks
    // into a multiprocessor.
    os << "extern \"C\" __global__ void __launch_bounds__(" << kBlockThreads
       << ", 1"
       << ")\n"
       << function.getName() << "(";
    int64_t k = 0;
    llvm::interleaveComma(function.getArguments().take_front(
                              function.getFunctionType().getNumInputs()),
                          os, [&](Value argument) {
                            std::string name = "a" + std::to_string(k++);
                            names.set(argument, name);
                            os << names.declare(argument.getType(), name);
                          });
    os << ") {\n";
    depth = 1;
    for (auto [number, memory] :
         llvm::enumerate(function.getWorkgroupAttributions())) {
      auto type = cast<MemRefType>(memory.getType());
      std::string name = "s" + std::to_string(number);
      names.set(memory, name);
      line() << "GC_SHARED(" << names.type(type.getElementType()) << ", "
             << name << ", " << type.getNumElements() << ");\n";
    }
    printBlock(function.getBody().front());
    os << "}\n";
    notYet = missing;
    return missing.empty();
  }

private:
  llvm::raw_ostream &line() { return os.indent(2 * depth); }

  void assign(OperandRange values, ArrayRef<std::string> targets) {
    // A variable may be read by a later assignment: then all are read first.
    bool needsCopies = false;
    for (size_t k = 0; k < targets.size(); ++k)
      for (size_t j = 0; j < k; ++j)
        needsCopies |= names.get(values[k]) == targets[j];
    std::vector<std::string> sources;
    for (Value value : values) {
      sources.push_back(names.get(value));
      if (!needsCopies)
        continue;
      std::string copy = names.fresh();
      line() << names.declare(value.getType(), copy) << " = " << sources.back()
             << ";\n";
      sources.back() = copy;
    }
    for (auto [source, target] : llvm::zip_equal(sources, targets))
      if (source != target)
        line() << target << " = " << source << ";\n";
  }

  void printBlock(Block &block, ArrayRef<std::string> targets = {}) {
    for (Operation &op : block.without_terminator())
      printOp(op);
    if (auto yield = dyn_cast<scf::YieldOp>(block.getTerminator()))
      assign(yield->getOperands(), targets);
  }

  void printFor(scf::ForOp loop) {
    std::vector<std::string> carried;
    for (auto [init, argument, result] : llvm::zip_equal(
             loop.getInitArgs(), loop.getRegionIterArgs(), loop.getResults())) {
      carried.push_back(names.fresh());
      line() << names.declare(result.getType(), carried.back()) << " = "
             << names.get(init) << ";\n";
      names.set(argument, carried.back());
      names.set(result, carried.back());
    }
    Value iv = loop.getInductionVar();
    std::string name = names.define(iv);
    line() << "for (" << names.declare(iv.getType(), name) << " = "
           << names.get(loop.getLowerBound()) << "; " << name << " < "
           << names.get(loop.getUpperBound()) << "; " << name
           << " += " << names.get(loop.getStep()) << ") {\n";
    ++depth;
    printBlock(*loop.getBody(), carried);
    --depth;
    line() << "}\n";
  }

  void printIf(scf::IfOp ifOp) {
    std::vector<std::string> results;
    for (Value result : ifOp.getResults()) {
      results.push_back(names.define(result));
      line() << names.declare(result.getType(), results.back()) << ";\n";
    }
    line() << "if (" << names.get(ifOp.getCondition()) << ") {\n";
    ++depth;
    printBlock(*ifOp.thenBlock(), results);
    --depth;
    if (!ifOp.getElseRegion().empty()) {
      line() << "} else {\n";
      ++depth;
      printBlock(*ifOp.elseBlock(), results);
      --depth;
    }
    line() << "}\n";
  }

  void printOp(Operation &op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return printFor(loop);
    if (auto ifOp = dyn_cast<scf::IfOp>(op))
      return printIf(ifOp);
    if (names.isInline(op))
      return;
    if (auto alloca = dyn_cast<memref::AllocaOp>(op)) {
      MemRefType type = alloca.getType();
      line() << "alignas(16) " << names.type(type.getElementType()) << " "
             << names.define(alloca) << "[" << type.getNumElements() << "];\n";
      return;
    }
    std::vector<std::string> texts = printExpressions(op, names);
    if (texts.empty()) {
      if (missing.empty())
        missing = ("'" + op.getName().getStringRef() + "'").str();
      return;
    }
    if (op.getNumResults() == 0)
      line() << texts.front() << ";\n";
    for (auto [result, text] : llvm::zip(op.getResults(), texts)) {
      if (result.use_empty())
        continue;
      line() << names.declare(result.getType(), names.define(result)) << " = "
             << text << ";\n";
    }
  }

  gpu::GPUFuncOp function;
  llvm::raw_ostream &os;
  Names names;
  int depth = 0;
  std::string missing;
};

} // namespace

std::string printKernels(gpu::GPUModuleOp module, std::string &notYet) {
  std::string tables, text;
  llvm::raw_string_ostream tableStream(tables), os(text);
  for (auto function : module.getOps<gpu::GPUFuncOp>()) {
    os << "\n";
    if (!FunctionPrinter(function, tableStream, os).print(notYet))
      return "";
  }
  return "#include \"gc_prelude.cuh\"\n" + tables + text;
}

} // namespace graphc::cuda
