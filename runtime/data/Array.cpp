// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/data/Array.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "runtime/core/DType.h"
#include "runtime/core/Error.h"

using namespace graphc::runtime;

namespace {

constexpr size_t kAlignment = 64;

uint64_t checkedArrayBytes(graphc_dtype dtype,
                           const std::vector<int64_t> &shape) {
  uint64_t bytes = 0;
  if (!isValidDType(dtype))
    fail(GRAPHC_INVALID_ARGUMENT, "%d is no element type",
         static_cast<int>(dtype));
  if (shape.size() > kMaxRank)
    fail(GRAPHC_UNSUPPORTED, "expects a rank of at most 16, but got %zu",
         shape.size());
  if (!graphc::runtime::tensorBytes(dtype, static_cast<uint32_t>(shape.size()),
                                    shape.data(), bytes))
    fail(GRAPHC_INVALID_ARGUMENT,
         "expects dimensions of 0 or more and less than 2^63 bytes, but got "
         "the shape %s",
         listText(shape.data(), shape.size()).c_str());
  return bytes;
}

} // namespace

graphc_array::graphc_array(graphc_dtype dtype, std::vector<int64_t> shape)
    : dtype(dtype), shape(std::move(shape)),
      bytes(checkedArrayBytes(dtype, this->shape)), data(nullptr, std::free) {
  if (bytes > SIZE_MAX - 2 * kAlignment)
    throw std::bad_alloc();
  size_t rounded = (bytes + 2 * kAlignment - 1) / kAlignment * kAlignment;
  void *memory = std::aligned_alloc(kAlignment, rounded);
  if (!memory)
    throw std::bad_alloc();
  data.reset(memory);
  std::memset(memory, 0, bytes);
}

graphc_tensor graphc_array::tensor() const {
  return {dtype, static_cast<uint32_t>(shape.size()), shape.data(), nullptr,
          data.get()};
}

namespace graphc::runtime {

void checkTensor(const graphc_tensor *tensor, const char *what) {
  if (!tensor)
    fail(GRAPHC_INVALID_ARGUMENT, "%s is NULL", what);
  if (tensor->rank > kMaxRank)
    fail(GRAPHC_UNSUPPORTED, "%s expects a rank of at most 16, but got %u",
         what, tensor->rank);
  if (tensor->rank > 0 && !tensor->shape)
    fail(GRAPHC_INVALID_ARGUMENT, "%s has rank %u but no shape", what,
         tensor->rank);
  std::vector<int64_t> shape(tensor->shape, tensor->shape + tensor->rank);
  if (checkedArrayBytes(tensor->dtype, shape) > 0 && !tensor->data)
    fail(GRAPHC_INVALID_ARGUMENT, "%s has elements but no data", what);
}

uint64_t tensorBytes(const graphc_tensor &tensor) {
  uint64_t bytes = 0;
  tensorBytes(tensor.dtype, tensor.rank, tensor.shape, bytes);
  return bytes;
}

} // namespace graphc::runtime

graphc_status graphc_array_create(graphc_dtype dtype, uint32_t rank,
                                  const int64_t *shape,
                                  graphc_array **out_array) {
  return guarded([&] {
    if (!out_array || (rank > 0 && !shape))
      fail(GRAPHC_INVALID_ARGUMENT, "an argument is NULL");
    if (rank > kMaxRank)
      fail(GRAPHC_UNSUPPORTED, "expects a rank of at most 16, but got %u",
           rank);
    *out_array =
        new graphc_array(dtype, std::vector<int64_t>(shape, shape + rank));
  });
}

graphc_status graphc_array_convert(const graphc_tensor *source,
                                   graphc_dtype dtype,
                                   graphc_array **out_array) {
  return guarded([&] {
    checkTensor(source, "the source");
    if (!out_array)
      fail(GRAPHC_INVALID_ARGUMENT, "an argument is NULL");
    std::vector<int64_t> shape(source->shape, source->shape + source->rank);
    auto packed = std::make_unique<graphc_array>(source->dtype, shape);
    gather(*source, packed->data.get());
    if (dtype == source->dtype && dtype != GRAPHC_DTYPE_I1) {
      *out_array = packed.release();
      return;
    }
    auto result = std::make_unique<graphc_array>(dtype, shape);
    convert(source->dtype, packed->data.get(), dtype, result->data.get(),
            packed->bytes / graphc_dtype_bytes(source->dtype));
    *out_array = result.release();
  });
}

void graphc_array_destroy(graphc_array *array) { delete array; }

graphc_tensor graphc_array_tensor(const graphc_array *array) {
  return array->tensor();
}
