// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/CAPI/Convert.h"

using namespace mlir;

namespace graphc::capi {

graphc_status fail(graphc_status status, const std::string &message) {
  return graphc_error_set(status, message.c_str());
}

graphc_status failed(const graphc_module *module) {
  return fail(GRAPHC_COMPILE_ERROR, module->builder.error());
}

trace::Source toSource(const graphc_source *source) {
  if (!source)
    return {"<unknown>", 0, 0};
  return {toString(source->file).str(), source->line, source->column};
}

static Type toElementType(MLIRContext *context, graphc_dtype dtype) {
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
  case GRAPHC_DTYPE_INVALID:
    break;
  }
  return {};
}

RankedTensorType toType(MLIRContext *context, const graphc_tensor_type *type) {
  constexpr uint32_t kMaxRank = 16;
  if (!type) {
    fail(GRAPHC_INVALID_ARGUMENT, "expects a tensor type, but got NULL");
    return {};
  }
  Type element = toElementType(context, type->dtype);
  if (!element) {
    fail(GRAPHC_INVALID_ARGUMENT,
         "expects a graphc_dtype, but got " + std::to_string(type->dtype));
    return {};
  }
  if (type->rank > kMaxRank || (type->rank && !type->dims)) {
    fail(GRAPHC_INVALID_ARGUMENT,
         "expects a rank of 16 or less with its dims, but got rank " +
             std::to_string(type->rank));
    return {};
  }
  int64_t elements = 1;
  for (uint32_t k = 0; k < type->rank; ++k)
    if (type->dims[k] < 0 ||
        llvm::MulOverflow(elements, type->dims[k], elements)) {
      fail(GRAPHC_INVALID_ARGUMENT,
           "expects dims of 0 or more whose product fits 63 bits, but dim " +
               std::to_string(k) + " is " + std::to_string(type->dims[k]));
      return {};
    }
  return RankedTensorType::get({type->dims, type->rank}, element);
}

graphc_dtype toDtype(Type type) {
  if (type.isF64())
    return GRAPHC_DTYPE_F64;
  if (type.isF32())
    return GRAPHC_DTYPE_F32;
  if (type.isF16())
    return GRAPHC_DTYPE_F16;
  if (type.isBF16())
    return GRAPHC_DTYPE_BF16;
  if (type.isInteger(1))
    return GRAPHC_DTYPE_I1;
  if (type.isUnsignedInteger(8))
    return GRAPHC_DTYPE_UI8;
  if (type.isInteger(8))
    return GRAPHC_DTYPE_I8;
  if (type.isInteger(32))
    return GRAPHC_DTYPE_I32;
  if (type.isInteger(64))
    return GRAPHC_DTYPE_I64;
  return GRAPHC_DTYPE_INVALID;
}

llvm::SmallVector<llvm::StringRef> toStrings(const char *const *strings,
                                             size_t count) {
  llvm::SmallVector<llvm::StringRef> result(count);
  for (size_t k = 0; strings && k < count; ++k)
    result[k] = toString(strings[k]);
  return result;
}

} // namespace graphc::capi
