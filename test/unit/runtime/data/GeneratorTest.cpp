// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expected values were printed by PyTorch 1.13.1 on a CPU with fused
// multiply-add. They appear here only in comparisons.
#include "runtime/data/Generator.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

#include "runtime/core/DType.h"
#include "runtime/core/Half.h"

using namespace graphc::runtime;

namespace {

using Values = std::vector<double>;

/// Widens `count` elements at `data` to f64.
Values widen(graphc_dtype dtype, const void *data, size_t count) {
  Values values(count);
  for (size_t i = 0; i < count; ++i) {
    if (dtype == GRAPHC_DTYPE_F64)
      values[i] = static_cast<const double *>(data)[i];
    else if (dtype == GRAPHC_DTYPE_F32)
      values[i] = static_cast<const float *>(data)[i];
    else if (dtype == GRAPHC_DTYPE_F16)
      values[i] = fromF16(static_cast<const uint16_t *>(data)[i]);
    else
      values[i] = fromBf16(static_cast<const uint16_t *>(data)[i]);
  }
  return values;
}

Values uniform(Generator &generator, graphc_dtype dtype, double lo, double hi,
               size_t count) {
  std::vector<double> data(count);
  generator.uniform(dtype, lo, hi, data.data(), count);
  return widen(dtype, data.data(), count);
}

Values normal(Generator &generator, graphc_dtype dtype, double mean,
              double stddev, size_t count) {
  std::vector<double> data(count);
  generator.normal(dtype, mean, stddev, data.data(), count);
  return widen(dtype, data.data(), count);
}

/// The first and the last `count` values.
Values first(const Values &v, size_t count) {
  return Values(v.begin(), v.begin() + count);
}
Values last(const Values &v, size_t count) {
  return Values(v.end() - count, v.end());
}

TEST(Generator, MlpParametersFollowPyTorch) {
  Generator generator(123);
  Values weight0;
  for (auto [inputs, outputs] : {std::pair{50, 30}, {30, 20}, {20, 3}}) {
    double bound = 1 / std::sqrt(static_cast<double>(inputs));
    Values weight =
        uniform(generator, GRAPHC_DTYPE_F32, -bound, bound, inputs * outputs);
    uniform(generator, GRAPHC_DTYPE_F32, -bound, bound, outputs);
    if (inputs == 50)
      weight0 = weight;
  }

  EXPECT_EQ(first(weight0, 3),
            (Values{-0.057668253779411316, 0.004684521351009607,
                    -0.0702381283044815}));
  EXPECT_EQ(
      last(first(weight0, 50), 3),
      (Values{0.022232430055737495, 0.12600822746753693, 0.08647815883159637}));
  EXPECT_EQ(last(weight0, 3), (Values{0.03439890965819359, -0.09710142016410828,
                                      -0.05090911313891411}));
  generator.reseed(123);
  Values x = uniform(generator, GRAPHC_DTYPE_F32, 0, 1, 50);
  EXPECT_EQ(first(x, 3), (Values{0.29611194133758545, 0.516562283039093,
                                 0.2516707181930542}));
  EXPECT_EQ(last(x, 3), (Values{0.5786035060882568, 0.9455063343048096,
                                0.8057464361190796}));
}

TEST(Generator, UniformInEveryFloatType) {
  auto five = [](graphc_dtype dtype) {
    Generator generator(2024);
    return uniform(generator, dtype, -0.3, 0.7, 5);
  };
  EXPECT_EQ(
      five(GRAPHC_DTYPE_F64),
      (Values{-0x1.7b10d7c4cb9f8p-5, 0x1.e618e4709e1cdp-2, 0x1.2081febfdc8a8p-5,
              0x1.ae04a960a4e3bp-2, 0x1.28590632632e6p-1}));
  EXPECT_EQ(five(GRAPHC_DTYPE_F32),
            (Values{0x1.da8dd8p-3, 0x1.10025ap-1, 0x1.57fb26p-1, -0x1.721268p-3,
                    -0x1.10959p-3}));
  EXPECT_EQ(five(GRAPHC_DTYPE_F16),
            (Values{0x1.088p-1, 0x1.c9cp-2, -0x1.ap-9, 0x1.98p-7, -0x1.2ep-5}));
  EXPECT_EQ(five(GRAPHC_DTYPE_BF16),
            (Values{0x1.d8p-3, 0x1.5ap-1, 0x1.3p-4, 0x1.98p-3, -0x1.9p-3}));
}

TEST(Generator, FewNormalValuesComeFromACachedPair) {
  Generator generator(2024);
  EXPECT_EQ(normal(generator, GRAPHC_DTYPE_F32, 1, 2, 3),
            (Values{0x1.d699bcp-1, 0x1.1ced5p+2, -0x1.41936p-1}));
  // The first of these was drawn, and cached, by the call above.
  EXPECT_EQ(normal(generator, GRAPHC_DTYPE_F32, 1, 2, 2),
            (Values{0x1.df465p+1, 0x1.0186e8p+1}));
  generator.reseed(2024);
  EXPECT_EQ(normal(generator, GRAPHC_DTYPE_BF16, 1, 2, 3),
            (Values{0x1.d6p-1, 0x1.1cp+2, -0x1.42p-1}));
}

TEST(Generator, NormalBlocksAndTheirRecomputedTail) {
  Generator generator(2024);
  Values doubles = normal(generator, GRAPHC_DTYPE_F64, 1, 2, 19);
  // Last bits of PyTorch's f64 depend on its libm.
  Values expected = {-0x1.a1d7b9550489cp-2, 0x1.d4cd5f455ebfap+1};
  EXPECT_NEAR(doubles[0], expected[0], 1e-15);
  EXPECT_NEAR(doubles[1], expected[1], 1e-15);
  EXPECT_NEAR(doubles[18], 0x1.1714340a7c2aep+0, 1e-15);
  EXPECT_EQ(generator.randomInt64(), 5336295153896324557);

  generator.reseed(2024);
  Values halves = normal(generator, GRAPHC_DTYPE_F16, 1, 2, 19);
  EXPECT_EQ(halves, (Values{0x1.f4cp+1, -0x1.08cp+1, 0x1.52cp+1, 0x1.9ccp+0,
                            0x1.1acp+1, 0x1.00cp+1, 0x1.9ccp-4, -0x1.328p-1,
                            -0x1.39p-5, -0x1.058p-4, 0x1.fecp+1, 0x1.eecp-2,
                            0x1.58cp+0, 0x1.1fp+0, 0x1.b34p-1, 0x1.a94p-2,
                            0x1.634p-2, 0x1.ab4p+0, -0x1.0bp-1}));

  generator.reseed(2024);
  Values bfloats = normal(generator, GRAPHC_DTYPE_BF16, 1, 2, 19);
  EXPECT_EQ(bfloats,
            (Values{0x1.28p+1, -0x1.1ep+2, 0x1.12p+0, 0x1.92p+1, -0x1.48p-2,
                    0x1.fep+1, 0x1.d8p+0, -0x1.0p+0, 0x1.3p-1, 0x1.12p-1,
                    0x1.0cp-1, 0x1.6p+1, 0x1.58p+1, 0x1.5p+2, 0x1.1cp+2,
                    0x1.b8p+0, -0x1.cp-1, 0x1.8cp+1, 0x1.5cp+0}));
  EXPECT_EQ(generator.randomInt64(), 5147837414614534900);

  // PyTorch's f32 uses a vectorised logarithm: equal but for a few ulp.
  generator.reseed(2024);
  Values floats = normal(generator, GRAPHC_DTYPE_F32, 1, 2, 19);
  Values torch = {-0x1.73d524p+0, 0x1.f6762ep-1, 0x1.055eep+2};
  for (size_t i = 0; i < torch.size(); ++i)
    EXPECT_NEAR(floats[i], torch[i], 4 * 0x1p-23 * std::fabs(torch[i]));
  EXPECT_NEAR(floats[18], -0x1.2f51b8p-2, 1e-6);
}

TEST(Generator, ManyLowPrecisionNormalValues) {
  // sum of (i + 1) * bits of element i
  auto checksum = [](graphc_dtype dtype) {
    Generator generator(9);
    std::vector<uint16_t> data(1500);
    generator.normal(dtype, 0.5, 0.02, data.data(), data.size());
    uint64_t sum = 0;
    for (size_t i = 0; i < data.size(); ++i)
      sum += (i + 1) * data[i];
    return sum;
  };
  EXPECT_EQ(checksum(GRAPHC_DTYPE_F16), 16118696799u);
  EXPECT_EQ(checksum(GRAPHC_DTYPE_BF16), 18153931235u);
}

/// The order in which a shuffling PyTorch DataLoader visits `count` samples in
/// its next epoch: it draws a seed for its workers, then one for the sampler.
std::vector<int64_t> epochOrder(Generator &generator, int64_t count) {
  generator.randomInt64();
  Generator sampler(static_cast<uint64_t>(generator.randomInt64()));
  std::vector<int64_t> order(count);
  sampler.randperm(count, order.data());
  return order;
}

TEST(Generator, ShufflesAsADataLoader) {
  Generator generator(123);
  EXPECT_EQ(epochOrder(generator, 5), (std::vector<int64_t>{3, 1, 0, 2, 4}));
  EXPECT_EQ(epochOrder(generator, 5), (std::vector<int64_t>{0, 2, 3, 1, 4}));
}

TEST(Generator, Randperm) {
  Generator generator(2024);
  std::vector<int64_t> order(12);
  generator.randperm(12, order.data());
  EXPECT_EQ(order,
            (std::vector<int64_t>{8, 10, 6, 11, 7, 1, 5, 0, 9, 4, 3, 2}));
  EXPECT_EQ(generator.randomInt64(), 689052103320824035);
  generator.randperm(0, nullptr);
  generator.randperm(1, order.data());
  EXPECT_EQ(order[0], 0);
}

TEST(Generator, OnlyTheLow32BitsOfTheSeedCount) {
  Generator a(7), b((uint64_t{1} << 40) + 7), c(8);
  uint32_t draw = a.random();
  EXPECT_EQ(draw, b.random());
  EXPECT_NE(draw, c.random());
  EXPECT_EQ(b.seed(), (uint64_t{1} << 40) + 7);
}

TEST(Half, EveryF16AndBf16SurvivesTheRoundTrip) {
  for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
    auto half = static_cast<uint16_t>(bits);
    float f16 = fromF16(half), bf16 = fromBf16(half);
    if (std::isnan(f16))
      EXPECT_TRUE(std::isnan(fromF16(toF16(f16)))) << bits;
    else
      EXPECT_EQ(toF16(f16), half);
    if (std::isnan(bf16))
      EXPECT_TRUE(std::isnan(fromBf16(toBf16(bf16)))) << bits;
    else
      EXPECT_EQ(toBf16(bf16), half);
  }
}

