// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sweeps. Forwards, an op computes in the type that PyTorch's autocast would
// give it; backwards, what only moves elements for readers in the low type
// moves low ones. See README.md.
#include "passes/Amp/Decisions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace graphc::amp {

using graph::PrecisionClass;

llvm::StringRef reasonText(Reason reason) {
  switch (reason) {
  case Reason::LowList:
    return "on the low list";
  case Reason::WideList:
    return "on the f32 list";
  case Reason::WidestIsWide:
    return "an operand is f32";
  case Reason::AllLow:
    return "all operands are low";
  case Reason::FollowsLow:
    return "its operand is low";
  case Reason::FollowsWide:
    return "its operand is f32";
  case Reason::Region:
    return "in a region of f32";
  case Reason::KeptWide:
    return "read by arithmetic alone, in f32";
  case Reason::MovesLow:
    return "moves what is read in the low type";
  }
  llvm_unreachable("a reason without a text");
}

bool isData(Operation *op, unsigned number) {
  if (isa<graph::LinearOp, graph::ConvOp, graph::ConvTransposeOp>(op))
    return number < 2;
  if (isa<graph::AttentionOp>(op))
    return number < 3;
  if (isa<graph::AttentionGradOp>(op))
    return number < 5;
  if (isa<graph::BatchNormOp>(op))
    return number == 0;
  return true;
}

bool isDataResult(Operation *op, unsigned number) {
  return number == 0 || !isa<graph::BatchNormOp>(op);
}

bool isMovement(Operation *op) {
  return isa<graph::ReshapeOp, graph::TransposeOp, graph::SliceOp,
             graph::BroadcastOp, graph::ReverseOp, graph::UnfoldOp,
             graph::ConcatOp, graph::PadOp, graph::GatherOp, graph::EmbeddingOp,
             graph::DynamicSliceOp, graph::DynamicUpdateSliceOp, graph::TrilOp,
             graph::TriuOp, graph::StopGradientOp>(op);
}

/// Each element from one element of each operand, by arithmetic.
static bool isArithmetic(Operation *op) {
  return op->hasTrait<graph::ElementwiseOp>() && !isMovement(op);
}

/// Gives one of its operands, or nothing that has to be rounded.
static bool isExact(Operation *op) {
  return isa<graph::NegOp, graph::AbsOp, graph::ReluOp, graph::SelectOp,
             graph::MaximumOp, graph::MinimumOp, graph::SignOp, graph::FloorOp,
             graph::CeilOp, graph::RoundOp, graph::RemOp>(op);
}

/// The place of what is not needed before the end.
constexpr int64_t kEnd = std::numeric_limits<int64_t>::max() / 2;

/// A product that may give a wider type than it reads.
static bool canGiveWide(Operation *op) {
  return isa<graph::DotGeneralOp, graph::LinearOp, graph::ConvOp,
             graph::ConvTransposeOp>(op);
}

static FloatType floatOf(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor ? dyn_cast<FloatType>(tensor.getElementType()) : FloatType();
}

static bool isF32(Value value) {
  FloatType type = floatOf(value);
  return type && type.isF32();
}

graph::ConstantOp getWeakConstant(Operation *op, Value operand) {
  auto constant = operand.getDefiningOp<graph::ConstantOp>();
  bool meetsElements = isArithmetic(op) || isa<graph::PadOp>(op);
  return constant && meetsElements && isF32(operand) &&
                 isa<SplatElementsAttr>(constant.getValue())
             ? constant
             : graph::ConstantOp();
}

bool isExactIn(graph::ConstantOp constant, FloatType type) {
  auto value =
      cast<SplatElementsAttr>(constant.getValue()).getSplatValue<APFloat>();
  bool losesInfo = false;
  value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return !losesInfo;
}

//===----------------------------------------------------------------------===//
// Forwards
//===----------------------------------------------------------------------===//

Decisions::Decisions(ModuleOp module, FloatType low) : low(low) {
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      decideBlock(function.getBody().front(), /*inRegion=*/false);
}

const Decision *Decisions::lookup(Operation *op) const {
  auto found = decisions.find(op);
  return found == decisions.end() ? nullptr : &found->second;
}

bool Decisions::isLow(Value value) const {
  return floatOf(value) == low || lowValues.contains(value);
}

void Decisions::findPlaces(Block &block) {
  for (Operation &op : llvm::reverse(block)) {
    int64_t place = kEnd;
    for (Operation *user : op.getUsers())
      if (auto found = places.find(user);
          found != places.end() && user->getBlock() == &block)
        place = std::min(place, found->second - (isArithmetic(&op) ? 0 : 1));
    places[&op] = place;
  }
}

void Decisions::decideBlock(Block &block, bool inRegion) {
  findPlaces(block);
  for (Operation &op : block) {
    decide(&op, inRegion);
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        decideBlock(inner, inRegion || isa<graph::PrecisionOp>(op));
  }
  narrowMoves(block);
}

/// The list of `op`, applied to what its operands are. The two other fields of
/// `decision` are left alone.
bool Decisions::isLowByClass(Operation *op, Decision &decision) const {
  auto give = [&](Reason reason, bool isLow) {
    decision.reason = reason;
    return isLow;
  };
  switch (graph::getPrecisionClass(op)) {
  case PrecisionClass::Low:
    return give(Reason::LowList, true);
  case PrecisionClass::Wide:
    return give(Reason::WideList, false);
  case PrecisionClass::Follow:
    for (Value operand : op->getOperands())
      if (floatOf(operand))
        return isLow(operand) ? give(Reason::FollowsLow, true)
                              : give(Reason::FollowsWide, false);
    return give(Reason::FollowsWide, false);
  case PrecisionClass::Widest: {
    bool anyLow = false;
    for (Value operand : op->getOperands()) {
      if (!floatOf(operand) || getWeakConstant(op, operand))
        continue;
      if (!isLow(operand))
        return give(Reason::WidestIsWide, false);
      anyLow = true;
    }
    return anyLow ? give(Reason::AllLow, true)
                  : give(Reason::WidestIsWide, false);
  }
  }
  llvm_unreachable("a class without a rule");
}

