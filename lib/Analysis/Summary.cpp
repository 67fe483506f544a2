// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Analysis/Summary.h"

#include "dialects/Graph/IR/GradientLoc.h"
#include "dialects/Graph/IR/Graph.h"
#include "dialects/Plan/IR/Plan.h"
#include "lib/Analysis/Cost.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Format.h"

using namespace mlir;

namespace graphc {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

int64_t sum(int64_t a, int64_t b) { return a > kMost - b ? kMost : a + b; }

int64_t product(int64_t a, int64_t b) {
  int64_t result = 0;
  return llvm::MulOverflow(a, b, result) ? kMost : result;
}

/// "1,234,567"
std::string grouped(int64_t number) {
  std::string text = std::to_string(number);
  for (int64_t at = int64_t(text.size()) - 3; at > 0; at -= 3)
    text.insert(at, ",");
  return text;
}

/// "8x30xf32"
std::string shapeOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!tensor) {
    os << type;
    return text;
  }
  for (int64_t dim : tensor.getShape())
    os << dim << "x";
  os << tensor.getElementType();
  return text;
}

int64_t bytesOf(ValueRange values) {
  int64_t bytes = 0;
  for (Type type : values.getTypes())
    bytes = sum(bytes, graphc::bytesOf(type));
  return bytes;
}

OpCosts costsOf(Operation *op) {
  OpCosts costs;
  costs.ops = 1;
  costs.flops = workOf(op).flops;
  costs.bytes = sum(bytesOf(op->getOperands()), bytesOf(op->getResults()));
  return costs;
}

/// Reads, writes and constants cost nothing by themselves.
bool isWork(Operation *op) {
  return !isa<graph::GetOp, graph::SetOp, graph::ForOp, func::ReturnOp>(op) &&
         !op->hasTrait<OpTrait::ConstantLike>() &&
         !op->hasTrait<OpTrait::IsTerminator>();
}

/// The trainable elements that `op` reads itself.
int64_t parametersOf(Operation *op, SymbolTable &symbols) {
  int64_t count = 0;
  llvm::SmallDenseSet<Attribute> seen;
  for (Value operand : op->getOperands()) {
    auto get = operand.getDefiningOp<graph::GetOp>();
    if (!get || !seen.insert(get.getVariableAttr()).second)
      continue;
    auto variable = symbols.lookup<graph::VariableOp>(get.getVariable());
    if (variable && variable.getTrainable())
      count = sum(count, variable.getTensorType().getNumElements());
  }
  return count;
}

struct Row {
  std::string op, output, parameters, flops, bytes, place;
};

class Table {
public:
  explicit Table(raw_ostream &os) : os(os) {
    rows.push_back({"op", "output", "parameters", "FLOPs", "bytes", "from"});
  }
  void add(Row row) { rows.push_back(std::move(row)); }
  void print() {
    auto widest = [&](std::string Row::*column) {
      size_t width = 0;
      for (const Row &row : rows)
        width = std::max(width, (row.*column).size());
      return unsigned(width);
    };
    unsigned op = widest(&Row::op), output = widest(&Row::output),
             parameters = widest(&Row::parameters), flops = widest(&Row::flops),
             bytes = widest(&Row::bytes);
    for (const Row &row : rows) {
      std::string line;
      llvm::raw_string_ostream text(line);
      text << "  " << llvm::left_justify(row.op, op) << "  "
           << llvm::left_justify(row.output, output) << "  "
           << llvm::right_justify(row.parameters, parameters) << "  "
           << llvm::right_justify(row.flops, flops) << "  "
           << llvm::right_justify(row.bytes, bytes) << "  " << row.place;
      os << StringRef(line).rtrim() << "\n";
    }
  }

private:
  raw_ostream &os;
  std::vector<Row> rows;
};

enum Part { Forward, Backward, Update };

class FunctionSummary {
public:
  FunctionSummary(func::FuncOp function, SymbolTable &symbols, raw_ostream &os)
      : function(function), symbols(symbols), os(os), table(os) {
    auto kindAttr = function->getAttrOfType<StringAttr>("graph.kind");
    kind = kindAttr ? kindAttr.getValue() : StringRef();
  }

