// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/runtime/core/MutableModel.h"

#include <cmath>
#include <numeric>

namespace {

/// The toy step in plain C++: what its kernels are meant to compute.
struct ToyStep {
  std::vector<float> w, pred;
  float loss = 0;

  void run(const std::vector<float> &x, const std::vector<int64_t> &ids) {
    size_t rows = ids.size();
    pred.assign(rows * 3, 0.0f);
    loss = 0;
    for (size_t i = 0; i < rows; ++i)
      for (size_t j = 0; j < 3; ++j)
        for (size_t k = 0; k < 4; ++k)
          pred[i * 3 + j] += x[i * 4 + k] * w[k * 3 + j];
    for (size_t i = 0; i < rows; ++i)
      for (size_t j = 0; j < 3; ++j)
        loss += pred[i * 3 + j] * w[static_cast<size_t>(ids[i]) * 3 + j];
    for (float &value : w)
      value -= loss * 0.125f;
  }
};

struct StepData {
  Array<float> x{{2, 4}, {1, 2, 3, 4, -1, 0.5f, 2, 1}};
  Array<int64_t> ids{{2}, {3, 1}};
  Array<float> loss{std::vector<int64_t>{}};
  Array<float> pred{{2, 3}};
};

TEST(Run, StepsFollowTheFormulaAndKeepState) {
  ModelPtr model = loadModel(toyPath("toy"));
  StepData data;
  ToyStep expected;
  expected.w = getVariable<float>(model, "w", {4, 3}).values;
  for (int step = 0; step < 3; ++step) {
    ASSERT_EQ(run(model, "step", {data.x.tensor(), data.ids.tensor()},
                  {data.loss.tensor(), data.pred.tensor()}),
              GRAPHC_OK)
        << message();
    expected.run(data.x.values, data.ids.values);
    EXPECT_EQ(data.loss.values[0], expected.loss);
    EXPECT_EQ(data.pred.values, expected.pred);
  }
  EXPECT_EQ(getVariable<float>(model, "w", {4, 3}).values, expected.w);
  EXPECT_EQ(getVariable<int64_t>(model, "steps", {}).values[0], 3);
}

TEST(Run, FamilyPicksTheSizeByShape) {
  ModelPtr model = loadModel(toyPath("toy"));
  ToyStep expected;
  expected.w = getVariable<float>(model, "w", {4, 3}).values;
  Array<float> x({3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  Array<int64_t> ids({3}, {0, 1, 2});
  Array<float> loss{std::vector<int64_t>{}};
  ASSERT_EQ(run(model, "step", {x.tensor(), ids.tensor()}, {loss.tensor()}),
            GRAPHC_OK)
      << message();
  expected.run(x.values, ids.values);
  EXPECT_EQ(loss.values[0], expected.loss);
}

TEST(Run, UnknownSizeListsThoseThereAre) {
  ModelPtr model = loadModel(toyPath("toy"));
  Array<float> x({5, 4});
  Array<int64_t> ids({5});
  EXPECT_EQ(run(model, "step", {x.tensor(), ids.tensor()}, {}),
            GRAPHC_NOT_FOUND);
  EXPECT_EQ(message(),
            "'step' has no size for inputs (tensor<5x4xf32>, tensor<5xi64>); "
            "there are: @step(tensor<2x4xf32>, tensor<2xi64>), "
            "@step.3(tensor<3x4xf32>, tensor<3xi64>); compile the model with "
            "the size you need");
}

TEST(Run, StridedArraysAreCopiedBothWays) {
  ModelPtr model = loadModel(toyPath("toy"));
  ModelPtr twin = loadModel(toyPath("toy"));
  StepData data;
  ASSERT_EQ(run(twin, "step", {data.x.tensor(), data.ids.tensor()},
                {data.loss.tensor(), data.pred.tensor()}),
            GRAPHC_OK);

  // x transposed in memory, ids backwards with gaps, pred as columns.
  std::vector<float> x(8);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      x[j * 2 + i] = data.x.values[i * 4 + j];
  const int64_t xStrides[] = {1, 2};
  graphc_tensor xTensor = data.x.tensor();
  xTensor.data = x.data();
  xTensor.strides = xStrides;
  std::vector<int64_t> ids = {data.ids.values[1], 77, data.ids.values[0]};
  const int64_t idStrides[] = {-2};
  graphc_tensor idTensor = data.ids.tensor();
  idTensor.data = &ids[2];
  idTensor.strides = idStrides;
  std::vector<float> pred(12, -1.0f);
  const int64_t predStrides[] = {1, 4};
  graphc_tensor predTensor = data.pred.tensor();
  predTensor.data = pred.data();
  predTensor.strides = predStrides;
  Array<float> loss{std::vector<int64_t>{}};
  ASSERT_EQ(
      run(model, "step", {xTensor, idTensor}, {loss.tensor(), predTensor}),
      GRAPHC_OK)
      << message();
  EXPECT_EQ(loss.values, data.loss.values);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      EXPECT_EQ(pred[j * 4 + i], data.pred.values[i * 3 + j]);
  EXPECT_EQ(pred[2], -1.0f) << "memory between the elements is not written";
}

TEST(Run, ZeroCopyRefusesStridesAndSaysThem) {
  ModelPtr model = loadModel(toyPath("toy"));
  graphc_call *call = nullptr;
  ASSERT_EQ(graphc_call_create(model.get(), "step", &call), GRAPHC_OK);
  CallPtr owner(call);
  StepData data;
  graphc_tensor tensor = data.x.tensor();
  const int64_t strides[] = {1, 2};
  tensor.strides = strides;
  EXPECT_EQ(graphc_call_bind_input(call, 0, &tensor), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(
      message(),
      "input 0 ('x') of @step expects row-major strides [4, 1] to be used "
      "in place, but got [1, 2]; graphc_model_run() copies such arrays");
  const int64_t rowMajor[] = {4, 1};
  tensor.strides = rowMajor;
  EXPECT_EQ(graphc_call_bind_input(call, 0, &tensor), GRAPHC_OK);
  tensor.data = reinterpret_cast<char *>(data.x.values.data()) + 1;
  EXPECT_EQ(graphc_call_bind_input(call, 0, &tensor), GRAPHC_INVALID_ARGUMENT);
}

TEST(Run, CallReadsAndWritesInPlace) {
  ModelPtr model = loadModel(toyPath("toy"));
  StepData data;
  ToyStep expected;
  expected.w = getVariable<float>(model, "w", {4, 3}).values;
  graphc_call *call = nullptr;
  ASSERT_EQ(graphc_call_create(model.get(), "step", &call), GRAPHC_OK);
  CallPtr owner(call);
  EXPECT_EQ(graphc_call_run(call), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(message(), "input 0 ('x') of @step is not bound");
  graphc_tensor x = data.x.tensor(), ids = data.ids.tensor();
  graphc_tensor loss = data.loss.tensor(), pred = {};
  ASSERT_EQ(graphc_call_bind_input(call, 0, &x), GRAPHC_OK);
  ASSERT_EQ(graphc_call_bind_input(call, 1, &ids), GRAPHC_OK);
  ASSERT_EQ(graphc_call_bind_output(call, 0, &loss), GRAPHC_OK);
  ASSERT_EQ(graphc_call_bind_output(call, 1, nullptr), GRAPHC_OK);
  ASSERT_EQ(graphc_call_output(call, 1, &pred), GRAPHC_OK);
  for (int step = 0; step < 2; ++step) {
    data.x.values[0] = static_cast<float>(step); // Seen without binding again.
    ASSERT_EQ(graphc_call_run(call), GRAPHC_OK) << message();
    expected.run(data.x.values, data.ids.values);
    EXPECT_EQ(data.loss.values[0], expected.loss);
    for (size_t i = 0; i < 6; ++i)
      EXPECT_EQ(static_cast<float *>(pred.data)[i], expected.pred[i]);
  }
}

TEST(Run, OverlappingOutputsAreRefused) {
  ModelPtr model = loadModel(toyPath("toy"));
  std::vector<float> memory(1004);
  Array<float> shape({1000});
  graphc_tensor in = shape.tensor(), out = shape.tensor();
  in.data = memory.data();
  out.data = memory.data() + 4;
  EXPECT_EQ(run(model, "square", {in}, {out}), GRAPHC_INVALID_ARGUMENT);
  EXPECT_EQ(message(), "input 0 of @square overlaps output 0; outputs expect "
                       "memory of their own");
}

TEST(Run, LoopsMoveTheirBuffers) {
  ModelPtr model = loadModel(toyPath("toy"));
  Array<float> m({3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  Array<float> sums({3});
  for (int again = 0; again < 2; ++again) {
    ASSERT_EQ(run(model, "loop", {m.tensor()}, {sums.tensor()}), GRAPHC_OK)
        << message();
    // Row sum + 2 * 100 * row + 10 * (0 + 1).
    EXPECT_EQ(sums.values, (std::vector<float>{20, 236, 452}));
  }
}

TEST(Run, ConstantsEmptyTensorsAndScalarsCanBeOutputs) {
  ModelPtr model = loadModel(toyPath("toy"));
  Array<float> empty({0, 3});
  Array<double> scalar({}, {2.5}), result{std::vector<int64_t>{}};
  Array<float> constant({2}), emptyOut({0, 3});
  graphc_tensor noData = empty.tensor();
  noData.data = nullptr;
  ASSERT_EQ(run(model, "copy", {noData, scalar.tensor()},
                {constant.tensor(), emptyOut.tensor(), result.tensor()}),
            GRAPHC_OK)
      << message();
  EXPECT_EQ(constant.values, (std::vector<float>{2.5f, 3.5f}));
  EXPECT_EQ(result.values[0], 2.5);
}

TEST(Run, OutputsMayBeLeftOut) {
  ModelPtr model = loadModel(toyPath("toy"));
  StepData data;
  graphc_tensor loss = data.loss.tensor();
  loss.data = nullptr;
  EXPECT_EQ(run(model, "step", {data.x.tensor(), data.ids.tensor()},
                {loss, data.pred.tensor()}),
            GRAPHC_OK)
      << message();
  EXPECT_EQ(run(model, "step", {data.x.tensor(), data.ids.tensor()}, {}),
            GRAPHC_OK);
  EXPECT_EQ(getVariable<int64_t>(model, "steps", {}).values[0], 2);
}

TEST(Run, ProfileCountsEachEntry) {
  graphc_load_options options = loadOptions();
  options.profile = 1;
  ModelPtr model = loadModel(toyPath("toy"), options);
  StepData data;
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(run(model, "step", {data.x.tensor(), data.ids.tensor()}, {}),
              GRAPHC_OK);
  graphc_profile_entry entry = {};
  entry.struct_bytes = sizeof(entry);
  ASSERT_EQ(graphc_model_profile_entry(model.get(), 0, 1, &entry), GRAPHC_OK);
  EXPECT_STREQ(entry.name, "affine");
  EXPECT_STREQ(entry.op_name, "graph.linear");
  EXPECT_STREQ(entry.location, "toy.mlir:5:7");
  EXPECT_EQ(entry.run_count, 3u);
  EXPECT_EQ(entry.bytes, 32u + 48 + 12 + 24);
  ASSERT_EQ(graphc_model_reset_profile(model.get()), GRAPHC_OK);
  ASSERT_EQ(graphc_model_profile_entry(model.get(), 0, 1, &entry), GRAPHC_OK);
  EXPECT_EQ(entry.run_count, 0u);
  EXPECT_EQ(graphc_model_profile_entry(model.get(), 0, 7, &entry),
            GRAPHC_INVALID_ARGUMENT);
}

// The names that the header promises for what is no kernel.
TEST(Run, ProfileNamesEntriesThatAreNoKernels) {
  graphc_load_options options = loadOptions();
  options.profile = 1;
  ModelPtr model = loadModel(toyPath("toy"), options);
  auto names = [&](const char *function) {
    std::string all;
    size_t number = 0;
    EXPECT_EQ(graphc_model_find_function(model.get(), function, &number),
              GRAPHC_OK);
    graphc_profile_entry entry = {};
    entry.struct_bytes = sizeof(entry);
    for (size_t i = 0; graphc_model_profile_entry(model.get(), number, i,
                                                  &entry) == GRAPHC_OK;
         ++i)
      all += std::string(i ? " " : "") + entry.name;
    return all;
  };
  EXPECT_EQ(names("step"), "lookup affine dot copy commit update increment");
  EXPECT_EQ(names("loop"),
            "memset loop_begin copy memset loop_begin accumulate loop_end copy "
            "loop_end loop_begin memset loop_end");
}

// A bundle runs in the place of its entries, unless the run watches them.
TEST(Run, BundlesRunUnlessEntriesAreWatched) {
  TemporaryFolder folder;
  std::string path = folder.file("m.so");
  MutableModel changed("toy");
  const graphc_abi_variant &variant = changed.root->variants[0];
  const graphc_abi_entry &divide = variant.plans[5].entries[0];
  changed.set(divide.partner, 3);
  changed.set(divide.count, variant.kernel_count - 1);
  changed.write(path);
  for (int watch : {0, 1, 2}) {
    graphc_load_options options = loadOptions();
    options.profile = watch == 1;
    options.check_numerics = watch == 2;
    ModelPtr model = loadModel(path, options);
    Array<float> a{{4}, {1, 2, 3, 4}}, b{{4}, {2, 2, 2, 2}}, q{{4}};
    ASSERT_EQ(run(model, "divide", {a.tensor(), b.tensor()}, {q.tensor()}),
              GRAPHC_OK)
        << message();
    EXPECT_EQ(q.values[2], watch ? 1.5f : -1.5f);
    EXPECT_EQ(getVariable<int64_t>(model, "steps", {}).values[0],
              watch ? 1 : 100);
  }
}

} // namespace
