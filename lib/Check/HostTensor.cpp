// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Check/HostTensor.h"
#include "lib/Support/Dtype/Dtype.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

#include <cstring>

using namespace mlir;

namespace graphc::check {

using interpreter::ElementKind;
using interpreter::Tensor;

namespace {

const llvm::fltSemantics &semanticsOf(RankedTensorType type) {
  return cast<FloatType>(type.getElementType()).getFloatSemantics();
}

} // namespace

HostTensor::HostTensor(RankedTensorType type) : type(type) {
  size_t size = graphc_dtype_bytes(toDtype(type.getElementType()));
  bytes.assign(type.getNumElements() * size, char(0x5a));
}

HostTensor::HostTensor(const Tensor &tensor) : HostTensor(tensor.type) {
  size_t size = tensor.size() ? bytes.size() / tensor.size() : 0;
  for (int64_t k = 0; k < tensor.size(); ++k) {
    uint64_t bits;
    if (tensor.isFloat()) {
      llvm::APFloat value(tensor.floats[k]);
      bool lost = false;
      value.convert(semanticsOf(type), llvm::APFloat::rmNearestTiesToEven,
                    &lost);
      bits = value.bitcastToAPInt().getZExtValue();
    } else {
      bits = static_cast<uint64_t>(tensor.ints[k]);
    }
    std::memcpy(bytes.data() + k * size, &bits, size); // Little-endian.
  }
}

graphc_tensor HostTensor::view() {
  graphc_tensor view = {};
  view.dtype = toDtype(type.getElementType());
  view.rank = static_cast<uint32_t>(type.getRank());
  view.shape = type.getShape().data(); // Of the context: it lives long enough.
  view.data = bytes.data();
  return view;
}

Tensor HostTensor::toTensor() const {
  Tensor tensor(type);
  size_t size = tensor.size() ? bytes.size() / tensor.size() : 0;
  for (int64_t k = 0; k < tensor.size(); ++k) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + k * size, size);
    if (tensor.isFloat()) {
      llvm::APFloat value(semanticsOf(type), llvm::APInt(size * 8, bits));
      bool lost = false;
      value.convert(llvm::APFloat::IEEEdouble(),
                    llvm::APFloat::rmNearestTiesToEven, &lost);
      tensor.floats[k] = value.convertToDouble();
    } else if (tensor.kind() == ElementKind::I1) {
      tensor.ints[k] = static_cast<int64_t>(bits);
    } else {
      tensor.ints[k] = interpreter::wrapTo(tensor.kind(), bits);
    }
  }
  return tensor;
}

} // namespace graphc::check
