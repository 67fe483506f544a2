// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests, comparisons, select, index checks and cast.

#include "lib/Interpreter/Deadline.h"
#include "lib/Interpreter/Ops.h"

#include <cmath>

using namespace mlir;

namespace graphc::interpreter {

namespace {

Handler test(bool (*holds)(double)) {
  return [holds](Call &call) {
    const Tensor &x = call.operand();
    for (int64_t i : upTo(x.floats.size()))
      call.result().ints[i] = holds(x.floats[i]);
    return success();
  };
}

template <typename T>
bool compareScalars(graph::ComparePredicate predicate, T a, T b) {
  switch (predicate) {
  case graph::ComparePredicate::EQ:
    return a == b;
  case graph::ComparePredicate::NE:
    return a != b;
  case graph::ComparePredicate::LT:
    return a < b;
  case graph::ComparePredicate::LE:
    return a <= b;
  case graph::ComparePredicate::GT:
    return a > b;
  case graph::ComparePredicate::GE:
    return a >= b;
  }
  return false;
}

LogicalResult compare(graph::CompareOp op, Call &call) {
  const Tensor &a = call.operand(0), &b = call.operand(1);
  for (int64_t i : upTo(a.size()))
    call.result().ints[i] =
        a.isFloat()
            ? compareScalars(op.getPredicate(), a.floats[i], b.floats[i])
            : compareScalars(op.getPredicate(), a.ints[i], b.ints[i]);
  return success();
}

LogicalResult select(Call &call) {
  const Tensor &condition = call.operand(0);
  for (int64_t i : upTo(condition.size()))
    call.result().copyElement(
        i, condition.ints[i] ? call.operand(1) : call.operand(2), i);
  return success();
}

LogicalResult checkIndex(graph::CheckIndexOp op, Call &call) {
  const Tensor &index = call.operand();
  int64_t limit = op.getLimit();
  for (int64_t i : upTo(index.size())) {
    int64_t value = index.ints[i];
    bool ignored =
        op.getIgnore() && value == static_cast<int64_t>(*op.getIgnore());
    if (!ignored && (value < 0 || value >= limit))
      return call.error() << "expects index " << i << " to be in [0, " << limit
                          << "), but got " << value;
    call.result().ints[i] = value;
  }
  return success();
}

int64_t floatToInt(double x, ElementKind kind) {
  if (kind == ElementKind::I1)
    return x != 0; // true for NaN
  if (std::isnan(x))
    return 0;
  // In double the largest i64 is 2^63, one too many.
  if (x >= static_cast<double>(getMaximum(kind)))
    return getMaximum(kind);
  if (x <= static_cast<double>(getMinimum(kind)))
    return getMinimum(kind);
  return static_cast<int64_t>(x);
}

LogicalResult castElements(Call &call) {
  const Tensor &x = call.operand();
  Tensor &result = call.result();
  ElementKind to = result.kind();
  FloatFormat format =
      call.options.mode == Mode::F64 ? FloatFormat::f64() : getFloatFormat(to);
  for (int64_t i : upTo(x.size())) {
    if (x.isFloat() && result.isFloat())
      result.floats[i] = x.floats[i];
    else if (x.isFloat())
      result.ints[i] = floatToInt(x.floats[i], to);
    else if (result.isFloat())
      result.floats[i] = roundToFormat(x.ints[i], format);
    else if (to == ElementKind::I1)
      result.ints[i] = x.ints[i] != 0;
    else
      result.ints[i] = wrapTo(to, x.ints[i]);
  }
  return success();
}

} // namespace

void addCompare(OpTable &table) {
  table.add<graph::IsFiniteOp>(test([](double x) { return std::isfinite(x); }));
  table.add<graph::IsNanOp>(test([](double x) { return std::isnan(x); }));
  table.add<graph::CompareOp>(compare);
  table.add<graph::SelectOp>(select);
  table.add<graph::CheckIndexOp>(checkIndex);
  table.add<graph::CastOp>(castElements);
}

} // namespace graphc::interpreter
