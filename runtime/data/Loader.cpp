// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>

#include "runtime/core/DType.h"
#include "runtime/core/InfoStruct.h"
#include "runtime/data/Array.h"
#include "runtime/data/GeneratorHandle.h"
#include "runtime/data/Message.h"

using namespace graphc::runtime;

namespace {

/// Arrays in memory as a dataset: one sample is one index of dimension 0.
struct TensorDataset {
  std::vector<graphc_tensor> samples;        // at index 0
  std::vector<std::vector<int64_t>> extents; // what they point to: shapes,
  std::vector<std::vector<int64_t>> strides; // and strides where given
  std::vector<int64_t> sampleStride;         // in bytes
};

graphc_status readSample(void *self, int64_t index, void *const *outFields) {
  auto &dataset = *static_cast<TensorDataset *>(self);
  for (size_t i = 0; i < dataset.samples.size(); ++i) {
    graphc_tensor sample = dataset.samples[i];
    if (graphc::runtime::tensorBytes(sample) == 0)
      continue;
    sample.data =
        static_cast<char *>(sample.data) + index * dataset.sampleStride[i];
    gather(sample, outFields[i]);
  }
  return GRAPHC_OK;
}

uint64_t elementCount(const graphc_tensor &tensor) {
  return graphc::runtime::tensorBytes(tensor) /
         graphc_dtype_bytes(tensor.dtype);
}

/// Takes the first dimension off each tensor. Returns its size.
int64_t splitSamples(const graphc_tensor *tensors, size_t count,
                     TensorDataset &dataset) {
  int64_t size = 0;
  for (size_t i = 0; i < count; ++i) {
    graphc_tensor sample = tensors[i];
    std::string name = "tensor " + std::to_string(i);
    checkTensor(&sample, name.c_str());
    if (sample.rank == 0)
      fail(GRAPHC_INVALID_ARGUMENT,
           name + " expects a first dimension of samples, but is a scalar");
    if (i > 0 && sample.shape[0] != size)
      fail(GRAPHC_INVALID_ARGUMENT, name + " expects " + std::to_string(size) +
                                        " samples as tensor 0 has, but got " +
                                        std::to_string(sample.shape[0]));
    size = sample.shape[0];
    auto copyRest = [&](const int64_t *values) {
      return std::vector<int64_t>(values + 1, values + sample.rank);
    };
    dataset.extents.push_back(copyRest(sample.shape));
    dataset.strides.push_back(sample.strides ? copyRest(sample.strides)
                                             : std::vector<int64_t>());
    int64_t stride = sample.strides ? sample.strides[0] : 0;
    --sample.rank;
    // A moved vector keeps its memory, so these stay good as the list grows.
    sample.shape = dataset.extents.back().data();
    if (!sample.strides)
      stride = static_cast<int64_t>(elementCount(sample));
    else
      sample.strides = dataset.strides.back().data();
    dataset.sampleStride.push_back(
        stride * static_cast<int64_t>(graphc_dtype_bytes(sample.dtype)));
    dataset.samples.push_back(sample);
  }
  return size;
}

} // namespace

struct graphc_loader {
  graphc_dataset dataset;
  graphc_loader_options options;
  TensorDataset tensors; // what `dataset` reads, unless it is the caller's
  graphc_generator own;
  std::vector<int64_t> order; // of this epoch
  size_t position = 0;        // in `order`, of the next batch
  bool inEpoch = false;
  bool isExhausted = false; // asked for more samples than the epoch has
  // The batch: memory for a full one, and its description.
  std::vector<graphc_array> buffers;
  std::vector<std::vector<int64_t>> shapes;
  std::vector<graphc_tensor> fields;

  graphc_loader(const graphc_dataset &dataset,
                const graphc_loader_options &options)
      : dataset(dataset), options(options), own{Generator(options.seed)} {}

  Generator &generator() {
    return options.generator ? options.generator->stream : own.stream;
  }
  void prepare();
  void beginEpoch();
  graphc_batch next();
};

void graphc_loader::prepare() {
  if (options.batch_size == 0)
    options.batch_size = 1;
  if (options.batch_size < 0)
    fail(GRAPHC_INVALID_ARGUMENT,
         "expects a batch size of 1 or more, but got " +
             std::to_string(options.batch_size));
  if (options.shuffle < GRAPHC_SHUFFLE_NONE ||
      options.shuffle > GRAPHC_SHUFFLE_DIRECT)
    fail(GRAPHC_INVALID_ARGUMENT, "%d is no way to shuffle",
         static_cast<int>(options.shuffle));
  order.resize(static_cast<size_t>(dataset.size));
  int64_t rows = std::min(options.batch_size, dataset.size);
  for (size_t i = 0; i < dataset.field_count; ++i) {
    const graphc_tensor &field = dataset.fields[i];
    if (field.rank >= kMaxRank || (field.rank > 0 && !field.shape))
      fail(GRAPHC_INVALID_ARGUMENT,
           "field " + std::to_string(i) + " expects a shape of rank below 16");
    std::vector<int64_t> shape = {rows};
    shape.insert(shape.end(), field.shape, field.shape + field.rank);
    buffers.emplace_back(field.dtype, shape);
    shapes.push_back(std::move(shape));
    graphc_tensor view = buffers.back().tensor();
    view.shape = shapes.back().data();
    fields.push_back(view);
  }
}

