// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Analysis/GraphDot.h"

#include "dialects/Graph/IR/GradientLoc.h"
#include "dialects/Graph/IR/Graph.h"
#include "dialects/Graph/IR/KnownAttributes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace graphc {
namespace {

std::string quoted(StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += (unsigned char)c < 0x20 ? ' ' : c;
  }
  return result + "\"";
}

std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    for (int64_t dim : tensor.getShape())
      os << dim << "x";
    type = tensor.getElementType();
  }
  os << type;
  return text;
}

class Writer {
public:
  explicit Writer(raw_ostream &os) : os(os) {}

  void write(ModuleOp module) {
    os << "digraph " << quoted(module.getName().value_or("model")) << " {\n"
       << "  compound = true;\n"
       << "  node [shape = box, style = filled, fillcolor = white, "
          "fontname = \"sans-serif\", fontsize = 10];\n"
       << "  edge [fontname = \"sans-serif\", fontsize = 8];\n";
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isExternal())
        write(function);
    for (const std::string &edge : edges)
      os << "  " << edge << "\n";
    os << "}\n";
  }

private:
  void write(func::FuncOp function) {
    openCluster("@" + function.getSymName().str(), "#fafafa");
    for (BlockArgument argument : function.getArguments()) {
      auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                        graph::kNameAttr);
      std::string label =
          name && !name.getValue().empty()
              ? name.getValue().str()
              : "input " + std::to_string(argument.getArgNumber());
      nodes[argument] = node(label, "ellipse", "#ffffff");
    }
    write(function.getBody().front());
    closeCluster();
  }

  void write(Block &block) {
    for (Operation &op : block) {
      if (auto fused = dyn_cast<graph::FusedOp>(op))
        writeFused(fused);
      else if (auto loop = dyn_cast<graph::ForOp>(op))
        writeLoop(loop);
      else
        writeOp(&op);
    }
  }

  /// A region's arguments are the values that it is given.
  void writeFused(graph::FusedOp fused) {
    Block &body = fused.getBody().front();
    openCluster("kernel", "#e8f0fe");
    for (auto [argument, input] :
         llvm::zip_equal(body.getArguments(), fused.getInputs()))
      nodes[argument] = nodes.lookup(input);
    for (Operation &op : body.without_terminator())
      writeOp(&op);
    closeCluster();
    for (auto [result, value] : llvm::zip_equal(
             fused->getResults(), body.getTerminator()->getOperands()))
      nodes[result] = nodes.lookup(value);
  }

  void writeLoop(graph::ForOp loop) {
    Block &body = loop.getBody().front();
    openCluster("for " + std::to_string(loop.getCount()), "#fff7e0");
    nodes[body.getArgument(0)] = node("iteration", "ellipse", "#ffffff");
    for (auto [argument, init] :
         llvm::zip_equal(body.getArguments().drop_front(), loop.getInits()))
      nodes[argument] = nodes.lookup(init);
    write(body);
    closeCluster();
    for (auto [result, value] : llvm::zip_equal(
             loop->getResults(), body.getTerminator()->getOperands()))
      nodes[result] = nodes.lookup(value);
  }

  void writeOp(Operation *op) {
    if (isa<graph::YieldOp>(op))
      return;
    StringRef name = op->getName().getStringRef();
    name.consume_front("graph.");
    std::string label = name.str();
    StringRef color = "#ffffff";
    if (auto get = dyn_cast<graph::GetOp>(op)) {
      label = "@" + get.getVariable().str();
      color = "#e6f4ea";
    } else if (auto set = dyn_cast<graph::SetOp>(op)) {
      label = "set @" + set.getVariable().str();
      color = "#e6f4ea";
    } else if (isa<func::ReturnOp>(op)) {
      label = "return";
    } else if (!graph::gradientOf(op->getLoc()).empty()) {
      color = "#fce8e6";
    }
    std::string id = node(label, "box", color);
    for (Value operand : op->getOperands())
      if (auto found = nodes.find(operand); found != nodes.end())
        edges.push_back(found->second + " -> " + id + " [label = " +
                        quoted(textOf(operand.getType())) + "];");
    for (Value result : op->getResults())
      nodes[result] = id;
  }

  std::string node(StringRef label, StringRef shape, StringRef color) {
    std::string id = "n" + std::to_string(nextNode++);
    indent() << id << " [label = " << quoted(label) << ", shape = " << shape
             << ", fillcolor = \"" << color << "\"];\n";
    return id;
  }

  void openCluster(StringRef label, StringRef color) {
    indent() << "subgraph cluster_" << nextCluster++ << " {\n";
    ++depth;
    indent() << "label = " << quoted(label)
             << "; style = filled; fillcolor = \"" << color << "\";\n";
  }
  void closeCluster() {
    --depth;
    indent() << "}\n";
  }
  raw_ostream &indent() { return os.indent(2 + 2 * depth); }

  raw_ostream &os;
  unsigned nextNode = 0, nextCluster = 0, depth = 0;
  llvm::DenseMap<Value, std::string> nodes;
  std::vector<std::string> edges;
};

} // namespace

void printDot(ModuleOp module, raw_ostream &os) { Writer(os).write(module); }

} // namespace graphc
