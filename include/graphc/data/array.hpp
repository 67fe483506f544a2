// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that own their memory.
#ifndef GRAPHC_DATA_ARRAY_HPP
#define GRAPHC_DATA_ARRAY_HPP

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "graphc/data.h"
#include "graphc/error.hpp"

namespace graphc {

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
  graphc_tensor tensor() const {
    if (!array_)
      throw Error(GRAPHC_INVALID_ARGUMENT,
                  "expects an array, but it was never made or is moved from");
    return graphc_array_tensor(array_.get());
  }
  operator graphc_tensor() const { return tensor(); }

  graphc_dtype dtype() const { return tensor().dtype; }
  Shape shape() const {
    graphc_tensor view = tensor();
    return Shape(view.shape, view.shape + view.rank);
  }
  /// Number of elements.
  int64_t size() const {
    graphc_tensor view = tensor();
    const int64_t *end = view.shape + view.rank;
    // Beside a 0 the other dimensions may be of any size.
    if (std::find(view.shape, end, 0) != end)
      return 0;
    int64_t count = 1;
    for (const int64_t *dim = view.shape; dim != end; ++dim)
      count *= *dim;
    return count;
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
    int64_t rowSize = outShape[0] ? size() / outShape[0] : 0;
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

} // namespace graphc

#endif // GRAPHC_DATA_ARRAY_HPP
