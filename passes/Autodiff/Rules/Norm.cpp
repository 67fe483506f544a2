// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of normalisations. With s = 1 / sqrt(variance + eps), x' = (x -
// mean) s and h = g * weight:
//   dx = s (h - mean(h) - x' mean(h x'))    dweight = sum(g x')    dbias = sum(g)
// With one weight for all that a mean is of (batch_norm), h is g and s takes it.
// The statistics are computed again, so that a gradient can be differentiated.
#include "passes/Autodiff/Rules/Rule.h"

using namespace mlir;
using namespace graphc;
using namespace graphc::graph;

namespace {
/// The parts that the rules share, for `x` normalised over `axes`. Weight and
/// bias have the dimensions `parameterDims` of `x`.
struct Norm {
  Rule &r;
  Value x, g;
  llvm::SmallVector<int64_t> axes, parameterDims;
  double eps;
  Value root = {}, scale = {}, normalized = {}, h = {};
  Value ofWeight = {}, ofBias = {};

  ArrayRef<int64_t> shape() { return tensorTypeOf(x).getShape(); }
  Value repeat(Value reduced) { return r.repeat(reduced, axes, shape()); }
  Value mean(Value of) {
    auto count = reducedCount(tensorTypeOf(x), axes);
    Value sum = r.sum(of, axes);
    return r.div(sum, r.like(sum, static_cast<double>(count)));
  }
  void centreAndScale() {
    Value centred = r.sub(x, repeat(mean(x)));
    scaleBy(centred, mean(r.mul(centred, centred)));
  }
  void scaleBy(Value centred, Value variance) {
    root = r.op<RsqrtOp>(r.plus(variance, eps));
    scale = repeat(root);
    normalized = r.mul(centred, scale);
  }
  /// `parameter` is null or of operand shape `shape`, which `parameterDims` of
  /// `x` are.
  void setWeight(Value weight) {
    h = weight
            ? r.mulNoNan(g, r.broadcast(r.wide(weight), parameterDims, shape()))
            : g;
  }
  /// s (h - mean(h) - x' mean(h x')), or without mean(h) where no mean was
  /// subtracted.
  Value inputGradient(bool isCentred) {
    Value along = mean(r.mulNoNan(h, normalized));
    Value rest = r.sub(h, r.mulNoNan(repeat(along), normalized));
    if (isCentred)
      rest = r.sub(rest, repeat(mean(h)));
    return r.mulNoNan(rest, scale);
  }
  /// The same where weight and statistics are of the same dimensions: with the
  /// sums of g and g x' that are the gradients of bias and weight,
  ///   dx = s weight (g - mean(g) - x' mean(g x'))
  Value inputGradientOfChannels(Value weight) {
    auto count = static_cast<double>(reducedCount(tensorTypeOf(x), axes));
    auto meanOf = [&](Value sum) { return r.div(sum, r.like(sum, count)); };
    Value rest = r.sub(g, repeat(meanOf(biasGradient())));
    Value along = repeat(meanOf(weightGradient()));
    rest = r.sub(rest, r.mulNoNan(along, normalized));
    return r.mulNoNan(rest,
                      weight ? repeat(r.mul(root, r.wide(weight))) : scale);
  }
  /// Sums over all but the dimensions of weight and bias.
  Value toParameter(Value of) {
    llvm::SmallVector<int64_t> others;
    for (int64_t dim : allAxes(of))
      if (!llvm::is_contained(parameterDims, dim))
        others.push_back(dim);
    return r.sum(of, others);
  }
  Value weightGradient() {
    if (!ofWeight)
      ofWeight = toParameter(r.mulNoNan(g, normalized));
    return ofWeight;
  }
  Value biasGradient() {
    if (!ofBias)
      ofBias = toParameter(g);
    return ofBias;
  }
};
} // namespace

static llvm::SmallVector<int64_t> lastAxes(Value x, int64_t count) {
  int64_t rank = tensorTypeOf(x).getRank();
  return llvm::to_vector(llvm::seq<int64_t>(rank - count, rank));
}

