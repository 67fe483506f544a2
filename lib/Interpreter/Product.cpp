// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products.

#include "lib/Interpreter/Deadline.h"
#include "lib/Interpreter/Ops.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace graphc::interpreter {

namespace {

llvm::SmallVector<int64_t> sizesOf(ArrayRef<int64_t> shape,
                                   ArrayRef<int64_t> dims) {
  llvm::SmallVector<int64_t> sizes;
  for (int64_t dim : dims)
    sizes.push_back(shape[dim]);
  return sizes;
}

/// The dimensions of a tensor of `rank` in neither list.
llvm::SmallVector<int64_t> freeDims(int64_t rank, ArrayRef<int64_t> batching,
                                    ArrayRef<int64_t> contracting) {
  llvm::SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(batching, dim) &&
        !llvm::is_contained(contracting, dim))
      dims.push_back(dim);
  return dims;
}

LogicalResult checkWork(Call &call, ArrayRef<int64_t> contractedSizes) {
  int64_t products = call.result().size();
  bool overflow = false;
  for (int64_t size : contractedSizes)
    overflow |= llvm::MulOverflow(products, size, products);
  if (overflow || products > call.options.maxProducts)
    return call.error() << "needs more than " << call.options.maxProducts
                        << " multiplications";
  return success();
}

LogicalResult dotGeneral(graph::DotGeneralOp op, Call &call) {
  const Tensor &lhs = call.operand(0), &rhs = call.operand(1);
  Tensor &result = call.result();
  ArrayRef<int64_t> lhsBatch = op.getLhsBatching(),
                    rhsBatch = op.getRhsBatching(),
                    lhsContract = op.getLhsContracting(),
                    rhsContract = op.getRhsContracting();
  auto lhsFree = freeDims(lhs.rank(), lhsBatch, lhsContract);
  auto rhsFree = freeDims(rhs.rank(), rhsBatch, rhsContract);
  auto contracted = sizesOf(lhs.shape(), lhsContract);
  if (failed(checkWork(call, contracted)))
    return failure();

  forEachIndex(result.shape(), [&](ArrayRef<int64_t> index) {
    llvm::SmallVector<int64_t> l(lhs.rank()), r(rhs.rank());
    size_t next = 0;
    for (size_t k = 0; k < lhsBatch.size(); ++k, ++next)
      l[lhsBatch[k]] = r[rhsBatch[k]] = index[next];
    for (int64_t dim : lhsFree)
      l[dim] = index[next++];
    for (int64_t dim : rhsFree)
      r[dim] = index[next++];

    long double sum = 0;
    uint64_t intSum = 0;
    forEachIndex(contracted, [&](ArrayRef<int64_t> term) {
      for (size_t k = 0; k < term.size(); ++k)
        l[lhsContract[k]] = r[rhsContract[k]] = term[k];
      int64_t a = linearIndex(lhs.shape(), l), b = linearIndex(rhs.shape(), r);
      if (lhs.isFloat())
        sum += static_cast<long double>(lhs.floats[a]) * rhs.floats[b];
      else
        intSum += static_cast<uint64_t>(lhs.ints[a]) *
                  static_cast<uint64_t>(rhs.ints[b]);
    });
    int64_t place = linearIndex(result.shape(), index);
    if (result.isFloat())
      result.floats[place] = static_cast<double>(sum);
    else
      result.ints[place] = wrapTo(result.kind(), intSum);
  });
  return success();
}

LogicalResult linear(graph::LinearOp op, Call &call) {
  const Tensor &input = call.operand(0), &weight = call.operand(1);
  int64_t in = weight.shape()[1], out = weight.shape()[0];
  if (failed(checkWork(call, in)))
    return failure();
  for (int64_t place : upTo(call.result().size())) {
    int64_t row = place / out, n = place % out;
    long double sum = 0;
    for (int64_t k = 0; k < in; ++k)
      sum += static_cast<long double>(input.floats[row * in + k]) *
             weight.floats[n * in + k];
    if (op.getBias())
      sum += call.operand(2).floats[n];
    call.result().floats[place] = static_cast<double>(sum);
  }
  return success();
}

} // namespace

void addProducts(OpTable &table) {
  table.add<graph::DotGeneralOp>(dotGeneral);
  table.add<graph::LinearOp>(linear);
}

} // namespace graphc::interpreter
