// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of indices, scans and sorts, and nn::Embedding; values are
// PyTorch 1.13's.
#include "Compiled.h"

#include <gtest/gtest.h>

#include <sstream>

using namespace graphc;
using namespace graphc::test;

namespace {

using Floats = std::vector<float>;
using Ints = std::vector<int64_t>;

/// 0, 1, ... as [3, 4].
Values<float> counted() {
  Floats data;
  for (int k = 0; k < 12; ++k)
    data.push_back(static_cast<float>(k));
  return {{3, 4}, data};
}

/// What `body` throws when it is traced with a float matrix and indices.
template <class Body> std::string traceError(Body body) {
  return messageOf([&] {
    Tracer tracer("m");
    tracer.function(
        "f", [&](Tensor x, Tensor i) { return body(x, i); },
        input("x", f32, {3, 4}), input("i", i64, {2, 5}));
  });
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(TraceIndex, TakesAndAddsAsPyTorch) {
  Tracer tracer("m");
  tracer.function(
      "f",
      [](Tensor x, Tensor rows, Tensor columns, Tensor row) {
        return std::vector<Tensor>{
            gather(x, 0, rows),
            gather(x, -1, columns),
            index_select(x, 1, row),
            scatter_add(zeros({3, 4}), 0, columns, x),
            index_add(ones({3, 4}), 0, row, slice(x, 0, 0, 2)),
            embedding(columns, x, -1),
        };
      },
      input("x", f32, {3, 4}), input("rows", i64, {2, 2}),
      input("columns", i32, {2, 2}), input("row", i64, {2}));
  Model model = load(tracer);
  auto all = results<float>(model, "f",
                            {counted(), Values<int64_t>({2, 2}, {2, 0, 1, 1}),
                             Values<int32_t>({2, 2}, {2, 0, 1, 2}),
                             Values<int64_t>({2}, {2, 0})});
  EXPECT_EQ(all[0], (Floats{8, 1, 4, 5}));
  EXPECT_EQ(all[1], (Floats{2, 0, 5, 6}));
  EXPECT_EQ(all[2], (Floats{2, 0, 6, 4, 10, 8}));
  EXPECT_EQ(all[3], (Floats{0, 1, 0, 0, 4, 0, 0, 0, 0, 5, 0, 0}));
  EXPECT_EQ(all[4], (Floats{5, 6, 7, 8, 1, 1, 1, 1, 1, 2, 3, 4}));
  EXPECT_EQ(all[5], (Floats{8, 9, 10, 11, 0, 1, 2, 3, //
                            4, 5, 6, 7, 8, 9, 10, 11}));
}

TEST(TraceIndex, ScansSortsAndTriangles) {
  Tracer tracer("m");
  tracer.function(
      "floats",
      [](Tensor x) {
        return std::vector<Tensor>{cumsum(x, 1), topk(x, 2, 0, false).values,
                                   sort(x, -1, true).values, triu(x, 1),
                                   tril(x, -1)};
      },
      input("x", f32, {3, 4}));
  tracer.function(
      "ints",
      [](Tensor x) {
        return std::vector<Tensor>{topk(x, 2, 1).indices, argsort(-x, 0),
                                   one_hot(to(slice(x, 0, 0, 1), i64), 4)};
      },
      input("x", f32, {3, 4}));
  Model model = load(tracer);
  auto floats = results<float>(model, "floats", {counted()});
  EXPECT_EQ(floats[0], (Floats{0, 1, 3, 6, 4, 9, 15, 22, 8, 17, 27, 38}));
  EXPECT_EQ(floats[1], (Floats{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(floats[2], (Floats{3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8}));
  EXPECT_EQ(floats[3], (Floats{0, 1, 2, 3, 0, 0, 6, 7, 0, 0, 0, 11}));
  EXPECT_EQ(floats[4], (Floats{0, 0, 0, 0, 4, 0, 0, 0, 8, 9, 0, 0}));
  auto ints = results<int64_t>(model, "ints", {counted()});
  EXPECT_EQ(ints[0], (Ints{3, 2, 3, 2, 3, 2}));
  EXPECT_EQ(ints[1], (Ints{2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(ints[2], (Ints{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}));
}

// In any other order the 1 is lost in the 1e8.
TEST(TraceIndex, SumsRunInOrderOfPosition) {
  Tracer tracer("m");
  tracer.function(
      "f",
      [](Tensor x, Tensor i) {
        return std::vector<Tensor>{
            index_add(zeros({1}), 0, i, x), cumsum(x, 0),
            index_add(zeros({1, 40}), 0, i,
                      broadcast_to(reshape(x, {3, 1}), {3, 40}))};
      },
      input("x", f32, {3}), input("i", i64, {3}));
  Model model = load(tracer);
  auto all = results<float>(
      model, "f",
      {Values<float>({3}, {1e8f, -1e8f, 1}), Values<int64_t>({3}, {0, 0, 0})});
  EXPECT_EQ(all[0], (Floats{1}));
  EXPECT_EQ(all[1], (Floats{1e8f, 0, 1}));
  EXPECT_EQ(all[2], Floats(40, 1));
}

TEST(TraceIndex, DynamicSlicesTakeNumbersAndTensors) {
  Tracer tracer("m");
  tracer.function(
      "f",
      [](Tensor x, Tensor i) {
        return std::vector<Tensor>{
            dynamic_slice(x, {i, 1}, {1, 2}),
            dynamic_update_slice(x, zeros({1, 3}), {i, -5})};
      },
      input("x", f32, {3, 4}), input("i", i32, {}));
  Model model = load(tracer);
  auto all = results<float>(model, "f", {counted(), Values<int32_t>({}, {7})});
  EXPECT_EQ(all[0], (Floats{9, 10}));
  EXPECT_EQ(all[1], (Floats{0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 11}));
}

TEST(TraceIndex, MistakesAreFoundAtOnce) {
  EXPECT_TRUE(contains(
      traceError([](Tensor x, Tensor i) { return index_select(x, 0, i); }),
      "index_select expects an index of rank 1, but got [2, 5]"));
  EXPECT_TRUE(contains(
      traceError([](Tensor x, Tensor i) { return gather(x, 0, i); }),
      "gather expects an index of the rank of [3, 4] and no larger than it but "
      "along dimension 0, but got [2, 5]"));
  EXPECT_TRUE(contains(
      traceError([](Tensor x, Tensor i) { return embedding(i, x, 3); }),
      "embedding expects padding_idx in [-3, 3), but got 3"));
  EXPECT_TRUE(
      contains(traceError([](Tensor x, Tensor) { return topk(x, 5).values; }),
               "topk expects k in [0, 4], but got 5"));
  EXPECT_TRUE(
      contains(traceError([](Tensor, Tensor i) { return one_hot(i, -1); }),
               "one_hot expects a number of classes, 0 or more, but got -1"));
  EXPECT_TRUE(
      contains(traceError([](Tensor x, Tensor) { return cumsum(x, 2); }),
               "expects a dimension in [-2, 1], but got 2"));
  EXPECT_TRUE(contains(traceError([](Tensor x, Tensor) {
                         return dynamic_slice(x, {0}, {1, 1});
                       }),
                       "expects 2 starts"));
}

TEST(TraceIndex, IndicesOutOfRangeFailTheCall) {
  Tracer tracer("m");
  tracer.function(
      "f", [](Tensor x, Tensor i) { return index_select(x, 0, i); },
      input("x", f32, {3, 4}), input("i", i64, {2}));
  Model model = load(tracer);
  for (int64_t wrong : {-1, 3}) {
    std::string message = messageOf([&] {
      results<float>(model, "f", {counted(), Values<int64_t>({2}, {0, wrong})});
    });
    EXPECT_TRUE(contains(message, "graph.gather")) << message;
    EXPECT_TRUE(contains(message, "TraceIndex.cpp")) << message;
    EXPECT_TRUE(contains(message, std::to_string(wrong))) << message;
  }
}

Floats weightOf(Model &model) {
  Values<float> weight({3, 2}, Floats(6));
  model.getVariable("weight", weight);
  return weight.data;
}

TEST(TraceIndex, EmbeddingIsTorchs) {
  std::ostringstream os;
  os << nn::Embedding(10, 3, -1) << ", " << nn::Embedding(4, 2);
  EXPECT_EQ(os.str(), "Embedding(10, 3, padding_idx=9), Embedding(4, 2)");
  EXPECT_TRUE(contains(messageOf([] { nn::Embedding(10, 3, 10); }),
                       "Embedding expects padding_idx in [-10, 10), but got"));

  nn::Embedding table(3, 2, 1);
  Tracer tracer("m");
  tracer.add(table);
  tracer.function(
      "loss", [&](Tensor ids, Tensor y) { return mse_loss(table(ids), y); },
      input("ids", i64, {4}), input("y", f32, {4, 2}));
  tracer.train("step", "loss", optim::SGD(0.5));
  LoadOptions options;
  options.seed = 7;
  Model model = load(tracer, options);
  EXPECT_EQ(weightOf(model),
            (Floats{-0.1467950940132141f, 0.7861412763595581f, 0, 0,
                    1.6907901763916016f, -0.8948279023170471f}));
  Values<int64_t> ids({4}, {0, 1, 0, 2});
  Values<float> y({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_FLOAT_EQ(results<float>(model, "step", {ids, y})[0][0], 23.596012f);
  EXPECT_FLOAT_EQ(results<float>(model, "step", {ids, y})[0][0], 18.239502f);
  Floats trained = weightOf(model);
  EXPECT_EQ(trained[2], 0);
  EXPECT_EQ(trained[3], 0);
  EXPECT_FLOAT_EQ(trained[0], 1.2299277782440186f);
  EXPECT_FLOAT_EQ(trained[5], 1.1898972988128662f);

  // A step that fails trains nothing.
  Values<int64_t> wrong({4}, {0, 1, 0, 3});
  std::string message =
      messageOf([&] { results<float>(model, "step", {wrong, y}); });
  EXPECT_TRUE(contains(message, "graph.embedding")) << message;
  EXPECT_EQ(weightOf(model), trained);
}

} // namespace