/// True if `op` may compute in f32 from a value that could be low.
bool Decisions::readsWide(Operation *op) const {
  return !isMovement(op) && op->getNumRegions() == 0 &&
         graph::getPrecisionClass(op) != PrecisionClass::Low;
}

/// True if the low result of `op` need not be rounded: it is one step of a
/// formula, all of whose readers are arithmetic at one place. Their kernel
/// computes it, so that nothing wider is in memory.
bool Decisions::isKeptWide(Operation *op) const {
  bool isProduct = canGiveWide(op);
  // A mean of squares, say: there is little of it, and f16 may not have it.
  bool isStatistic = isa<graph::ReduceMeanOp>(op);
  if (op->use_empty() ||
      !(isProduct || isStatistic || (isArithmetic(op) && !isExact(op))))
    return false;
  std::optional<int64_t> place;
  for (Operation *user : op->getUsers()) {
    bool isEnd = isa<func::ReturnOp, graph::SetOp, graph::YieldOp>(user);
    if (user->getBlock() != op->getBlock() ||
        !(isEnd || isArithmetic(user) ||
          (!isProduct && op->hasOneUse() && readsWide(user))))
      return false;
    if (place && *place != places.lookup(user))
      return false;
    place = places.lookup(user);
  }
  return true;
}

void Decisions::decide(Operation *op, bool inRegion) {
  inRegion |= op->hasAttr(graph::kPrecisionAttr);
  // A cast says itself what it gives, and constants are made as they are read.
  if (!isa<graph::PrecisionOpInterface>(op) ||
      isa<graph::CastOp, graph::ConstantOp>(op))
    return;
  bool hasF32 = false, hasF64 = false, hasNarrow = false;
  for (Value value :
       llvm::concat<Value>(llvm::to_vector(op->getOperands()),
                           llvm::to_vector_of<Value>(op->getResults()))) {
    FloatType type = floatOf(value);
    hasF32 |= type && type.isF32();
    hasF64 |= type && type.isF64();
    hasNarrow |= type && type.getWidth() < 32;
  }
  bool isWide =
      inRegion || graph::getPrecisionClass(op) == PrecisionClass::Wide;
  if (hasF64 || !(hasF32 || (hasNarrow && isWide)))
    return;
  // f16 beside bf16 is the user's own mixture.
  for (Value operand : op->getOperands())
    if (FloatType type = floatOf(operand);
        !isWide && type && !type.isF32() && type != low)
      return;

  Decision decision;
  bool isLow = isLowByClass(op, decision);
  if (inRegion && decision.reason != Reason::WideList) {
    decision.reason = Reason::Region;
    isLow = false;
  }
  if (!isLow) {
    decisions[op] = decision;
    return;
  }
  for (auto [k, result] : llvm::enumerate(op->getResults()))
    if (isF32(result) && isDataResult(op, k))
      lowValues.insert(result);

  bool keeps =
      op->getNumResults() == 1 && isF32(op->getResult(0)) && isKeptWide(op);
  if (graph::getPrecisionClass(op) == PrecisionClass::Low) {
    decision.isLow = true;
    decision.givesWide = keeps;
  } else {
    // One operand that is not low by itself makes the others wide too.
    bool readsF32 = llvm::any_of(op->getOperands(), [&](Value operand) {
      graph::ConstantOp weak = getWeakConstant(op, operand);
      return keptWide.contains(operand) || (weak && !isExactIn(weak, low));
    });
    decision.isLow = !readsF32 && !keeps;
    decision.isRounded = readsF32 && !keeps;
    if (keeps)
      decision.reason = Reason::KeptWide;
  }
  if (keeps)
    keptWide.insert(op->getResult(0));
  decisions[op] = decision;
}

//===----------------------------------------------------------------------===//
// Backwards
//===----------------------------------------------------------------------===//

bool Decisions::wantsLow(OpOperand &use) const {
  Operation *user = use.getOwner();
  if (auto cast = dyn_cast<graph::CastOp>(user))
    return floatOf(cast.getResult()) == low;
  const Decision *decision = lookup(user);
  return decision && decision->isLow && isData(user, use.getOperandNumber());
}

/// Rounding first and moving then gives the same bits, and moves half the bytes:
/// a transpose or a broadcast of a weight, say.
void Decisions::narrowMoves(Block &block) {
  for (Operation &op : llvm::reverse(block)) {
    auto found = decisions.find(&op);
    if (found == decisions.end() || found->second.isLow ||
        found->second.reason == Reason::Region || op.use_empty() ||
        !isa<graph::ReshapeOp, graph::TransposeOp, graph::BroadcastOp,
             graph::ReverseOp, graph::UnfoldOp>(op) ||
        !isF32(op.getResult(0)))
      continue;
    bool allLow = llvm::all_of(op.getUses(), [&](OpOperand &use) {
      return use.getOwner()->getBlock() == &block && wantsLow(use);
    });
    if (!allLow)
      continue;
    found->second.isLow = true;
    found->second.reason = Reason::MovesLow;
    lowValues.insert(op.getResult(0));
  }
}

} // namespace graphc::amp
