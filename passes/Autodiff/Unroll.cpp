// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Autodiff/Unroll.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace graphc {

LogicalResult unroll(graph::ForOp loop, UnrollLimit &limit, OpBudget &budget) {
  Block &body = loop.getBody().front();
  int64_t count = loop.getCount(), bodyOps = copySize(body);
  if (count > (limit.maxOps - limit.made) / bodyOps) {
    InFlightDiagnostic diag =
        loop.emitOpError("expects at most ")
        << limit.maxOps << " ops once unrolled to be differentiated, but got "
        << count << " iterations of " << bodyOps << " ops";
    if (limit.made > 0)
      diag << " after " << limit.made << " ops of other loops";
    return diag;
  }
  limit.made += count * bodyOps;
  if (failed(budget.spend(loop, count * bodyOps)))
    return failure();

  OpBuilder builder(loop);
  llvm::SmallVector<Value> carried(loop.getInits());
  auto indexType = cast<RankedTensorType>(body.getArgument(0).getType());
  for (int64_t i = 0; i < count; ++i) {
    IRMapping mapping;
    if (!body.getArgument(0).use_empty())
      mapping.map(body.getArgument(0),
                  builder.create<graph::ConstantOp>(
                      loop.getLoc(), DenseElementsAttr::get(indexType, i)));
    mapping.map(body.getArguments().drop_front(), carried);
    for (Operation &op : body.without_terminator())
      builder.clone(op, mapping);
    for (auto [value, next] :
         llvm::zip_equal(carried, body.getTerminator()->getOperands()))
      value = mapping.lookupOrDefault(next);
  }
  loop.replaceAllUsesWith(carried);
  loop.erase();
  return success();
}

} // namespace graphc
