// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How derivative rules are written and attached to ops.
//
// A rule reads its op's operands and results and the cotangents, and gives one
// gradient for each operand wanted. It builds differentiable ops only, so that
// a gradient can be differentiated again. f16 and bf16 rules compute in f32 and
// round once: read with `wide`, and `give` rounds.
//
// No NaN may come out of a zero cotangent. So a cotangent meets a local
// derivative that can be inf or NaN, for any input at all, in `mulNoNan`.
#ifndef GRAPHC_PASSES_AUTODIFF_RULES_RULE_H
#define GRAPHC_PASSES_AUTODIFF_RULES_RULE_H

#include "dialects/Graph/IR/GraphBuilders.h"

namespace graphc {

/// One application of a rule: what it is given, what it gives, and the ops that
/// formulas are made of.
class Rule {
public:
  Rule(mlir::OpBuilder &builder, mlir::Operation *op,
       mlir::ArrayRef<mlir::Value> cotangents, mlir::ArrayRef<bool> wanted,
       mlir::MutableArrayRef<mlir::Value> gradients)
      : builder(builder), loc(op->getLoc()), forward(op),
        cotangents(cotangents), wanted(wanted), gradients(gradients) {}

  /// The cotangent of the op's only result, in its accumulation type.
  mlir::Value cotangent() { return wide(cotangents.front()); }
  /// The same in its declared type.
  mlir::Value rawCotangent() { return cotangents.front(); }
  /// The cotangent of result `result` in its declared type; null if that does
  /// not reach the loss.
  mlir::Value cotangent(unsigned result) { return cotangents[result]; }
  /// Operand `index`, in its accumulation type.
  mlir::Value operand(unsigned index) {
    return wide(forward->getOperand(index));
  }
  /// The op's only result, in its accumulation type.
  mlir::Value result() { return wide(forward->getResult(0)); }

  bool wants(unsigned operand) const { return wanted[operand]; }
  /// Sets the gradient of an operand, rounded to the operand's type.
  void give(unsigned operand, mlir::Value gradient);

  template <typename Op, typename... Args> mlir::Value op(Args &&...args) {
    return builder.create<Op>(loc, std::forward<Args>(args)...);
  }
  mlir::Value add(mlir::Value a, mlir::Value b) {
    return op<graph::AddOp>(a, b);
  }
  mlir::Value sub(mlir::Value a, mlir::Value b) {
    return op<graph::SubOp>(a, b);
  }
  mlir::Value mul(mlir::Value a, mlir::Value b) {
    return op<graph::MulOp>(a, b);
  }
  mlir::Value div(mlir::Value a, mlir::Value b) {
    return op<graph::DivOp>(a, b);
  }
  mlir::Value neg(mlir::Value a) { return op<graph::NegOp>(a); }
  /// g * d, but 0 wherever g is 0.
  mlir::Value mulNoNan(mlir::Value g, mlir::Value d) {
    return op<graph::MulNoNanOp>(g, d);
  }
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) {
    return op<graph::SelectOp>(a.getType(), condition, a, b);
  }
  mlir::Value compare(graph::ComparePredicate predicate, mlir::Value a,
                      mlir::Value b) {
    return op<graph::CompareOp>(predicate, a, b);
  }
  /// A constant of the type of `x`.
  mlir::Value like(mlir::Value x, double value) {
    return graph::splatLike(builder, loc, x, value);
  }
  mlir::Value plus(mlir::Value x, double value) {
    return add(x, like(x, value));
  }
  mlir::Value times(mlir::Value x, double value) {
    return mul(x, like(x, value));
  }
  mlir::Value cast(mlir::Value x, mlir::Type elementType) {
    return graph::castTo(builder, loc, x, elementType);
  }
  mlir::Value wide(mlir::Value x) {
    return cast(x, graph::getAccumulationType(graph::elementTypeOf(x)));
  }
  mlir::Value sum(mlir::Value x, mlir::ArrayRef<int64_t> axes) {
    return axes.empty() ? x : op<graph::ReduceSumOp>(x, axes);
  }
  mlir::Value broadcast(mlir::Value x, mlir::ArrayRef<int64_t> dims,
                        mlir::ArrayRef<int64_t> shape) {
    return graph::broadcastTo(builder, loc, x, dims, shape);
  }
  /// `x`, which lacks `axes`, repeated to `shape`.
  mlir::Value repeat(mlir::Value x, mlir::ArrayRef<int64_t> axes,
                     mlir::ArrayRef<int64_t> shape) {
    return graph::broadcastReduced(builder, loc, x, axes, shape);
  }
  mlir::Value reshape(mlir::Value x, mlir::ArrayRef<int64_t> shape) {
    return graph::reshapeTo(builder, loc, x, shape);
  }
  /// `x` with dimension i from dimension `permutation[i]`.
  mlir::Value transpose(mlir::Value x, mlir::ArrayRef<int64_t> permutation);

  mlir::OpBuilder &builder;
  mlir::Location loc;

private:
  mlir::Operation *forward;
  mlir::ArrayRef<mlir::Value> cotangents;
  mlir::ArrayRef<bool> wanted;
  mlir::MutableArrayRef<mlir::Value> gradients;
};

/// Turns a function over `Op` into its DifferentiableOpInterface.
template <typename Op, mlir::LogicalResult (*rule)(Op, Rule &)>
struct RuleModel
    : graph::DifferentiableOpInterface::ExternalModel<RuleModel<Op, rule>, Op> {
  mlir::LogicalResult vjp(mlir::Operation *op, mlir::OpBuilder &builder,
                          mlir::ArrayRef<mlir::Value> cotangents,
                          mlir::ArrayRef<bool> wanted,
                          mlir::MutableArrayRef<mlir::Value> gradients) const {
    Rule r(builder, op, cotangents, wanted, gradients);
    return rule(mlir::cast<Op>(op), r);
  }
};

template <typename Op, mlir::LogicalResult (*rule)(Op, Rule &)>
void attachRule(mlir::MLIRContext *context) {
  Op::template attachInterface<RuleModel<Op, rule>>(*context);
}

// One table for each op family.
void attachActivationRules(mlir::MLIRContext *context);
void attachArithmeticRules(mlir::MLIRContext *context);
void attachAttentionRules(mlir::MLIRContext *context);
void attachConvRules(mlir::MLIRContext *context);
void attachCustomRules(mlir::MLIRContext *context);
void attachIndexRules(mlir::MLIRContext *context);
void attachLossRules(mlir::MLIRContext *context);
void attachMathRules(mlir::MLIRContext *context);
void attachNormRules(mlir::MLIRContext *context);
void attachProductRules(mlir::MLIRContext *context);
void attachReduceRules(mlir::MLIRContext *context);
void attachShapeRules(mlir::MLIRContext *context);

} // namespace graphc

#endif // GRAPHC_PASSES_AUTODIFF_RULES_RULE_H
