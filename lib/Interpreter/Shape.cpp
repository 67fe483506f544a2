// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants, iota and the ops that move data.

#include "lib/Interpreter/Deadline.h"
#include "lib/Interpreter/Ops.h"

using namespace mlir;

namespace graphc::interpreter {

namespace {

using Index = llvm::SmallVector<int64_t>;

LogicalResult constant(graph::ConstantOp op, Call &call) {
  FailureOr<Tensor> value = Tensor::fromAttribute(op.getValue());
  if (failed(value))
    return call.error() << "has a value that cannot be read";
  call.result() = std::move(*value);
  return success();
}

LogicalResult iota(graph::IotaOp op, Call &call) {
  Tensor &result = call.result();
  forEachIndex(result.shape(), [&](ArrayRef<int64_t> index) {
    int64_t place = linearIndex(result.shape(), index);
    int64_t value = index[op.getAxis()];
    if (result.isFloat())
      result.floats[place] = static_cast<double>(value);
    else
      result.ints[place] = wrapTo(result.kind(), value);
  });
  return success();
}

/// Fills the result from the operand: result[index] = operand[from(index)].
void gatherFrom(Call &call,
                llvm::function_ref<Index(ArrayRef<int64_t> index)> from) {
  const Tensor &x = call.operand();
  Tensor &result = call.result();
  forEachIndex(result.shape(), [&](ArrayRef<int64_t> index) {
    result.copyElement(linearIndex(result.shape(), index), x,
                       linearIndex(x.shape(), from(index)));
  });
}

LogicalResult broadcast(graph::BroadcastOp op, Call &call) {
  gatherFrom(call, [&](ArrayRef<int64_t> index) {
    Index from;
    for (int64_t dim : op.getDims())
      from.push_back(index[dim]);
    return from;
  });
  return success();
}

LogicalResult reshape(Call &call) {
  for (int64_t i : upTo(call.result().size()))
    call.result().copyElement(i, call.operand(), i);
  return success();
}

LogicalResult transpose(graph::TransposeOp op, Call &call) {
  gatherFrom(call, [&](ArrayRef<int64_t> index) {
    Index from(index.size());
    for (auto [dim, source] : llvm::enumerate(op.getPermutation()))
      from[source] = index[dim];
    return from;
  });
  return success();
}

LogicalResult slice(graph::SliceOp op, Call &call) {
  gatherFrom(call, [&](ArrayRef<int64_t> index) {
    Index from;
    for (auto [i, start, stride] :
         llvm::zip(index, op.getStarts(), op.getStrides()))
      from.push_back(start + i * stride);
    return from;
  });
  return success();
}

LogicalResult pad(graph::PadOp op, Call &call) {
  const Tensor &x = call.operand(0), &value = call.operand(1);
  Tensor &result = call.result();
  for (int64_t i : upTo(result.size()))
    result.copyElement(i, value, 0);
  forEachIndex(x.shape(), [&](ArrayRef<int64_t> index) {
    Index to;
    for (auto [i, low, interior] :
         llvm::zip(index, op.getLow(), op.getInterior()))
      to.push_back(low + i * (interior + 1));
    result.copyElement(linearIndex(result.shape(), to), x,
                       linearIndex(x.shape(), index));
  });
  return success();
}

LogicalResult concat(graph::ConcatOp op, Call &call) {
  Tensor &result = call.result();
  int64_t offset = 0;
  for (const Tensor *x : call.operands) {
    forEachIndex(x->shape(), [&](ArrayRef<int64_t> index) {
      Index to(index);
      to[op.getAxis()] += offset;
      result.copyElement(linearIndex(result.shape(), to), *x,
                         linearIndex(x->shape(), index));
    });
    offset += x->shape()[op.getAxis()];
  }
  return success();
}

} // namespace

void addShape(OpTable &table) {
  table.add<graph::ConstantOp>(constant);
  table.add<graph::IotaOp>(iota);
  table.add<graph::BroadcastOp>(broadcast);
  table.add<graph::ReshapeOp>(reshape);
  table.add<graph::TransposeOp>(transpose);
  table.add<graph::SliceOp>(slice);
  table.add<graph::PadOp>(pad);
  table.add<graph::ConcatOp>(concat);
}

} // namespace graphc::interpreter
