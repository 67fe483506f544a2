// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/data/Mt19937.h"

#include <random>
#include <vector>

#include "gtest/gtest.h"

using graphc::runtime::Mt19937;

namespace {

TEST(Mt19937, TheStandardsNumber) {
  Mt19937 engine;
  for (int i = 1; i < 10000; ++i)
    engine.next();
  EXPECT_EQ(engine.next(), 4123659995u);
}

// Sizes around those of the state, so that fills begin and end anywhere in it.
TEST(Mt19937, IsTheStandardsStreamHoweverItIsRead) {
  for (uint32_t seed : {0u, 1u, 5489u, 0x80000000u, 0xffffffffu}) {
    Mt19937 engine(seed);
    std::mt19937 expected(seed);
    for (size_t count : {1, 0, 623, 624, 625, 7, 1248, 3000, 616}) {
      EXPECT_EQ(engine.next(), expected());
      std::vector<uint32_t> words(count + 1, 42), want(count + 1, 42);
      engine.fill(words.data(), count);
      for (size_t i = 0; i < count; ++i)
        want[i] = static_cast<uint32_t>(expected());
      EXPECT_EQ(words, want) << "seed " << seed << ", " << count << " numbers";
    }
    Mt19937 copy = engine;
    EXPECT_EQ(copy.next(), engine.next());
    engine.reseed(seed);
    EXPECT_EQ(engine.next(), std::mt19937(seed)());
  }
}

} // namespace
