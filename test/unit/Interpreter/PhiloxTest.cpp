// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lib/Interpreter/Philox.h"
#include "test/unit/Interpreter/Run.h"

#include <cmath>

using namespace graphc::interpreter;

// The known answers that the authors of Philox publish with Random123.
TEST(Philox, GivesThePublishedWords) {
  using Words = std::array<uint32_t, 4>;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                   {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

static const char *kDraws = R"(
  func.func @f(%key: tensor<3xi64>) -> (tensor<6xf32>, tensor<3xf64>, tensor<6xbf16>) {
    %a = graph.random_uniform %key op_id = 0x85a308d3 : tensor<6xf32>
    %b = graph.random_uniform %key op_id = 0x85a308d3 : tensor<3xf64>
    %x = graph.constant dense<3.0> : tensor<6xbf16>
    %c = graph.dropout %x key %key p = 0.25 op_id = 0x85a308d3 mode = train : tensor<6xbf16>
    return %a, %b, %c : tensor<6xf32>, tensor<3xf64>, tensor<6xbf16>
  })";

// Each part of the key and of the counter goes where the op's description says.
TEST(RandomUniform, PlacesKeyCounterAndWords) {
  Parsed parsed(kDraws);
  int64_t seed = 0x299f31d0a4093822;
  int64_t step = 0x0badcafe13198a2e;
  auto results = parsed.run({parsed.i64({3}, {seed, step, 0x03707344})});
  ASSERT_EQ(results.size(), 3u) << parsed.errors;
  std::array<uint32_t, 4> blocks[2];
  for (uint32_t b : {0, 1})
    blocks[b] = philox({b, 0x85a308d3, 0x13198a2e, 0x03707344},
                       {0xa4093822, 0x299f31d0 ^ 0x0badcafe});
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(results[0].floats[i], std::ldexp(blocks[i / 4][i % 4] >> 8, -24));
  EXPECT_EQ(
      results[1].floats[0],
      std::ldexp((uint64_t{blocks[0][1]} << 32 | blocks[0][0]) >> 11, -53));
  EXPECT_EQ(
      results[1].floats[1],
      std::ldexp((uint64_t{blocks[0][3]} << 32 | blocks[0][2]) >> 11, -53));
  EXPECT_EQ(
      results[1].floats[2],
      std::ldexp((uint64_t{blocks[1][1]} << 32 | blocks[1][0]) >> 11, -53));
  // Kept where the f32 draw is at least p; 3 / 0.75 = 4.
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(results[2].floats[i], results[0].floats[i] >= 0.25 ? 4 : 0);
}

TEST(Dropout, KeepsAboutTheRightShareAndRespectsTheEnds) {
  Parsed parsed(R"(
    func.func @f(%key: tensor<3xi64>) -> (tensor<10000xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
      %x = graph.constant dense<1.0> : tensor<10000xf32>
      %y = graph.dropout %x key %key p = 0.3 op_id = 1 mode = train : tensor<10000xf32>
      %e = graph.constant dense<[1.0, 0x7F800000, 0x7FC00000, -2.0]> : tensor<4xf32>
      %all = graph.dropout %e key %key p = 1.0 op_id = 2 mode = train : tensor<4xf32>
      %none = graph.dropout %e key %key p = 0.0 op_id = 2 mode = train : tensor<4xf32>
      %eval = graph.dropout %e p = 1.0 mode = eval : tensor<4xf32>
      return %y, %all, %none, %eval : tensor<10000xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    })");
  auto results = parsed.run({parsed.i64({3}, {1, 0, 0})});
  ASSERT_EQ(results.size(), 4u) << parsed.errors;
  int kept = 0;
  for (double y : results[0].floats)
    kept += y != 0;
  EXPECT_NEAR(kept, 7000, 4 * std::sqrt(10000 * 0.3 * 0.7));
  EXPECT_EQ(results[1].floats, std::vector<double>(4, 0.0));
  for (int result : {2, 3}) {
    EXPECT_EQ(results[result].floats[0], 1);
    EXPECT_EQ(results[result].floats[1], INFINITY);
    EXPECT_TRUE(std::isnan(results[result].floats[2]));
    EXPECT_EQ(results[result].floats[3], -2);
  }
}
