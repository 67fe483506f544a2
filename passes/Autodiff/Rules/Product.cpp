// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of matrix products: each is a matrix product of the cotangent and
// the other operand.
#include "passes/Autodiff/Rules/Rule.h"

using namespace mlir;
using namespace graphc;
using namespace graphc::graph;

/// A dot_general whose operands may differ in element type: the narrower one is
/// widened, which is exact, and the result has the wider type.
static Value dot(Rule &r, Value lhs, Value rhs, ArrayRef<int64_t> lhsBatching,
                 ArrayRef<int64_t> rhsBatching,
                 ArrayRef<int64_t> lhsContracting,
                 ArrayRef<int64_t> rhsContracting) {
  auto element = [](Value value) { return elementTypeOf(value); };
  if (element(lhs) != element(rhs)) {
    lhs = r.wide(lhs);
    rhs = r.wide(rhs);
  }
  llvm::SmallVector<int64_t> shape;
  auto take = [&](Value value, ArrayRef<int64_t> dims) {
    for (int64_t dim : dims)
      shape.push_back(tensorTypeOf(value).getDimSize(dim));
  };
  take(lhs, lhsBatching);
  take(lhs, freeDims(tensorTypeOf(lhs), lhsBatching, lhsContracting));
  take(rhs, freeDims(tensorTypeOf(rhs), rhsBatching, rhsContracting));
  return r.op<DotGeneralOp>(RankedTensorType::get(shape, element(lhs)), lhs,
                            rhs, lhsBatching, rhsBatching, lhsContracting,
                            rhsContracting);
}

namespace {
/// One operand of a dot_general as its gradient sees it.
struct Side {
  Value value;
  ArrayRef<int64_t> batching, contracting;
  llvm::SmallVector<int64_t> free;
  /// Where its free dimensions begin in the result.
  int64_t freeStart;
};
} // namespace

/// The gradient of `mine`: g times `other`, contracted over the other's free
/// dimensions, put into the order of `mine`'s dimensions.
static Value operandGradient(Rule &r, Value g, const Side &mine,
                             const Side &other) {
  auto range = [](int64_t start, size_t count) {
    return llvm::to_vector(llvm::seq<int64_t>(start, start + count));
  };
  Value product =
      dot(r, g, other.value, range(0, other.batching.size()), other.batching,
          range(other.freeStart, other.free.size()), other.free);

  // The product's dimensions: batching, my free ones, then the contracted ones
  // in the order that they have in `other`.
  llvm::SmallVector<int64_t> origin(mine.batching);
  origin.append(mine.free.begin(), mine.free.end());
  llvm::SmallVector<int64_t> pairs =
      llvm::to_vector(llvm::seq<int64_t>(0, mine.contracting.size()));
  llvm::sort(pairs, [&](int64_t a, int64_t b) {
    return other.contracting[a] < other.contracting[b];
  });
  for (int64_t k : pairs)
    origin.push_back(mine.contracting[k]);

  llvm::SmallVector<int64_t> permutation(origin.size());
  for (auto [from, to] : llvm::enumerate(origin))
    permutation[to] = from;
  return r.transpose(product, permutation);
}

static LogicalResult dotGeneralRule(DotGeneralOp op, Rule &r) {
  Side lhs{op.getLhs(), op.getLhsBatching(), op.getLhsContracting(), {}, 0};
  Side rhs{op.getRhs(), op.getRhsBatching(), op.getRhsContracting(), {}, 0};
  for (Side *side : {&lhs, &rhs})
    side->free =
        freeDims(tensorTypeOf(side->value), side->batching, side->contracting);
  lhs.freeStart = lhs.batching.size();
  rhs.freeStart = lhs.freeStart + lhs.free.size();
  Value g = r.rawCotangent();
  if (r.wants(0))
    r.give(0, operandGradient(r, g, lhs, rhs));
  if (r.wants(1))
    r.give(1, operandGradient(r, g, rhs, lhs));
  return success();
}

// dx = g w,  dw = g^T x,  db = the sum of g's rows.
static LogicalResult linearRule(LinearOp op, Rule &r) {
  Value g = r.rawCotangent();
  int64_t last = tensorTypeOf(g).getRank() - 1;
  llvm::SmallVector<int64_t> rows =
      llvm::to_vector(llvm::seq<int64_t>(0, last));
  if (r.wants(0))
    r.give(0, dot(r, g, op.getWeight(), {}, {}, last, 0));
  if (r.wants(1))
    r.give(1, dot(r, g, op.getInput(), {}, {}, rows, rows));
  if (op.getBias() && r.wants(2)) {
    // Summed in the bias's type if that is the wider one.
    Value wide = elementTypeOf(op.getBias()).isF32() ? r.cotangent() : g;
    r.give(2, r.sum(wide, rows));
  }
  return success();
}

void graphc::attachProductRules(MLIRContext *context) {
  attachRule<DotGeneralOp, dotGeneralRule>(context);
  attachRule<LinearOp, linearRule>(context);
}