TEST(Half, RoundsToNearestEven) {
  // Between two neighbours: below the middle, the middle, above it.
  for (uint32_t bits = 0; bits < 0x7bff; ++bits) {
    auto low = static_cast<uint16_t>(bits);
    float a = fromF16(low), b = fromF16(low + 1), middle = (a + b) / 2;
    uint16_t even = low & 1 ? low + 1 : low;
    ASSERT_EQ(toF16(middle), even) << bits;
    ASSERT_EQ(toF16(std::nextafter(middle, 0.0f)), low) << bits;
    ASSERT_EQ(toF16(std::nextafter(middle, b)), low + 1) << bits;
    ASSERT_EQ(toF16(-middle), even | 0x8000) << bits;
  }
  EXPECT_EQ(toF16(65519.996f), 0x7bff);
  EXPECT_EQ(toF16(65520.0f), 0x7c00);
  EXPECT_EQ(toBf16(1.00390625f), 0x3f80); // tie, to even
  EXPECT_EQ(toBf16(1.01171875f), 0x3f82); // tie, to even
  EXPECT_EQ(toBf16(1.0039064f), 0x3f81);
  EXPECT_EQ(toBf16(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_TRUE(std::isnan(fromBf16(toBf16(floatOf(0x7f800001)))));
  EXPECT_TRUE(std::isnan(fromF16(toF16(floatOf(0x7f800001)))));
}

// By way of f32 too: what lies just beside a tie of the narrow type must not
// become one.
TEST(Half, FromF64RoundsOnce) {
  auto rounded = [](graphc_dtype dtype, double value) {
    uint16_t bits = 0;
    storeFloat(dtype, value, &bits);
    return bits;
  };
  auto check = [&](graphc_dtype dtype, auto load, uint16_t infinity) {
    for (uint16_t low = 0; low < infinity; ++low) {
      double a = load(low);
      // Beyond the largest number as if the next one were there.
      double b = low + 1 < infinity ? load(low + 1) : 2 * a - load(low - 1);
      double middle = a / 2 + b / 2;
      uint16_t even = low + (low & 1);
      ASSERT_EQ(rounded(dtype, a), low);
      ASSERT_EQ(rounded(dtype, middle), even) << low;
      ASSERT_EQ(rounded(dtype, std::nextafter(middle, a)), low) << low;
      ASSERT_EQ(rounded(dtype, std::nextafter(middle, b)), low + 1) << low;
      ASSERT_EQ(rounded(dtype, -std::nextafter(middle, b)), (low + 1) | 0x8000);
    }
    EXPECT_EQ(rounded(dtype, 1e300), infinity);
    EXPECT_EQ(rounded(dtype, HUGE_VAL), infinity);
    EXPECT_EQ(rounded(dtype, -1e-300), 0x8000);
    EXPECT_TRUE(std::isnan(load(rounded(dtype, std::nan("")))));
  };
  check(GRAPHC_DTYPE_F16, fromF16, 0x7c00);
  check(GRAPHC_DTYPE_BF16, fromBf16, 0x7f80);
}

} // namespace
