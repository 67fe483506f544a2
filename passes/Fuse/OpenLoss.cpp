// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cross entropy and its gradient go over the same rows of logits, and take
// the same exponentials. The loss alone checks class numbers, so it is always a
// kernel of its own: taken apart, only the check is.
#include "passes/Fuse/FuseProblem.h"

#include "dialects/Graph/IR/GraphBuilders.h"

using namespace mlir;

namespace graphc::fuse {

/// Less than this is read from the nearest caches, and not worth more kernels.
constexpr int64_t kManyLogits = 1 << 14;

/// What `value` is, in this or another shape.
static Value withoutReshapes(Value value) {
  while (auto reshape = value.getDefiningOp<graph::ReshapeOp>())
    value = reshape.getInput();
  return value;
}

void openLosses(Block &block) {
  llvm::DenseMap<Value, graph::SoftmaxOp> softmaxes;
  for (auto softmax : block.getOps<graph::SoftmaxOp>())
    softmaxes.try_emplace(withoutReshapes(softmax.getInput()), softmax);
  for (auto loss :
       llvm::make_early_inc_range(block.getOps<graph::CrossEntropyOp>())) {
    RankedTensorType type = graph::tensorTypeOf(loss.getLogits());
    graph::SoftmaxOp softmax =
        softmaxes.lookup(withoutReshapes(loss.getLogits()));
    if (!softmax || softmax.getInput().getType() != type ||
        int64_t(softmax.getAxis()) != type.getRank() - 1 ||
        type.getNumElements() < kManyLogits)
      continue;
    OpBuilder builder(loss);
    loss->replaceAllUsesWith(loss.decompose(builder));
    loss.erase();
  }
}

} // namespace graphc::fuse
