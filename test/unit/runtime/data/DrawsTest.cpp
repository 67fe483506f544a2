// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same values at every CPU level, from every compiler, on every machine.
#include "runtime/data/Draws.h"

#include <cfenv>
#include <cstring>
#include <vector>

#include "gtest/gtest.h"

#include "runtime/cpu/CpuFeatures.h"
#include "runtime/data/FloatFormats.h"
#include "runtime/data/Generator.h"

using namespace graphc::runtime;

namespace {

template <class T> std::vector<uint64_t> bitsOf(const std::vector<T> &values) {
  std::vector<uint64_t> bits(values.size());
  for (size_t i = 0; i < values.size(); ++i)
    std::memcpy(&bits[i], &values[i], sizeof(T));
  return bits;
}

template <class T>
std::vector<uint64_t> draw(uint64_t features, bool isNormal, size_t count) {
  Mt19937 engine(11);
  std::vector<uint32_t> words(count * Draws<T>::words);
  engine.fill(words.data(), words.size());
  std::vector<typename T::Storage> values(count);
  const Draws<T> &draws = drawsFor<T>(features);
  if (isNormal) {
    draws.uniform(words.data(), 0, 1, values.data(), count);
    draws.normal(values.data(), T::round(0.3), T::round(0.02), count / 16);
  } else {
    draws.uniform(words.data(), T::round(-0.3), T::round(0.7), values.data(),
                  count);
  }
  return bitsOf(values);
}

template <class T> class EveryFormat : public testing::Test {};
using Formats = testing::Types<F64, F32, F16, Bf16>;
TYPED_TEST_SUITE(EveryFormat, Formats);

TYPED_TEST(EveryFormat, DrawsTheSameAtEveryLevel) {
  for (bool isNormal : {false, true})
    for (size_t count : {0, 16, 112, 4096, 160000})
      EXPECT_EQ(draw<TypeParam>(0, isNormal, count),
                draw<TypeParam>(cpuFeatures(), isNormal, count));
}

/// FNV-1a of the values' bytes, in the order of their bits.
uint64_t hashOf(graphc_dtype dtype, size_t bytes, bool isNormal) {
  Generator generator(2024);
  std::vector<double> values(100007);
  for (size_t count : {values.size(), size_t{15}})
    isNormal ? generator.normal(dtype, 0.5, 0.02, values.data(), count)
             : generator.uniform(dtype, -0.3, 0.2, values.data(), count);
  std::vector<unsigned char> raw(values.size() * bytes);
  std::memcpy(raw.data(), values.data(), raw.size());
  uint64_t hash = 14695981039346656037u;
  for (unsigned char byte : raw)
    hash = (hash ^ byte) * 1099511628211u;
  return hash;
}

constexpr struct {
  graphc_dtype dtype;
  size_t bytes;
  uint64_t normal, uniform;
} kHashes[] = {
    {GRAPHC_DTYPE_F64, 8, 0x8710715b40cafee7, 0x1b5dea952b3937ac},
    {GRAPHC_DTYPE_F32, 4, 0xa34f6d289f8d5a35, 0x79b041a21d8399f5},
    {GRAPHC_DTYPE_F16, 2, 0x626ba8191c4453ee, 0xdff843a32edb335a},
    {GRAPHC_DTYPE_BF16, 2, 0x3694af2e8598f005, 0xa9af3aaa82461cf1},
};

// What this project's builds gave when it was written; f32, f16 and bf16 are
// what they were by way of libm.
TEST(Draws, AreTheSameOnEveryMachine) {
  for (const auto &format : kHashes) {
    EXPECT_EQ(hashOf(format.dtype, format.bytes, true), format.normal);
    EXPECT_EQ(hashOf(format.dtype, format.bytes, false), format.uniform);
  }
}

TEST(Draws, DoNotDependOnTheHostsRounding) {
  ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
  std::vector<uint64_t> hashes;
  for (const auto &format : kHashes) {
    hashes.push_back(hashOf(format.dtype, format.bytes, true));
    hashes.push_back(hashOf(format.dtype, format.bytes, false));
  }
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  std::fesetround(FE_TONEAREST);
  size_t at = 0;
  for (const auto &format : kHashes) {
    EXPECT_EQ(hashes[at++], format.normal);
    EXPECT_EQ(hashes[at++], format.uniform);
  }
}

} // namespace
