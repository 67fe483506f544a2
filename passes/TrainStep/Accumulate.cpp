// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over micro-batches. Loss, weight and gradients accumulate in the
// accumulation type and are divided once, at the end.
#include "passes/TrainStep/Accumulate.h"
#include "dialects/Graph/IR/GraphBuilders.h"
#include "passes/TrainStep/RandomKey.h"

using namespace mlir;

namespace graphc {

FailureOr<FunctionType> stepType(graph::TrainOp op, func::FuncOp loss) {
  auto count = static_cast<int64_t>(op.getAccumulate());
  if (count == 1)
    return loss.getFunctionType();
  unsigned scalars = op.getWeighted() ? 2 : 1;
  auto widen = [&](Type type) -> FailureOr<Type> {
    auto tensor = cast<RankedTensorType>(type);
    llvm::SmallVector<int64_t> shape(tensor.getShape());
    if (llvm::MulOverflow(shape[0], count, shape[0]))
      return op.emitOpError("expects sizes that can be counted, but got ")
             << count << " micro-batches of " << type;
    return Type(tensor.clone(shape));
  };
  llvm::SmallVector<Type> inputs, results;
  for (Type type : loss.getArgumentTypes()) {
    FailureOr<Type> whole = type;
    if (cast<RankedTensorType>(type).getRank() != 0)
      whole = widen(type);
    if (failed(whole))
      return failure();
    inputs.push_back(*whole);
  }
  for (auto [k, type] : llvm::enumerate(loss.getResultTypes())) {
    auto tensor = cast<RankedTensorType>(type);
    FailureOr<Type> whole = type;
    if (tensor.getRank() == 0 && k >= scalars)
      whole = Type(tensor.clone(count)); // stacked
    else if (tensor.getRank() != 0)
      whole = widen(type);
    if (failed(whole))
      return failure();
    results.push_back(*whole);
  }
  return FunctionType::get(op.getContext(), inputs, results);
}

namespace {

class Accumulation {
public:
  Accumulation(OpBuilder &builder, graph::TrainOp op, func::FuncOp loss,
               ArrayRef<graph::VariableOp> variables, func::FuncOp scaledLoss,
               Value scale)
      : builder(builder), op(op), loss(loss), scaledLoss(scaledLoss),
        scale(scale), loc(op.getLoc()), results(loss.getNumResults()),
        scalars(op.getWeighted() ? 2 : 1) {
    for (graph::VariableOp variable : variables) {
      names.push_back(FlatSymbolRefAttr::get(variable.getSymNameAttr()));
      types.push_back(variable.getTensorType());
    }
  }

  LossAndGradients runOnce(ValueRange arguments);
  LossAndGradients runLoop(ValueRange arguments, TypeRange resultTypes,
                           Value key);

private:
  llvm::SmallVector<Value> callLoss(ValueRange arguments);
  Value slice(Value whole, RankedTensorType part, Value number);
  Value join(Value whole, Value part, Value number);
  llvm::SmallVector<Value> startsOf(RankedTensorType part, Value number);
  Value divide(Value sum, Value by, Type element);
  LossAndGradients finish(ArrayRef<Value> values, Value weight);

