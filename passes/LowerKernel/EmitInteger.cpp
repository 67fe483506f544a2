// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise ops on integers and truth values: total functions, none of which
// may reach arith's undefined cases.
#include "dialects/Graph/IR/Graph.h"
#include "passes/LowerKernel/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
namespace graphc::kernel {

using IPredicate = arith::CmpIPredicate;

static Value divide(const ElementBuilder &b, Type type, bool isUnsigned,
                    bool remainder, Value x, Value y) {
  Value zero = b.constantInt(type, 0), one = b.constantInt(type, 1);
  Value byZero = b.compare(IPredicate::eq, y, zero);
  Value unsafe = byZero;
  unsigned width = type.getIntOrFloatBitWidth();
  if (!isUnsigned) {
    // MIN / 1 and MIN % 1 are what MIN / -1 and MIN % -1 shall be.
    Value least = b.constant(
        type, IntegerAttr::get(type, APInt::getSignedMinValue(width)));
    Value overflow = b.make<arith::AndIOp>(
        b.compare(IPredicate::eq, x, least),
        b.compare(IPredicate::eq, y, b.constantInt(type, -1)));
    unsafe = b.make<arith::OrIOp>(unsafe, overflow);
  }
  Value safe = b.select(unsafe, one, y);
  if (remainder)
    return b.select(byZero, x,
                    isUnsigned ? b.make<arith::RemUIOp>(x, safe)
                               : b.make<arith::RemSIOp>(x, safe));
  return b.select(byZero, b.constantInt(type, -1),
                  isUnsigned ? b.make<arith::DivUIOp>(x, safe)
                             : b.make<arith::DivSIOp>(x, safe));
}

static Value shift(const ElementBuilder &b, Type type, bool isUnsigned,
                   bool left, Value x, Value count) {
  unsigned width = type.getIntOrFloatBitWidth();
  Value inside = b.compare(IPredicate::ult, count, b.constantInt(type, width));
  if (!left && !isUnsigned) {
    // Shifting by all but the sign gives the sign.
    Value most = b.select(inside, count, b.constantInt(type, width - 1));
    return b.make<arith::ShRSIOp>(x, most);
  }
  Value zero = b.constantInt(type, 0);
  Value safe = b.select(inside, count, zero);
  Value shifted =
      left ? b.make<arith::ShLIOp>(x, safe) : b.make<arith::ShRUIOp>(x, safe);
  return b.select(inside, shifted, zero);
}

static IPredicate predicateOf(graph::ComparePredicate predicate,
                              bool isUnsigned) {
  switch (predicate) {
  case graph::ComparePredicate::EQ:
    return IPredicate::eq;
  case graph::ComparePredicate::NE:
    return IPredicate::ne;
  case graph::ComparePredicate::LT:
    return isUnsigned ? IPredicate::ult : IPredicate::slt;
  case graph::ComparePredicate::LE:
    return isUnsigned ? IPredicate::ule : IPredicate::sle;
  case graph::ComparePredicate::GT:
    return isUnsigned ? IPredicate::ugt : IPredicate::sgt;
  case graph::ComparePredicate::GE:
    return isUnsigned ? IPredicate::uge : IPredicate::sge;
  }
  llvm_unreachable("all predicates are above");
}

Value ElementBuilder::applyInteger(Operation *op, Type elementType,
                                   ValueRange v) const {
  // i1 is unsigned: false is less than true.
  bool isUnsigned = elementType.isUnsignedInteger() || elementType.isInteger(1);
  Type type = getComputeType(elementType);
  if (isa<graph::AddOp>(op))
    return make<arith::AddIOp>(v[0], v[1]);
  if (isa<graph::SubOp>(op))
    return make<arith::SubIOp>(v[0], v[1]);
  if (isa<graph::MulOp>(op))
    return make<arith::MulIOp>(v[0], v[1]);
  if (isa<graph::NegOp>(op))
    return make<arith::SubIOp>(constantInt(type, 0), v[0]);
  if (isa<graph::AbsOp>(op)) {
    if (isUnsigned)
      return v[0];
    Value negative = compare(IPredicate::slt, v[0], constantInt(type, 0));
    return select(negative, make<arith::SubIOp>(constantInt(type, 0), v[0]),
                  v[0]);
  }
  if (isa<graph::SignOp>(op)) {
    Value zero = constantInt(type, 0), one = constantInt(type, 1);
    Value nonzero = select(compare(IPredicate::ne, v[0], zero), one, zero);
    if (isUnsigned)
      return nonzero;
    return select(compare(IPredicate::slt, v[0], zero), constantInt(type, -1),
                  nonzero);
  }
  if (isa<graph::DivOp, graph::RemOp>(op))
    return divide(*this, type, isUnsigned, isa<graph::RemOp>(op), v[0], v[1]);
  if (isa<graph::ShiftLeftOp, graph::ShiftRightOp>(op))
    return shift(*this, type, isUnsigned, isa<graph::ShiftLeftOp>(op), v[0],
                 v[1]);
  if (isa<graph::MaximumOp>(op))
    return maximum(elementType, v[0], v[1]);
  if (isa<graph::MinimumOp>(op))
    return minimum(elementType, v[0], v[1]);
  if (isa<graph::AndOp>(op))
    return make<arith::AndIOp>(v[0], v[1]);
  if (isa<graph::OrOp>(op))
    return make<arith::OrIOp>(v[0], v[1]);
  if (isa<graph::XorOp>(op))
    return make<arith::XOrIOp>(v[0], v[1]);
  if (isa<graph::NotOp>(op))
    return make<arith::XOrIOp>(v[0], constantInt(type, -1));
  if (auto compareOp = dyn_cast<graph::CompareOp>(op))
    return compare(predicateOf(compareOp.getPredicate(), isUnsigned), v[0],
                   v[1]);
  return {};
}

} // namespace graphc::kernel
