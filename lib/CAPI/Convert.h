// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between the C structs of graphc/compiler.h and the compiler's types.
#ifndef GRAPHC_LIB_CAPI_CONVERT_H
#define GRAPHC_LIB_CAPI_CONVERT_H

#include "graphc/compiler.h"
#include "lib/Trace/ModuleBuilder.h"

#include <deque>

struct graphc_module {
  explicit graphc_module(llvm::StringRef name) : builder(name) {}
  graphc::trace::ModuleBuilder builder;
  std::string text;     // What the last call lends out.
  std::string warnings; // Of the last compile.
  /// Shapes lent out by graphc_value_type(), which live as long as the module.
  std::deque<std::vector<int64_t>> shapes;
};

namespace graphc::capi {

/// Notes `message` and returns `status`.
graphc_status fail(graphc_status status, const std::string &message);

/// GRAPHC_INVALID_ARGUMENT: `what` is NULL.
graphc_status missing(const char *what);

/// GRAPHC_COMPILE_ERROR with what the builder says.
graphc_status failed(const graphc_module *module);

graphc::trace::Source toSource(const graphc_source *source);

/// Whether MLIR's parser may see `text`. If not, notes why, at `source`.
bool isReadable(graphc_module *module, llvm::StringRef text, const char *what,
                const graphc_source *source);

/// Null, with a noted error, if `type` is no tensor type of the dialect.
mlir::RankedTensorType toType(mlir::MLIRContext *context,
                              const graphc_tensor_type *type);

/// `strings` may be NULL, and each of them too: then "".
llvm::SmallVector<llvm::StringRef> toStrings(const char *const *strings,
                                             size_t count);

inline llvm::StringRef toString(const char *text) { return text ? text : ""; }

} // namespace graphc::capi

#endif // GRAPHC_LIB_CAPI_CONVERT_H
