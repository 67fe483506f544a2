// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/LowerKernel/NameOps.h"

#include "dialects/Graph/IR/GradientLoc.h"

using namespace mlir;

namespace graphc {

static std::string nameInGroup(Operation *op) {
  std::string name = op->getName().getStringRef().str(), aside;
  if (StringRef forward = graph::gradientOf(op->getLoc()); !forward.empty())
    aside = "gradient of " + forward.str();
  if (std::string place = graph::placeOf(op->getLoc()); !place.empty())
    aside += (aside.empty() ? "at " : " at ") + place;
  return aside.empty() ? name : name + " (" + aside + ")";
}

StringAttr nameOps(graph::FusedOp fused) {
  Block &body = fused.getBody().front();
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    if (!op.hasTrait<OpTrait::ConstantLike>())
      ops.push_back(&op);
  if (ops.empty() && !body.without_terminator().empty())
    ops.push_back(body.getTerminator()->getPrevNode());
  if (ops.empty())
    return StringAttr::get(fused.getContext(), "graph.fused");
  if (ops.size() == 1)
    return ops.front()->getName().getIdentifier();
  constexpr size_t kMaxNames = 16; // Longer ones nobody reads.
  std::string text;
  for (Operation *op : ArrayRef(ops).take_front(kMaxNames))
    text += (text.empty() ? "" : ", ") + nameInGroup(op);
  if (ops.size() > kMaxNames)
    text += " and " + std::to_string(ops.size() - kMaxNames) + " more";
  return StringAttr::get(fused.getContext(), text);
}

} // namespace graphc
