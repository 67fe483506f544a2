// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Target/Cuda/Roll.h"

#include "lib/Target/Cuda/Distribute.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace graphc::cuda {

static std::optional<int64_t> integerOf(Value value) {
  APInt number;
  if (isa<ShapedType>(value.getType()) ||
      !matchPattern(value, m_ConstantInt(&number)) || number.getBitWidth() > 64)
    return std::nullopt;
  return number.getSExtValue();
}

bool Roll::matchRegions(Operation *op, Operation *pattern) {
  for (auto [region, other] :
       llvm::zip_equal(op->getRegions(), pattern->getRegions())) {
    if (region.empty() != other.empty())
      return false;
    if (region.empty())
      continue;
    if (!region.hasOneBlock() || !other.hasOneBlock() ||
        region.front().getOperations().size() !=
            other.front().getOperations().size())
      return false;
    for (auto [a, b] :
         llvm::zip_equal(region.getArguments(), other.getArguments()))
      matched[a] = b;
    for (auto [a, b] : llvm::zip_equal(region.front(), other.front()))
      if (!matchOps(&a, &b))
        return false;
  }
  return true;
}

bool Roll::matchOps(Operation *op, Operation *pattern) {
  if (op->getName() != pattern->getName() ||
      op->getAttrDictionary() != pattern->getAttrDictionary() ||
      op->getNumOperands() != pattern->getNumOperands() ||
      op->getNumRegions() != pattern->getNumRegions() ||
      op->getResultTypes() != pattern->getResultTypes())
    return false;
  for (auto [a, b] : llvm::zip_equal(op->getOperands(), pattern->getOperands()))
    if (!matchLane(a, b))
      return false;
  if (!matchRegions(op, pattern))
    return false;
  for (auto [a, b] : llvm::zip_equal(op->getResults(), pattern->getResults()))
    matched[a] = b;
  return true;
}

bool Roll::matchLane(Value value, Value pattern) {
  if (Value known = matched.lookup(value); known && known == pattern)
    return true;
  Operation *op = value.getDefiningOp(), *other = pattern.getDefiningOp();
  auto number = integerOf(value), first = integerOf(pattern);
  if (number && first && value.getType() == pattern.getType()) {
    auto [it, isNew] = seen.try_emplace(pattern);
    if (it->second.size() == size_t(lane) + 1)
      return it->second.back() == *number;
    if (it->second.size() != size_t(lane))
      return false;
    it->second.push_back(*number);
    matched[value] = pattern;
    return true;
  }
  auto extract = dyn_cast_or_null<vector::ExtractOp>(op);
  auto otherExtract = dyn_cast_or_null<vector::ExtractOp>(other);
  if (extract && otherExtract) {
    // An element that all lanes take is in one thread only.
    return extract.getVector() == otherExtract.getVector() &&
           extract.getSourceVectorType().getNumElements() == lanes &&
           extract.getStaticPosition() == ArrayRef<int64_t>{lane} &&
           otherExtract.getStaticPosition() == ArrayRef<int64_t>{1};
  }
  if (value == pattern)
    return true;
  if (!op || !other || isa<VectorType>(value.getType()))
    return false;
  bool isInside = op->getBlock() == block && other->getBlock() == block;
  if (auto add = dyn_cast<arith::AddIOp>(other);
      add && !(isa<arith::AddIOp>(op) && integerOf(op->getOperand(1))) &&
      integerOf(add.getRhs())) {
    // x is x + 0.
    auto [it, isNew] = seen.try_emplace(add.getRhs());
    if (it->second.size() == size_t(lane))
      it->second.push_back(0);
    if (it->second.size() != size_t(lane) + 1 || it->second.back() != 0)
      return false;
    return matchLane(value, add.getLhs());
  }
  if (!isInside || hasEffect<MemoryEffects::Write>(op))
    return false;
  if (!isMemoryEffectFree(op)) {
    // What is loaded here is loaded where the vector is.
    for (Operation *next = op; next != end; next = next->getNextNode())
      if (hasEffect<MemoryEffects::Write>(next) ||
          (next->getNumRegions() && !isMemoryEffectFree(next)))
        return false;
  }
  if (!matchOps(op, other))
    return false;
  matched[value] = pattern;
  return true;
}

bool Roll::findSteps() {
  active = lanes;
  for (auto &[pattern, values] : seen) {
    if (int64_t(values.size()) != lanes)
      return false;
    int64_t step = values[1] - values[0], count = 2;
    while (count < lanes && values[count] - values[count - 1] == step)
      ++count;
    if (step != 0 || count < lanes)
      active = std::min(active, count);
    numbers[pattern] = {values[0], step};
  }
  // The lanes after those, all as one of them.
  for (int64_t candidate : {int64_t(0), active - 1}) {
    otherwise = candidate;
    bool fits = llvm::all_of(seen, [&](auto &entry) {
      return llvm::all_of(ArrayRef(entry.second).drop_front(active),
                          [&, candidate](int64_t value) {
                            return value == entry.second[candidate];
                          });
    });
    if (fits)
      return true;
  }
  return false;
}

