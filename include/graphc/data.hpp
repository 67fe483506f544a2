// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ over graphc/data.h: the same functions with ownership and exceptions.
// Everything here throws graphc::Error where the C function returns a status.
//
//   graphc::Csv csv("flowers.csv");
//   graphc::Array x = csv.array<float>({"length", "width"});
//   graphc::Array y = csv.column<int64_t>("kind");
//   graphc::Generator generator(123);
//   graphc::DataLoader loader(graphc::TensorDataset({x, y}),
//                             {2, /*shuffle=*/true}, generator);
//   for (const graphc::Batch &batch : loader)
//     model.run("step", {batch[0], batch[1]}, ...);
#ifndef GRAPHC_DATA_HPP
#define GRAPHC_DATA_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "graphc/data.h"
#include "graphc/error.hpp"

namespace graphc {

// ---- Arrays -----------------------------------------------------------------

/// The element type of a C++ type; float, int64_t and so on. bool is i1. f16
/// and bf16 have no C++ type.
template <class T> constexpr graphc_dtype dtypeOf() {
  if constexpr (std::is_same_v<T, double>)
    return GRAPHC_DTYPE_F64;
  else if constexpr (std::is_same_v<T, float>)
    return GRAPHC_DTYPE_F32;
  else if constexpr (std::is_same_v<T, bool>)
    return GRAPHC_DTYPE_I1;
  else if constexpr (std::is_same_v<T, int8_t>)
    return GRAPHC_DTYPE_I8;
  else if constexpr (std::is_same_v<T, uint8_t>)
    return GRAPHC_DTYPE_UI8;
  else if constexpr (std::is_same_v<T, int32_t>)
    return GRAPHC_DTYPE_I32;
  else {
    static_assert(std::is_integral_v<T> && std::is_signed_v<T> &&
                      sizeof(T) == 8,
                  "graphc has no such element type");
    return GRAPHC_DTYPE_I64;
  }
}

/// A row-major array that owns its memory. Moves are cheap, copies are not
/// made.
class Array {
public:
  using Shape = std::vector<int64_t>;

  Array() = default;
  Array(graphc_dtype dtype, const Shape &shape) {
    graphc_array *array = nullptr;
    check(graphc_array_create(dtype, static_cast<uint32_t>(shape.size()),
                              shape.data(), &array));
    array_.reset(array);
  }
  /// Takes over what a C function gave.
  explicit Array(graphc_array *array) : array_(array) {}

  template <class T> static Array of(const Shape &shape) {
    return Array(dtypeOf<T>(), shape);
  }
  /// An array of `shape` with these values, row-major.
  template <class T>
  static Array from(const Shape &shape, const std::vector<T> &values) {
    Array array = of<T>(shape);
    if (static_cast<int64_t>(values.size()) != array.size())
      throw Error(GRAPHC_INVALID_ARGUMENT,
                  "expects " + std::to_string(array.size()) +
                      " values for the shape, but got " +
                      std::to_string(values.size()));
    std::copy(values.begin(), values.end(), array.data<T>());
    return array;
  }
  /// A copy of `source` with elements of another type.
  static Array convert(const graphc_tensor &source, graphc_dtype dtype) {
    graphc_array *array = nullptr;
    check(graphc_array_convert(&source, dtype, &array));
    return Array(array);
  }

  explicit operator bool() const { return array_ != nullptr; }
  graphc_tensor tensor() const { return graphc_array_tensor(array_.get()); }
  operator graphc_tensor() const { return tensor(); }

  graphc_dtype dtype() const { return tensor().dtype; }
  Shape shape() const {
    graphc_tensor view = tensor();
    return Shape(view.shape, view.shape + view.rank);
  }
  /// Number of elements.
  int64_t size() const {
    Shape dims = shape();
    return std::accumulate(dims.begin(), dims.end(), int64_t{1},
                           std::multiplies<int64_t>());
  }
  /// The elements; T must be what dtype() says.
  template <class T> T *data() const {
    if (dtypeOf<T>() != dtype())
      throw Error(GRAPHC_INVALID_ARGUMENT,
                  std::string("the array's elements are ") +
                      graphc_dtype_name(dtype()) + ", not " +
                      graphc_dtype_name(dtypeOf<T>()));
    return static_cast<T *>(tensor().data);
  }
  void *data() const { return tensor().data; }