static LogicalResult layerNormRule(LayerNormOp op, Rule &r) {
  auto axes = lastAxes(op.getInput(), op.getNormalizedRank());
  Norm norm{r,    r.operand(0), r.cotangent(),
            axes, axes,         op.getEps().convertToDouble()};
  norm.centreAndScale();
  norm.setWeight(op.getWeight());
  if (r.wants(0))
    r.give(0, norm.inputGradient(/*isCentred=*/true));
  if (op.getWeight() && r.wants(1))
    r.give(1, norm.weightGradient());
  if (op.getBias() && r.wants(2))
    r.give(2, norm.biasGradient());
  return success();
}

static LogicalResult rmsNormRule(RmsNormOp op, Rule &r) {
  auto axes = lastAxes(op.getInput(), op.getNormalizedRank());
  Norm norm{r,    r.operand(0), r.cotangent(),
            axes, axes,         op.getEps().convertToDouble()};
  norm.scaleBy(norm.x, norm.mean(r.mul(norm.x, norm.x)));
  norm.setWeight(op.getWeight());
  if (r.wants(0))
    r.give(0, norm.inputGradient(/*isCentred=*/false));
  if (op.getWeight() && r.wants(1))
    r.give(1, norm.weightGradient());
  return success();
}

// As [N, groups, channels of a group, the rest].
static LogicalResult groupNormRule(GroupNormOp op, Rule &r) {
  auto type = tensorTypeOf(op.getInput());
  int64_t channels = type.getDimSize(1), groups = op.getGroups(), rest = 1;
  for (int64_t dim : type.getShape().drop_front(2))
    rest *= dim;
  llvm::SmallVector<int64_t> shape = {type.getDimSize(0), groups,
                                      channels / groups, rest};
  Norm norm{r,
            r.reshape(r.operand(0), shape),
            r.reshape(r.cotangent(), shape),
            {2, 3},
            {1, 2},
            op.getEps().convertToDouble()};
  norm.centreAndScale();
  Value weight = op.getWeight();
  norm.setWeight(weight ? r.reshape(weight, {groups, channels / groups})
                        : weight);
  if (r.wants(0))
    r.give(0,
           r.reshape(norm.inputGradient(/*isCentred=*/true), type.getShape()));
  if (weight && r.wants(1))
    r.give(1, r.reshape(norm.weightGradient(), channels));
  if (op.getBias() && r.wants(2))
    r.give(2, r.reshape(norm.biasGradient(), channels));
  return success();
}

// Through the first result only: the new statistics are state.
static LogicalResult batchNormRule(BatchNormOp op, Rule &r) {
  if (!op.getMode())
    return op.emitOpError("expects a mode to be differentiated; import gives "
                          "it");
  if (!r.rawCotangent())
    return success();
  llvm::SmallVector<int64_t> axes = allAxes(op.getInput());
  axes.erase(axes.begin() + 1);
  Norm norm{r,    r.operand(0), r.cotangent(),
            axes, {1},          op.getEps().convertToDouble()};
  bool isTraining = op.getMode() == Mode::Train;
  if (isTraining)
    norm.centreAndScale();
  else
    norm.scaleBy(r.sub(norm.x, norm.repeat(r.operand(1))), r.operand(2));
  if (isTraining) {
    if (r.wants(0))
      r.give(0, norm.inputGradientOfChannels(op.getWeight()));
  } else {
    norm.setWeight(op.getWeight());
    // The statistics are operands: y = (x - mean) / sqrt(var + eps).
    Value dx = r.mulNoNan(norm.h, norm.scale);
    if (r.wants(0))
      r.give(0, dx);
    if (r.wants(1))
      r.give(1, r.neg(r.sum(dx, axes)));
    if (r.wants(2)) {
      Value square = r.mul(norm.scale, norm.scale);
      Value d = r.times(r.mul(norm.normalized, square), -0.5);
      r.give(2, r.sum(r.mulNoNan(norm.h, d), axes));
    }
  }
  if (op.getWeight() && r.wants(3))
    r.give(3, norm.weightGradient());
  if (op.getBias() && r.wants(4))
    r.give(4, norm.biasGradient());
  return success();
}

void graphc::attachNormRules(MLIRContext *context) {
  attachRule<LayerNormOp, layerNormRule>(context);
  attachRule<RmsNormOp, rmsNormRule>(context);
  attachRule<GroupNormOp, groupNormRule>(context);
  attachRule<BatchNormOp, batchNormRule>(context);
}
