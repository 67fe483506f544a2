// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/IR/GradientLoc.h"

#include "dialects/Graph/IR/Graph.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/Path.h"

using namespace mlir;

static constexpr llvm::StringLiteral kPrefix = "gradient of ";

Location graphc::graph::gradientLoc(Location loc, StringRef opName) {
  return NameLoc::get(StringAttr::get(loc.getContext(), kPrefix + opName), loc);
}

void graphc::graph::markGradient(Operation *op, Operation *forward) {
  StringRef name = forward->getName().getStringRef();
  Attribute precision = forward->getAttr(kPrecisionAttr);
  op->walk([&](Operation *part) {
    if (gradientOf(part->getLoc()).empty() ||
        part->getLoc() == forward->getLoc())
      part->setLoc(gradientLoc(part->getLoc(), name));
    // Constants are the same in all precisions.
    if (precision && !part->hasTrait<OpTrait::ConstantLike>())
      part->setAttr(kPrecisionAttr, precision);
  });
}

StringRef graphc::graph::gradientOf(Location loc) {
  StringRef name;
  loc->walk([&](Location part) {
    auto named = dyn_cast<NameLoc>(part);
    if (!named || !named.getName().getValue().starts_with(kPrefix))
      return WalkResult::advance();
    name = named.getName().getValue().drop_front(kPrefix.size());
    return WalkResult::interrupt();
  });
  return name;
}

std::string graphc::graph::placeOf(Location loc) {
  std::string text;
  loc->walk([&](Location part) {
    auto place = dyn_cast<FileLineColLoc>(part);
    if (!place)
      return WalkResult::advance();
    text = llvm::sys::path::filename(place.getFilename().getValue()).str() +
           ":" + std::to_string(place.getLine());
    // What is traced from C++ knows no column.
    if (place.getColumn() != 0)
      text += ":" + std::to_string(place.getColumn());
    return WalkResult::interrupt();
  });
  return text;
}