  /// Samples [begin, end) of the first dimension, without a copy. The result's
  /// shape is kept in `outShape`, which with the array must outlive it.
  graphc_tensor rows(int64_t begin, int64_t end, Shape &outShape) const {
    graphc_tensor view = tensor();
    if (view.rank == 0 || begin < 0 || begin > end || end > view.shape[0])
      throw Error(GRAPHC_INVALID_ARGUMENT, "rows " + std::to_string(begin) +
                                               " to " + std::to_string(end) +
                                               " are not within the array");
    outShape = shape();
    int64_t rowSize = std::accumulate(outShape.begin() + 1, outShape.end(),
                                      int64_t{1}, std::multiplies<int64_t>());
    outShape[0] = end - begin;
    view.shape = outShape.data();
    view.data =
        static_cast<char *>(view.data) +
        begin * rowSize * static_cast<int64_t>(graphc_dtype_bytes(view.dtype));
    return view;
  }

private:
  struct Destroy {
    void operator()(graphc_array *array) const { graphc_array_destroy(array); }
  };
  std::unique_ptr<graphc_array, Destroy> array_;
};

// ---- Files ------------------------------------------------------------------

inline Array readNpy(const std::string &path) {
  graphc_array *array = nullptr;
  check(graphc_npy_read(path.c_str(), &array));
  return Array(array);
}

inline void writeNpy(const std::string &path, const graphc_tensor &tensor) {
  check(graphc_npy_write(path.c_str(), &tensor));
}

/// A table of text cells.
class Csv {
public:
  explicit Csv(const std::string &path, char separator = ',',
               graphc_csv_header header = GRAPHC_CSV_HEADER_AUTO) {
    graphc_csv_options options = rawOptions(separator, header);
    graphc_csv *csv = nullptr;
    check(graphc_csv_read(path.c_str(), &options, &csv));
    csv_.reset(csv);
  }
  /// From text in memory; `name` stands for the path in messages.
  static Csv parse(const std::string &name, const std::string &text,
                   char separator = ',',
                   graphc_csv_header header = GRAPHC_CSV_HEADER_AUTO) {
    graphc_csv_options options = rawOptions(separator, header);
    graphc_csv *csv = nullptr;
    check(graphc_csv_parse(name.c_str(), text.data(), text.size(), &options,
                           &csv));
    return Csv(csv);
  }

  int64_t rows() const { return graphc_csv_row_count(csv_.get()); }
  int64_t columns() const { return graphc_csv_column_count(csv_.get()); }
  std::string columnName(int64_t column) const {
    const char *name = graphc_csv_column_name(csv_.get(), column);
    return name ? name : "";
  }
  /// Number of the column with this name, or, as text, this number.
  int64_t find(const std::string &column) const {
    int64_t number = 0;
    check(graphc_csv_find_column(csv_.get(), column.c_str(), &number));
    return number;
  }

  /// Columns as an array [rows, columns].
  template <class T> Array array(const std::vector<int64_t> &columns) const {
    return convert(columns, dtypeOf<T>(), false);
  }
  template <class T>
  Array array(const std::vector<std::string> &columns) const {
    std::vector<int64_t> numbers;
    for (const std::string &column : columns)
      numbers.push_back(find(column));
    return convert(numbers, dtypeOf<T>(), false);
  }
  Array array(const std::vector<int64_t> &columns, graphc_dtype dtype) const {
    return convert(columns, dtype, false);
  }
  /// One column as an array [rows].
  template <class T> Array column(int64_t column) const {
    return convert({column}, dtypeOf<T>(), true);
  }
  template <class T> Array column(const std::string &name) const {
    return convert({find(name)}, dtypeOf<T>(), true);
  }

private:
  struct Destroy {
    void operator()(graphc_csv *csv) const { graphc_csv_destroy(csv); }
  };
  std::unique_ptr<graphc_csv, Destroy> csv_;

