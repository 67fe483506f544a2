// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/runtime/core/ToyModel.h"

#include <thread>

namespace {

TEST(Load, DescribesWhatIsInside) {
  ModelPtr model = loadModel(toyPath("toy"));
  graphc_model_info info = {};
  info.struct_bytes = sizeof(info);
  ASSERT_EQ(graphc_model_describe(model.get(), &info), GRAPHC_OK);
  EXPECT_STREQ(info.name, "toy");
  EXPECT_STREQ(info.target, "cpu");
  EXPECT_EQ(info.arena_bytes, 128u) << "the largest of all functions";
  EXPECT_EQ(info.state_bytes, 576u);
  EXPECT_EQ(info.max_threads, 8u);
  EXPECT_EQ(info.function_count, 8u);
  EXPECT_EQ(info.variable_count, 9u);

  size_t number = 0;
  ASSERT_EQ(graphc_model_find_function(model.get(), "step.3", &number),
            GRAPHC_OK);
  graphc_function_info function = {};
  function.struct_bytes = sizeof(function);
  ASSERT_EQ(graphc_model_describe_function(model.get(), number, &function),
            GRAPHC_OK);
  EXPECT_STREQ(function.family, "step");
  EXPECT_EQ(function.kind, GRAPHC_FUNCTION_TRAIN);
  EXPECT_EQ(function.writes_state, 1);
  ASSERT_EQ(function.input_count, 2u);
  graphc_value_info value = {};
  value.struct_bytes = sizeof(value);
  ASSERT_EQ(graphc_model_describe_input(model.get(), number, 0, &value),
            GRAPHC_OK);
  EXPECT_STREQ(value.name, "x");
  EXPECT_EQ(value.dtype, GRAPHC_DTYPE_F32);
  ASSERT_EQ(value.rank, 2u);
  EXPECT_EQ(value.shape[0], 3);
  EXPECT_EQ(value.bytes, 48u);
}

// A program built against the first header keeps working with later runtimes.
TEST(Load, InfoStructsMayBeShorter) {
  ModelPtr model = loadModel(toyPath("toy"));
  graphc_model_info info = {};
  info.struct_bytes = offsetof(graphc_model_info, compiler_version);
  info.compiler_version = "untouched";
  ASSERT_EQ(graphc_model_describe(model.get(), &info), GRAPHC_OK);
  EXPECT_STREQ(info.name, "toy");
  EXPECT_STREQ(info.compiler_version, "untouched");
}

TEST(Load, OptionsOfANewerHeaderAreRefusedOnlyIfSet) {
  struct {
    graphc_load_options known = {};
    uint64_t newer = 0;
  } options;
  options.known.struct_bytes = sizeof(options);
  loadModel(toyPath("toy"), options.known);
  options.newer = 1;
  EXPECT_EQ(loadStatus(toyPath("toy"), options.known), GRAPHC_UNSUPPORTED);
}

TEST(Load, TakesTheFirstVariantThatFits) {
  ModelPtr model = loadModel(toyPath("two-levels"));
  graphc_model_info info = {};
  info.struct_bytes = sizeof(info);
  ASSERT_EQ(graphc_model_describe(model.get(), &info), GRAPHC_OK);
  EXPECT_STRNE(info.level, "future");
}

// The library of one load must not be mistaken for that of another, though file
// descriptors' numbers come back.
TEST(Load, ReplacedFileGivesTheNewModel) {
  TemporaryFolder folder;
  std::string path = folder.file("model.so");
  writeFile(path, readFile(toyPath("toy")));
  ModelPtr first = loadModel(path);
  writeFile(path, readFile(toyPath("one-thread"))); // In place, same inode.
  ModelPtr second = loadModel(path);
  auto maxThreads = [](const ModelPtr &model) {
    graphc_model_info info = {};
    info.struct_bytes = sizeof(info);
    EXPECT_EQ(graphc_model_describe(model.get(), &info), GRAPHC_OK);
    return info.max_threads;
  };
  EXPECT_EQ(maxThreads(first), 8u);
  EXPECT_EQ(maxThreads(second), 1u);
  Array<float> x({2, 4}, std::vector<float>(8, 1.0f));
  Array<int64_t> ids({2}, {3, 1});
  EXPECT_EQ(run(first, "step", {x.tensor(), ids.tensor()}, {}), GRAPHC_OK);
  EXPECT_EQ(run(second, "step", {x.tensor(), ids.tensor()}, {}), GRAPHC_OK);
}

TEST(Load, ModelsInSeveralThreadsAreIndependent) {
  ModelPtr reference = loadModel(toyPath("toy"));
  Array<float> x({2, 4}, {1, 2, 3, 4, -1, 0.5f, 2, 1});
  Array<int64_t> ids({2}, {3, 1});
  constexpr int steps = 200;
  for (int i = 0; i < steps; ++i)
    ASSERT_EQ(run(reference, "step", {x.tensor(), ids.tensor()}, {}),
              GRAPHC_OK);
  std::string expected = stateOf(reference);
  std::string states[2];
  std::vector<std::thread> threads;
  for (std::string &state : states)
    threads.emplace_back([&] {
      ModelPtr model = loadModel(toyPath("toy"));
      for (int i = 0; i < steps; ++i)
        ASSERT_EQ(run(model, "step", {x.tensor(), ids.tensor()}, {}),
                  GRAPHC_OK);
      state = stateOf(model);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(states[0], expected);
  EXPECT_EQ(states[1], expected);
}

} // namespace
