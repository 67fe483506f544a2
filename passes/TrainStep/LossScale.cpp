// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/TrainStep/LossScale.h"
#include "dialects/Graph/IR/GraphBuilders.h"
#include "passes/TrainStep/RandomKey.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace graphc {

func::FuncOp makeScaledLoss(func::FuncOp loss, StringRef name) {
  OpBuilder builder(loss);
  Location loc = loss.getLoc();
  auto scaleType = RankedTensorType::get({}, builder.getF32Type());
  auto lossType = cast<RankedTensorType>(loss.getResultTypes().front());
  Type wide = graph::getAccumulationType(lossType.getElementType());
  llvm::SmallVector<Type> inputs(loss.getArgumentTypes()),
      results = {lossType.clone(wide)};
  inputs.push_back(scaleType);
  llvm::append_range(results, loss.getResultTypes());
  auto function = builder.create<func::FuncOp>(
      loc, name, builder.getFunctionType(inputs, results));
  function.setPrivate();
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  auto call =
      builder.create<func::CallOp>(loc, loss, body->getArguments().drop_back());
  Value value = graph::castTo(builder, loc, call.getResult(0), wide);
  Value scale = graph::castTo(builder, loc, body->getArguments().back(), wide);
  Value scaled = builder.create<graph::MulOp>(loc, value, scale);
  // Whatever the loss is made of, its scale is f32.
  scaled.getDefiningOp()->setAttr(graph::kPrecisionAttr,
                                  TypeAttr::get(builder.getF32Type()));
  llvm::SmallVector<Value> returned = {scaled};
  llvm::append_range(returned, call.getResults());
  builder.create<func::ReturnOp>(loc, returned);
  return function;
}

Value areFinite(OpBuilder &builder, Location loc, ValueRange gradients) {
  auto f32 = builder.getF32Type();
  Value worst;
  for (Value gradient : gradients) {
    auto type = graph::tensorTypeOf(gradient).clone(f32);
    Value isFinite = builder.create<graph::IsFiniteOp>(loc, gradient);
    Value isBad = builder.create<graph::SelectOp>(
        loc, type, isFinite, graph::splat(builder, loc, type, 0.0),
        graph::splat(builder, loc, type, 1.0));
    Value any =
        builder.create<graph::ReduceMaxOp>(loc, isBad, graph::allAxes(isBad));
    worst = worst ? builder.create<graph::MaximumOp>(loc, worst, any) : any;
  }
  return builder.create<graph::CompareOp>(
      loc, graph::ComparePredicate::LT, worst,
      graph::splatLike(builder, loc, worst, 1.0));
}

llvm::SmallVector<Value> unscale(OpBuilder &builder, Location loc, Value scale,
                                 ValueRange gradients) {
  Value inverse = builder.create<graph::DivOp>(
      loc, graph::splatLike(builder, loc, scale, 1.0), scale);
  llvm::SmallVector<Value> unscaled;
  for (Value gradient : gradients) {
    Type element = graph::elementTypeOf(gradient);
    Type wide = graph::getAccumulationType(element);
    Value factor = graph::broadcastScalar(
        builder, loc, graph::castTo(builder, loc, inverse, wide),
        graph::tensorTypeOf(gradient).getShape());
    Value product = builder.create<graph::MulOp>(
        loc, graph::castTo(builder, loc, gradient, wide), factor);
    unscaled.push_back(graph::castTo(builder, loc, product, element));
  }
  return unscaled;
}

Value chooseIf(OpBuilder &builder, Location loc, Value isGood, Value value,
               Value old) {
  Value all = graph::broadcastScalar(builder, loc, isGood,
                                     graph::tensorTypeOf(value).getShape());
  return builder.create<graph::SelectOp>(loc, value.getType(), all, value, old);
}

void updateScale(OpBuilder &builder, Location loc, const LossScale &scale) {
  auto like = [&](Value x, double value) {
    return graph::splatLike(builder, loc, x, value);
  };
  auto plusOne = [&](Value count) -> Value {
    return builder.create<graph::AddOp>(loc, count, like(count, 1));
  };
  auto choose = [&](Value condition, Value a, Value b) -> Value {
    return builder.create<graph::SelectOp>(loc, a.getType(), condition, a, b);
  };
  Value good = plusOne(scale.goodSteps);
  Value isFull = builder.create<graph::CompareOp>(
      loc, graph::ComparePredicate::GE, good,
      like(good, static_cast<double>(kGrowthInterval)));
  // Both the scale and its inverse stay normal numbers.
  constexpr double kMost = 0x1p126, kLeast = 0x1p-126;
  Value doubled = builder.create<graph::MinimumOp>(
      loc,
      builder.create<graph::MulOp>(loc, scale.scale, like(scale.scale, 2.0)),
      like(scale.scale, kMost));
  Value halved = builder.create<graph::MaximumOp>(
      loc,
      builder.create<graph::MulOp>(loc, scale.scale, like(scale.scale, 0.5)),
      like(scale.scale, kLeast));
  Value next =
      choose(scale.isGood, choose(isFull, doubled, scale.scale), halved);
  Value zero = like(good, 0);
  builder.create<graph::SetOp>(loc, scale.scaleSymbol, next);
  builder.create<graph::SetOp>(
      loc, scale.goodStepsSymbol,
      choose(scale.isGood, choose(isFull, zero, good), zero));
  builder.create<graph::SetOp>(loc, scale.attemptsSymbol,
                               plusOne(scale.attempts));
}

llvm::SmallVector<graph::SetOp> findStatistics(func::FuncOp loss) {
  llvm::MapVector<Attribute, graph::SetOp> sets;
  loss.walk([&](graph::SetOp set) {
    if (set.getVariable() != kRandomKey)
      sets.insert({set.getVariableAttr(), set});
  });
  return llvm::map_to_vector(sets, [](auto &pair) { return pair.second; });
}

} // namespace graphc
