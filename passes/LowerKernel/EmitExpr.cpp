// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for one expression at the current loop indices.
#include "passes/LowerKernel/Emitter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
namespace graphc::kernel {

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

void Scope::bind(unsigned variable, Value value) {
  bound[variable] = value;
  if (variable < accumulatedBit)
    loops |= uint64_t(1) << variable;
}

void Scope::setAccumulated(Value value) {
  accumulated = value;
  loops |= uint64_t(1) << accumulatedBit;
}

void Scope::setLanes(unsigned variable, int64_t count, int64_t activeCount) {
  if (count <= 0)
    return;
  lane = variable;
  lanes = count;
  active = activeCount;
}

Value Scope::get(unsigned variable) const {
  for (const Scope *scope = this; scope; scope = scope->parent)
    if (Value value = scope->bound.lookup(variable))
      return value;
  llvm_unreachable("a loop variable is used outside its loop");
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

/// `index` for lane number `lane`.
Value Emitter::position(const Index &index, Scope &scope, int64_t lane) {
  OpBuilder &b = scope.builder;
  Location loc = nest->loc;
  auto constant = [&](int64_t value) -> Value {
    return b.create<arith::ConstantIndexOp>(loc, value);
  };
  Value sum;
  int64_t rest = index.constant;
  for (auto [v, coefficient] : llvm::enumerate(index.coefficients)) {
    if (coefficient == 0)
      continue;
    const Variable &variable = nest->variables[v];
    Value value;
    if (variable.kind == Variable::Loop) {
      value = scope.get(v);
      if (int(v) == scope.lane)
        rest += lane * coefficient;
    } else if (variable.kind == Variable::Data) {
      value = evaluate(variable.data, scope);
      if (isa<VectorType>(value.getType()))
        value = b.create<vector::ExtractOp>(loc, value, lane);
      value = b.create<arith::IndexCastOp>(loc, b.getIndexType(), value);
    } else {
      value = position(variable.of, scope, lane);
      if (variable.kind == Variable::Quotient)
        value =
            b.createOrFold<arith::DivUIOp>(loc, value, constant(variable.by));
      else if (variable.kind == Variable::Remainder)
        value =
            b.createOrFold<arith::RemUIOp>(loc, value, constant(variable.by));
      else
        value = b.createOrFold<arith::MinSIOp>(
            loc, b.createOrFold<arith::MaxSIOp>(loc, value, constant(0)),
            constant(variable.size - 1));
    }
    if (coefficient != 1)
      value = b.createOrFold<arith::MulIOp>(loc, value, constant(coefficient));
    sum = sum ? b.createOrFold<arith::AddIOp>(loc, sum, value) : value;
  }
  if (!sum)
    return constant(rest);
  return rest ? b.createOrFold<arith::AddIOp>(loc, sum, constant(rest)) : sum;
}

std::optional<int64_t> Emitter::stride(const Index &index,
                                       const Scope &scope) const {
  if (scope.lane < 0)
    return 0;
  for (auto [v, coefficient] : llvm::enumerate(index.coefficients)) {
    const Variable &variable = nest->variables[v];
    if (coefficient != 0 && variable.kind != Variable::Loop &&
        (nest->loopsInVariable(v) >> scope.lane & 1))
      return std::nullopt;
  }
  return index.coefficient(scope.lane);
}

/// `index` for all lanes, as a vector of i64; as a scalar without lanes.
Value Emitter::positions(const Index &index, Scope &scope) {
  OpBuilder &b = scope.builder;
  Type i64 = b.getI64Type();
  auto number = [&](int64_t lane) -> Value {
    return b.create<arith::IndexCastOp>(nest->loc, i64,
                                        position(index, scope, lane));
  };
  if (!(scope.lane >= 0 && (nest->loopsIn(index) >> scope.lane & 1)))
    return number(0);
  auto type = VectorType::get({scope.lanes}, i64);
  if (std::optional<int64_t> step = stride(index, scope)) {
    SmallVector<int64_t> steps;
    for (int64_t k = 0; k < scope.lanes; ++k)
      steps.push_back(k * *step);
    Value first = b.create<vector::BroadcastOp>(nest->loc, type, number(0));
    return b.create<arith::AddIOp>(
        nest->loc, first,
        b.create<arith::ConstantOp>(
            nest->loc, DenseElementsAttr::get(type, ArrayRef(steps))));
  }
  SmallVector<Value> numbers;
  for (int64_t k = 0; k < scope.lanes; ++k)
    numbers.push_back(number(std::min(k, scope.active - 1)));
  return b.create<vector::FromElementsOp>(nest->loc, type, numbers);
}

/// True in the lanes that touch memory.
Value Emitter::mask(Scope &scope) {
  auto type = VectorType::get({scope.lanes}, scope.builder.getI1Type());
  return scope.builder.create<vector::ConstantMaskOp>(
      nest->loc, type, scope.builder.getI64ArrayAttr({scope.active}));
}

Value Emitter::condition(const Condition &condition, Scope &scope) {
  Value value = positions(condition.index, scope);
  bool vector = isa<VectorType>(value.getType());
  ElementBuilder b = elements(scope, vector);
  Type i64 = scope.builder.getI64Type();
  auto [low, high] = nest->rangeOf(condition.index);
  Value above, below;
  if (low < condition.low)
    above = b.compare(arith::CmpIPredicate::sge, value,
                      b.constantInt(i64, condition.low));
  if (high >= condition.high)
    below = b.compare(arith::CmpIPredicate::slt, value,
                      b.constantInt(i64, condition.high));
  if (above && below)
    return b.make<arith::AndIOp>(above, below);
  return above ? above : below;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

bool Emitter::isVector(Expr *expr, const Scope &scope) const {
  return scope.lane >= 0 && (expr->loops >> scope.lane & 1);
}

Value Emitter::splat(Value value, Scope &scope) {
  if (scope.lane < 0 || isa<VectorType>(value.getType()))
    return value;
  auto type = VectorType::get({scope.lanes}, value.getType());
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    return scope.builder.create<arith::ConstantOp>(
        nest->loc, DenseElementsAttr::get(type, constant));
  return scope.builder.create<vector::BroadcastOp>(nest->loc, type, value);
}

/// The value of `expr`: a vector if it varies from lane to lane.
Value Emitter::evaluate(Expr *expr, Scope &scope) {
  // As far out as it can be.
  if (Scope *parent = scope.parent) {
    bool isKnown = (expr->loops & ~parent->loops) == 0;
    bool hasLanes = parent->lane == scope.lane &&
                    parent->lanes == scope.lanes &&
                    parent->active == scope.active;
    if (isKnown && (hasLanes || !isVector(expr, scope)))
      return evaluate(expr, *parent);
  }
  if (Value known = scope.computed.lookup(expr))
    return known;
  Value value = compute(expr, scope);
  scope.computed[expr] = value;
  return value;
}

Value Emitter::compute(Expr *expr, Scope &scope) {
  bool vector = isVector(expr, scope);
  ElementBuilder b = elements(scope, vector);
  auto operand = [&](unsigned k) {
    Value value = evaluate(expr->operands[k], scope);
    return vector ? splat(value, scope) : value;
  };
  switch (expr->kind) {
  case Expr::Constant: {
    Type type = getComputeType(expr->elementType);
    if (auto number = dyn_cast<FloatAttr>(expr->constant))
      return b.constant(type, number.getValueAsDouble());
    return b.constant(
        type,
        IntegerAttr::get(type, cast<IntegerAttr>(expr->constant).getValue()));
  }
  case Expr::Load:
    return evaluateLoad(expr, scope, /*stored=*/false);
  case Expr::IndexOf: {
    Type i64 = scope.builder.getI64Type();
    return b.cast(i64, expr->elementType, positions(expr->index, scope));
  }
  case Expr::Convert: {
    Type from = expr->operands[0]->elementType;
    return b.cast(from, expr->elementType, operand(0));
  }
  case Expr::Apply: {
    SmallVector<Value> operands;
    for (unsigned k = 0; k < expr->operands.size(); ++k)
      operands.push_back(operand(k));
    return b.apply(expr->op, operands);
  }
  case Expr::Choose:
    return evaluateChoose(expr, scope, /*stored=*/false);
  case Expr::Random: {
    Value id = entry->getArgument(bufferArguments + expr->number);
    SmallVector<Value> key;
    for (unsigned k = 0; k < 3; ++k)
      key.push_back(operand(k));
    if (vector)
      id = splat(id, scope);
    Value at = positions(expr->index, scope);
    return b.random(expr->elementType, at, id, key);
  }
  case Expr::Accumulated:
    return b.round(expr->elementType, scope.accumulated);
  }
  llvm_unreachable("all kinds are above");
}

/// The bits of `expr` as they are in memory. What only moves is not converted.
Value Emitter::evaluateStored(Expr *expr, Scope &scope) {
  Value value;
  if (expr->kind == Expr::Load)
    value = evaluateLoad(expr, scope, /*stored=*/true);
  else if (expr->kind == Expr::Choose)
    value = evaluateChoose(expr, scope, /*stored=*/true);
  else
    value = elements(scope, isVector(expr, scope))
                .store(expr->elementType, evaluate(expr, scope));
  return value;
}

Value Emitter::evaluateChoose(Expr *expr, Scope &scope, bool stored) {
  bool vector = isVector(expr, scope);
  ElementBuilder b = elements(scope, vector);
  auto operand = [&](unsigned k) {
    Value value = stored ? evaluateStored(expr->operands[k], scope)
                         : evaluate(expr->operands[k], scope);
    return vector ? splat(value, scope) : value;
  };
  Value all;
  for (const Condition &c : expr->conditions) {
    Value one = condition(c, scope);
    if (!one)
      continue;
    if (all && isa<VectorType>(all.getType()) != isa<VectorType>(one.getType()))
      all = splat(all, scope), one = splat(one, scope);
    all = all ? Value(scope.builder.create<arith::AndIOp>(nest->loc, all, one))
              : one;
  }
  Value a = operand(0);
  if (!all)
    return a;
  Value other = operand(1);
  if (isa<VectorType>(a.getType()) != isa<VectorType>(other.getType()))
    a = splat(a, scope), other = splat(other, scope);
  if (isa<VectorType>(all.getType()) && !isa<VectorType>(a.getType()))
    a = splat(a, scope), other = splat(other, scope);
  return b.select(all, a, other);
}

/// Begins to bring the next row near, a piece with each piece of this row.
void Emitter::fetchAhead(Expr *load, Value base, Value at, Scope &scope) {
  auto entry = ahead.find(load->buffer);
  if (entry == ahead.end() || entry->second.first != nest)
    return;
  constexpr int64_t lineBytes = 64;
  int64_t bytes = getStorageType(load->elementType).getIntOrFloatBitWidth() / 8;
  for (int64_t k = 0; k < scope.active; k += lineBytes / bytes)
    scope.builder.create<memref::PrefetchOp>(
        nest->loc, base, offset(scope, at, entry->second.second + k),
        /*isWrite=*/false, /*localityHint=*/3, /*isDataCache=*/true);
}

Value Emitter::evaluateLoad(Expr *expr, Scope &scope, bool stored) {
  bool vector = isVector(expr, scope);
  ElementBuilder b = elements(scope, vector);
  OpBuilder &builder = scope.builder;
  Location loc = nest->loc;
  Value base = memoryOf(expr->buffer);
  Type bits = getStorageType(expr->elementType);
  Value value;
  if (!vector) {
    value =
        builder.create<memref::LoadOp>(loc, base, position(expr->index, scope));
  } else if (stride(expr->index, scope) == 1) {
    auto type = VectorType::get({scope.lanes}, bits);
    Value at = position(expr->index, scope);
    fetchAhead(expr, base, at, scope);
    if (scope.active == scope.lanes)
      value = builder.create<vector::LoadOp>(loc, type, base, at);
    else
      value = builder.create<vector::MaskedLoadOp>(
          loc, type, base, at, mask(scope),
          builder.create<arith::ConstantOp>(loc, builder.getZeroAttr(type)));
  } else {
    SmallVector<Value> lanes;
    for (int64_t k = 0; k < scope.lanes; ++k)
      lanes.push_back(k < scope.active
                          ? builder.create<memref::LoadOp>(
                                loc, base, position(expr->index, scope, k))
                          : lanes.front());
    value = builder.create<vector::FromElementsOp>(
        loc, VectorType::get({scope.lanes}, bits), lanes);
  }
  return stored ? value : b.load(expr->elementType, value);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value Emitter::memoryOf(Buffer *buffer) {
  Value base = memory.lookup(buffer);
  assert(base && "a buffer without memory");
  return base;
}

void Emitter::store(Buffer *buffer, const Index &index, Value stored,
                    Scope &scope) {
  OpBuilder &b = scope.builder;
  Value base = memoryOf(buffer);
  if (!isa<VectorType>(stored.getType())) {
    b.create<memref::StoreOp>(nest->loc, stored, base, position(index, scope));
    return;
  }
  if (stride(index, scope) == 1) {
    Value at = position(index, scope);
    if (scope.active < scope.lanes)
      b.create<vector::MaskedStoreOp>(nest->loc, base, at, mask(scope), stored);
    else if (Value streamed = streams.lookup(buffer))
      storePastCaches(streamed, base, at, stored, scope);
    else
      b.create<vector::StoreOp>(nest->loc, stored, base, at);
    return;
  }
  for (int64_t k = 0; k < scope.active; ++k)
    b.create<memref::StoreOp>(nest->loc,
                              b.create<vector::ExtractOp>(nest->loc, stored, k),
                              base, position(index, scope, k));
}

/// If `streamed` holds; and only a whole vector at an aligned place can.
void Emitter::storePastCaches(Value streamed, Value base, Value at,
                              Value stored, Scope &scope) {
  OpBuilder &b = scope.builder;
  Location loc = nest->loc;
  int64_t elements = cast<VectorType>(stored.getType()).getNumElements();
  Value beyond = b.createOrFold<arith::AndIOp>(
      loc, at, constantIndex(scope, elements - 1));
  Value isAligned = b.create<arith::CmpIOp>(loc, arith::CmpIPredicate::eq,
                                            beyond, constantIndex(scope, 0));
  auto storeAs = [&](bool nontemporal) {
    return [&, nontemporal](OpBuilder &inside, Location loc) {
      inside.create<vector::StoreOp>(loc, stored, base, at, nontemporal);
      inside.create<scf::YieldOp>(loc);
    };
  };
  b.create<scf::IfOp>(loc, b.create<arith::AndIOp>(loc, streamed, isAligned),
                      storeAs(true), storeAs(false));
}

SmallVector<Value> Emitter::valuesOf(ArrayRef<Store> stores, Scope &scope) {
  SmallVector<Value> values;
  for (const Store &s : stores) {
    Value value = evaluateStored(s.value, scope);
    bool alongLanes = scope.lane >= 0;
    values.push_back(alongLanes ? splat(value, scope) : value);
  }
  return values;
}

void Emitter::storeValues(ArrayRef<Store> stores, ValueRange values,
                          Scope &scope) {
  for (auto [s, value] : llvm::zip_equal(stores, values))
    store(s.buffer, s.index, value, scope);
}

/// All values before the first store: an output may be an input's memory.
void Emitter::emitStores(ArrayRef<Store> stores, Scope &scope) {
  storeValues(stores, valuesOf(stores, scope), scope);
}

} // namespace graphc::kernel
