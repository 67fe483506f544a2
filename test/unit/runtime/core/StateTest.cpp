// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/runtime/core/ToyModel.h"

#include "runtime/data/Generator.h"

namespace {

using graphc::runtime::Generator;

TEST(State, InitializersDrawInDeclarationOrder) {
  graphc_load_options options = loadOptions();
  options.seed = 123;
  ModelPtr model = loadModel(toyPath("toy"), options);
  Generator generator(123);
  std::vector<float> w(12), packed(6);
  generator.uniform(GRAPHC_DTYPE_F32, -0.5, 0.5, w.data(), w.size());
  generator.normal(GRAPHC_DTYPE_F32, 1.0, 2.0, packed.data(), packed.size());
  EXPECT_EQ(getVariable<float>(model, "w", {4, 3}).values, w);
  EXPECT_EQ(getVariable<float>(model, "b", {3}).values,
            std::vector<float>(3, 0.0f));
  EXPECT_EQ(getVariable<float>(model, "packed", {2, 3}).values, packed);
  EXPECT_EQ(getVariable<int64_t>(model, "key", {2}).values,
            (std::vector<int64_t>{123, 0}));
  EXPECT_EQ(getVariable<float>(model, "lr", {}).values[0], 3.0f);
  EXPECT_EQ(getVariable<int32_t>(model, "table", {3}).values,
            (std::vector<int32_t>{7, -8, 9}));
}

TEST(State, ConstantsRoundOnceToTheirType) {
  ModelPtr model = loadModel(toyPath("toy"));
  const int64_t two[] = {2}, one[] = {1};
  uint16_t half[2];
  uint8_t flag;
  graphc_tensor tensor = {GRAPHC_DTYPE_BF16, 1, two, nullptr, half};
  ASSERT_EQ(graphc_model_get_variable(model.get(), "half", &tensor), GRAPHC_OK);
  // 1.01171875 lies halfway between 0x3f81 and 0x3f82: ties to even.
  EXPECT_EQ(half[0], 0x3f82);
  EXPECT_EQ(half[1], 0x3f82);
  tensor = {GRAPHC_DTYPE_I1, 1, one, nullptr, &flag};
  ASSERT_EQ(graphc_model_get_variable(model.get(), "flag", &tensor), GRAPHC_OK);
  EXPECT_EQ(flag, 1);
}

TEST(State, SetAndGetMayBeStrided) {
  ModelPtr model = loadModel(toyPath("toy"));
  std::vector<float> columns = {1, 2, 3, 4, 5, 6};
  const int64_t shape[] = {2, 3}, strides[] = {1, 2};
  graphc_tensor tensor = {GRAPHC_DTYPE_F32, 2, shape, strides, columns.data()};
  for (const char *name : {"packed"}) {
    ASSERT_EQ(graphc_model_set_variable(model.get(), name, &tensor), GRAPHC_OK);
    EXPECT_EQ(getVariable<float>(model, name, {2, 3}).values,
              (std::vector<float>{1, 3, 5, 2, 4, 6}));
    std::vector<float> back(6);
    tensor.data = back.data();
    ASSERT_EQ(graphc_model_get_variable(model.get(), name, &tensor), GRAPHC_OK);
    EXPECT_EQ(back, columns);
  }
}

TEST(State, SavedStateContinuesBitForBit) {
  TemporaryFolder folder;
  std::string path = folder.file("state.safetensors");
  Array<float> x({2, 4}, {1, 2, 3, 4, -1, 0.5f, 2, 1});
  Array<int64_t> ids({2}, {3, 1});
  auto step = [&](const ModelPtr &model) {
    ASSERT_EQ(run(model, "step", {x.tensor(), ids.tensor()}, {}), GRAPHC_OK);
  };
  ModelPtr model = loadModel(toyPath("toy"));
  step(model);
  ASSERT_EQ(graphc_model_save_state(model.get(), path.c_str()), GRAPHC_OK)
      << message();
  step(model);

  graphc_load_options options = loadOptions();
  options.seed = 99;
  ModelPtr other = loadModel(toyPath("toy"), options);
  EXPECT_NE(stateOf(other), stateOf(model));
  ASSERT_EQ(graphc_model_load_state(other.get(), path.c_str(), nullptr),
            GRAPHC_OK)
      << message();
  EXPECT_NE(stateOf(other), stateOf(model));
  step(other);
  EXPECT_EQ(stateOf(other), stateOf(model));
}

TEST(State, AModelMayBeLoadedWithASavedState) {
  TemporaryFolder folder;
  std::string path = folder.file("state.safetensors");
  ModelPtr model = loadModel(toyPath("toy"));
  Array<float> x({2, 4}, {1, 2, 3, 4, -1, 0.5f, 2, 1});
  Array<int64_t> ids({2}, {3, 1});
  ASSERT_EQ(run(model, "step", {x.tensor(), ids.tensor()}, {}), GRAPHC_OK);
  ASSERT_EQ(graphc_model_save_state(model.get(), path.c_str()), GRAPHC_OK);

  graphc_load_options options = loadOptions();
  options.seed = 99;
  options.state_path = path.c_str();
  ModelPtr other = loadModel(toyPath("toy"), options);
  EXPECT_EQ(stateOf(other), stateOf(model));
  ASSERT_EQ(graphc_model_initialize(other.get(), 0), GRAPHC_OK);
  EXPECT_EQ(stateOf(other), stateOf(loadModel(toyPath("toy"))))
      << "zeros are written as well";
}

TEST(State, InitializeStartsOver) {
  ModelPtr model = loadModel(toyPath("toy"));
  std::string before = stateOf(model);
  Array<float> x({2, 4}, std::vector<float>(8, 1.0f));
  Array<int64_t> ids({2}, {3, 1});
  ASSERT_EQ(run(model, "step", {x.tensor(), ids.tensor()}, {}), GRAPHC_OK);
  EXPECT_NE(stateOf(model), before);
  ASSERT_EQ(graphc_model_initialize(model.get(), 0), GRAPHC_OK);
  EXPECT_EQ(stateOf(model), before);
}

} // namespace
