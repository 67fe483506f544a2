// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datasets, and the batches of their epochs.
#ifndef GRAPHC_DATA_LOADER_HPP
#define GRAPHC_DATA_LOADER_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "graphc/data.h"
#include "graphc/data/generator.hpp"
#include "graphc/error.hpp"

namespace graphc {

// A Dataset is any class with
//   int64_t size() const                    number of samples
//   std::vector<Field> fields() const       what each sample consists of
//   void read(int64_t index, void *const *outFields) const
//                                           writes one sample, row-major
// What `read` throws becomes the Error of the loader, with the sample's number
// and the text.

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
    if (field >= batch_.field_count)
      throw Error(GRAPHC_INVALID_ARGUMENT,
                  "expects a field number below " +
                      std::to_string(batch_.field_count) + ", but got " +
                      std::to_string(field));
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
        return graphc_error_set(error.status(), error.what());
      } catch (const std::bad_alloc &) {
        return graphc_error_set(GRAPHC_OUT_OF_MEMORY, "out of memory");
      } catch (const std::exception &error) {
        return graphc_error_set(GRAPHC_INVALID_ARGUMENT, error.what());
      } catch (...) {
        return graphc_error_set(GRAPHC_INVALID_ARGUMENT,
                                "an exception that is no std::exception");
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

#endif // GRAPHC_DATA_LOADER_HPP
