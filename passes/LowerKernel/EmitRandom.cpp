// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
// 2011), keyed and counted as graph.random_uniform says.
#include "passes/LowerKernel/Emitter.h"

using namespace mlir;
namespace graphc::kernel {

Value ElementBuilder::random(Type elementType, Value position, Value id,
                             ValueRange key) const {
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  auto low = [&](Value value) {
    return make<arith::TruncIOp>(type(i32), value);
  };
  auto high = [&](Value value) {
    return low(make<arith::ShRUIOp>(value, constantInt(i64, 32)));
  };
  auto xor3 = [&](Value a, Value b, Value c) {
    return make<arith::XOrIOp>(make<arith::XOrIOp>(a, b), c);
  };

  // Words of a block: four for f32, two pairs for f64.
  bool isWide = elementType.isF64();
  int64_t perBlock = isWide ? 2 : 4;
  Value block =
      low(make<arith::ShRUIOp>(position, constantInt(i64, isWide ? 1 : 2)));
  Value word =
      low(make<arith::AndIOp>(position, constantInt(i64, perBlock - 1)));

  Value seed = key[0], step = key[1], batch = key[2];
  Value c[4] = {block, low(id), low(step), low(batch)};
  Value k[2] = {low(seed), make<arith::XOrIOp>(high(seed), high(step))};
  for (int round = 0; round < 10; ++round) {
    if (round > 0) {
      k[0] = make<arith::AddIOp>(k[0], constantInt(i32, 0x9E3779B9));
      k[1] = make<arith::AddIOp>(k[1], constantInt(i32, 0xBB67AE85));
    }
    auto p0 = builder.create<arith::MulUIExtendedOp>(
        loc, c[0], constantInt(i32, 0xD2511F53));
    auto p1 = builder.create<arith::MulUIExtendedOp>(
        loc, c[2], constantInt(i32, 0xCD9E8D57));
    Value next[4] = {xor3(p1.getHigh(), c[1], k[0]), p1.getLow(),
                     xor3(p0.getHigh(), c[3], k[1]), p0.getLow()};
    std::copy(next, next + 4, c);
  }

  auto isWord = [&](int64_t number) {
    return compare(arith::CmpIPredicate::eq, word, constantInt(i32, number));
  };
  if (!isWide) {
    Value bits = select(isWord(0), c[0],
                        select(isWord(1), c[1], select(isWord(2), c[2], c[3])));
    Value top = make<arith::ShRUIOp>(bits, constantInt(i32, 8));
    Value number = make<arith::SIToFPOp>(type(elementType), top);
    return make<arith::MulFOp>(number, constant(elementType, 0x1p-24));
  }
  auto widen = [&](Value value) {
    return make<arith::ExtUIOp>(type(i64), value);
  };
  Value first = isWord(0);
  Value lowWord = widen(select(first, c[0], c[2]));
  Value highWord = widen(select(first, c[1], c[3]));
  Value bits = make<arith::OrIOp>(
      make<arith::ShLIOp>(highWord, constantInt(i64, 32)), lowWord);
  Value top = make<arith::ShRUIOp>(bits, constantInt(i64, 11));
  Value number = make<arith::SIToFPOp>(type(elementType), top);
  return make<arith::MulFOp>(number, constant(elementType, 0x1p-53));
}

} // namespace graphc::kernel
