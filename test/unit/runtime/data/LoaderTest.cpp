// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Orders and numbers were printed by PyTorch 1.13.1.
#include <cmath>
#include <map>
#include <stdexcept>
#include <vector>

#include "graphc/data.hpp"
#include "test/unit/runtime/data/FailingAllocator.h"
#include "gtest/gtest.h"

using graphc::Array;
using graphc::DataLoader;
using graphc::Generator;

namespace {

using Batches = std::vector<std::vector<int64_t>>;

Array ramp(int64_t size) {
  Array array = Array::of<int64_t>({size});
  for (int64_t i = 0; i < size; ++i)
    array.data<int64_t>()[i] = i;
  return array;
}

Batches epoch(DataLoader &loader) {
  Batches batches;
  for (const graphc::Batch &batch : loader)
    batches.push_back(batch.indices());
  return batches;
}

TEST(DataLoader, TutorialOrder) {
  Array x = Array::of<float>({5, 2}), y = Array::of<int64_t>({5});
  Generator generator(123);
  DataLoader loader(graphc::TensorDataset({x, y}), {2, true}, generator);
  EXPECT_EQ(loader.size(), 3);
  EXPECT_EQ(epoch(loader), (Batches{{3, 1}, {0, 2}, {4}}));
  EXPECT_EQ(epoch(loader), (Batches{{0, 2}, {3, 1}, {4}}));

  generator.reseed(123);
  DataLoader whole(graphc::TensorDataset({x, y}), {2, true, true}, generator);
  EXPECT_EQ(whole.size(), 2);
  EXPECT_EQ(epoch(whole), (Batches{{3, 1}, {0, 2}}));

  generator.reseed(124);
  EXPECT_NE(epoch(loader), (Batches{{3, 1}, {0, 2}, {4}}));
}

TEST(DataLoader, DrawsExactlyWhatPyTorchDraws) {
  Array x = ramp(7);
  Generator generator(11);
  DataLoader seeded(graphc::TensorDataset({x}), {3, true}, generator);
  EXPECT_EQ(epoch(seeded), (Batches{{1, 6, 3}, {4, 2, 5}, {0}}));
  EXPECT_EQ(epoch(seeded), (Batches{{3, 2, 1}, {6, 5, 4}, {0}}));
  Array next = Array::of<float>({1});
  generator.uniform(next);
  EXPECT_EQ(next.data<float>()[0], 0.5721226334571838f);

  generator.reseed(11);
  DataLoader sequential(graphc::TensorDataset({x}), {3}, generator);
  EXPECT_EQ(epoch(sequential), (Batches{{0, 1, 2}, {3, 4, 5}, {6}}));
  EXPECT_EQ(generator.randomInt64(), 359254775711865947);
}

TEST(DataLoader, ShufflesByTheGeneratorItself) {
  Array x = ramp(7);
  graphc_tensor tensor = x;
  graphc_loader_options options = {};
  options.struct_bytes = sizeof options;
  options.batch_size = 3;
  options.shuffle = GRAPHC_SHUFFLE_DIRECT;
  options.seed = 11;
  graphc_loader *loader = nullptr;
  ASSERT_EQ(graphc_loader_create_from_tensors(&tensor, 1, &options, &loader),
            GRAPHC_OK);
  auto indices = [&] {
    std::vector<int64_t> order;
    EXPECT_EQ(graphc_loader_begin_epoch(loader), GRAPHC_OK);
    graphc_batch batch = {};
    batch.struct_bytes = sizeof batch;
    while (graphc_loader_next(loader, &batch) == GRAPHC_OK && batch.size)
      order.insert(order.end(), batch.indices, batch.indices + batch.size);
    return order;
  };
  EXPECT_EQ(indices(), (std::vector<int64_t>{0, 6, 5, 1, 3, 2, 4}));
  EXPECT_EQ(indices(), (std::vector<int64_t>{4, 0, 5, 1, 3, 2, 6}));
  graphc_loader_destroy(loader);
}

TEST(DataLoader, GathersRowsOfStridedAndEmptyFields) {
  Array x = Array::from<float>({2, 3}, {0, 1, 2, 3, 4, 5});
  int64_t shape[] = {3, 2}, strides[] = {1, 3}, none[] = {3, 0};
  graphc_tensor transposed = {GRAPHC_DTYPE_F32, 2, shape, strides, x.data()};
  graphc_tensor empty = {GRAPHC_DTYPE_F32, 2, none, nullptr, nullptr};
  Array y = ramp(3), backwards = ramp(3);
  int64_t minusOne[] = {-1};
  graphc_tensor reversed = {GRAPHC_DTYPE_I64, 1, shape, minusOne,
                            backwards.data<int64_t>() + 2};
  Generator generator(1);
  DataLoader loader(graphc::TensorDataset({transposed, empty, y, reversed}),
                    {2, true}, generator);
  int64_t seen = 0;
  for (const graphc::Batch &batch : loader) {
    ASSERT_EQ(batch.fieldCount(), 4u);
    EXPECT_EQ(batch[0].shape[0], batch.size());
    EXPECT_EQ(batch[0].shape[1], 2);
    EXPECT_EQ(batch[1].shape[1], 0);
    for (int64_t row = 0; row < batch.size(); ++row) {
      auto index = static_cast<float>(batch.indices()[row]);
      auto *rows = static_cast<float *>(batch[0].data);
      EXPECT_EQ(rows[2 * row], index);
      EXPECT_EQ(rows[2 * row + 1], index + 3);
      EXPECT_EQ(static_cast<int64_t *>(batch[2].data)[row], index);
      EXPECT_EQ(static_cast<int64_t *>(batch[3].data)[row], 2 - index);
      ++seen;
    }
  }
  EXPECT_EQ(seen, 3);
}

TEST(DataLoader, SizesAroundTheBatchSize) {
  for (int64_t size : {0, 1, 2, 3, 4, 5, 6, 7})
    for (int64_t batch : {1, 2, 3, 7, 100})
      for (bool dropLast : {false, true}) {
        Array x = ramp(size);
        Generator generator(1);
        DataLoader loader(graphc::TensorDataset({x}), {batch, true, dropLast},
                          generator);
        Batches batches = epoch(loader);
        EXPECT_EQ(static_cast<int64_t>(batches.size()), loader.size());
        EXPECT_EQ(loader.size(),
                  dropLast ? size / batch : (size + batch - 1) / batch);
        for (size_t i = 0; i + 1 < batches.size(); ++i)
          EXPECT_EQ(static_cast<int64_t>(batches[i].size()), batch);
      }
}

/// Squares, made on demand; sample 5 cannot be read.
struct Squares {
  int64_t count;
  int64_t size() const { return count; }
  std::vector<graphc::Field> fields() const {
    return {{GRAPHC_DTYPE_I64, {}}, {GRAPHC_DTYPE_F32, {2}}};
  }
  void read(int64_t index, void *const *out) const {
    if (index == 5)
      throw graphc::Error(GRAPHC_IO_ERROR, "no sample 5");
    *static_cast<int64_t *>(out[0]) = index * index;
    static_cast<float *>(out[1])[0] = static_cast<float>(index);
    static_cast<float *>(out[1])[1] = -static_cast<float>(index);
  }
};

TEST(DataLoader, TakesAnyDataset) {
  Squares dataset{5};
  Generator generator(1);
  DataLoader loader(dataset, {2, true}, generator);
  for (const graphc::Batch &batch : loader)
    for (int64_t row = 0; row < batch.size(); ++row) {
      int64_t index = batch.indices()[row];
      EXPECT_EQ(static_cast<int64_t *>(batch[0].data)[row], index * index);
      EXPECT_EQ(static_cast<float *>(batch[1].data)[2 * row + 1], -index);
    }
  Squares failing{6};
  DataLoader broken(failing, {6}, generator);
  try {
    broken.begin();
    FAIL();
  } catch (const graphc::Error &error) {
    EXPECT_EQ(error.status(), GRAPHC_IO_ERROR);
    EXPECT_STREQ(error.what(),
                 "the dataset could not read sample 5: no sample 5");
  }
}

/// Throws what `index` says.
struct Throwing {
  int64_t size() const { return 5; }
  std::vector<graphc::Field> fields() const { return {{GRAPHC_DTYPE_I8, {}}}; }
  void read(int64_t index, void *const *) const {
    switch (index) {
    case 0:
      throw graphc::Error(GRAPHC_CORRUPT, "mine");
    case 1:
      throw std::runtime_error("theirs: 100%s");
    case 2:
      throw std::bad_alloc();
    case 3:
      throw index;
    default:
      throw graphc::Error(GRAPHC_NOT_FOUND, "");
    }
  }
};

TEST(DataLoader, TheTextOfADatasetsExceptionIsKept) {
  Throwing dataset;
  Generator generator(1);
  // Drawn so that each sample comes first once.
  std::map<int64_t, std::pair<graphc_status, std::string>> seen;
  DataLoader shuffled(dataset, {1, true}, generator);
  const std::string prefix = "the dataset could not read sample ";
  for (int draw = 0; draw < 100; ++draw)
    try {
      shuffled.begin();
    } catch (const graphc::Error &error) {
      std::string text = error.what();
      ASSERT_EQ(text.find(prefix), 0u) << text;
      int64_t index = text[prefix.size()] - '0';
      seen[index] = {error.status(), text.substr(prefix.size() + 1)};
    }
  EXPECT_EQ(seen.size(), 5u);
  EXPECT_EQ(seen[0], std::make_pair(GRAPHC_CORRUPT, std::string(": mine")));
  EXPECT_EQ(seen[1], std::make_pair(GRAPHC_INVALID_ARGUMENT,
                                    std::string(": theirs: 100%s")));
  EXPECT_EQ(seen[2], std::make_pair(GRAPHC_OUT_OF_MEMORY,
                                    std::string(": out of memory")));
  EXPECT_EQ(
      seen[3],
      std::make_pair(GRAPHC_INVALID_ARGUMENT,
                     std::string(": an exception that is no std::exception")));
  EXPECT_EQ(seen[4], std::make_pair(GRAPHC_NOT_FOUND, std::string()));
}

// In C a reason may be given, and an old message is none.
TEST(DataLoader, AnOldMessageIsNoReason) {
  graphc_tensor field = {GRAPHC_DTYPE_I8, 0, nullptr, nullptr, nullptr};
  graphc_dataset dataset = {};
  dataset.struct_bytes = sizeof dataset;
  dataset.size = 1;
  dataset.field_count = 1;
  dataset.fields = &field;
  dataset.read = [](void *, int64_t, void *const *) { return GRAPHC_TIMEOUT; };
  graphc_loader *loader = nullptr;
  ASSERT_EQ(graphc_loader_create(&dataset, nullptr, &loader), GRAPHC_OK);
  graphc_batch batch = {};
  batch.struct_bytes = sizeof batch;
  ASSERT_EQ(graphc_loader_begin_epoch(loader), GRAPHC_OK);
  graphc_error_set(GRAPHC_CORRUPT, "of long ago");
  EXPECT_EQ(graphc_loader_next(loader, &batch), GRAPHC_TIMEOUT);
  EXPECT_STREQ(graphc_error_message(), "the dataset could not read sample 0");
  graphc_loader_destroy(loader);
}

/// Sample 3 cannot be read at the first attempt.
struct Flaky {
  mutable int failures = 0;
  int64_t size() const { return 6; }
  std::vector<graphc::Field> fields() const { return {{GRAPHC_DTYPE_I64, {}}}; }
  void read(int64_t index, void *const *out) const {
    if (index == 3 && failures++ == 0)
      throw graphc::Error(GRAPHC_IO_ERROR, "not now");
    *static_cast<int64_t *>(out[0]) = index;
  }
};

TEST(DataLoader, AfterAFailureTheBatchOrTheEpochMayBeginAnew) {
  graphc_tensor field = {GRAPHC_DTYPE_I64, 0, nullptr, nullptr, nullptr};
  Flaky flaky;
  graphc_dataset dataset = {sizeof dataset, &flaky, 6, 1, &field, nullptr};
  dataset.read = [](void *self, int64_t index, void *const *out) {
    try {
      static_cast<Flaky *>(self)->read(index, out);
      return GRAPHC_OK;
    } catch (const graphc::Error &error) {
      return error.status();
    }
  };
  graphc_loader_options options = {};
  options.struct_bytes = sizeof options;
  options.batch_size = 2;
  graphc_loader *loader = nullptr;
  ASSERT_EQ(graphc_loader_create(&dataset, &options, &loader), GRAPHC_OK);
  std::vector<int64_t> got;
  auto next = [&] {
    graphc_batch batch = {};
    batch.struct_bytes = sizeof batch;
    graphc_status status = graphc_loader_next(loader, &batch);
    if (status == GRAPHC_OK) {
      auto *values = static_cast<int64_t *>(batch.fields[0].data);
      got.insert(got.end(), values, values + batch.size);
    } else {
      EXPECT_EQ(batch.fields, nullptr) << "out-parameters stay as they were";
    }
    return status;
  };
  using Values = std::vector<int64_t>;
  // The failed batch is read again by the next call, whole.
  ASSERT_EQ(graphc_loader_begin_epoch(loader), GRAPHC_OK);
  EXPECT_EQ(next(), GRAPHC_OK);
  EXPECT_EQ(next(), GRAPHC_IO_ERROR);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(next(), GRAPHC_OK);
  EXPECT_EQ(got, (Values{0, 1, 2, 3, 4, 5}));
  // A new epoch is a whole one as well.
  flaky.failures = 0;
  got.clear();
  ASSERT_EQ(graphc_loader_begin_epoch(loader), GRAPHC_OK);
  EXPECT_EQ(next(), GRAPHC_OK);
  EXPECT_EQ(next(), GRAPHC_IO_ERROR);
  got.clear();
  ASSERT_EQ(graphc_loader_begin_epoch(loader), GRAPHC_OK);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(next(), GRAPHC_OK);
  EXPECT_EQ(got, (Values{0, 1, 2, 3, 4, 5}));
  graphc_loader_destroy(loader);
}

/// Two epochs over `tensors`, call by call; one that is out of memory is made
/// once more. Returns how many were; `order` has room for all samples.
int readEpochs(const std::vector<graphc_tensor> &tensors,
               const graphc_loader_options &options,
               std::vector<int64_t> &order) {
  int failures = 0;
  auto patiently = [&](auto call) {
    graphc_status status = call();
    if (status == GRAPHC_OUT_OF_MEMORY) {
      ++failures;
      status = call();
    }
    EXPECT_EQ(status, GRAPHC_OK) << graphc_error_message();
  };
  graphc_loader *loader = nullptr;
  patiently([&] {
    return graphc_loader_create_from_tensors(tensors.data(), tensors.size(),
                                             &options, &loader);
  });
  for (int epoch = 0; epoch < 2; ++epoch) {
    patiently([&] { return graphc_loader_begin_epoch(loader); });
    graphc_batch batch = {};
    batch.struct_bytes = sizeof batch;
    do {
      patiently([&] { return graphc_loader_next(loader, &batch); });
      auto *values = static_cast<const int64_t *>(batch.fields[1].data);
      order.insert(order.end(), values, values + batch.size);
    } while (batch.size != 0);
  }
  graphc_loader_destroy(loader);
  return failures;
}

// A failed call has changed nothing: made again, it goes on with the same
// samples in the same order.
TEST(DataLoader, AnyAllocationMayFail) {
  SKIP_UNLESS_ALLOCATIONS_CAN_FAIL();
  Array x = Array::of<float>({5, 2}), y = ramp(5);
  int64_t shape[] = {5, 2}, strides[] = {1, 5};
  std::vector<graphc_tensor> tensors = {
      x, y, {GRAPHC_DTYPE_F32, 2, shape, strides, x.data()}};
  graphc_loader_options options = {};
  options.struct_bytes = sizeof options;
  options.batch_size = 2;
  options.seed = 3;
  for (graphc_shuffle shuffle :
       {GRAPHC_SHUFFLE_NONE, GRAPHC_SHUFFLE_SEEDED, GRAPHC_SHUFFLE_DIRECT}) {
    options.shuffle = shuffle;
    std::vector<int64_t> expected, order;
    ASSERT_EQ(readEpochs(tensors, options, expected), 0);
    ASSERT_EQ(expected.size(), 10u);
    order.reserve(100);
    int64_t k = 0;
    for (; k < 1000; ++k) {
      int64_t live = liveAllocations();
      order.clear();
      failAllocation(k);
      int failures = readEpochs(tensors, options, order);
      failAllocation(-1);
      EXPECT_EQ(order, expected) << "after allocation " << k;
      EXPECT_EQ(liveAllocations(), live) << "leak after allocation " << k;
      if (failures == 0)
        break;
    }
    EXPECT_GT(k, 20);
  }
}

TEST(DataLoader, RefusesBadArguments) {
  Array x = ramp(3), y = ramp(4), scalar = Array::of<float>({});
  Generator generator(1);
  auto message = [&](std::initializer_list<graphc_tensor> tensors,
                     int64_t batch) -> std::string {
    try {
      DataLoader(graphc::TensorDataset(tensors), {batch}, generator);
    } catch (const graphc::Error &error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message({x, y}, 1),
            "tensor 1 expects 3 samples as tensor 0 has, but got 4");
  EXPECT_EQ(message({scalar}, 1), "tensor 0 expects a first dimension of "
                                  "samples, but is a scalar");
  EXPECT_EQ(message({x}, -1), "expects a batch size of 1 or more, but got -1");
  EXPECT_EQ(message({}, 1), "expects at least one tensor");
  graphc_tensor tensor = x;
  graphc_loader *loader = nullptr;
  ASSERT_EQ(graphc_loader_create_from_tensors(&tensor, 1, nullptr, &loader),
            GRAPHC_OK);
  graphc_batch batch = {};
  batch.struct_bytes = sizeof batch;
  EXPECT_EQ(graphc_loader_next(loader, &batch), GRAPHC_INVALID_ARGUMENT);
  EXPECT_STREQ(graphc_error_message(), "expects graphc_loader_begin_epoch() "
                                       "before the first batch");
  graphc_loader_destroy(loader);
}

// What a container would throw about it would be no graphc::Error.
TEST(DataHeaders, ImpossibleNumbersAreErrors) {
  Generator generator(1);
  EXPECT_THROW(generator.permutation(-1), graphc::Error);
  EXPECT_THROW(graphc::SequentialSampler(-1), graphc::Error);
  EXPECT_THROW(graphc::RandomSampler(-1, generator), graphc::Error);
  EXPECT_THROW(Array().shape(), graphc::Error);
  Array moved = ramp(1), owner = std::move(moved);
  EXPECT_THROW(moved.size(), graphc::Error);
  DataLoader loader(graphc::TensorDataset({owner}), {1}, generator);
  for (const graphc::Batch &batch : loader)
    EXPECT_THROW(batch[1], graphc::Error);
}

TEST(Samplers, BatchesOfEachOrder) {
  graphc::BatchSampler<graphc::SequentialSampler> sequential(
      graphc::SequentialSampler(5), 2, false);
  EXPECT_EQ(sequential.epoch(), (Batches{{0, 1}, {2, 3}, {4}}));
  Generator generator(123);
  generator.randomInt64(); // what a DataLoader draws before its sampler
  graphc::BatchSampler<graphc::RandomSampler> random(
      graphc::RandomSampler(5, generator), 2, true);
  EXPECT_EQ(random.size(), 2);
  EXPECT_EQ(random.epoch(), (Batches{{3, 1}, {0, 2}}));
}

TEST(Generator, Integers) {
  Generator generator(5);
  auto draw = [&](auto zero, int64_t count, int64_t lo, int64_t hi) {
    using T = decltype(zero);
    Array array = Array::of<T>({count});
    generator.integers(array, lo, hi);
    return std::vector<int64_t>(array.data<T>(), array.data<T>() + count);
  };
  using Values = std::vector<int64_t>;
  EXPECT_EQ(draw(int64_t{}, 8, -3, 9), (Values{8, 3, 4, 6, -1, 7, 1, 2}));
  EXPECT_EQ(draw(int64_t{}, 3, 0, int64_t{1} << 40),
            (Values{34745516772, 993841416126, 667240942192}));
  EXPECT_EQ(draw(int64_t{}, 2, -(int64_t{1} << 62), int64_t{1} << 62),
            (Values{-4271934045726421296, 863316773240729804}));
  EXPECT_EQ(draw(uint8_t{}, 3, 0, 100), (Values{27, 9, 9}));
  Array array = Array::of<float>({1});
  EXPECT_THROW(generator.integers(array, 0, 1), graphc::Error);
  EXPECT_THROW(generator.uniform(ramp(1)), graphc::Error);
  EXPECT_THROW(generator.uniform(array, 1, 0), graphc::Error);
  EXPECT_THROW(generator.normal(array, 0, -1), graphc::Error);
}

// Numbers that the type cannot hold would be others.
TEST(Generator, IntegersAreOfTheType) {
  graphc::Generator generator(1);
  struct {
    graphc_dtype dtype;
    int64_t least, most;
  } types[] = {{GRAPHC_DTYPE_I1, 0, 1},
               {GRAPHC_DTYPE_UI8, 0, 255},
               {GRAPHC_DTYPE_I8, -128, 127},
               {GRAPHC_DTYPE_I32, INT32_MIN, INT32_MAX}};
  for (const auto &type : types) {
    graphc::Array array(type.dtype, {3});
    generator.integers(array, type.least, type.most + 1);
    EXPECT_THROW(generator.integers(array, type.least, type.most + 2),
                 graphc::Error);
    EXPECT_THROW(generator.integers(array, type.least - 1, type.most),
                 graphc::Error);
  }
}

TEST(Initializers, FollowPyTorch) {
  using Values = std::vector<float>;
  auto fill = [](Array::Shape shape, auto init, double argument) {
    Generator generator(5);
    Array array = Array::of<float>(shape);
    graphc_tensor tensor = array;
    graphc::check(init(generator.get(), &tensor, argument));
    return Values(array.data<float>(), array.data<float>() + array.size());
  };
  Values kaiming = fill({3, 2, 2}, graphc_init_kaiming_uniform, std::sqrt(5.0));
  EXPECT_EQ(
      Values(kaiming.begin(), kaiming.begin() + 4),
      (Values{0x1.522d8cp-2, -0x1.7edcc8p-2, 0x1.a13fbcp-2, 0x1.479af4p-2}));
  EXPECT_EQ(kaiming.back(), 0x1.087bep-4f);
  EXPECT_EQ(
      fill({2, 2}, graphc_init_kaiming_normal, 0.1),
      (Values{-0x1.effd5ep-2, -0x1.339f54p-1, -0x1.1c53c2p-1, 0x1.541388p-1}));
  EXPECT_EQ(fill({2, 3}, graphc_init_xavier_uniform, 1.5),
            (Values{0x1.15d76cp+0, -0x1.3a8db6p+0, 0x1.56ce14p+0, 0x1.0d27bcp+0,
                    0x1.616f0cp+0, -0x1.428460p+0}));
  EXPECT_EQ(fill({2, 3}, graphc_init_xavier_normal, 1.5),
            (Values{-0x1.d8e24cp-2, -0x1.254abp-1, -0x1.0f14eep-1,
                    0x1.443bdap-1, -0x1.7f8ef6p-3, 0x1.d7d48p+0}));
  EXPECT_THROW(fill({4}, graphc_init_xavier_normal, 1), graphc::Error);
  EXPECT_THROW(fill({4, 0}, graphc_init_xavier_normal, 1), graphc::Error);
}

} // namespace
