// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Type inference and facts of attention.
#include "dialects/Graph/IR/GraphBuilders.h"
#include "dialects/Graph/IR/Sizes.h"

#include "llvm/Support/ScopedPrinter.h"

#include <cmath>

using namespace mlir;
using namespace graphc::graph;

/// C2 of `other`, the key or the value: leading dimensions as the query's, but
/// that the heads, the last of them, may be fewer.
static bool hasLeadingDims(RankedTensorType query, RankedTensorType other) {
  auto q = query.getShape().drop_back(2), o = other.getShape().drop_back(2);
  if (q.empty())
    return true;
  int64_t heads = q.back(), group = o.back();
  bool divides = heads == group || (group > 0 && heads % group == 0);
  return q.drop_back() == o.drop_back() && divides;
}

/// Of an attention, or of what has its operands and attributes: the type of the
/// attention's result.
template <typename Adaptor>
static FailureOr<RankedTensorType>
inferAttention(std::optional<Location> loc, Adaptor adaptor, StringRef op) {
  auto query = tensorTypeOf(adaptor.getQuery());
  auto key = tensorTypeOf(adaptor.getKey());
  auto value = tensorTypeOf(adaptor.getValue());
  // C1
  int64_t rank = query.getRank();
  for (RankedTensorType other : {key, value})
    if (rank < 2 || other.getRank() != rank ||
        other.getElementType() != query.getElementType())
      return emitOptionalError(loc, op,
                               "expects query, key and value of one element "
                               "type and one rank of 2 or more, but got ",
                               query, ", ", key, " and ", value);
  int64_t depth = query.getDimSize(rank - 1);
  if (depth == 0)
    return emitOptionalError(
        loc, op, "expects a query of depth 1 or more, but got ", query);
  // C2
  if (key.getDimSize(rank - 1) != depth)
    return emitOptionalError(loc, op, "expects a key of depth ", depth,
                             ", as the query's, but got ", key);
  if (!hasLeadingDims(query, key))
    return emitOptionalError(loc, op, "expects a key with the leading dims of ",
                             query, ", or a divisor of its heads, but got ",
                             key);
  int64_t keys = key.getDimSize(rank - 2);
  if (value.getShape().drop_back() != key.getShape().drop_back())
    return emitOptionalError(loc, op, "expects a value for each position of ",
                             key, ", but got ", value);
  if (Value mask = adaptor.getMask()) {
    auto type = tensorTypeOf(mask);
    // C3
    llvm::SmallVector<int64_t> scores(query.getShape());
    scores.back() = keys;
    bool fits = type.getRank() <= rank;
    if (fits)
      for (auto [dim, size] :
           llvm::zip_equal(type.getShape(),
                           ArrayRef<int64_t>(scores).take_back(type.getRank())))
        fits &= dim == 1 || dim == size;
    if (!fits)
      return emitOptionalError(loc, op, "expects a mask that repeats to [",
                               ArrayRef<int64_t>(scores), "], but got ", type);
    // C4
    Type element = type.getElementType();
    if (isa<FloatType>(element) && element != query.getElementType() &&
        element != getAccumulationType(query.getElementType()))
      return emitOptionalError(loc, op,
                               "expects a mask of i1, of the query's element "
                               "type or of its accumulation type, but got ",
                               type);
  }
  // C5
  if (auto scale = adaptor.getScale(); scale && !scale->isFinite())
    return emitOptionalError(loc, op, "expects a finite scale, but got ",
                             llvm::to_string(F64(scale->convertToDouble())));
  // C6
  llvm::SmallVector<int64_t> shape(query.getShape());
  shape.back() = value.getDimSize(rank - 1);
  return cast<RankedTensorType>(query.clone(shape));
}

LogicalResult AttentionOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            AttentionOp::Adaptor adaptor,
                                            SmallVectorImpl<Type> &inferred) {
  auto result = inferAttention(loc, adaptor, "'graph.attention' op ");
  if (failed(result))
    return failure();
  inferred.push_back(*result);
  return success();
}

LogicalResult
AttentionGradOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                  AttentionGradOp::Adaptor adaptor,
                                  SmallVectorImpl<Type> &inferred) {
  constexpr StringLiteral op = "'graph.attention_grad' op ";
  // C1
  auto result = inferAttention(loc, adaptor, op);
  if (failed(result))
    return failure();
  // C2
  for (Value value : {adaptor.getOutput(), adaptor.getGrad()})
    if (value.getType() != *result)
      return emitOptionalError(loc, op, "expects an output and a grad of type ",
                               *result, ", but got ", value.getType());
  for (Value value : {adaptor.getQuery(), adaptor.getKey(), adaptor.getValue()})
    inferred.push_back(value.getType());
  return success();
}

// C7
template <typename Op> static LogicalResult checkScores(Op op) {
  llvm::SmallVector<int64_t> scores(tensorTypeOf(op.getQuery()).getShape());
  scores.back() = tensorTypeOf(op.getKey()).getShape().drop_back().back();
  return checkInnerShape(op, "scores", scores);
}
LogicalResult AttentionOp::verify() { return checkScores(*this); }
LogicalResult AttentionGradOp::verify() { return checkScores(*this); }

template <typename Op> static double scaleOf(Op op) {
  if (std::optional<APFloat> scale = op.getScale())
    return scale->convertToDouble();
  auto depth = tensorTypeOf(op.getQuery()).getShape().back();
  return 1.0 / std::sqrt(static_cast<double>(depth));
}
double AttentionOp::getScaleOrDefault() { return scaleOf(*this); }
double AttentionGradOp::getScaleOrDefault() { return scaleOf(*this); }
