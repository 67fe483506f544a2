// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Autodiff/Unroll.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace graphc {

bool UnrollLimit::allows(graph::ForOp loop) const {
  auto count = static_cast<int64_t>(loop.getCount());
  return count <= (maxOps - made) / copySize(loop.getBody().front());
}

LogicalResult unroll(graph::ForOp loop, UnrollLimit &limit, OpBudget &budget) {
  if (!limit.allows(loop))
    return success();
  Block &body = loop.getBody().front();
  int64_t count = loop.getCount(), bodyOps = copySize(body);
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
