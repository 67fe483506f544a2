// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "graphc/runtime.hpp"

#include <cstring>

#include "test/unit/runtime/core/ToyModel.h"

namespace {

TEST(Wrapper, RunsAStepAndThrowsOnFailure) {
  graphc::ContextOptions contextOptions;
  contextOptions.threads = 2;
  graphc::Context context(contextOptions);
  graphc::LoadOptions options;
  options.context = context.get();
  options.seed = 7;
  graphc::Model model(toyPath("toy"), options);
  EXPECT_EQ(model.info().threads, 2u);
  EXPECT_EQ(model.functions().size(), 8u);
  EXPECT_EQ(model.function("step").outputs[1].shape,
            (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(model.variables()[0].name, "w");
  EXPECT_EQ(model.variables()[0].flags, GRAPHC_VARIABLE_TRAINABLE);

  Array<float> x({2, 4}, std::vector<float>(8, 1.0f)), w({4, 3}), loss({});
  Array<int64_t> ids({2}, {3, 1});
  model.getVariable("w", w.tensor());
  graphc::Call call = model.call("step");
  call.bindInput(0, x.tensor());
  call.bindInput(1, ids.tensor());
  graphc_tensor own = call.bindOwnOutput(0);
  call.bindOwnOutput(1);
  call.run();
  float callLoss;
  std::memcpy(&callLoss, own.data, sizeof(callLoss));

  model.setVariable("w", w.tensor());
  model.run("step", {x.tensor(), ids.tensor()}, {loss.tensor()});
  EXPECT_EQ(loss.values[0], callLoss);

  ids.values[1] = 4;
  EXPECT_EQ(call.tryRun(), GRAPHC_OUT_OF_RANGE);
  try {
    call.run();
    FAIL() << "a failed run throws";
  } catch (const graphc::Error &error) {
    EXPECT_EQ(error.status(), GRAPHC_OUT_OF_RANGE);
    EXPECT_EQ(std::string(error.what()), graphc_error_message());
  }
  EXPECT_THROW(graphc::Model("nowhere.so"), graphc::Error);
}

TEST(Wrapper, StateRoundTrip) {
  TemporaryFolder folder;
  graphc::Model model(toyPath("toy"));
  Array<float> w({4, 3}), changed({4, 3}, std::vector<float>(12, 5.0f));
  model.getVariable("w", w.tensor());
  model.saveState(folder.file("s"));
  model.setVariable("w", changed.tensor());
  model.loadState(folder.file("s"));
  model.getVariable("w", changed.tensor());
  EXPECT_EQ(changed.values, w.values);
  model.initialize(1);
}

} // namespace