  explicit Csv(graphc_csv *csv) : csv_(csv) {}
  static graphc_csv_options rawOptions(char separator,
                                       graphc_csv_header header) {
    graphc_csv_options options = {};
    options.struct_bytes = sizeof options;
    options.separator = separator;
    options.header = header;
    return options;
  }
  Array convert(const std::vector<int64_t> &columns, graphc_dtype dtype,
                bool flat) const {
    graphc_array *array = nullptr;
    check(graphc_csv_to_array(csv_.get(), columns.data(), columns.size(), dtype,
                              flat, &array));
    return Array(array);
  }
};

/// Named arrays in a file.
class Safetensors {
public:
  explicit Safetensors(const std::string &path) {
    graphc_safetensors *file = nullptr;
    check(graphc_safetensors_open(path.c_str(), &file));
    file_.reset(file);
  }

  size_t size() const { return graphc_safetensors_count(file_.get()); }
  std::string name(size_t tensor) const {
    graphc_value_info info = {};
    info.struct_bytes = sizeof info;
    check(graphc_safetensors_describe(file_.get(), tensor, &info));
    return info.name;
  }
  Array read(size_t tensor) const {
    graphc_array *array = nullptr;
    check(graphc_safetensors_read(file_.get(), tensor, &array));
    return Array(array);
  }
  Array read(const std::string &name) const {
    size_t tensor = 0;
    check(graphc_safetensors_find(file_.get(), name.c_str(), &tensor));
    return read(tensor);
  }

  static void
  write(const std::string &path,
        const std::vector<std::pair<std::string, graphc_tensor>> &tensors) {
    std::vector<graphc_named_tensor> named;
    for (const auto &[name, tensor] : tensors)
      named.push_back({name.c_str(), tensor});
    check(graphc_safetensors_write(path.c_str(), named.data(), named.size(),
                                   nullptr, 0));
  }

private:
  struct Close {
    void operator()(graphc_safetensors *file) const {
      graphc_safetensors_close(file);
    }
  };
  std::unique_ptr<graphc_safetensors, Close> file_;
};

// ---- Random numbers ---------------------------------------------------------

/// A stream of random numbers in PyTorch's order.
class Generator {
public:
  explicit Generator(uint64_t seed) {
    graphc_generator *generator = nullptr;
    check(graphc_generator_create(seed, &generator));
    generator_.reset(generator);
  }

  graphc_generator *get() const { return generator_.get(); }
  void reseed(uint64_t seed) { graphc_generator_reseed(get(), seed); }
  uint32_t random() { return graphc_generator_random(get()); }
  int64_t randomInt64() { return graphc_generator_random_i64(get()); }

