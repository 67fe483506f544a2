// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Support/Dtype/Dtype.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace graphc {

graphc_dtype toDtype(Type element) {
  if (element.isF64())
    return GRAPHC_DTYPE_F64;
  if (element.isF32())
    return GRAPHC_DTYPE_F32;
  if (element.isF16())
    return GRAPHC_DTYPE_F16;
  if (element.isBF16())
    return GRAPHC_DTYPE_BF16;
  if (element.isSignlessInteger(1))
    return GRAPHC_DTYPE_I1;
  if (element.isSignlessInteger(8))
    return GRAPHC_DTYPE_I8;
  if (element.isUnsignedInteger(8))
    return GRAPHC_DTYPE_UI8;
  if (element.isSignlessInteger(32))
    return GRAPHC_DTYPE_I32;
  if (element.isSignlessInteger(64))
    return GRAPHC_DTYPE_I64;
  return GRAPHC_DTYPE_INVALID;
}

Type toElementType(MLIRContext *context, graphc_dtype dtype) {
  switch (dtype) {
  case GRAPHC_DTYPE_F64:
    return Float64Type::get(context);
  case GRAPHC_DTYPE_F32:
    return Float32Type::get(context);
  case GRAPHC_DTYPE_F16:
    return Float16Type::get(context);
  case GRAPHC_DTYPE_BF16:
    return BFloat16Type::get(context);
  case GRAPHC_DTYPE_I1:
    return IntegerType::get(context, 1);
  case GRAPHC_DTYPE_I8:
    return IntegerType::get(context, 8);
  case GRAPHC_DTYPE_UI8:
    return IntegerType::get(context, 8, IntegerType::Unsigned);
  case GRAPHC_DTYPE_I32:
    return IntegerType::get(context, 32);
  case GRAPHC_DTYPE_I64:
    return IntegerType::get(context, 64);
  default: // A caller of the C API may store any number.
    return {};
  }
}

} // namespace graphc
