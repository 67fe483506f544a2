// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/Tensors.h"

#include <cstdio>
#include <cstring>
#include <string>

#include "runtime/core/DType.h"
#include "runtime/core/Error.h"

namespace graphc::runtime {
namespace {

std::string text(const TensorName &name) {
  std::string out = name.kind;
  if (name.index >= 0)
    out += " " + std::to_string(name.index);
  if (*name.name)
    out += name.index >= 0 ? " ('" + std::string(name.name) + "')"
                           : " '" + std::string(name.name) + "'";
  if (name.function)
    out += std::string(" of @") + name.function;
  return out;
}

bool isEmpty(const graphc_tensor &tensor) {
  for (uint32_t i = 0; i < tensor.rank; ++i)
    if (tensor.shape[i] == 0)
      return true;
  return false;
}

void rowMajorStrides(const graphc_tensor &tensor, int64_t *out) {
  int64_t stride = 1;
  for (uint32_t i = tensor.rank; i-- > 0; stride *= tensor.shape[i])
    out[i] = stride;
}

/// Walks a strided tensor in logical order and hands each run of elements that
/// are `stride` bytes apart to `copyRun(run, rowMajorOffset, length, stride)`.
template <class CopyRun>
void forEachRun(const graphc_tensor &tensor, const CopyRun &copyRun) {
  if (isEmpty(tensor))
    return;
  const auto elementBytes =
      static_cast<int64_t>(graphc_dtype_bytes(tensor.dtype));
  auto *data = static_cast<char *>(tensor.data);
  if (tensor.rank == 0)
    return copyRun(data, size_t{0}, int64_t{1}, elementBytes);

  int64_t strides[GRAPHC_ABI_MAX_RANK];
  if (tensor.strides)
    std::memcpy(strides, tensor.strides, tensor.rank * sizeof(int64_t));
  else
    rowMajorStrides(tensor, strides);
  // Inner dims that are row-major among themselves are one run.
  uint32_t outer = tensor.rank - 1;
  int64_t length = tensor.shape[outer];
  const int64_t runStride = strides[outer];
  while (outer > 0 && runStride == 1 && strides[outer - 1] == length)
    length *= tensor.shape[--outer];

  int64_t index[GRAPHC_ABI_MAX_RANK] = {};
  size_t rowMajorOffset = 0;
  for (;;) {
    copyRun(data, rowMajorOffset, length, runStride * elementBytes);
    rowMajorOffset += static_cast<size_t>(length * elementBytes);
    uint32_t dim = outer;
    for (; dim > 0; --dim) {
      data += strides[dim - 1] * elementBytes;
      if (++index[dim - 1] < tensor.shape[dim - 1])
        break;
      data -= strides[dim - 1] * elementBytes * tensor.shape[dim - 1];
      index[dim - 1] = 0;
    }
    if (dim == 0)
      return;
  }
}

/// A constant size lets the compiler turn memcpy into one move.
template <class Copy> void withElementBytes(size_t bytes, const Copy &copy) {
  switch (bytes) {
  case 1:
    return copy(std::integral_constant<size_t, 1>());
  case 2:
    return copy(std::integral_constant<size_t, 2>());
  case 4:
    return copy(std::integral_constant<size_t, 4>());
  default:
    return copy(std::integral_constant<size_t, 8>());
  }
}

} // namespace

bool hasType(const graphc_tensor &tensor, const graphc_abi_type &type) {
  return static_cast<uint32_t>(tensor.dtype) == type.dtype &&
         tensor.rank == type.rank &&
         (type.rank == 0 ||
          (tensor.shape &&
           !std::memcmp(tensor.shape, type.dims, type.rank * sizeof(int64_t))));
}

void checkTensor(const TensorName &name, const graphc_abi_type &type,
                 const graphc_tensor &tensor, bool mayLackData) {
  if (!hasType(tensor, type)) {
    if (tensor.rank > GRAPHC_ABI_MAX_RANK || (tensor.rank && !tensor.shape))
      fail(GRAPHC_INVALID_ARGUMENT,
           "%s expects %s, but got a tensor of rank %u %s", text(name).c_str(),
           typeText(type).c_str(), tensor.rank,
           tensor.shape ? "" : "without a shape");
    fail(GRAPHC_INVALID_ARGUMENT, "%s expects %s, but got %s",
         text(name).c_str(), typeText(type).c_str(),
         typeText(tensor.dtype, tensor.rank, tensor.shape).c_str());
  }
  if (!tensor.data && !mayLackData && !isEmpty(tensor))
    fail(GRAPHC_INVALID_ARGUMENT, "%s expects data, but got NULL",
         text(name).c_str());
}

bool isRowMajor(const graphc_tensor &tensor) {
  if (!tensor.strides || isEmpty(tensor))
    return true;
  int64_t expected = 1;
  for (uint32_t i = tensor.rank; i-- > 0; expected *= tensor.shape[i])
    if (tensor.shape[i] != 1 && tensor.strides[i] != expected)
      return false;
  return true;
}

bool isElementAligned(const graphc_tensor &tensor) {
  return reinterpret_cast<uintptr_t>(tensor.data) %
             graphc_dtype_bytes(tensor.dtype) ==
         0;
}

void checkZeroCopy(const TensorName &name, const graphc_tensor &tensor) {
  if (!isRowMajor(tensor)) {
    int64_t expected[GRAPHC_ABI_MAX_RANK];
    rowMajorStrides(tensor, expected);
    fail(GRAPHC_INVALID_ARGUMENT,
         "%s expects row-major strides %s to be used in place, but got %s; "
         "graphc_model_run() copies such arrays",
         text(name).c_str(), listText(expected, tensor.rank).c_str(),
         listText(tensor.strides, tensor.rank).c_str());
  }
  if (!isElementAligned(tensor))
    fail(GRAPHC_INVALID_ARGUMENT,
         "%s expects data aligned to its element of %zu bytes to be used in "
         "place, but got %p; graphc_model_run() copies such arrays",
         text(name).c_str(), graphc_dtype_bytes(tensor.dtype), tensor.data);
}

void gather(const graphc_tensor &from, void *rowMajor) {
  withElementBytes(graphc_dtype_bytes(from.dtype), [&](auto bytes) {
    constexpr size_t n = decltype(bytes)::value;
    forEachRun(from, [&](const char *run, size_t offset, int64_t length,
                         int64_t stride) {
      char *out = static_cast<char *>(rowMajor) + offset;
      if (stride == static_cast<int64_t>(n)) {
        std::memcpy(out, run, static_cast<size_t>(length) * n);
        return;
      }
      for (int64_t i = 0; i < length; ++i, run += stride, out += n)
        std::memcpy(out, run, n);
    });
  });
}

void scatter(const void *rowMajor, const graphc_tensor &to) {
  withElementBytes(graphc_dtype_bytes(to.dtype), [&](auto bytes) {
    constexpr size_t n = decltype(bytes)::value;
    forEachRun(to,
               [&](char *run, size_t offset, int64_t length, int64_t stride) {
                 const char *in = static_cast<const char *>(rowMajor) + offset;
                 if (stride == static_cast<int64_t>(n)) {
                   std::memcpy(run, in, static_cast<size_t>(length) * n);
                   return;
                 }
                 for (int64_t i = 0; i < length; ++i, run += stride, in += n)
                   std::memcpy(run, in, n);
               });
  });
}

} // namespace graphc::runtime
