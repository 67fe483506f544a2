// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/CAPI/Convert.h"
#include "lib/Driver/ReadModel.h"
#include "lib/Support/Dtype/Dtype.h"
#include "lib/Trace/Diagnostics.h"

using namespace mlir;

namespace graphc::capi {

graphc_status fail(graphc_status status, const std::string &message) {
  return graphc_error_set(status, message.c_str());
}

graphc_status missing(const char *what) {
  return fail(GRAPHC_INVALID_ARGUMENT,
              std::string("expects ") + what + ", but got NULL");
}

graphc_status failed(const graphc_module *module) {
  return fail(GRAPHC_COMPILE_ERROR, module->builder.error());
}

trace::Source toSource(const graphc_source *source) {
  if (!source)
    return {"<unknown>", 0, 0};
  return {toString(source->file).str(), source->line, source->column};
}

bool isReadable(graphc_module *module, llvm::StringRef text, const char *what,
                const graphc_source *source) {
  std::string messages;
  ScopedDiagnosticHandler handler(
      &module->builder.context(), [&](Diagnostic &diagnostic) {
        trace::appendDiagnostic(messages, diagnostic);
        return success();
      });
  if (succeeded(checkAttributeText(text, what, module->builder.context())))
    return true;
  trace::Source place = toSource(source);
  fail(GRAPHC_COMPILE_ERROR, place.file + ":" + std::to_string(place.line) +
                                 ": error: text that cannot be read\n" +
                                 messages);
  return false;
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

llvm::SmallVector<llvm::StringRef> toStrings(const char *const *strings,
                                             size_t count) {
  llvm::SmallVector<llvm::StringRef> result(count);
  for (size_t k = 0; strings && k < count; ++k)
    result[k] = toString(strings[k]);
  return result;
}

} // namespace graphc::capi
