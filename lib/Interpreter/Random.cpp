// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counter-based random draws: Philox 4x32-10 of Salmon, Moraes, Dror and Shaw,
// "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).

#include "lib/Interpreter/Deadline.h"
#include "lib/Interpreter/Philox.h"

#include "lib/Interpreter/Ops.h"

using namespace mlir;

namespace graphc::interpreter {

std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter,
                               std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    uint64_t product0 = uint64_t{0xD2511F53} * counter[0];
    uint64_t product1 = uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<uint32_t>(product1),
               static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(product0)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

namespace {

/// The four words of block `block` of the draws of op `opId` under `key`, which
/// is (seed, step, micro-batch).
std::array<uint32_t, 4> drawBlock(const Tensor &key, int64_t opId,
                                  int64_t block) {
  auto low = [](int64_t x) { return static_cast<uint32_t>(x); };
  auto high = [](int64_t x) {
    return static_cast<uint32_t>(static_cast<uint64_t>(x) >> 32);
  };
  int64_t seed = key.ints[0], step = key.ints[1], microBatch = key.ints[2];
  return philox({low(block), low(opId), low(step), low(microBatch)},
                {low(seed), high(seed) ^ high(step)});
}

/// Element `i` of the f32 draws: a multiple of 2^-24 in [0, 1).
double drawF32(const Tensor &key, int64_t opId, int64_t i) {
  return (drawBlock(key, opId, i / 4)[i % 4] >> 8) * 0x1p-24;
}

/// Element `i` of the f64 draws: a multiple of 2^-53 in [0, 1).
double drawF64(const Tensor &key, int64_t opId, int64_t i) {
  std::array<uint32_t, 4> words = drawBlock(key, opId, i / 2);
  uint64_t bits =
      words[2 * (i % 2)] | static_cast<uint64_t>(words[2 * (i % 2) + 1]) << 32;
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

LogicalResult randomUniform(graph::RandomUniformOp op, Call &call) {
  int64_t opId = op.getOpId();
  if (opId < 0)
    return call.error() << "has no op_id yet: run --import first";
  Tensor &result = call.result();
  bool isF64 = result.kind() == ElementKind::F64;
  for (int64_t i : upTo(result.size()))
    result.floats[i] = isF64 ? drawF64(call.operand(), opId, i)
                             : drawF32(call.operand(), opId, i);
  return success();
}

LogicalResult dropout(graph::DropoutOp op, Call &call) {
  const Tensor &x = call.operand();
  // A mode left open means evaluation in a function that is called as it is.
  if (op.getMode().value_or(graph::Mode::Eval) == graph::Mode::Eval) {
    call.result() = x;
    return success();
  }
  if (!op.getKey() || !op.getOpId())
    return call.error() << "has no key yet: run --import first";
  const Tensor &key = call.operand(1);
  double p = op.getP().convertToDouble();
  for (int64_t i : upTo(x.size()))
    call.result().floats[i] =
        drawF32(key, *op.getOpId(), i) >= p ? x.floats[i] / (1 - p) : 0;
  return success();
}

} // namespace

void addRandom(OpTable &table) {
  table.add<graph::RandomUniformOp>(randomUniform);
  table.add<graph::DropoutOp>(dropout);
}

} // namespace graphc::interpreter