bool Roll::match(vector::FromElementsOp elements) {
  block = elements->getBlock();
  end = elements;
  lanes = elements.getElements().size();
  lane1 = elements.getElements()[1];
  for (lane = 0; lane < lanes; ++lane) {
    matched.clear();
    if (!matchLane(elements.getElements()[lane], lane1))
      return false;
  }
  if (!findSteps())
    return false;
  for (auto it = numbers.begin(); it != numbers.end();) {
    auto here = it++;
    if (here->second.step == 0)
      numbers.erase(here);
  }
  // Such a constant has one value only where it is used inside a region.
  for (auto &[constant, number] : numbers)
    if (!constant.getParentRegion()->isAncestor(block->getParent()))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// The code for the lanes of one thread
//===----------------------------------------------------------------------===//

namespace {

/// Copies what a value of lane 1 needs, for another lane.
class LaneCopy {
public:
  /// `map` has the values that all lanes share, `lane` is an index, and `slot`
  /// one of the thread's part of a vector.
  LaneCopy(OpBuilder &builder, Roll &roll, Block *block, const IRMapping &map,
           Value lane, int64_t slot)
      : builder(builder), roll(roll), block(block), map(map), lane(lane),
        slot(slot) {}

  Value get(Value value) {
    if (auto it = roll.numbers.find(value); it != roll.numbers.end())
      return numberOf(value, it->second);
    if (Value known = map.lookupOrNull(value))
      if (isa<BlockArgument>(value) || !isOfLane(value))
        return known;
    if (copied.contains(value))
      return copied.lookup(value);
    Operation *op = value.getDefiningOp();
    if (auto extract = dyn_cast_or_null<vector::ExtractOp>(op);
        extract && isOfLane(value))
      return copied[value] = builder.create<vector::ExtractOp>(
                 op->getLoc(), map.lookup(extract.getVector()), slot);
    if (!op || !isOfLane(value))
      return map.lookupOrDefault(value);
    IRMapping inner = map;
    for (Value operand : op->getOperands())
      inner.map(operand, get(operand));
    SetVector<Value> above;
    getUsedValuesDefinedAbove(op->getRegions(), above);
    for (Value used : above)
      inner.map(used, get(used));
    Operation *copy = builder.clone(*op, inner);
    for (auto [from, to] :
         llvm::zip_equal(op->getResults(), copy->getResults()))
      copied[from] = to;
    return copied[value];
  }

private:
  Value numberOf(Value value, Roll::Number number) {
    Location loc = value.getLoc();
    auto index = [&](int64_t k) -> Value {
      return builder.create<arith::ConstantIndexOp>(loc, k);
    };
    Value result = builder.create<arith::AddIOp>(
        loc, builder.create<arith::MulIOp>(loc, lane, index(number.step)),
        index(number.first));
    if (value.getType().isIndex())
      return result;
    return builder.create<arith::IndexCastOp>(loc, value.getType(), result);
  }

  /// True if `value` depends on the lane.
  bool isOfLane(Value value) {
    if (roll.numbers.contains(value))
      return true;
    auto [it, isNew] = ofLane.try_emplace(value, false);
    Operation *op = value.getDefiningOp();
    if (!isNew || !op || op->getBlock() != block)
      return it->second;
    bool depends = isa<vector::ExtractOp>(op);
    for (Value operand : op->getOperands())
      depends |= isOfLane(operand);
    SetVector<Value> above;
    getUsedValuesDefinedAbove(op->getRegions(), above);
    for (Value used : above)
      depends |= isOfLane(used);
    return ofLane[value] = depends;
  }

  OpBuilder &builder;
  Roll &roll;
  Block *block;
  const IRMapping &map;
  Value lane;
  int64_t slot;
  llvm::DenseMap<Value, Value> copied;
  llvm::DenseMap<Value, bool> ofLane;
};

} // namespace

void Distributor::copyFromElements(Operation &op) {
  auto elements = cast<vector::FromElementsOp>(op);
  if (!isSpread(elements)) {
    builder.clone(op, map);
    return;
  }
  Location loc = op.getLoc();
  int64_t count = elements.getElements().size();
  Value first = firstLane(count);
  SmallVector<Value> mine;
  Roll roll;
  bool isRolled = roll.match(elements);
  for (int64_t slot = 0; slot < layout.lanes; ++slot) {
    if (isRolled) {
      Value lane = builder.create<arith::AddIOp>(loc, first, constant(slot));
      if (roll.active < count)
        lane = builder.create<arith::SelectOp>(
            loc,
            builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, lane,
                                          constant(roll.active)),
            lane, constant(roll.otherwise));
      LaneCopy copy(builder, roll, op.getBlock(), map, lane, slot);
      mine.push_back(copy.get(roll.lane1));
      continue;
    }
    // Each thread has computed all of them: it chooses its own.
    Value value = map.lookupOrDefault(elements.getElements()[slot]);
    for (int64_t owner = 1; owner < layout.owners(count); ++owner) {
      Value isOwner = builder.create<arith::CmpIOp>(
          loc, arith::CmpIPredicate::eq, first, constant(owner * layout.lanes));
      value = builder.create<arith::SelectOp>(
          loc, isOwner,
          map.lookupOrDefault(
              elements.getElements()[owner * layout.lanes + slot]),
          value);
    }
    mine.push_back(value);
  }
  map.map(elements.getResult(),
          builder
              .create<vector::FromElementsOp>(
                  loc, layout.convert(elements.getType()), mine)
              .getResult());
}

} // namespace graphc::cuda
