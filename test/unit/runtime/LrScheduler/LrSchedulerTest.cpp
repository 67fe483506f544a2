// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules against the rates that torch.optim.lr_scheduler (1.13) sets.
#include "graphc/lr_scheduler.hpp"

#include <gtest/gtest.h>

#include <vector>

using namespace graphc::lr_scheduler;

namespace {

template <class Schedule>
void expectRates(const Schedule &schedule, const std::vector<double> &rates) {
  for (size_t t = 0; t < rates.size(); ++t)
    EXPECT_NEAR(schedule.at(static_cast<int64_t>(t)), rates[t], 1e-14)
        << "step " << t;
}

TEST(LrScheduler, RatesArePyTorchs) {
  expectRates(StepLR(0.5, 3, 0.5),
              {0.5, 0.5, 0.5, 0.25, 0.25, 0.25, 0.125, 0.125});
  expectRates(ExponentialLR(0.5, 0.9), {0.5, 0.45, 0.405, 0.3645, 0.32805});
  expectRates(LinearLR(0.5, 1.0 / 3, 1.0, 4),
              {0.16666666666666666, 0.25, 0.33333333333333337,
               0.41666666666666674, 0.5, 0.5, 0.5});
  expectRates(CosineAnnealingLR(0.5, 4, 0.1),
              {0.5, 0.4414213562373095, 0.3, 0.15857864376269054, 0.1,
               0.15857864376269049, 0.3});
  expectRates(OneCycleLR(0.5, 10),
              {0.02, 0.26, 0.5, 0.47524231600673683, 0.40587282697488153,
               0.30563101096814466, 0.19437098903185537, 0.09412917302511849,
               0.024759683993263143});
  expectRates(OneCycleLR(0.5, 7, 0.5, 10, 100),
              {0.05, 0.20547117626563682, 0.45702882373436315,
               0.47526697475862917, 0.3058246032555895, 0.09453342198578131});
  expectRates(SequentialLR(LinearLR(0.5, 0.1, 1.0, 3), StepLR(0.5, 2, 0.5), 3),
              {0.05, 0.2, 0.35, 0.5, 0.5, 0.25, 0.25, 0.125});
}

// The rates at the ends of a one-cycle are those asked for.
TEST(LrScheduler, OneCycleEndsAtTheLowestRate) {
  EXPECT_NEAR(OneCycleLR(0.5, 10).at(9), 0.5 / 25 / 1e4, 1e-16);
  EXPECT_EQ(OneCycleLR(0.5, 10, /*pct_start=*/0.1).at(0), 0.5);
}

TEST(LrScheduler, RefusesWhatPyTorchRefuses) {
  EXPECT_THROW(StepLR(0.5, 0), graphc::Error);
  EXPECT_THROW(LinearLR(0.5, 0.0), graphc::Error);
  EXPECT_THROW(LinearLR(0.5, 0.5, 1.5), graphc::Error);
  EXPECT_THROW(CosineAnnealingLR(0.5, 0), graphc::Error);
  EXPECT_THROW(OneCycleLR(0.5, 10, 1.5), graphc::Error);
  EXPECT_THROW(OneCycleLR(0.5, 10).at(10), graphc::Error);
  EXPECT_THROW(StepLR(0.5, 1).at(-1), graphc::Error);
}

} // namespace
