// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Interpreter/Bounds.h"
#include "lib/Interpreter/Compare.h"
#include "lib/Interpreter/NormBounds.h"

#include <cfloat>
#include <cmath>

using namespace mlir;

namespace graphc::interpreter {

namespace {

bool isLowPrecision(const Tensor &tensor) {
  return tensor.kind() == ElementKind::F16 ||
         tensor.kind() == ElementKind::BF16;
}

/// Epsilon of the type in which sums of `tensor`'s elements accumulate.
double accumulationEpsilon(const Tensor &tensor) {
  return tensor.kind() == ElementKind::F64 ? FloatFormat::f64().epsilon()
                                           : FloatFormat::f32().epsilon();
}

double sumFactor(double terms) { return terms / 64 + 8; }

using Operands = ArrayRef<const Tensor *>;

/// Magnitudes of the operand's elements, or of their products, summed into each
/// result element by an op of the same kind: the reference run on |operands|,
/// or on `least` where they are less.
Tensor runOnMagnitudes(Operation *op, Operands operands,
                       const Tensor &reference, double least = 0) {
  llvm::SmallVector<Tensor> magnitudes;
  for (const Tensor *operand : operands) {
    magnitudes.push_back(*operand);
    for (double &value : magnitudes.back().floats)
      value = std::fmax(std::fabs(value), least);
  }
  llvm::SmallVector<const Tensor *> pointers;
  for (const Tensor &tensor : magnitudes)
    pointers.push_back(&tensor);
  Tensor result(reference.type);
  Options options;
  options.mode = Mode::F64;
  // It does not fail: integers, and so indices, are those of the reference.
  (void)evaluateOp(op, pointers, result, options);
  return result;
}

/// Largest, sum of exp(x - largest), of a line of logits.
struct Line {
  double max = -INFINITY, logSum = 0;
  explicit Line(llvm::function_ref<double(int64_t)> x, int64_t size) {
    double sum = 0;
    for (int64_t i = 0; i < size; ++i)
      max = std::max(max, x(i));
    for (int64_t i = 0; i < size; ++i)
      sum += std::exp(x(i) - max);
    logSum = std::log(sum);
  }
};

std::vector<double> softmaxBounds(const Tensor &x, int64_t axis, bool isLog,
                                  const Tensor &y) {
  std::vector<double> bounds(y.floats.size());
  double eps = accumulationEpsilon(x);
  int64_t size = x.shape()[axis], stride = 1;
  for (int64_t dim : x.shape().drop_front(axis + 1))
    stride *= dim;
  for (int64_t i = 0; i < x.size(); ++i) {
    int64_t first = i - (i / stride % size) * stride;
    Line line([&](int64_t k) { return x.floats[first + k * stride]; }, size);
    // Rounding x - max moves the exponent by |x - max| eps / 2.
    double shift = std::fabs(x.floats[i] - line.max);
    double factor = sumFactor(static_cast<double>(size)) + shift + line.logSum;
    bounds[i] = eps * factor * (isLog ? 1 : y.floats[i]);
  }
  return bounds;
}

/// Reduces the bounds of single losses as the losses are.
std::vector<double> reduceBounds(ArrayRef<double> bounds,
                                 ArrayRef<double> losses,
                                 graph::Reduction reduction, double eps,
                                 double count) {
  if (reduction == graph::Reduction::None)
    return bounds.vec();
  double bound = 0;
  for (auto [single, loss] : llvm::zip_equal(bounds, losses))
    bound += single + sumFactor(static_cast<double>(losses.size())) * eps *
                          std::fabs(loss);
  if (reduction == graph::Reduction::Mean)
    bound /= count;
  return {bound};
}

std::vector<double> crossEntropyBounds(graph::CrossEntropyOp op,
                                       Operands operands) {
  const Tensor &x = *operands[0], &target = *operands[1];
  double eps = accumulationEpsilon(x), count = 0;
  int64_t classes = x.shape().back();
  std::vector<double> bounds(target.size()), losses(target.size());
  for (int64_t i = 0; i < target.size(); ++i) {
    int64_t t = target.ints[i];
    if (t == static_cast<int64_t>(op.getIgnoreIndex()))
      continue;
    ++count;
    auto logit = [&](int64_t k) { return x.floats[i * classes + k]; };
    Line line(logit, classes);
    double magnitude = line.logSum + std::fabs(logit(t) - line.max), total = 0;
    for (int64_t k = 0; k < classes; ++k)
      total += std::fabs(logit(k) - line.max);
    double smoothing = op.getLabelSmoothing().convertToDouble();
    if (smoothing > 0)
      magnitude += smoothing * total / static_cast<double>(classes);
    losses[i] = magnitude;
    bounds[i] = eps * sumFactor(static_cast<double>(classes)) * (1 + magnitude);
  }
  return reduceBounds(bounds, losses, op.getReduction(), eps, count);
}

/// `magnitude` is the sum of the absolute terms of one loss.
template <typename Op>
std::vector<double> pairLossBounds(Op op, Operands operands,
                                   double (*magnitude)(double x, double t)) {
  const Tensor &x = *operands[0], &t = *operands[1];
  double eps = accumulationEpsilon(x);
  std::vector<double> bounds, losses;
  for (int64_t i = 0; i < x.size(); ++i) {
    losses.push_back(magnitude(x.floats[i], t.floats[i]));
    bounds.push_back(8 * eps * losses.back());
  }
  return reduceBounds(bounds, losses, op.getReduction(), eps,
                      static_cast<double>(x.size()));
}

int64_t reducedTerms(const Tensor &input, const Tensor &result) {
  return result.size() ? input.size() / result.size() : 0;
}

/// The bound before the result's own rounding.
std::vector<double> plainBounds(Operation *op, Operands operands,
                                const Tensor &reference, unsigned result) {
  std::vector<double> none(reference.floats.size(), 0.0);
  if (auto softmax = dyn_cast<graph::SoftmaxOp>(op))
    return softmaxBounds(*operands[0], softmax.getAxis(), false, reference);
  if (auto softmax = dyn_cast<graph::LogSoftmaxOp>(op))
    return softmaxBounds(*operands[0], softmax.getAxis(), true, reference);
  if (auto loss = dyn_cast<graph::CrossEntropyOp>(op))
    return crossEntropyBounds(loss, operands);
  if (!operands.empty() && operands[0]->isFloat()) {
    double eps = accumulationEpsilon(*operands[0]);
    if (auto bounds = normBounds(op, operands, result, eps))
      return *bounds;
    if (auto bounds = attentionBounds(op, operands, result, eps))
      return *bounds;
  }
  if (auto loss = dyn_cast<graph::MseLossOp>(op))
    return pairLossBounds(loss, operands,
                          [](double x, double t) { return (x - t) * (x - t); });
  if (auto loss = dyn_cast<graph::BceOp>(op))
    return pairLossBounds(loss, operands, [](double p, double t) {
      return std::fabs(t * std::max(std::log(p), -100.0)) +
             std::fabs((1 - t) * std::max(std::log1p(-p), -100.0));
    });
  if (auto loss = dyn_cast<graph::BceWithLogitsOp>(op))
    return pairLossBounds(loss, operands, [](double x, double t) {
      return std::max(x, 0.0) + std::fabs(x * t) +
             std::log1p(std::exp(-std::fabs(x)));
    });

  bool isSum = isa<graph::ReduceSumOp, graph::ReduceMeanOp, graph::ReduceProdOp,
                   graph::FoldOp, graph::AvgPoolOp>(op);
  bool isProduct = isa<graph::DotGeneralOp, graph::LinearOp, graph::ConvOp,
                       graph::ConvTransposeOp, graph::ConvWeightGradOp>(op);
  if (isSum || isProduct) {
    double terms = 0, factor;
    if (auto dot = dyn_cast<graph::DotGeneralOp>(op)) {
      terms = 1;
      for (int64_t dim : dot.getLhsContracting())
        terms *= static_cast<double>(operands[0]->shape()[dim]);
    } else if (isa<graph::LinearOp>(op)) {
      terms = static_cast<double>(operands[1]->shape()[1]) + 1;
    } else if (isProduct) {
      // One for each weight that a result meets, or each position that a
      // weight meets.
      bool isTransposed = isa<graph::ConvTransposeOp>(op);
      terms = static_cast<double>(operands[!isTransposed]->shape()[1]);
      if (isa<graph::ConvWeightGradOp>(op))
        terms = static_cast<double>(operands[1]->shape()[0]);
      for (int64_t size : operands[1]->shape().drop_front(2))
        terms *= static_cast<double>(size);
    } else if (auto pool = dyn_cast<graph::AvgPoolOp>(op)) {
      terms = 1;
      for (int64_t size : pool.getKernel())
        terms *= static_cast<double>(size);
    } else if (auto fold = dyn_cast<graph::FoldOp>(op)) {
      terms = 1;
      for (int64_t size :
           operands[0]->shape().take_back(fold.getStrides().size()))
        terms *= static_cast<double>(size);
    } else {
      terms = static_cast<double>(reducedTerms(*operands[0], reference));
    }
    // A running product is off by half a unit for each factor.
    bool everyTerm = isa<graph::ReduceProdOp>(op) ||
                     (isProduct && isLowPrecision(*operands[0]));
    factor = everyTerm ? terms + 8 : sumFactor(terms);
    Tensor magnitudes = runOnMagnitudes(op, operands, reference);
    for (size_t i = 0; i < none.size(); ++i)
      none[i] =
          factor * accumulationEpsilon(*operands[0]) * magnitudes.floats[i];
    if (isa<graph::ReduceProdOp>(op)) {
      // Where the large factors alone overflow, it depends on their order what
      // becomes of the small ones: inf, 0, or NaN where both meet.
      double most = operands[0]->kind() == ElementKind::F64 ? DBL_MAX : FLT_MAX;
      Tensor large = runOnMagnitudes(op, operands, reference, /*least=*/1);
      for (size_t i = 0; i < none.size(); ++i)
        if (large.floats[i] > most)
          none[i] = kAnyValue;
    }
    return none;
  }

  // Added one after the other, so that any term may meet any rounding.
  if (isa<graph::CumsumOp, graph::ScatterAddOp>(op)) {
    double terms = 0;
    if (auto scan = dyn_cast<graph::CumsumOp>(op))
      terms = static_cast<double>(operands[0]->shape()[scan.getAxis()]);
    else
      terms = static_cast<double>(operands[1]->size()) + 1;
    Tensor magnitudes = runOnMagnitudes(op, operands, reference);
    for (size_t i = 0; i < none.size(); ++i)
      none[i] = (terms + 8) * accumulationEpsilon(*operands[0]) *
                magnitudes.floats[i];
    return none;
  }

  double units = getFunctionUnits(op);
  if (units == 0 || operands.empty())
    return none;
  FloatFormat format = isLowPrecision(reference)
                           ? FloatFormat::f32()
                           : getFloatFormat(reference.kind());
  for (size_t i = 0; i < none.size(); ++i) {
    // 1 + erf(x) and 1 + tanh(x) cancel for negative x: the unit is that of x.
    double scale =
        isa<graph::GeluOp>(op) ? operands[0]->floats[i] : reference.floats[i];
    none[i] = units * format.ulp(scale);
  }
  return none;
}

} // namespace

double getFunctionUnits(Operation *op) {
  if (isa<graph::ExpOp, graph::Expm1Op, graph::LogOp, graph::Log1pOp,
          graph::SinOp, graph::CosOp, graph::RsqrtOp, graph::DropoutOp>(op))
    return 2;
  if (isa<graph::TanhOp, graph::ErfOp, graph::PowOp>(op))
    return 3;
  if (isa<graph::SigmoidOp, graph::SiluOp, graph::GeluOp>(op))
    return 4;
  return 0;
}

std::vector<double> errorBounds(Operation *op, Operands operands,
                                const Tensor &reference, unsigned result) {
  if (!reference.isFloat())
    return {};
  std::vector<double> bounds = plainBounds(op, operands, reference, result);
  FloatFormat format = getFloatFormat(reference.kind());
  bool mayTip = reference.kind() != ElementKind::F32;
  for (size_t i = 0; i < bounds.size(); ++i)
    if (bounds[i] > 0)
      bounds[i] += mayTip ? format.ulp(reference.floats[i]) : format.ulp(0);
  return bounds;
}

} // namespace graphc::interpreter
