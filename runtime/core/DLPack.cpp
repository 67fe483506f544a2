// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/DLPack.h"

#include <cstring>
#include <memory>

#include "graphc/runtime.h"
#include "runtime/core/DType.h"
#include "runtime/core/Error.h"

using namespace graphc::runtime;

namespace {

struct DTypePair {
  graphc_dtype ours;
  uint8_t code, bits;
};

constexpr DTypePair dtypePairs[] = {
    {GRAPHC_DTYPE_F64, kDLFloat, 64}, {GRAPHC_DTYPE_F32, kDLFloat, 32},
    {GRAPHC_DTYPE_F16, kDLFloat, 16}, {GRAPHC_DTYPE_BF16, kDLBfloat, 16},
    {GRAPHC_DTYPE_I1, kDLBool, 8},    {GRAPHC_DTYPE_I8, kDLInt, 8},
    {GRAPHC_DTYPE_UI8, kDLUInt, 8},   {GRAPHC_DTYPE_I32, kDLInt, 32},
    {GRAPHC_DTYPE_I64, kDLInt, 64},
};

/// What a DLManagedTensor of ours owns.
struct Managed {
  DLManagedTensor base = {};
  std::unique_ptr<int64_t[]> extents; // Shape, then strides.
  void (*release)(void *owner) = nullptr;
  void *owner = nullptr;
};

void deleteManaged(DLManagedTensor *self) {
  std::unique_ptr<Managed> managed(static_cast<Managed *>(self->manager_ctx));
  if (managed->release)
    managed->release(managed->owner);
}

} // namespace

extern "C" graphc_status
graphc_tensor_from_dlpack(const DLManagedTensor *managed,
                          graphc_tensor *out_tensor) {
  return guarded([&] {
    if (!managed || !out_tensor)
      fail(GRAPHC_INVALID_ARGUMENT, "%s is NULL",
           managed ? "out_tensor" : "managed");
    const DLTensor &from = managed->dl_tensor;
    if (from.device.device_type != kDLCPU)
      fail(GRAPHC_UNSUPPORTED,
           "expects host memory (DLPack device type %d), but got type %d",
           static_cast<int>(kDLCPU), from.device.device_type);
    if (from.ndim < 0 ||
        static_cast<uint32_t>(from.ndim) > GRAPHC_ABI_MAX_RANK ||
        (from.ndim > 0 && !from.shape))
      fail(GRAPHC_INVALID_ARGUMENT, "expects a rank in [0, %u], but got %d",
           GRAPHC_ABI_MAX_RANK, from.ndim);
    for (const DTypePair &pair : dtypePairs) {
      if (from.dtype.code != pair.code || from.dtype.bits != pair.bits ||
          from.dtype.lanes != 1)
        continue;
      graphc_tensor tensor = {};
      tensor.dtype = pair.ours;
      tensor.rank = static_cast<uint32_t>(from.ndim);
      tensor.shape = from.shape;
      tensor.strides = from.strides;
      tensor.data = from.data
                        ? static_cast<std::byte *>(from.data) + from.byte_offset
                        : nullptr;
      *out_tensor = tensor;
      return;
    }
    fail(GRAPHC_UNSUPPORTED,
         "no element type for DLPack code %u with %u bits and %u lanes",
         from.dtype.code, from.dtype.bits, from.dtype.lanes);
  });
}

extern "C" graphc_status
graphc_tensor_to_dlpack(const graphc_tensor *tensor,
                        void (*release)(void *owner), void *owner,
                        DLManagedTensor **out_managed) {
  return guarded([&] {
    if (!tensor || !out_managed)
      fail(GRAPHC_INVALID_ARGUMENT, "%s is NULL",
           tensor ? "out_managed" : "tensor");
    if (!isValidDType(tensor->dtype) || tensor->rank > GRAPHC_ABI_MAX_RANK ||
        (tensor->rank != 0 && !tensor->shape))
      fail(GRAPHC_INVALID_ARGUMENT,
           "expects a valid element type, a rank of at most %u and a shape",
           GRAPHC_ABI_MAX_RANK);
    auto managed = std::make_unique<Managed>();
    const uint32_t rank = tensor->rank;
    managed->extents = std::make_unique<int64_t[]>(2 * rank + 1);
    DLTensor &to = managed->base.dl_tensor;
    to.shape = managed->extents.get();
    to.strides = to.shape + rank;
    // Strides are always written: DLPack 1.2 no longer allows null.
    int64_t stride = 1;
    for (uint32_t i = rank; i-- > 0; stride *= tensor->shape[i]) {
      to.shape[i] = tensor->shape[i];
      to.strides[i] = tensor->strides ? tensor->strides[i] : stride;
    }
    for (const DTypePair &pair : dtypePairs)
      if (pair.ours == tensor->dtype)
        to.dtype = {pair.code, pair.bits, 1};
    to.data = tensor->data;
    to.device = {kDLCPU, 0};
    to.ndim = static_cast<int32_t>(rank);
    managed->release = release;
    managed->owner = owner;
    managed->base.manager_ctx = managed.get();
    managed->base.deleter = deleteManaged;
    *out_managed = &managed.release()->base;
  });
}
