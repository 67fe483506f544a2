// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Analysis/Cost.h"

#include "dialects/Plan/IR/Plan.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace graphc {

static int64_t sum(int64_t a, int64_t b) {
  int64_t result = 0;
  return llvm::AddOverflow(a, b, result) ? std::numeric_limits<int64_t>::max()
                                         : result;
}

OwningOpRef<ModuleOp> partsOf(graph::DecomposableOpInterface op) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(op->getLoc());
  Block &scratch = *module->getBody();
  IRMapping map;
  for (Value operand : op->getOperands())
    if (!map.contains(operand))
      map.map(operand, scratch.addArgument(operand.getType(), op->getLoc()));
  OpBuilder builder = OpBuilder::atBlockEnd(&scratch);
  auto copy = cast<graph::DecomposableOpInterface>(
      builder.clone(*op.getOperation(), map));
  builder.setInsertionPoint(copy);
  copy.decompose(builder);
  copy->erase();
  return module;
}

OpWork workOf(Operation *op) {
  OpWork work;
  work.checksIndices =
      isa<graph::CheckIndexOp, graph::GatherOp, graph::ScatterAddOp>(op);
  if (auto priced = dyn_cast<graph::CostOpInterface>(op))
    work.flops = priced.getFlops();
  auto composite = dyn_cast<graph::DecomposableOpInterface>(op);
  if (!composite)
    return work;
  OwningOpRef<ModuleOp> parts = partsOf(composite);
  for (Operation &part : *parts->getBody()) {
    OpWork inner = workOf(&part);
    if (!isa<graph::CostOpInterface>(op))
      work.flops = sum(work.flops, inner.flops);
    work.checksIndices |= inner.checksIndices;
  }
  return work;
}

int64_t bytesOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? plan::getByteSize(tensor) : 0;
}

} // namespace graphc
