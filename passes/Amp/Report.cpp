// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Amp/Report.h"
#include "dialects/Graph/IR/GradientLoc.h"

#include "llvm/Support/Format.h"

using namespace mlir;

namespace graphc::amp {

/// As its readers have it: rounded, where it is.
static int64_t bytesOf(Value value) {
  auto widthOf = [](Value of) {
    return graph::elementTypeOf(of).getIntOrFloatBitWidth();
  };
  if (value.hasOneUse())
    if (auto cast = dyn_cast<graph::CastOp>(*value.user_begin());
        cast && widthOf(cast) < widthOf(value))
      value = cast;
  auto tensor = cast<RankedTensorType>(value.getType());
  return tensor.getNumElements() *
         llvm::divideCeil(tensor.getElementTypeBitWidth(), 8);
}

static int64_t resultBytes(Operation *op) {
  int64_t bytes = 0;
  for (Value result : op->getResults())
    bytes += isa<FloatType>(graph::elementTypeOf(result)) ? bytesOf(result) : 0;
  return bytes;
}

Report::Report(ModuleOp module, const Decisions &decisions)
    : decisions(decisions) {
  module.walk([&](Operation *op) {
    if (decisions.lookup(op) || isa<graph::CastOp>(op))
      bytesBefore[op] = resultBytes(op);
  });
}

bool Report::isNewCast(Operation *op) const {
  return isa_and_nonnull<graph::CastOp>(op) && !bytesBefore.count(op);
}

void Report::printOp(Operation *op, raw_ostream &os) const {
  const Decision &decision = *decisions.lookup(op);
  std::string name = op->getName().getStringRef().str();
  if (StringRef forward = graph::gradientOf(op->getLoc()); !forward.empty())
    name += " (gradient of " + forward.str() + ")";
  std::string place = graph::placeOf(op->getLoc());
  os << "  " << name << (place.empty() ? "" : " at " + place) << ": ";
  Type f32 = FloatType::getF32(op->getContext());
  os << (decision.isLow ? Type(decisions.getLow()) : f32) << ", "
     << reasonText(decision.reason);
  if (decision.givesWide)
    os << "; gives f32, which arithmetic reads";
  if (decision.isRounded)
    os << "; computed in f32 and rounded";
  int64_t casts = llvm::count_if(op->getOperands(), [&](Value operand) {
    return isNewCast(operand.getDefiningOp());
  });
  if (casts)
    os << "; operands cast: " << casts;
  if (int64_t saved = bytesBefore.lookup(op) - resultBytes(op))
    os << "; bytes saved: " << saved;
  os << "\n";
}

void Report::print(func::FuncOp function, raw_ostream &os) const {
  int64_t ops = 0, low = 0, narrow = 0, wide = 0, before = 0, after = 0,
          weights = 0;
  function.walk([&](Operation *op) {
    if (isNewCast(op)) {
      auto cast = llvm::cast<graph::CastOp>(op);
      (graph::elementTypeOf(cast).isF32() ? wide : narrow) += 1;
      if (cast.getInput().getDefiningOp<graph::GetOp>())
        weights += bytesOf(cast);
    }
    const Decision *decision = decisions.lookup(op);
    if (!decision)
      return;
    ++ops;
    low += decision->isLow;
    before += bytesBefore.lookup(op);
    after += resultBytes(op);
  });
  os << "@" << function.getSymName() << ": " << low << " of " << ops
     << " ops in " << decisions.getLow() << "; casts to it: " << narrow
     << ", to f32: " << wide << "; bytes given: " << after << " instead of "
     << before << "; copies of weights: " << weights << " bytes\n";
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (decisions.lookup(op))
      printOp(op, os);
  });
}

void Report::print(ModuleOp module, raw_ostream &os) const {
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      print(function, os);
}

} // namespace graphc::amp