void graphc_loader::beginEpoch() {
  // A PyTorch DataLoader draws a seed for its workers, even if it has none.
  generator().randomInt64();
  auto size = static_cast<int64_t>(order.size());
  if (options.shuffle == GRAPHC_SHUFFLE_NONE)
    std::iota(order.begin(), order.end(), int64_t{0});
  else if (options.shuffle == GRAPHC_SHUFFLE_DIRECT)
    generator().randperm(size, order.data());
  else
    Generator(static_cast<uint64_t>(generator().randomInt64()))
        .randperm(size, order.data());
  position = 0;
  inEpoch = true;
  isExhausted = false;
}

graphc_batch graphc_loader::next() {
  if (!inEpoch)
    fail(GRAPHC_INVALID_ARGUMENT,
         "expects graphc_loader_begin_epoch() before the first batch");
  auto full = static_cast<size_t>(options.batch_size);
  size_t size = std::min(full, order.size() - position);
  const bool drawsUnused =
      size < full && !isExhausted && options.shuffle == GRAPHC_SHUFFLE_DIRECT;
  // Allocated before anything is drawn: a call that is out of memory draws
  // nothing, and the next one draws what it should have.
  std::vector<int64_t> unused(drawsUnused ? order.size() : 0);
  std::vector<void *> rows(dataset.field_count);
  // PyTorch's RandomSampler ends with a permutation of which it uses nothing.
  if (drawsUnused)
    generator().randperm(static_cast<int64_t>(unused.size()), unused.data());
  isExhausted |= size < full;
  if (options.drop_last && size < full)
    size = 0;
  for (size_t row = 0; row < size; ++row) {
    for (size_t i = 0; i < rows.size(); ++i) {
      uint64_t rowBytes = graphc::runtime::tensorBytes(dataset.fields[i]);
      rows[i] = static_cast<char *>(buffers[i].data.get()) + row * rowBytes;
    }
    // So that what is there afterwards is the dataset's own message.
    setError(GRAPHC_OK, "%s", "");
    graphc_status status =
        dataset.read(dataset.self, order[position + row], rows.data());
    if (status != GRAPHC_OK) {
      const char *why = graphc_error_message();
      fail(status, "the dataset could not read sample %lld%s%s",
           static_cast<long long>(order[position + row]), *why ? ": " : "",
           why);
    }
  }
  for (auto &shape : shapes)
    shape[0] = static_cast<int64_t>(size);
  graphc_batch batch = {};
  batch.size = static_cast<int64_t>(size);
  batch.indices = order.data() + position;
  batch.fields = fields.data();
  batch.field_count = fields.size();
  position += size;
  return batch;
}

graphc_status graphc_loader_create(const graphc_dataset *dataset,
                                   const graphc_loader_options *options,
                                   graphc_loader **out_loader) {
  return guarded([&] {
    if (!dataset || !out_loader)
      fail(GRAPHC_INVALID_ARGUMENT, "an argument is NULL");
    graphc_dataset known = readOptions(dataset);
    if (!known.read || known.size < 0 || (known.field_count && !known.fields))
      fail(GRAPHC_INVALID_ARGUMENT,
           "a dataset expects a size of 0 or more, fields and a read function");
    auto loader = std::make_unique<graphc_loader>(known, readOptions(options));
    loader->prepare();
    *out_loader = loader.release();
  });
}

graphc_status graphc_loader_create_from_tensors(
    const graphc_tensor *tensors, size_t tensor_count,
    const graphc_loader_options *options, graphc_loader **out_loader) {
  return guarded([&] {
    if (!tensors || tensor_count == 0 || !out_loader)
      fail(GRAPHC_INVALID_ARGUMENT, "expects at least one tensor");
    graphc_dataset dataset = {};
    auto loader =
        std::make_unique<graphc_loader>(dataset, readOptions(options));
    loader->dataset.size = splitSamples(tensors, tensor_count, loader->tensors);
    loader->dataset.self = &loader->tensors;
    loader->dataset.field_count = tensor_count;
    loader->dataset.fields = loader->tensors.samples.data();
    loader->dataset.read = readSample;
    loader->prepare();
    *out_loader = loader.release();
  });
}

void graphc_loader_destroy(graphc_loader *loader) { delete loader; }

int64_t graphc_loader_batch_count(const graphc_loader *loader) {
  int64_t size = loader->dataset.size, batch = loader->options.batch_size;
  return size / batch + (size % batch != 0 && !loader->options.drop_last);
}

graphc_status graphc_loader_begin_epoch(graphc_loader *loader) {
  return guarded([&] {
    if (!loader)
      fail(GRAPHC_INVALID_ARGUMENT, "an argument is NULL");
    loader->beginEpoch();
  });
}

graphc_status graphc_loader_next(graphc_loader *loader,
                                 graphc_batch *out_batch) {
  return guarded([&] {
    if (!loader)
      fail(GRAPHC_INVALID_ARGUMENT, "an argument is NULL");
    writeInfo(out_batch, loader->next());
  });
}