  void uniform(const graphc_tensor &tensor, double lo = 0, double hi = 1) {
    check(graphc_generator_uniform(get(), &tensor, lo, hi));
  }
  void normal(const graphc_tensor &tensor, double mean = 0,
              double standardDeviation = 1) {
    check(graphc_generator_normal(get(), &tensor, mean, standardDeviation));
  }
  void integers(const graphc_tensor &tensor, int64_t lo, int64_t hi) {
    check(graphc_generator_integers(get(), &tensor, lo, hi));
  }
  std::vector<int64_t> permutation(int64_t count) {
    std::vector<int64_t> order(static_cast<size_t>(count));
    check(graphc_generator_permutation(get(), count, order.data()));
    return order;
  }

private:
  struct Destroy {
    void operator()(graphc_generator *generator) const {
      graphc_generator_destroy(generator);
    }
  };
  std::unique_ptr<graphc_generator, Destroy> generator_;
};

// ---- Samplers ---------------------------------------------------------------

// A sampler has `int64_t size()` and `std::vector<int64_t> epoch()`, which
// gives the order of one epoch.

class SequentialSampler {
public:
  explicit SequentialSampler(int64_t size) : size_(size) {}
  int64_t size() const { return size_; }
  std::vector<int64_t> epoch() {
    std::vector<int64_t> order(static_cast<size_t>(size_));
    std::iota(order.begin(), order.end(), int64_t{0});
    return order;
  }

private:
  int64_t size_;
};

/// Shuffles as torch.utils.data.RandomSampler does without a generator of its
/// own, drawing each epoch's seed from `generator`, which must outlive it.
class RandomSampler {
public:
  RandomSampler(int64_t size, Generator &generator)
      : size_(size), generator_(&generator) {}
  int64_t size() const { return size_; }
  std::vector<int64_t> epoch() {
    Generator own(static_cast<uint64_t>(generator_->randomInt64()));
    return own.permutation(size_);
  }

private:
  int64_t size_;
  Generator *generator_;
};

/// Groups another sampler's order into batches.
template <class Sampler> class BatchSampler {
public:
  BatchSampler(Sampler sampler, int64_t batchSize, bool dropLast)
      : sampler_(std::move(sampler)), batchSize_(batchSize),
        dropLast_(dropLast) {
    if (batchSize < 1)
      throw Error(GRAPHC_INVALID_ARGUMENT,
                  "expects a batch size of 1 or more, but got " +
                      std::to_string(batchSize));
  }
  /// Batches in one epoch.
  int64_t size() const {
    int64_t whole = sampler_.size() / batchSize_;
    bool ragged = sampler_.size() % batchSize_ != 0;
    return whole + (ragged && !dropLast_);
  }
  std::vector<std::vector<int64_t>> epoch() {
    std::vector<int64_t> order = sampler_.epoch();
    std::vector<std::vector<int64_t>> batches;
    auto at = order.begin();
    for (int64_t left = size(); left > 0; --left) {
      auto end = at + std::min(batchSize_, std::distance(at, order.end()));
      batches.emplace_back(at, end);
      at = end;
    }
    return batches;
  }

private:
  Sampler sampler_;
  int64_t batchSize_;
  bool dropLast_;
};

// ---- Datasets and loaders ---------------------------------------------------

// A Dataset is any class with
//   int64_t size() const                    number of samples
//   std::vector<Field> fields() const       what each sample consists of
//   void read(int64_t index, void *const *outFields) const
//                                           writes one sample, row-major

/// Element type and shape of one part of every sample.
struct Field {
  graphc_dtype dtype;
  std::vector<int64_t> shape;
};

template <class T, class = void> struct IsDataset : std::false_type {};
template <class T>
struct IsDataset<T, std::void_t<decltype(std::declval<const T &>().size()),
                                decltype(std::declval<const T &>().fields()),
                                decltype(std::declval<const T &>().read(
                                    int64_t{}, std::declval<void *const *>()))>>
    : std::true_type {};

/// Arrays in memory whose first dimension counts samples. Borrows their memory.
class TensorDataset {
public:
  explicit TensorDataset(std::vector<graphc_tensor> tensors)
      : tensors_(std::move(tensors)) {}
  TensorDataset(std::initializer_list<graphc_tensor> tensors)
      : tensors_(tensors) {}
  const std::vector<graphc_tensor> &tensors() const { return tensors_; }

private:
  std::vector<graphc_tensor> tensors_;
};

struct DataLoaderOptions {
  int64_t batchSize = 1;
  bool shuffle = false;
  bool dropLast = false;
};

/// One batch; valid until the next one is asked for.
class Batch {
public:
  int64_t size() const { return batch_.size; }
  const graphc_tensor &operator[](size_t field) const {
    return batch_.fields[field];
  }
  size_t fieldCount() const { return batch_.field_count; }
  std::vector<int64_t> indices() const {
    return std::vector<int64_t>(batch_.indices, batch_.indices + batch_.size);
  }

private:
  friend class DataLoader;
  graphc_batch batch_ = {};
};

/// Iterates over a dataset in batches. Each `begin()` starts an epoch, so a
/// range-for is one epoch.
class DataLoader {
public:
  DataLoader(const TensorDataset &dataset, const DataLoaderOptions &options,
             Generator &generator) {
    graphc_loader_options raw = rawOptions(options, generator);
    graphc_loader *loader = nullptr;
    check(graphc_loader_create_from_tensors(
        dataset.tensors().data(), dataset.tensors().size(), &raw, &loader));
    loader_.reset(loader);
  }

