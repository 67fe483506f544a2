// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/data/Mt19937.h"

#include <algorithm>

namespace graphc::runtime {
namespace {

/// A word of the next state, but for the word that it is combined with.
uint32_t twist(uint32_t word, uint32_t next) {
  uint32_t mixed = (word & 0x80000000u) | (next & 0x7fffffffu);
  return mixed >> 1 ^ ((0u - (next & 1u)) & 0x9908b0dfu);
}

uint32_t temper(uint32_t word) {
  word ^= word >> 11;
  word ^= word << 7 & 0x9d2c5680u;
  word ^= word << 15 & 0xefc60000u;
  return word ^ word >> 18;
}

} // namespace

void Mt19937::reseed(uint32_t seed) {
  state[0] = seed;
  for (uint32_t i = 1; i < kWords; ++i)
    state[i] = 1812433253u * (state[i - 1] ^ state[i - 1] >> 30) + i;
  used = kWords;
}

void Mt19937::refill() {
  constexpr size_t shift = 397, rest = kWords - shift;
  for (size_t i = 0; i < rest; ++i)
    state[i] = state[i + shift] ^ twist(state[i], state[i + 1]);
  for (size_t i = rest; i < kWords - 1; ++i)
    state[i] = state[i - rest] ^ twist(state[i], state[i + 1]);
  state[kWords - 1] = state[shift - 1] ^ twist(state[kWords - 1], state[0]);
  for (size_t i = 0; i < kWords; ++i)
    words[i] = temper(state[i]);
  used = 0;
}

void Mt19937::fill(uint32_t *out, size_t count) {
  while (count != 0) {
    if (used == kWords)
      refill();
    size_t part = std::min(count, kWords - used);
    std::copy(words + used, words + used + part, out);
    used += part;
    out += part;
    count -= part;
  }
}

} // namespace graphc::runtime
