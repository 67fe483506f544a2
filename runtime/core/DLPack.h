// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The structs of DLPack 0.x, written from its specification
// (https://dmlc.github.io/dlpack/latest/c_api.html). Only DLPack.cpp and tests
// may include this: a host includes DLPack's own header.
#ifndef GRAPHC_RUNTIME_CORE_DLPACK_H
#define GRAPHC_RUNTIME_CORE_DLPACK_H

#include <cstdint>

extern "C" {

enum DLDeviceType { kDLCPU = 1 };

enum DLDataTypeCode {
  kDLInt = 0,
  kDLUInt = 1,
  kDLFloat = 2,
  kDLBfloat = 4,
  kDLBool = 6
};

struct DLDevice {
  int32_t device_type; // DLDeviceType; a number, as hosts know more of them.
  int32_t device_id;
};

struct DLDataType {
  uint8_t code, bits;
  uint16_t lanes;
};

struct DLTensor {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;
  int64_t *strides; // In elements; null: row-major.
  uint64_t byte_offset;
};

struct DLManagedTensor {
  DLTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(DLManagedTensor *self);
};

} // extern "C"

#endif // GRAPHC_RUNTIME_CORE_DLPACK_H