  void print() {
    os << "@" << function.getSymName();
    if (!kind.empty())
      os << " (" << kind << ")";
    os << ": " << function.getFunctionType() << "\n";
    visit(function.getBody().front(), 1);
    printSums();
    table.print();
  }

private:
  void visit(Block &block, int64_t times) {
    for (Operation &op : block) {
      if (auto loop = dyn_cast<graph::ForOp>(op))
        visit(loop.getBody().front(), product(times, loop.getCount()));
      else if (isWork(&op))
        visit(&op, times);
    }
  }

  Part partOf(Operation *op) {
    if (kind.empty())
      return Forward;
    if (!graph::gradientOf(op->getLoc()).empty())
      return Backward;
    // TrainStep puts its ops where the graph.train or graph.grad stands.
    if (op->getLoc() == function.getLoc())
      return kind == "train" ? Update : Backward;
    return Forward;
  }

  void visit(Operation *op, int64_t times) {
    OpCosts costs;
    costs.add(costsOf(op), times);
    Part part = partOf(op);
    sums[part].add(costs);
    if (part != Forward)
      return;
    int64_t parameters = parametersOf(op, symbols);
    Row row;
    row.op = op->getName().getStringRef().str();
    if (times != 1)
      row.op += " x" + std::to_string(times);
    for (Type type : op->getResultTypes())
      row.output += (row.output.empty() ? "" : ", ") + shapeOf(type);
    row.parameters = parameters ? grouped(parameters) : "";
    row.flops = grouped(costs.flops);
    row.bytes = grouped(costs.bytes);
    row.place = graph::placeOf(op->getLoc());
    table.add(row);
  }

  void printSums() {
    int64_t parameters = 0;
    llvm::SmallDenseSet<Attribute> seen;
    function.walk([&](graph::GetOp get) {
      auto variable = symbols.lookup<graph::VariableOp>(get.getVariable());
      if (seen.insert(get.getVariableAttr()).second && variable &&
          variable.getTrainable())
        parameters = sum(parameters, variable.getTensorType().getNumElements());
    });
    auto add = [&](const Twine &name, const OpCosts &costs,
                   bool withParameters) {
      Row row;
      row.op = name.str();
      row.output = grouped(costs.ops) + (costs.ops == 1 ? " op" : " ops");
      row.parameters = withParameters ? grouped(parameters) : "";
      row.flops = grouped(costs.flops);
      row.bytes = grouped(costs.bytes);
      table.add(row);
    };
    OpCosts total;
    for (const OpCosts &costs : sums)
      total.add(costs);
    if (!kind.empty()) {
      add("= forward", sums[Forward], false);
      add("= backward", sums[Backward], false);
      if (kind == "train")
        add("= update", sums[Update], false);
    }
    add("= total", total, true);
  }

  func::FuncOp function;
  SymbolTable &symbols;
  raw_ostream &os;
  Table table;
  StringRef kind;
  OpCosts sums[3];
};

void printVariables(ModuleOp module, raw_ostream &os) {
  int64_t count = 0, elements = 0, parameterBytes = 0, others = 0,
          otherBytes = 0;
  for (auto variable : module.getOps<graph::VariableOp>()) {
    RankedTensorType type = variable.getTensorType();
    if (variable.getTrainable()) {
      ++count;
      elements = sum(elements, type.getNumElements());
      parameterBytes = sum(parameterBytes, plan::getByteSize(type));
    } else {
      ++others;
      otherBytes = sum(otherBytes, plan::getByteSize(type));
    }
  }
  os << grouped(elements) << " parameters in " << grouped(count)
     << (count == 1 ? " variable, " : " variables, ") << grouped(parameterBytes)
     << " bytes; other state: " << grouped(others)
     << (others == 1 ? " variable, " : " variables, ") << grouped(otherBytes)
     << " bytes\n";
}

} // namespace

void OpCosts::add(const OpCosts &other, int64_t times) {
  ops = sum(ops, product(other.ops, times));
  flops = sum(flops, product(other.flops, times));
  bytes = sum(bytes, product(other.bytes, times));
}

void printSummary(ModuleOp module, raw_ostream &os) {
  SymbolTable symbols(module);
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isPrivate() || function.isExternal())
      continue;
    FunctionSummary(function, symbols, os).print();
    os << "\n";
  }
  printVariables(module, os);
}

} // namespace graphc
