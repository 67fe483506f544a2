// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A normalisation and its gradient take the same sums of the same terms. The
// sums are kept; the terms, which are large, are computed again where they are
// needed.
#include "dialects/Graph/IR/GraphBuilders.h"
#include "passes/ChannelsLast/Layout.h"

#include <map>

using namespace mlir;

namespace graphc::layout {

/// Elements that cost less to keep than to compute again.
constexpr int64_t kSmall = 4096;

static bool isSmall(Operation *op) {
  return graph::tensorTypeOf(op->getResult(0)).getNumElements() <= kSmall;
}

static bool isNumbered(Operation *op) {
  return isa_and_nonnull<graph::GraphDialect>(op->getDialect()) &&
         op->getNumRegions() == 0 && op->getNumResults() == 1 && isPure(op) &&
         isa<RankedTensorType>(op->getResult(0).getType());
}

void shareSums(Block &block) {
  // Values that are equal have one number, kept apart or not.
  std::map<std::vector<const void *>, Value> known;
  llvm::DenseMap<Value, Value> equal;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!isNumbered(&op))
      continue;
    std::vector<const void *> key = {
        op.getName().getAsOpaquePointer(),
        op.getAttrDictionary().getAsOpaquePointer(),
        op.getResult(0).getType().getAsOpaquePointer()};
    for (Value operand : op.getOperands()) {
      Value first = equal.lookup(operand);
      key.push_back((first ? first : operand).getAsOpaquePointer());
    }
    auto [entry, isNew] = known.try_emplace(std::move(key), op.getResult(0));
    if (isNew)
      continue;
    if (isSmall(&op)) {
      op.replaceAllUsesWith(ValueRange(entry->second));
      op.erase();
    } else {
      equal[op.getResult(0)] = entry->second;
    }
  }
  // What only a dropped sum has read.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isNumbered(&op) && op.use_empty())
      op.erase();
}

} // namespace graphc::layout