  /// Over any Dataset, which must outlive the loader.
  template <class Dataset, class = std::enable_if_t<IsDataset<Dataset>::value>>
  DataLoader(const Dataset &dataset, const DataLoaderOptions &options,
             Generator &generator) {
    std::vector<Field> fields = dataset.fields();
    std::vector<graphc_tensor> views;
    for (const Field &field : fields)
      views.push_back({field.dtype, static_cast<uint32_t>(field.shape.size()),
                       field.shape.data(), nullptr, nullptr});
    state_ = std::make_unique<State>();
    state_->fields = std::move(fields);
    state_->views = std::move(views);
    graphc_dataset raw = {};
    raw.struct_bytes = sizeof raw;
    raw.self = const_cast<Dataset *>(&dataset);
    raw.size = dataset.size();
    raw.field_count = state_->views.size();
    raw.fields = state_->views.data();
    raw.read = [](void *self, int64_t index, void *const *outFields) {
      // No exception may cross the C function in between.
      try {
        static_cast<const Dataset *>(self)->read(index, outFields);
        return GRAPHC_OK;
      } catch (const Error &error) {
        return error.status();
      } catch (...) {
        return GRAPHC_INVALID_ARGUMENT;
      }
    };
    graphc_loader_options rawLoader = rawOptions(options, generator);
    graphc_loader *loader = nullptr;
    check(graphc_loader_create(&raw, &rawLoader, &loader));
    loader_.reset(loader);
  }

  /// Batches in one epoch.
  int64_t size() const { return graphc_loader_batch_count(loader_.get()); }

  class Iterator {
  public:
    const Batch &operator*() const { return loader_->batch_; }
    const Batch *operator->() const { return &loader_->batch_; }
    Iterator &operator++() {
      loader_->next();
      return *this;
    }
    /// Only the comparison with end() means something.
    bool operator!=(const Iterator &) const {
      return loader_->batch_.size() != 0;
    }

  private:
    friend class DataLoader;
    explicit Iterator(DataLoader *loader) : loader_(loader) {}
    DataLoader *loader_;
  };

  Iterator begin() {
    check(graphc_loader_begin_epoch(loader_.get()));
    next();
    return Iterator(this);
  }
  Iterator end() { return Iterator(this); }

private:
  struct State {
    std::vector<Field> fields;
    std::vector<graphc_tensor> views;
  };
  struct Destroy {
    void operator()(graphc_loader *loader) const {
      graphc_loader_destroy(loader);
    }
  };
  std::unique_ptr<State> state_;
  std::unique_ptr<graphc_loader, Destroy> loader_;
  Batch batch_;

  void next() {
    batch_.batch_.struct_bytes = sizeof batch_.batch_;
    check(graphc_loader_next(loader_.get(), &batch_.batch_));
  }
  static graphc_loader_options rawOptions(const DataLoaderOptions &options,
                                          Generator &generator) {
    graphc_loader_options raw = {};
    raw.struct_bytes = sizeof raw;
    raw.batch_size = options.batchSize;
    raw.drop_last = options.dropLast;
    raw.shuffle = options.shuffle ? GRAPHC_SHUFFLE_SEEDED : GRAPHC_SHUFFLE_NONE;
    raw.generator = generator.get();
    return raw;
  }
};

} // namespace graphc

#endif // GRAPHC_DATA_HPP
