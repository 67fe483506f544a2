// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/graph-random/Generate.h"

#include "tools/graph-random/Generator.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace graphc::random {

using interpreter::RandomStream;

static const Draws &draws() {
  static const Draws all = [] {
    Draws draws;
    addElementwiseDraws(draws);
    addShapeDraws(draws);
    addNetsDraws(draws);
    addConvDraws(draws);
    addIndexDraws(draws);
    return draws;
  }();
  return all;
}

Counts allOps() {
  Counts counts;
  for (const auto &draw : draws())
    counts[draw.first] = 0;
  return counts;
}

OwningOpRef<ModuleOp> generate(MLIRContext *context, RandomStream &stream,
                               Counts &counts, int ops) {
  Location loc = UnknownLoc::get(context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc, "random");
  auto function =
      func::FuncOp::create(loc, "f", FunctionType::get(context, {}, {}));
  module->push_back(function);
  function.addEntryBlock();
  Generator generator(function, stream);
  for (int k = 0; k < ops; ++k) {
    // Of four ops the one that was drawn least so far.
    auto chosen = counts.end();
    for (int candidate = 0; candidate < 4; ++candidate) {
      auto it = std::next(counts.begin(), stream.integer(0, counts.size() - 1));
      if (chosen == counts.end() || it->second < chosen->second)
        chosen = it;
    }
    size_t before = generator.pool.size();
    draws().at(chosen->first)(generator);
    chosen->second += generator.pool.size() > before;
  }
  generator.b.create<func::ReturnOp>(loc, generator.pool);
  function.setFunctionType(FunctionType::get(
      context, generator.block->getArgumentTypes(),
      llvm::to_vector(ValueRange(generator.pool).getTypes())));
  return module;
}

bool addGradient(ModuleOp module, RandomStream &stream) {
  auto f = module.lookupSymbol<func::FuncOp>("f");
  func::FuncOp loss = f.clone();
  loss.setSymName("loss");
  auto ret = cast<func::ReturnOp>(loss.getBody().front().getTerminator());
  OpBuilder b(ret);
  Location loc = ret.getLoc();
  auto scalar = RankedTensorType::get({}, b.getF32Type());
  Value sum;
  for (Value value : ret.getOperands()) {
    auto type = cast<RankedTensorType>(value.getType());
    if (!isa<FloatType>(type.getElementType()) || stream.integer(0, 2) == 0)
      continue;
    SmallVector<int64_t> axes =
        llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    Value wide =
        b.create<graph::CastOp>(loc, type.clone(b.getF32Type()), value);
    Value part =
        b.create<graph::ReduceSumOp>(loc, wide, b.getDenseI64ArrayAttr(axes));
    sum = sum ? Value(b.create<graph::AddOp>(loc, scalar, sum, part)) : part;
  }
  SmallVector<int64_t> inputs;
  for (auto [k, type] : llvm::enumerate(loss.getArgumentTypes()))
    if (isa<FloatType>(getElementTypeOrSelf(type)))
      inputs.push_back(k);
  if (!sum || inputs.empty()) {
    loss.erase();
    return false;
  }
  b.create<func::ReturnOp>(loc, sum);
  ret.erase();
  loss.setFunctionType(
      FunctionType::get(b.getContext(), loss.getArgumentTypes(), {scalar}));
  module.push_back(loss);
  b.setInsertionPointToEnd(module.getBody());
  b.create<graph::GradOp>(loc, b.getStringAttr("dloss"),
                          FlatSymbolRefAttr::get(b.getContext(), "loss"),
                          b.getArrayAttr({}), b.getDenseI64ArrayAttr(inputs),
                          graph::ModeAttr());
  return true;
}

} // namespace graphc::random
