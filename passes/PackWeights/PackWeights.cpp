// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which groups of variables get a layout, and which.
#include "passes/PackWeights/PackWeights.h"

#include "lib/Support/OptBisect/OptBisect.h"
#include "passes/PackWeights/Groups.h"

using namespace mlir;

namespace graphc {
#define GEN_PASS_DEF_PACKWEIGHTS
#include "passes/PackWeights/PackWeights.h.inc"

namespace {

using namespace packing;

/// Rows of the result of a product that reads `weight`.
int64_t countRows(OpOperand &weight, int64_t columns) {
  auto result = graph::tensorTypeOf(weight.getOwner()->getResult(0));
  return result.getNumElements() / columns;
}

struct PackWeightsPass : impl::PackWeightsBase<PackWeightsPass> {
  using PackWeightsBase::PackWeightsBase;

  void runOnOperation() override {
    for (Group &group : findGroups(getOperation())) {
      std::optional<graph::PanelsAttr> layout = choose(group);
      StringRef name = group.variables.front().getSymName();
      if (layout && !takeOptionalStep(&getContext(), "pack", name)) {
        group.fault = "not one of the first choices that are made";
        layout.reset();
      }
      if (layout)
        rewrite(group, *layout);
      if (report)
        for (graph::VariableOp variable : group.variables) {
          llvm::errs() << "@" << variable.getSymName() << ": ";
          if (layout)
            llvm::errs() << *layout << "\n";
          else
            llvm::errs() << group.fault << "\n";
        }
    }
  }

private:
  std::optional<graph::PanelsAttr> choose(Group &group) {
    auto refuse = [&](const Twine &why) {
      group.fault = why.str();
      return std::nullopt;
    };
    if (!group.fault.empty())
      return std::nullopt;
    RankedTensorType type = group.variables.front().getTensorType();
    if (type.getNumElements() < std::max<int64_t>(minElements, 1))
      return refuse("it is small");

    // Panels along the dimension that most products do not sum over; where
    // there are as many of both, the first one's, which is the forward pass.
    // Along the other one if that does not do.
    int64_t uses[2] = {0, 0}, first = -1;
    for (OpOperand *read : group.reads)
      if (std::optional<int64_t> summed = getSummedDim(*read)) {
        ++uses[1 - *summed];
        if (first < 0)
          first = 1 - *summed;
      }
    if (first < 0)
      return refuse("no product reads it");
    int64_t dim = uses[0] == uses[1] ? first : uses[1] > uses[0];
    int64_t width = 0;
    std::string fault = findWidth(group, dim, width);
    if (!fault.empty() && uses[1 - dim] != 0 &&
        findWidth(group, 1 - dim, width).empty()) {
      dim = 1 - dim;
      fault.clear();
    }
    if (!fault.empty())
      return refuse(fault);
    return graph::PanelsAttr::get(&getContext(), dim, width);
  }

  /// The width of panels along `dim`; returns what is against them.
  std::string findWidth(const Group &group, int64_t dim, int64_t &width) const {
    RankedTensorType type =
        graph::VariableOp(group.variables.front()).getTensorType();
    int64_t size = type.getDimSize(dim);
    // A vector of such a panel would be as many lines of memory.
    if (dim == 0 && !group.inRows.empty())
      return "what it is set to lies in rows, across the panels";

    bool isRead = false, mayPad = group.sets.empty();
    for (OpOperand *read : group.reads) {
      std::optional<int64_t> summed = getSummedDim(*read);
      if (!summed)
        continue;
      isRead |= *summed != dim && countRows(*read, size) <= maxRows;
      mayPad &= *summed != dim;
    }
    if (!isRead)
      return "its products have many rows";

    // Two cache lines side by side, or one: vectors of any level divide them.
    width = 1024 / type.getElementTypeBitWidth();
    if (size % width != 0 && size % (width / 2) == 0)
      width /= 2;
    if (size % width != 0 && !mayPad)
      return ("its size is no multiple of " + Twine(width / 2) +
              ", and a sum would run over what fills up the last panel")
          .str();
    // What fills up the last panel is stored, and multiplied.
    if (size < 4 * width && size % width != 0)
      return "the last panel would be much of it";
    return "";
  }
};

} // namespace
} // namespace graphc
