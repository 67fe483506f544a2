// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transposes a square of vectors in registers. Each step is one instruction of
// AVX or AVX-512: elements are exchanged inside the 128 bits of each quarter of
// a register first, whole quarters after that.
#include "passes/LowerKernel/Emitter.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
namespace graphc::kernel {

bool canTranspose(Type type, int64_t lanes) {
  unsigned bits = type.getIntOrFloatBitWidth();
  return (bits == 32 || bits == 64) && lanes * bits >= 128 && lanes >= 2;
}

SmallVector<Value> transpose(const ElementBuilder &b, ArrayRef<Value> rows) {
  int64_t lanes = rows.size();
  Type type = cast<VectorType>(rows.front().getType()).getElementType();
  int64_t perPart = 128 / type.getIntOrFloatBitWidth();
  int64_t parts = lanes / perPart;
  auto shuffle = [&](Value a, Value c, ArrayRef<int64_t> lanesOf) -> Value {
    return b.make<vector::ShuffleOp>(a, c, lanesOf);
  };

  // Columns j of `perPart` rows come together, in each part. Runs of `run`
  // elements of one column of a row pair become runs twice as long.
  SmallVector<Value> values(rows);
  for (int64_t run = 1; run < perPart; run *= 2) {
    SmallVector<Value> next(lanes);
    for (int64_t base = 0; base < lanes; base += 2 * run) {
      for (int64_t k = 0; k < run; ++k) {
        for (bool high : {false, true}) {
          SmallVector<int64_t> mask;
          for (int64_t part = 0; part < parts; ++part) {
            int64_t first = part * perPart + (high ? perPart / 2 : 0);
            for (int64_t unit = 0; unit < perPart / 2; unit += run)
              for (int64_t from : {int64_t(0), lanes})
                for (int64_t e = 0; e < run; ++e)
                  mask.push_back(from + first + unit + e);
          }
          next[base + 2 * k + high] =
              shuffle(values[base + k], values[base + run + k], mask);
        }
      }
    }
    values = std::move(next);
  }

  // values[perPart * g + j] holds in part c column c * perPart + j of group g:
  // for each j, a square of parts is transposed in turn.
  for (int64_t width = 1; width < parts; width *= 2) {
    SmallVector<Value> next(lanes);
    for (int64_t j = 0; j < perPart; ++j) {
      for (int64_t pair = 0; pair < parts / 2; ++pair) {
        for (bool odd : {false, true}) {
          SmallVector<int64_t> mask;
          for (int64_t from : {int64_t(0), lanes})
            for (int64_t part = odd; part < parts; part += 2)
              for (int64_t e = 0; e < perPart; ++e)
                mask.push_back(from + part * perPart + e);
          next[perPart * (pair + (odd ? parts / 2 : 0)) + j] =
              shuffle(values[perPart * (2 * pair) + j],
                      values[perPart * (2 * pair + 1) + j], mask);
        }
      }
    }
    values = std::move(next);
  }
  return values;
}

/// The elements of several streams of vectors, one of each in turn.
static SmallVector<Value> merge(const ElementBuilder &b,
                                ArrayRef<SmallVector<Value>> streams) {
  int64_t count = streams.size();
  SmallVector<Value> merged;
  for (int64_t k = 0; k < count * int64_t(streams[0].size()); ++k) {
    // Vector k takes from one vector of each stream.
    Value result = streams[0][k / count];
    for (int64_t from = 1; from < count; ++from) {
      SmallVector<int64_t> mask;
      for (int64_t lane = 0; lane < b.lanes; ++lane) {
        int64_t at = k * b.lanes + lane, own = at % count;
        int64_t taken = at / count % b.lanes;
        mask.push_back(own == from             ? b.lanes + taken
                       : from == 1 && own == 0 ? taken
                                               : lane);
      }
      result =
          b.make<vector::ShuffleOp>(result, streams[from][k / count], mask);
    }
    merged.push_back(result);
  }
  return merged;
}

SmallVector<Value> interleave(const ElementBuilder &b, ArrayRef<Value> rows) {
  SmallVector<SmallVector<Value>> streams;
  for (Value row : rows)
    streams.push_back({row});
  // Pairs of rows half of all apart, again and again: fewer steps than one row
  // after the other.
  while (streams.size() % 2 == 0) {
    size_t half = streams.size() / 2;
    SmallVector<SmallVector<Value>> next;
    for (size_t k = 0; k < half; ++k)
      next.push_back(merge(b, {streams[k], streams[k + half]}));
    streams = std::move(next);
  }
  return streams.size() == 1 ? streams[0] : merge(b, streams);
}

} // namespace graphc::kernel
