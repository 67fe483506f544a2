// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/Plan/RandomFunction.h"

#include "dialects/Graph/IR/Graph.h"
#include "dialects/Plan/IR/Plan.h"

using namespace mlir;
using namespace graphc;

namespace {

class Generator {
public:
  Generator(MLIRContext *context, std::mt19937 &random)
      : builder(context), random(random) {}

  OwningOpRef<ModuleOp> make() {
    Location loc = builder.getUnknownLoc();
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    moduleBody = module->getBody();
    builder.setInsertionPointToEnd(moduleBody);
    unsigned variableCount = pick(4);
    for (unsigned i = 0; i < variableCount; ++i)
      variables.push_back(builder.create<graph::VariableOp>(
          loc, "v" + std::to_string(i), anyType(),
          graph::ZerosAttr::get(builder.getContext()), false, false, false,
          graph::PanelsAttr()));

    SmallVector<Type> inputs, outputs;
    for (unsigned i = pick(4); i > 0; --i)
      inputs.push_back(anyType());
    auto function = builder.create<func::FuncOp>(
        loc, "f", builder.getFunctionType(inputs, {}));
    OpBuilder::InsertionGuard guard(builder);
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToEnd(body);
    SmallVector<Value> values(body->getArguments());
    for (graph::VariableOp variable : variables)
      if (pick(4) != 0)
        values.push_back(builder.create<graph::GetOp>(
            loc, variable.getTensorType(), variable.getSymName()));
    fillBody(values, 1 + pick(8), 2);
    for (graph::VariableOp variable : variables)
      if (Value value = anyOf(values, variable.getTensorType());
          value && pick(3) != 0)
        builder.create<graph::SetOp>(loc, variable.getSymName(), value);
    SmallVector<Value> results;
    for (unsigned i = pick(4); i > 0 && !values.empty(); --i)
      results.push_back(recent(values));
    builder.create<func::ReturnOp>(loc, results);
    function.setType(
        builder.getFunctionType(inputs, ValueRange(results).getTypes()));
    return module;
  }

private:
  unsigned pick(unsigned count) { return random() % count; }

  RankedTensorType anyType() {
    unsigned sizes[] = {4, 4, 4, 8, 0};
    return RankedTensorType::get({sizes[pick(5)]}, builder.getF32Type());
  }

  /// One of the values, rather a late one.
  Value recent(ArrayRef<Value> values) {
    unsigned a = pick(values.size()), b = pick(values.size());
    return values[std::max(a, b)];
  }

  Value anyOf(ArrayRef<Value> values, Type type) {
    SmallVector<Value> fitting;
    for (Value value : values)
      if (value.getType() == type)
        fitting.push_back(value);
    return fitting.empty() ? Value() : recent(fitting);
  }

  void fillBody(SmallVector<Value> &values, unsigned count, unsigned depth) {
    for (; count > 0; --count) {
      unsigned choice = pick(12);
      if (choice == 0)
        values.push_back(makeConstant());
      else if (choice <= 2 && depth > 0)
        makeLoop(values, depth);
      else
        makeLaunch(values);
    }
  }

  Value makeConstant() {
    RankedTensorType type = anyType();
    SmallVector<float> elements(type.getNumElements());
    bool isUniform = pick(2);
    for (auto [i, element] : llvm::enumerate(elements))
      element = isUniform ? 0.0f : float(i + pick(2));
    return builder.create<graph::ConstantOp>(
        builder.getUnknownLoc(),
        DenseElementsAttr::get(type, ArrayRef(elements)));
  }

  void makeLoop(SmallVector<Value> &values, unsigned depth) {
    Location loc = builder.getUnknownLoc();
    SmallVector<Value> inits;
    for (unsigned i = pick(4); i > 0 && !values.empty(); --i)
      inits.push_back(recent(values));
    OperationState state(loc, graph::ForOp::getOperationName());
    state.addOperands(inits);
    state.addTypes(ValueRange(inits).getTypes());
    state.addAttribute("count", builder.getI64IntegerAttr(pick(4)));
    Region *region = state.addRegion();
    Block *body = new Block;
    region->push_back(body);
    body->addArgument(RankedTensorType::get({}, builder.getI64Type()), loc);
    for (Value init : inits)
      body->addArgument(init.getType(), loc);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToEnd(body);
      SmallVector<Value> inner(values);
      for (BlockArgument argument : body->getArguments().drop_front(pick(2)))
        inner.push_back(argument);
      fillBody(inner, pick(5), depth - 1);
      SmallVector<Value> nexts;
      for (Value init : inits)
        nexts.push_back(anyOf(inner, init.getType()));
      builder.create<graph::YieldOp>(loc, nexts);
    }
    Operation *loop = builder.create(state);
    values.append(loop->result_begin(), loop->result_end());
  }

  void makeLaunch(SmallVector<Value> &values) {
    SmallVector<Value> inputs;
    for (unsigned i = pick(4); i > 0 && !values.empty(); --i)
      inputs.push_back(recent(values));
    SmallVector<Type> outputs, memrefs;
    for (unsigned i = 1 + pick(2); i > 0; --i)
      outputs.push_back(anyType());
    auto toMemref = [](Type type) -> Type {
      auto tensor = cast<RankedTensorType>(type);
      return MemRefType::get(tensor.getShape(), tensor.getElementType());
    };
    for (Value input : inputs)
      memrefs.push_back(toMemref(input.getType()));
    if (pick(4) == 0)
      memrefs.push_back(MemRefType::get({64}, builder.getI8Type()));
    for (Type output : outputs)
      memrefs.push_back(toMemref(output));
    memrefs.push_back(builder.getI64Type());

    SmallVector<plan::InPlacePair> pairs;
    for (auto [o, output] : llvm::enumerate(outputs))
      for (auto [i, input] : llvm::enumerate(inputs))
        if (input.getType() == output && pick(2) == 0)
          pairs.push_back({int64_t(o), int64_t(i)});
    auto launch = builder.create<plan::LaunchOp>(
        builder.getUnknownLoc(), outputs, kernelOf(memrefs), inputs,
        ArrayRef<int64_t>{int64_t(pick(3))}, pairs, StringAttr(),
        /*mayFail=*/pick(10) == 0, /*parallel=*/false);
    values.append(launch.getOutputs().begin(), launch.getOutputs().end());
  }

  FlatSymbolRefAttr kernelOf(ArrayRef<Type> arguments) {
    auto type = builder.getFunctionType(arguments, {});
    auto [it, isNew] = kernels.try_emplace(type);
    if (isNew) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToEnd(moduleBody);
      auto kernel = builder.create<func::FuncOp>(
          builder.getUnknownLoc(), "k" + std::to_string(kernels.size()), type);
      kernel.setPrivate();
      kernel->setAttr(plan::PlanDialect::getKernelAttrName(),
                      builder.getUnitAttr());
      it->second = FlatSymbolRefAttr::get(kernel.getSymNameAttr());
    }
    return it->second;
  }

  OpBuilder builder;
  std::mt19937 &random;
  Block *moduleBody = nullptr;
  SmallVector<graph::VariableOp> variables;
  llvm::DenseMap<Type, FlatSymbolRefAttr> kernels;
};

} // namespace

OwningOpRef<ModuleOp> makeRandomModule(MLIRContext *context,
                                       std::mt19937 &random) {
  return Generator(context, random).make();
}
