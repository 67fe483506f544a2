// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/graph-random/Generator.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace graphc::random {

static bool matches(Type type, Kind kind) {
  Type element = getElementTypeOrSelf(type);
  bool isFloat = isa<FloatType>(element), isBool = element.isInteger(1);
  switch (kind) {
  case Kind::Float:
    return isFloat;
  case Kind::Number:
    return !isBool;
  case Kind::Integer:
    return !isFloat && !isBool;
  case Kind::Bits:
    return !isFloat;
  case Kind::Any:
    return true;
  }
  return false;
}

Type Generator::element(Kind kind) {
  SmallVector<Type> types;
  if (kind != Kind::Integer && kind != Kind::Bits)
    types.append({b.getF32Type(), b.getF32Type(), b.getF64Type(),
                  b.getF16Type(), b.getBF16Type()});
  if (kind != Kind::Float)
    types.append({b.getIntegerType(8), b.getIntegerType(8, false),
                  b.getI32Type(), b.getI64Type()});
  if (kind == Kind::Bits || kind == Kind::Any)
    types.push_back(b.getI1Type());
  return types[pick(0, types.size() - 1)];
}

int64_t Generator::size() {
  static constexpr int64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33};
  return chance(2) ? 0 : sizes[pick(0, 10)];
}

SmallVector<int64_t> Generator::shape(int64_t minRank) {
  SmallVector<int64_t> sizes(pick(minRank, std::max<int64_t>(minRank, 3)));
  for (int64_t &s : sizes)
    s = size();
  return sizes;
}

Value Generator::operand(Kind kind, int64_t minRank) {
  if (chance(60))
    for (int attempt = 0; attempt < 8 && !pool.empty(); ++attempt) {
      Value value = pool[pick(0, pool.size() - 1)];
      if (matches(value.getType(), kind) && typeOf(value).getRank() >= minRank)
        return value;
    }
  return input(type(kind, minRank));
}

Value Generator::operandOf(RankedTensorType type) {
  if (chance(60))
    for (int attempt = 0; attempt < 8 && !pool.empty(); ++attempt)
      if (Value value = pool[pick(0, pool.size() - 1)]; value.getType() == type)
        return value;
  return input(type);
}

} // namespace graphc::random