  OpBuilder &builder;
  graph::TrainOp op;
  func::FuncOp loss, scaledLoss; // that one null without a scale
  Value scale;
  Location loc;
  unsigned results, scalars; // of the loss function; those that are summed
  llvm::SmallVector<Attribute> names;
  llvm::SmallVector<RankedTensorType> types;
};

/// Results and gradients of one micro-batch.
llvm::SmallVector<Value> Accumulation::callLoss(ValueRange arguments) {
  func::FuncOp called = scale ? scaledLoss : loss;
  llvm::SmallVector<Value> all(arguments);
  if (scale)
    all.push_back(scale);
  llvm::SmallVector<Type> given(called.getResultTypes());
  llvm::append_range(given, types);
  auto grad = builder.create<graph::ValueAndGradOp>(
      loc, given, FlatSymbolRefAttr::get(called.getSymNameAttr()), all,
      builder.getArrayAttr(names), builder.getDenseI64ArrayAttr({}),
      graph::ModeAttr::get(builder.getContext(), graph::Mode::Train));
  return llvm::to_vector(
      ValueRange(grad.getResults()).drop_front(scale ? 1 : 0));
}

/// Where micro-batch `number` starts: rows first, the rest from 0.
llvm::SmallVector<Value> Accumulation::startsOf(RankedTensorType part,
                                                Value number) {
  Value rows = graph::splatLike(builder, loc, number,
                                static_cast<double>(part.getDimSize(0)));
  Value zero = graph::splatLike(builder, loc, number, 0);
  llvm::SmallVector<Value> starts(part.getRank(), zero);
  starts[0] = builder.create<graph::MulOp>(loc, number, rows);
  return starts;
}

Value Accumulation::slice(Value whole, RankedTensorType part, Value number) {
  if (part.getRank() == 0)
    return whole;
  return builder.create<graph::DynamicSliceOp>(
      loc, whole, startsOf(part, number), part.getShape());
}

Value Accumulation::join(Value whole, Value part, Value number) {
  if (graph::tensorTypeOf(part).getRank() == 0)
    part = graph::reshapeTo(builder, loc, part, {1});
  return builder.create<graph::DynamicUpdateSliceOp>(
      loc, whole, part, startsOf(graph::tensorTypeOf(part), number));
}

/// `sum` over the scalar `by`, as `element`.
Value Accumulation::divide(Value sum, Value by, Type element) {
  RankedTensorType type = graph::tensorTypeOf(sum);
  by = graph::castTo(builder, loc, by, type.getElementType());
  by = graph::broadcastScalar(builder, loc, by, type.getShape());
  return graph::castTo(builder, loc, builder.create<graph::DivOp>(loc, sum, by),
                       element);
}

/// Divides the sums of loss and gradients by `weight`. Where nothing counted
/// they are zeros and stay so: 0 / 0 would end the training.
LossAndGradients Accumulation::finish(ArrayRef<Value> values, Value weight) {
  LossAndGradients all;
  if (op.getWeighted()) {
    Value isNone = builder.create<graph::CompareOp>(
        loc, graph::ComparePredicate::EQ, weight,
        graph::splatLike(builder, loc, weight, 0.0));
    weight = builder.create<graph::SelectOp>(
        loc, weight.getType(), isNone,
        graph::splatLike(builder, loc, weight, 1.0), weight);
  }
  auto lossType = cast<RankedTensorType>(loss.getResultTypes().front());
  all.results.push_back(
      divide(values.front(), weight, lossType.getElementType()));
  if (op.getWeighted())
    all.results.push_back(
        graph::castTo(builder, loc, values[1], lossType.getElementType()));
  all.results.append(values.begin() + scalars, values.begin() + results);
  for (auto [sum, type] : llvm::zip_equal(values.drop_front(results), types))
    all.gradients.push_back(divide(sum, weight, type.getElementType()));
  return all;
}

LossAndGradients Accumulation::runOnce(ValueRange arguments) {
  llvm::SmallVector<Value> values = callLoss(arguments);
  if (op.getWeighted())
    return finish(values, values[1]);
  LossAndGradients all;
  all.results.assign(values.begin(), values.begin() + results);
  all.gradients.assign(values.begin() + results, values.end());
  return all;
}

LossAndGradients Accumulation::runLoop(ValueRange arguments,
                                       TypeRange resultTypes, Value key) {
  auto sumType = [](RankedTensorType type) {
    return type.clone(graph::getAccumulationType(type.getElementType()));
  };
  llvm::SmallVector<Value> inits;
  for (auto [k, type] : llvm::enumerate(resultTypes)) {
    auto tensor = cast<RankedTensorType>(type);
    inits.push_back(graph::splat(builder, loc,
                                 k < scalars ? sumType(tensor) : tensor, 0.0));
  }
  for (RankedTensorType type : types)
    inits.push_back(graph::splat(builder, loc, sumType(type), 0.0));

  auto loop = builder.create<graph::ForOp>(loc, TypeRange(ValueRange(inits)),
                                           op.getAccumulate(), inits);
  Block &body = loop.getBody().emplaceBlock();
  Value number =
      body.addArgument(RankedTensorType::get({}, builder.getI64Type()), loc);
  for (Value init : inits)
    body.addArgument(init.getType(), loc);
  ValueRange carried = body.getArguments().drop_front();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&body);
  if (key)
    numberDraws(builder, loc, key, number);
  llvm::SmallVector<Value> slices;
  for (auto [argument, type] :
       llvm::zip_equal(arguments, loss.getArgumentTypes()))
    slices.push_back(slice(argument, cast<RankedTensorType>(type), number));
  llvm::SmallVector<Value> next;
  for (auto [k, value] : llvm::enumerate(callLoss(slices))) {
    if (k >= scalars && k < results) {
      next.push_back(join(carried[k], value, number));
      continue;
    }
    Value wide =
        graph::castTo(builder, loc, value, graph::elementTypeOf(carried[k]));
    next.push_back(builder.create<graph::AddOp>(loc, carried[k], wide));
  }
  builder.create<graph::YieldOp>(loc, next);

  builder.setInsertionPointAfter(loop);
  llvm::SmallVector<Value> values(loop.getResults());
  Value weight =
      op.getWeighted()
          ? values[1]
          : graph::splatLike(builder, loc, values[0],
                             static_cast<double>(op.getAccumulate()));
  return finish(values, weight);
}

} // namespace

LossAndGradients accumulateGradients(OpBuilder &builder, graph::TrainOp op,
                                     func::FuncOp loss, ValueRange arguments,
                                     ArrayRef<graph::VariableOp> variables,
                                     Value key, func::FuncOp scaledLoss,
                                     Value scale) {
  Accumulation accumulation(builder, op, loss, variables, scaledLoss, scale);
  if (op.getAccumulate() == 1)
    return accumulation.runOnce(arguments);
  FunctionType type = *stepType(op, loss);
  return accumulation.runLoop(arguments, type.getResults(), key);
}

} // namespace graphc
