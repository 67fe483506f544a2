// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstring>
#include <memory>

#include "runtime/core/DType.h"
#include "runtime/data/Array.h"
#include "runtime/data/File.h"
#include "runtime/data/Message.h"
#include "runtime/data/NpyHeader.h"

using namespace graphc::runtime;

namespace {

/// Far more than a header of 16 dimensions needs.
constexpr uint32_t kMaxHeaderBytes = 1 << 16;

/// Reads the header; `dataBegin` receives where the elements start.
NpyHeader readHeader(const InputFile &file, uint64_t &dataBegin) {
  auto corrupt = [&](const std::string &message) {
    fail(GRAPHC_CORRUPT, quoted(file.path()) + ": " + message);
  };
  unsigned char head[12] = {};
  file.readAt(0, head, std::min<uint64_t>(file.size(), sizeof head));
  if (file.size() < 10 || std::memcmp(head, "\x93NUMPY", 6) != 0)
    corrupt("is no npy file: it does not begin with \\x93NUMPY");
  unsigned major = head[6], minor = head[7];
  if (major < 1 || major > 3 || minor != 0)
    fail(GRAPHC_UNSUPPORTED, quoted(file.path()) +
                                 ": expects npy format 1.0, 2.0 or 3.0, but "
                                 "got " +
                                 std::to_string(major) + "." +
                                 std::to_string(minor));
  uint32_t headerBytes = head[8] | head[9] << 8;
  dataBegin = 10;
  if (major > 1) {
    headerBytes |= static_cast<uint32_t>(head[10]) << 16 |
                   static_cast<uint32_t>(head[11]) << 24;
    dataBegin = 12;
  }
  if (headerBytes > kMaxHeaderBytes)
    corrupt("expects an npy header of at most 65536 bytes, but got " +
            std::to_string(headerBytes));
  if (file.size() < dataBegin + headerBytes)
    corrupt("ends within the npy header");
  std::string text(headerBytes, '\0');
  file.readAt(dataBegin, &text[0], headerBytes);
  dataBegin += headerBytes;
  return parseNpyHeader(text, file.path());
}

void swapBytes(graphc_array &array) {
  size_t unit = graphc_dtype_bytes(array.dtype);
  auto *bytes = static_cast<unsigned char *>(array.data.get());
  for (uint64_t at = 0; unit > 1 && at < array.bytes; at += unit)
    std::reverse(bytes + at, bytes + at + unit);
}

/// The row-major form of an array with elements whose first dimension varies
/// fastest.
std::unique_ptr<graphc_array> fromFortranOrder(const graphc_array &array) {
  std::vector<int64_t> strides(array.shape.size());
  int64_t stride = 1;
  for (size_t i = 0; i < strides.size(); ++i) {
    strides[i] = stride;
    stride *= array.shape[i];
  }
  graphc_tensor view = array.tensor();
  view.strides = strides.data();
  auto result = std::make_unique<graphc_array>(array.dtype, array.shape);
  gather(view, result->data.get());
  return result;
}

std::unique_ptr<graphc_array> readNpy(const char *path) {
  InputFile file(path);
  uint64_t dataBegin = 0, bytes = 0;
  NpyHeader header = readHeader(file, dataBegin);
  if (!graphc::runtime::tensorBytes(header.dtype,
                                    static_cast<uint32_t>(header.shape.size()),
                                    header.shape.data(), bytes))
    fail(GRAPHC_CORRUPT,
         quoted(path) + ": an array of shape " +
             listText(header.shape.data(), header.shape.size()) +
             " has more than 2^63 bytes");
  // Before anything is allocated for them.
  if (file.size() - dataBegin != bytes)
    fail(GRAPHC_CORRUPT,
         quoted(path) + ": expects " + std::to_string(bytes) +
             " bytes of data for shape " +
             listText(header.shape.data(), header.shape.size()) +
             ", but the file has " + std::to_string(file.size() - dataBegin));
  auto array = std::make_unique<graphc_array>(header.dtype, header.shape);
  file.readAt(dataBegin, array->data.get(), bytes);
  if (header.dtype == GRAPHC_DTYPE_I1)
    convert(GRAPHC_DTYPE_I1, array->data.get(), GRAPHC_DTYPE_I1,
            array->data.get(), bytes);
  if (header.bigEndian)
    swapBytes(*array);
  // Beside a dimension of 0 the others may be of any size, also to overflow.
  if (header.fortranOrder && header.shape.size() > 1 && bytes > 0)
    array = fromFortranOrder(*array);
  return array;
}

} // namespace

graphc_status graphc_npy_read(const char *path, graphc_array **out_array) {
  return guarded([&] {
    if (!path || !out_array)
      fail(GRAPHC_INVALID_ARGUMENT, "an argument is NULL");
    *out_array = readNpy(path).release();
  });
}

graphc_status graphc_npy_write(const char *path, const graphc_tensor *tensor) {
  return guarded([&] {
    if (!path)
      fail(GRAPHC_INVALID_ARGUMENT, "an argument is NULL");
    checkTensor(tensor, "the tensor");
    std::vector<int64_t> shape(tensor->shape, tensor->shape + tensor->rank);
    std::string prologue = npyPrologue(tensor->dtype, shape);
    const void *data = tensor->data;
    std::unique_ptr<graphc_array> packed;
    if (!isRowMajor(*tensor)) {
      packed = std::make_unique<graphc_array>(tensor->dtype, shape);
      gather(*tensor, packed->data.get());
      data = packed->data.get();
    }
    AtomicFile file(path);
    file.write(prologue.data(), prologue.size());
    file.write(data, graphc::runtime::tensorBytes(*tensor));
    file.commit();
  });
}
